/** Maps from name to text that are stored beside the data and have no versions: namespaces and tags. */
import { recovered } from '../keyspace/write-alone.js';
import type { Bytes, StorageEngine, WriteOp } from '@quadrille/storage';
import { afterPrefix, textKey } from '../format/layout.js';

const utf8 = new TextDecoder();

/** The owner of the values: a repository or the catalogue. */
interface Owner {
  readonly engine: StorageEngine;
  /** Throws if the owner was deleted or is closed. */
  check(): void;
  writeAlone(ops: readonly WriteOp[]): Promise<void>;
}

/** A map whose entries have the key `head` + name in the storage. */
export class NamedValues {
  constructor(
    private readonly owner: Owner,
    private readonly head: Bytes,
  ) {}

  /** How often other values may have been shown: those of another process. */
  get shown(): number {
    return this.owner.engine.shown.count;
  }

  /** @throws if the owner was deleted or is closed */
  check(): void {
    this.owner.check();
  }

  /** The value of a name; `undefined` if there is none. */
  async get(name: string): Promise<Bytes | undefined> {
    this.owner.check();
    const value = await this.owner.engine.get(textKey(this.head, name));
    this.owner.check();
    return value;
  }

  /** Stores a value in place of an earlier one. */
  async set(name: string, value: Bytes): Promise<void> {
    await this.owner.writeAlone([this.put(name, value)]);
  }

  /** The operation that stores a value, for a batch. */
  put(name: string, value: Bytes): WriteOp {
    return { type: 'put', key: textKey(this.head, name), value };
  }

  /** Returns true if there was a value. */
  async delete(name: string): Promise<boolean> {
    this.owner.check();
    await recovered(this.owner.engine);
    if ((await this.get(name)) === undefined) return false;
    await this.owner.writeAlone([{ type: 'delete', key: textKey(this.head, name) }]);
    return true;
  }

  /** All values by name, in byte order of the names. */
  async list(): Promise<Map<string, Bytes>> {
    this.owner.check();
    const range = { gte: this.head, lt: afterPrefix(this.head) };
    const values = new Map<string, Bytes>();
    for await (const chunk of this.owner.engine.range(range, { read: 'entries' })) {
      for (const { key, value } of chunk) values.set(utf8.decode(key.subarray(this.head.length)), value.slice());
    }
    this.owner.check();
    return values;
  }
}
