/** The content of the journal in memory, which reads see in front of the inner driver. */

import {
  compareBytes,
  getFromSnapshot,
  scanSnapshot,
  SortedTable,
  type Bytes,
  type Entry,
  type KeyRange,
  type RangeOptions,
  type StorageDriver,
  type TableSnapshot,
} from '@quadrille/storage';
import type { PlainOp } from './journal-record.js';

/** The value of a deleted key. It is recognised by identity. */
export const DELETED: Bytes = new Uint8Array(0);

/** Size of the filter that excludes most keys. A search in the table costs ten times as much. */
const FILTER_SLOTS = 1 << 16;

/** The content at a moment. */
export class OverlayState {
  /** @param filter may have slots of later keys. Absent: there is no key. */
  constructor(
    private readonly table: TableSnapshot,
    private readonly filter: Uint8Array | undefined,
  ) {}

  /** The value of a key, {@link DELETED}, or undefined if the overlay does not have the key. */
  get(key: Bytes): Bytes | undefined {
    return this.filter?.[slotOf(key)] === 1 ? getFromSnapshot(this.table, key) : undefined;
  }

  /** Entries in the direction of the range, whose limit is ignored. Deleted keys have the value {@link DELETED}. */
  entries({ gte, lt, reverse = false }: KeyRange): Entry[] {
    const bounds = { ...(gte && { gte }), ...(lt && { lt }), reverse };
    return Array.from(scanSnapshot(this.table, bounds), ([key, value]) => ({ key, value }));
  }
}

export class Overlay {
  readonly #table = new SortedTable();
  /** Exists once there is a key. The slot of every key is 1. */
  #filter: Uint8Array | undefined;

  get empty(): boolean {
    return this.#filter === undefined;
  }

  /** Applies an operation. Its key and value must not change. */
  apply(op: PlainOp): void {
    this.#filter ??= new Uint8Array(FILTER_SLOTS);
    this.#filter[slotOf(op.key)] = 1;
    this.#table.set(op.key, op.type === 'put' ? op.value : DELETED);
  }

  /** The value of a key, {@link DELETED}, or undefined if the overlay does not have the key. */
  get(key: Bytes): Bytes | undefined {
    return this.#filter?.[slotOf(key)] === 1 ? this.#table.get(key) : undefined;
  }

  state(): OverlayState {
    return new OverlayState(this.#table.snapshot(), this.#filter);
  }

  /** The operations that write the whole content to the inner driver. */
  ops(): PlainOp[] {
    const entries = this.state().entries({});
    return entries.map(({ key, value }) => (value === DELETED ? { type: 'delete', key } : { type: 'put', key, value }));
  }
}

function slotOf(key: Bytes): number {
  let hash = key.length;
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key[i]!, 0x0100_0193);
  return (hash ^ (hash >>> 16)) & (FILTER_SLOTS - 1);
}

/** Merges two lists of entries with the same direction. If both have a key, `newer` wins. */
export function mergeEntries(newer: readonly Entry[], older: readonly Entry[], reverse: boolean): Entry[] {
  if (older.length === 0) return [...newer];
  const merged: Entry[] = [];
  let at = 0;
  for (const entry of older) {
    for (; at < newer.length && comesBefore(newer[at]!.key, entry.key, reverse); at++) merged.push(newer[at]!);
    if (at === newer.length || compareBytes(newer[at]!.key, entry.key) !== 0) merged.push(entry);
  }
  return [...merged, ...newer.slice(at)];
}

/** Merges `above` into the inner entries and leaves out the keys that `above` has deleted. */
async function* overlaid(
  above: readonly Entry[],
  below: AsyncIterable<readonly Entry[]>,
  reverse: boolean,
): AsyncGenerator<readonly Entry[], void, undefined> {
  let at = 0;
  for await (const chunk of below) {
    const start = at;
    const last = chunk.at(-1)?.key;
    if (last === undefined) continue;
    while (at < above.length && !comesBefore(last, above[at]!.key, reverse)) at++;
    yield mergeEntries(above.slice(start, at), chunk, reverse).filter(({ value }) => value !== DELETED);
  }
  yield above.slice(at).filter(({ value }) => value !== DELETED);
}

/** A range of a state of the inner driver merged with `above`. */
export async function* overlaidRange(
  above: readonly Entry[],
  below: Pick<StorageDriver, 'range'>,
  range: KeyRange,
  { read }: Required<RangeOptions>,
): AsyncGenerator<readonly Entry[], void, undefined> {
  const { reverse = false, limit } = range;
  // Each entry above can hide one inner entry, so the limit is increased.
  const inner = below.range(limit === undefined ? range : { ...range, limit: limit + above.length }, {
    read: read === 'values' ? 'entries' : read,
  });
  let left = limit ?? Infinity;
  for await (const chunk of overlaid(above, inner, reverse)) {
    const entries = chunk.length > left ? chunk.slice(0, left) : chunk;
    left -= entries.length;
    if (entries.length > 0) yield entries.map((entry) => only(entry, read));
    if (left === 0) return;
  }
}

const NOTHING: Bytes = new Uint8Array(0);

function only({ key, value }: Entry, read: Required<RangeOptions>['read']): Entry {
  return { key: read === 'values' ? NOTHING : key, value: read === 'keys' ? NOTHING : value };
}

const comesBefore = (a: Bytes, b: Bytes, reverse: boolean): boolean =>
  reverse ? compareBytes(a, b) > 0 : compareBytes(a, b) < 0;
