/** Storage in memory. The data live as long as the driver object. Closing and opening it again keeps them. */

import { equalBytes } from './bytes.js';
import type {
  Bytes,
  DriverSnapshot,
  Entry,
  KeyRange,
  RangeOptions,
  StorageCapabilities,
  StorageDriver,
  WriteOp,
  WriteOptions,
  WriteOutcome,
} from './contract.js';
import { getFromSnapshot, scanSnapshot, SortedTable, type TableSnapshot } from './sorted-table.js';

/** Number of entries in a chunk of a range. */
const RANGE_CHUNK = 256;
const NOTHING: Bytes = new Uint8Array(0);

export class MemoryDriver implements StorageDriver {
  readonly name = 'memory';
  /** It reads without waiting, and keeps nothing beyond the process. */
  readonly capabilities: StorageCapabilities = { getSync: true, durable: false, sizeOnDisk: false, compact: false };
  readonly #table = new SortedTable();

  /** Does nothing: the table is there at once. */
  async open(): Promise<void> {}

  /** Does nothing. The content stays until the driver is collected. */
  async close(): Promise<void> {}

  /** The value of a key; `undefined` if there is none. */
  async get(key: Bytes): Promise<Bytes | undefined> {
    return this.#table.get(key);
  }

  getSync(key: Bytes): Bytes | undefined {
    return this.#table.get(key);
  }

  async getMany(keys: readonly Bytes[]): Promise<(Bytes | undefined)[]> {
    return keys.map((key) => this.#table.get(key));
  }

  range(range: KeyRange, options: Required<RangeOptions>): AsyncIterable<readonly Entry[]> {
    return entriesOf(this.#table.snapshot(), range, options);
  }

  /** Costs nothing, and may stay open. */
  snapshot(): DriverSnapshot {
    const state = this.#table.snapshot();
    return {
      get: async (key) => getFromSnapshot(state, key),
      getMany: async (keys) => keys.map((key) => getFromSnapshot(state, key)),
      range: (range, options) => entriesOf(state, range, options),
      close: () => Promise.resolve(),
    };
  }

  async write(ops: readonly WriteOp[], { precondition }: WriteOptions): Promise<WriteOutcome> {
    if (precondition !== undefined && !equalBytes(this.#table.get(precondition.key), precondition.value)) {
      return 'conflict';
    }
    for (const op of ops) this.#apply(op);
    return 'ok';
  }

  async approximateSize(range: KeyRange): Promise<number> {
    let bytes = 0;
    for (const [key, value] of scanSnapshot(this.#table.snapshot(), range)) bytes += key.length + value.length;
    return bytes;
  }

  /** Copies keys and values, because the caller may reuse its arrays. */
  #apply(op: WriteOp): void {
    if (op.type === 'put') this.#table.set(new Uint8Array(op.key), new Uint8Array(op.value));
    else if (op.type === 'delete') this.#table.delete(op.key);
    else this.#table.deleteRange(op.gte, op.lt);
  }
}

async function* entriesOf(
  state: TableSnapshot,
  range: KeyRange,
  { read }: Required<RangeOptions>,
): AsyncGenerator<readonly Entry[], void, undefined> {
  let chunk: Entry[] = [];
  for (const [key, value] of scanSnapshot(state, range)) {
    chunk.push({ key: read === 'values' ? NOTHING : key, value: read === 'keys' ? NOTHING : value });
    if (chunk.length === RANGE_CHUNK) {
      yield chunk;
      chunk = [];
    }
  }
  if (chunk.length > 0) yield chunk;
}
