/** Checks of keys, values and ranges that the engine makes before it calls a driver. */

import { InvalidArgumentError, StorageError } from '@quadrille/model';
import { compareBytes } from './bytes.js';
import { MAX_KEY_BYTES, MAX_VALUE_BYTES, type Bytes, type KeyRange, type WriteOp } from './contract.js';

const NOTHING: Bytes = new Uint8Array(0);

export function checkKey(key: Bytes): void {
  if (key.length === 0 || key.length > MAX_KEY_BYTES) {
    throw new StorageError('STORAGE_LIMIT', `A key has ${key.length} bytes; it must have 1 to ${MAX_KEY_BYTES}.`);
  }
}

/** @throws StorageError `STORAGE_LIMIT` if the engine would refuse one of the writes */
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

/** Whether no key can be in the range. The engine answers such ranges itself, because backends disagree about them. */
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
