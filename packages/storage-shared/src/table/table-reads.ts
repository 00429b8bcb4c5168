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
import type { Slot } from './slot.js';
import type { SliceReader } from './slice-reader.js';

/** Number of entries in a chunk of a range. Their values are read in one round trip. */
const RANGE_CHUNK = 64;
const NOTHING: Bytes = new Uint8Array(0);

/** A table, and which of its states is read; without one the present state. */
export interface TableState {
  readonly table: SharedTable;
  readonly state?: TableSnapshot | undefined;
}

export class TableReads {
  constructor(
    private readonly slices: SliceReader,
    private readonly calls: CallsUnderWay,
    private readonly of: () => TableState,
  ) {}

  async get(key: Bytes): Promise<Bytes | undefined> {
    const slot = this.#slotOf(key);
    if (slot === undefined || 'value' in slot) return slot?.value;
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
      for (const [key, held] of scanSnapshot(state, range)) {
        chunk.push({ key, slot: table.slot(held) });
        if (chunk.length < RANGE_CHUNK) continue;
        yield await entries();
        chunk = [];
      }
      if (chunk.length > 0) yield await entries();
    } finally {
      this.calls.end(reading);
    }
  }

  #slotOf(key: Bytes): Slot | undefined {
    const { table, state } = this.of();
    if (state === undefined) return table.get(key);
    const held = getFromSnapshot(state, key);
    return held === undefined ? undefined : table.slot(held);
  }

  #value(slot: Slot): Promise<Bytes> | Bytes {
    if ('value' in slot) return slot.value;
    return this.slices.read({ pack: slot.pack.id, from: slot.from, length: slot.length });
  }
}
