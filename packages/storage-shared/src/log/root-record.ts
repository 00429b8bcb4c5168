/** The root of a log: who writes it, and from where it is read. */

import { CorruptionError } from '@quadrille/model';
import type { Bytes } from '@quadrille/storage';
import type { Root } from '../contract.js';

/** A pack of a checkpoint. */
export interface CheckpointPack {
  /** Its id. */
  readonly pack: string;
  /** Its length in bytes. */
  readonly length: number;
}

/** Where a log is read from instead of its first entry. */
export interface Checkpoint {
  /** The last position that it covers. */
  readonly position: number;
  /** The id of the entry there. */
  readonly id: string;
  /** The epoch of the entry there. */
  readonly epoch: number;
  /** The packs that contain it, in order. */
  readonly packs: readonly CheckpointPack[];
}

/** The value of a root. */
export interface RootRecord {
  /** The epoch of the latest take-over; 0 before the first one. */
  readonly epoch: number;
  /** The server that took over last. */
  readonly holder: string | undefined;
  /** The latest checkpoint. */
  readonly checkpoint: Checkpoint | undefined;
  /** Another id after each erasure: what was read before it is kept nowhere. */
  readonly erasure?: string | undefined;
}

/** The root of a log without one. */
export const NO_ROOT: RootRecord = { epoch: 0, holder: undefined, checkpoint: undefined };

/** Roots are JSON, so that an operator can read them. */
export function encodeRoot(root: RootRecord): Bytes {
  return new TextEncoder().encode(JSON.stringify({ form: 1, ...root }));
}

/** @throws CorruptionError `LOG_BROKEN` if it is no root of this version */
export function decodeRoot({ version, body }: Root): RootRecord {
  let value: Partial<RootRecord> & { readonly form?: unknown };
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as typeof value;
  } catch (error) {
    throw damaged(version, error);
  }
  if (value.form !== 1 || !Number.isSafeInteger(value.epoch)) throw damaged(version, undefined);
  return { epoch: value.epoch!, holder: value.holder, checkpoint: value.checkpoint, erasure: value.erasure };
}

function damaged(version: number, cause: unknown): CorruptionError {
  return new CorruptionError('LOG_BROKEN', `The root of the shared log (version ${version}) is damaged.`, { cause });
}
