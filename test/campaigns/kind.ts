/** What a kind of campaign is: runs that a seed determines, and a session that they share. */
import { createHash } from 'node:crypto';
import { seededRandom } from '@quadrille/storage/testing';

/** A run of a campaign: run `index` of the campaign with the seed `seed`. */
export class RunSeed {
  constructor(
    readonly kind: string,
    readonly seed: string,
    /** From 1. */
    readonly index: number,
  ) {}

  toString(): string {
    return `${this.seed}/${this.index}`;
  }

  /** A number of 31 bits that the run determines; others with another name. */
  number(name = ''): number {
    return createHash('sha256').update(`${this.kind} ${this.toString()} ${name}`).digest().readUInt32BE() >>> 1;
  }

  random(name = ''): () => number {
    return seededRandom(this.number(name));
  }
}

/** What a run did. */
export interface Outcome {
  /** All that its seed decides, and what came of it where that depends on the seed alone. Its digest is that of the run. */
  readonly plan: string;
  /** Operations of the run, where one run has several. */
  readonly operations?: number;
}

export interface Session {
  /** @throws Error where something is wrong with the product */
  run(seed: RunSeed): Promise<Outcome>;
  /** What is looked at once, at the end. @throws Error where something is wrong */
  close?(): Promise<void>;
}

export interface Kind {
  /** One run, in the plural. */
  readonly runs: string;
  /** What a run has several of, in the plural. */
  readonly operations?: string;
  readonly promise: string;
  readonly how: string;
  readonly notPromised: string;
  /** Runs or operations that are aimed at. */
  readonly goal: number;
  open(): Promise<Session>;
}

/** Throws where something is not as it must be. */
export function must(condition: boolean, message: () => string): asserts condition {
  if (!condition) throw new Error(message());
}
