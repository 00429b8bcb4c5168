/** What the engine refuses before a driver sees it. */

import { InvalidArgumentError, StorageError } from '@quadrille/model';
import { compareBytes } from './bytes.js';
import { MAX_KEY_BYTES, MAX_VALUE_BYTES, type Bytes, type KeyRange, type WriteOp } from './contract.js';

const NOTHING: Bytes = new Uint8Array(0);

export function checkKey(key: Bytes): void {
  if (key.length === 0 || key.length > MAX_KEY_BYTES) {
    throw new StorageError('STORAGE_LIMIT', `A key has ${key.length} bytes; 1 to ${MAX_KEY_BYTES} are possible.`);
  }
}

/** @throws StorageError `STORAGE_LIMIT` for a write that the engine would refuse. */
export function checkOps(ops: readonly WriteOp[]): void {
  for (const op of ops) {
    if (op.type === 'deleteRange') continue;
    checkKey(op.key);
    if (op.type === 'put') checkValue(op.value);
  }
}

export function checkRange({ limit }: KeyRange): void {
  if (limit !== undefined && !(Number.isSafeInteger(limit) && limit >= 0)) {
    throw new InvalidArgumentError('INVALID_OPTION', `The limit of a range must be a natural number, not ${limit}.`);
  }
}

/** Ranges that no key can be in are answered here: backends disagree about empty and crossed bounds. */
export function isEmpty({ gte, lt, limit }: KeyRange): boolean {
  return limit === 0 || (lt !== undefined && compareBytes(gte ?? NOTHING, lt) >= 0);
}

export function checkValue(value: Bytes): void {
  if (value.length > MAX_VALUE_BYTES) {
    throw new StorageError(
      'STORAGE_LIMIT',
      `A value has ${value.length} bytes; at most ${MAX_VALUE_BYTES} can be stored.`,
    );
  }
}
