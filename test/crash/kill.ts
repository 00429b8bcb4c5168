/** A process that is killed, what it had told by then, and what must be left of its store. */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { platformEnv, Store } from '@quadrille/core';
import { StorageEngine } from '@quadrille/storage';
import type { StorageDriver } from '@quadrille/storage';
import { LevelDirectory } from '@quadrille/storage-level';
import { LmdbDirectory } from '@quadrille/lmdb';
import { check } from '../model/check.js';
import { applied, differenceText, stateAt } from '../model/operations.mjs';
import type { State } from '../model/operations.mjs';
import { operationsOf, REPOSITORY, TUNING } from './kill-operations.mjs';

const CHILD = join(import.meta.dirname, 'kill-child.mjs');

type OpenDriver = (path: string) => StorageDriver;
const options = { create: true, lockTimeoutMs: 2000 };
export const BACKENDS: Readonly<Record<string, OpenDriver>> = {
  leveldb: (path) => new LevelDirectory(path, options),
  lmdb: (path) => new LmdbDirectory(path, options),
};

export interface Told {
  readonly event: 'opening' | 'open' | 'begin' | 'done';
  readonly index?: number;
  readonly kind?: string;
  readonly number?: number;
  readonly digest?: string;
}

/** The states of all revisions after so many operations. */
export class Model {
  readonly states: State[] = [new Set(), new Set()];
  /** Operations that were followed. */
  done = 0;

  constructor(private readonly seed: number) {}

  get head(): number {
    return this.states.length - 1;
  }

  /** The state after the next operation. */
  next(): State {
    return applied(this.states, operationsOf(this.seed, this.done, this.head), `o${this.done}x`);
  }

  follow(): void {
    const next = this.next();
    if (next !== this.states.at(-1)) this.states.push(next);
    this.done++;
  }
}

export interface Victim {
  readonly backend: string;
  readonly directory: string;
  readonly sideFile: string;
  readonly seed: number;
  readonly durable: boolean;
  /** It kills itself at that call which writes. Absent: it does not. */
  readonly atCall?: number | undefined;
}

/** A process that waits until it is told to work, so that the next one can start while the store is inspected. */
export class VictimProcess {
  readonly #child;
  readonly #ended: Promise<number | null>;
  #said = '';

  constructor(private readonly victim: Victim) {
    const { backend, directory, sideFile, seed, durable, atCall } = victim;
    writeFileSync(sideFile, '');
    const env = atCall === undefined ? process.env : { ...process.env, QUADRILLE_KILL_AT: `${atCall}` };
    this.#child = spawn(process.execPath, [CHILD, directory, sideFile, `${seed}`, durable ? '1' : '0', backend], {
      stdio: ['pipe', 'ignore', 'pipe'],
      env,
    });
    this.#child.stderr.on('data', (chunk: Buffer) => (this.#said += chunk.toString()));
    // It can be dead before it was told anything.
    this.#child.stdin.on('error', () => undefined);
    this.#ended = new Promise((resolve) => this.#child.on('close', (code) => resolve(code)));
  }

  /**
   * Lets it work for a while from operation `first` on, kills it and answers what it told. Where it kills itself at a call, the delay is the most that it has.
   * The delay begins where the store is being opened, or is open: starting Node takes longer than all the rest.
   */
  async kill(first: number, delay: number, fromOpen: boolean): Promise<Told[]> {
    const { sideFile, atCall } = this.victim;
    this.#child.stdin.write(`${first}\n`);
    const mark = fromOpen ? '"opening"' : '"open"';
    const since = Date.now();
    while (
      !readFileSync(sideFile, 'utf8').includes(mark) &&
      this.#child.exitCode === null &&
      this.#child.signalCode === null &&
      Date.now() - since < 20_000
    ) {
      await new Promise((resolve) => setTimeout(resolve, fromOpen ? 1 : 5));
    }
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise((resolve) => (timer = setTimeout(resolve, delay)));
    await (atCall === undefined ? late : Promise.race([late, this.#ended]));
    clearTimeout(timer);
    const code = await this.end();
    if (code !== null) throw new Error(`the child ended by itself with ${code}: ${this.#said.slice(0, 4000)}`);
    const lines = readFileSync(sideFile, 'utf8').split('\n');
    return lines.slice(0, -1).map((line) => JSON.parse(line) as Told);
  }

  /** Kills it as it is. Answers the code that it has ended with before, if it has. */
  async end(): Promise<number | null> {
    this.#child.kill('SIGKILL');
    return this.#ended;
  }
}

/** Opens what is left: it is the state after the last acknowledged operation, or after the one that was under way. */
export async function inspect(driver: StorageDriver, model: Model, when: string): Promise<void> {
  const engine = await StorageEngine.open(driver);
  const store = await Store.open(engine, { env: platformEnv(), tuning: TUNING });
  try {
    const repository = await store.repository(REPOSITORY, true);
    const report = await store.verify();
    check(report.ok, () => `${when}: ${JSON.stringify(report.problems)}`);
    const head = repository.head.number;
    const next = model.next();
    if (head > model.head) {
      check(head === model.head + 1, () => `${when}: head ${head}, ${model.head} was acknowledged`);
      check(next !== model.states.at(-1), () => `${when}: revision ${head} comes from nowhere`);
      model.follow();
    } else {
      check(head === model.head, () => `${when}: acknowledged revisions are lost: head ${head}, not ${model.head}`);
      // Compacting and what changed nothing may have been done or not: the child begins again with it.
    }
    for (let number = 1; number <= head; number++) {
      const difference = differenceText(await stateAt(repository, number), model.states[number]!);
      check(difference === undefined, () => `${when}, revision ${number}: ${difference}`);
    }
  } finally {
    await store.close();
  }
}
