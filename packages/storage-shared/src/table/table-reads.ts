/** Reads of keys and ranges from one state of a table. Long values come from packs. */

import {
  getFromSnapshot,
  scanSnapshot,
  type Bytes,
  type Entry,
  type KeyRange,
  type RangeOptions,
  type TableSnapshot,
} from '@quadrille/storage';
import type { CallsUnderWay } from './calls-under-way.js';
import type { SharedTable } from './shared-table.js';
import { isValue, type Slot } from './slot.js';
import type { SliceReader } from './slice-reader.js';

/** Number of entries in the first chunk of a range. The values of a chunk are read in one round trip. */
const FIRST_CHUNK = 64;
/** Most entries in a chunk. Each one may have twice as many as the one before, while their values are small. */
const LONGEST_CHUNK = 4096;
/** Bytes of values at which a chunk ends. */
const CHUNK_BYTES = 512 * 1024;
const NOTHING: Bytes = new Uint8Array(0);

/** A table, and which of its states is read; without one the present state. */
export interface TableState {
  readonly table: SharedTable;
  readonly state?: TableSnapshot<Slot> | undefined;
}

export class TableReads {
  constructor(
    private readonly slices: SliceReader,
    private readonly calls: CallsUnderWay,
    private readonly of: () => TableState,
  ) {}

  async get(key: Bytes): Promise<Bytes | undefined> {
    const slot = this.#slotOf(key);
    // A copy, because the slot is a part of a page, which the caller would keep as a whole.
    if (slot === undefined || isValue(slot)) return slot?.slice();
    const read = this.calls.begin();
    try {
      return await this.#value(slot);
    } finally {
      this.calls.end(read);
    }
  }

  getMany(keys: readonly Bytes[]): Promise<(Bytes | undefined)[]> {
    return Promise.all(keys.map((key) => this.get(key)));
  }

  async *range(range: KeyRange, { read }: Required<RangeOptions>): AsyncGenerator<readonly Entry[], void, undefined> {
    const { wants } = range;
    let chunk: { readonly key: Bytes; readonly slot: Slot }[] = [];
    const entries = (): Promise<Entry[]> =>
      Promise.all(
        chunk.map(async ({ key, slot }) => ({
          key: read === 'values' ? NOTHING : key,
          value: read === 'keys' || wants?.(key) === false ? NOTHING : await this.#value(slot),
        })),
      );
    const { table, state = table.snapshot() } = this.of();
    const reading = this.calls.begin();
    try {
      let bytes = 0;
      let most = FIRST_CHUNK;
      for (const [key, slot] of scanSnapshot(state, range)) {
        chunk.push({ key, slot });
        bytes += slot.length;
        if (chunk.length < most && bytes < CHUNK_BYTES) continue;
        yield await entries();
        chunk = [];
        bytes = 0;
        most = Math.min(2 * most, LONGEST_CHUNK);
      }
      if (chunk.length > 0) yield await entries();
    } finally {
      this.calls.end(reading);
    }
  }

  #slotOf(key: Bytes): Slot | undefined {
    const { table, state } = this.of();
    return state === undefined ? table.get(key) : getFromSnapshot(state, key);
  }

  #value(slot: Slot): Promise<Bytes> | Bytes {
    if (isValue(slot)) return slot;
    return this.slices.readPlace(slot);
  }
}
