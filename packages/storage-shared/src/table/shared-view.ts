/** One state of a shared store, which never changes. */

import { StateError } from '@quadrille/model';
import type {
  Bytes,
  Entry,
  KeyRange,
  RangeOptions,
  StorageCapabilities,
  StorageDriver,
  TableSnapshot,
} from '@quadrille/storage';
import type { Slot } from './slot.js';
import type { SharedTable } from './shared-table.js';
import type { TableReads } from './table-reads.js';

/** A driver of one state. It ends with the driver that has made it. */
export class SharedView implements StorageDriver {
  readonly capabilities: StorageCapabilities = {
    getSync: false,
    durable: true,
    sizeOnDisk: false,
    compact: false,
    readOnly: true,
  };

  constructor(
    readonly name: string,
    private readonly table: SharedTable,
    private readonly state: TableSnapshot<Slot>,
    private readonly reads: TableReads,
  ) {}

  /** Does nothing: it is open. */
  async open(): Promise<void> {}

  /** Does nothing. */
  async close(): Promise<void> {}

  get(key: Bytes): Promise<Bytes | undefined> {
    return this.reads.get(key);
  }

  getMany(keys: readonly Bytes[]): Promise<(Bytes | undefined)[]> {
    return this.reads.getMany(keys);
  }

  range(range: KeyRange, options: Required<RangeOptions>): AsyncIterable<readonly Entry[]> {
    return this.reads.range(range, options);
  }

  async write(): Promise<never> {
    throw new StateError('READ_ONLY', 'A state of the store that others have replaced is only read.');
  }

  approximateSize(range: KeyRange): Promise<number> {
    return this.table.size(range, this.state);
  }
}
