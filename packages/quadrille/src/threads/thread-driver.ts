/** The storage of a query thread: reads single values through the main thread, and writes nothing. */
import type { Bytes, StorageCapabilities, StorageDriver } from '@quadrille/storage';
import type { ReadRequests } from './read-channel.js';

export class ThreadDriver implements StorageDriver {
  readonly capabilities: StorageCapabilities = {
    getSync: true,
    durable: false,
    sizeOnDisk: false,
    compact: false,
    readOnly: true,
  };

  constructor(
    readonly name: string,
    private readonly reads: ReadRequests,
  ) {}

  async open(): Promise<void> {}

  async close(): Promise<void> {}

  getSync(key: Bytes): Bytes | undefined {
    return this.reads.read(key);
  }

  async get(key: Bytes): Promise<Bytes | undefined> {
    return this.reads.read(key);
  }

  async getMany(keys: readonly Bytes[]): Promise<(Bytes | undefined)[]> {
    return keys.map((key) => this.reads.read(key));
  }

  // Queries read single values. What they need of ranges is in the description of their session.
  range(): never {
    throw new Error('a query thread reads no ranges');
  }

  write(): never {
    throw new Error('a query thread writes nothing');
  }

  async approximateSize(): Promise<number> {
    return 0;
  }
}
