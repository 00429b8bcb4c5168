/** Puts the values of a batch into envelopes, and takes those of a range out of them. */
import { compareBytes } from './bytes.js';
import type { Bytes, Entry, KeyRange, RangeOptions, WriteOp, WriteOptions } from './contract.js';
import { type Envelope, ENVELOPE_BYTES } from './envelope.js';
import { checkKey, checkValue } from './limits.js';

const NOTHING: Bytes = new Uint8Array(0);

/** The bytes that the sealed values of a batch occupy. */
export function sealedBytes(ops: readonly WriteOp[]): number {
  let bytes = 0;
  for (const op of ops) if (op.type === 'put') bytes += ENVELOPE_BYTES + op.value.length;
  return bytes;
}

/**
 * The operations of a batch with sealed values, which are parts of `memory` if it is given. Empty ranges are left out.
 * @throws StorageError `STORAGE_LIMIT` for a key or value that is too long
 */
export function sealOps(envelope: Envelope, ops: readonly WriteOp[], memory: Uint8Array | undefined): WriteOp[] {
  const sealed: WriteOp[] = [];
  let used = 0;
  for (const op of ops) {
    if (op.type === 'deleteRange') {
      if (compareBytes(op.gte, op.lt) < 0) sealed.push(op);
      continue;
    }
    checkKey(op.key);
    if (op.type === 'delete') {
      sealed.push(op);
      continue;
    }
    const value = seal(envelope, op.key, op.value, memory?.subarray(used));
    used += value.length;
    // All operations get the same shape, so that loops over thousands of them stay fast.
    sealed.push({ type: 'put', key: op.key, value, lasting: op.lasting === true });
  }
  return sealed;
}

/** The options of a batch, with the value of the precondition sealed, and whether it frees space. @throws as {@link sealOps} */
export function sealOptions(
  envelope: Envelope,
  { durable, precondition, frees }: WriteOptions,
  ops: readonly WriteOp[],
): WriteOptions {
  const options = { durable, frees: frees ?? ops.every(({ type }) => type !== 'put') };
  if (precondition === undefined) return options;
  const { key, value } = precondition;
  checkKey(key);
  return { ...options, precondition: { key, value: value === undefined ? undefined : seal(envelope, key, value) } };
}

function seal(envelope: Envelope, key: Bytes, value: Bytes, memory?: Uint8Array): Bytes {
  checkValue(value);
  return envelope.seal(key, value, memory);
}

/** Entries of a range with opened values. @throws CorruptionError `CHECKSUM` */
export function openEntries(
  envelope: Envelope,
  entries: readonly Entry[],
  read: Required<RangeOptions>['read'],
  wants: KeyRange['wants'],
): readonly Entry[] {
  if (read === 'keys') return entries;
  return entries.map(({ key, value }) => ({
    key: read === 'values' ? NOTHING : key,
    // Only a value that is not wanted is without its envelope.
    value: value.length === 0 && wants?.(key) === false ? NOTHING : envelope.open(key, value),
  }));
}
