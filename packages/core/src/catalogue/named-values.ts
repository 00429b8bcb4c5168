/** Maps from a name to a text that are kept beside the data and are not versioned: namespaces and tags. */
import type { Bytes, StorageEngine } from '@quadrille/storage';
import { afterPrefix, textKey } from '../format/layout.js';
import { writeAlone } from '../keyspace/write-alone.js';

const utf8 = new TextDecoder();

/** Entries `head` + name → value in the storage. */
export class NamedValues {
  constructor(
    private readonly engine: StorageEngine,
    private readonly head: Bytes,
    private readonly durable: boolean,
  ) {}

  async get(name: string): Promise<Bytes | undefined> {
    return this.engine.get(textKey(this.head, name));
  }

  async set(name: string, value: Bytes): Promise<void> {
    await writeAlone(this.engine, [{ type: 'put', key: textKey(this.head, name), value }], this.durable);
  }

  /** True if it was there. */
  async delete(name: string): Promise<boolean> {
    if ((await this.get(name)) === undefined) return false;
    await writeAlone(this.engine, [{ type: 'delete', key: textKey(this.head, name) }], this.durable);
    return true;
  }

  /** By name, in the order of its bytes. */
  async list(): Promise<Map<string, Bytes>> {
    const values = new Map<string, Bytes>();
    for await (const chunk of this.engine.range({ gte: this.head, lt: afterPrefix(this.head) }, { read: 'entries' })) {
      for (const { key, value } of chunk) values.set(utf8.decode(key.subarray(this.head.length)), value.slice());
    }
    return values;
  }
}
