/**
 * Records of a server, stored beside the repositories: JSON values under text keys, without versions. The engine does
 * not interpret them. The service package stores accounts, tokens, rights and jobs in them.
 */
import type { StorageEngine, WriteOp } from '@quadrille/storage';
import { afterPrefix, Area, areaKey, textKey } from '../format/layout.js';
import { writeAlone } from '../keyspace/write-alone.js';

/** One change of a batch. A change without a value deletes the record. */
export interface RecordChange {
  /** At most 255 bytes of UTF-8. */
  readonly key: string;
  /** A JSON value; absent: the record is deleted. */
  readonly value?: unknown;
}

const utf8 = new TextEncoder();
const fromUtf8 = new TextDecoder();

/** Entries `[area][key]` → JSON in the storage. A key has at most 255 bytes, a value at most 64 KB of JSON. */
export class ServiceRecords {
  constructor(
    private readonly engine: StorageEngine,
    private readonly durable: boolean,
  ) {}

  /** The record of a key; `undefined` if there is none. */
  async get(key: string): Promise<unknown> {
    const bytes = await this.engine.get(keyOf(key));
    return bytes && (JSON.parse(fromUtf8.decode(bytes)) as unknown);
  }

  /** All records whose key begins with `prefix`, in key order. */
  async list(prefix: string): Promise<Map<string, unknown>> {
    const head = keyOf(prefix);
    const found = new Map<string, unknown>();
    for await (const chunk of this.engine.range({ gte: head, lt: afterPrefix(head) }, { read: 'entries' })) {
      for (const { key, value } of chunk) {
        found.set(fromUtf8.decode(key.subarray(1)), JSON.parse(fromUtf8.decode(value)) as unknown);
      }
    }
    return found;
  }

  /**
   * Applies all changes in one batch, or none. With `durable: false` a power loss can lose the changes, a crash of
   * the process cannot. Default: the durability of the store's commits.
   */
  async write(changes: readonly RecordChange[], { durable = this.durable }: { durable?: boolean } = {}): Promise<void> {
    if (changes.length > 0) await writeAlone(this.engine, recordOps(changes), { durable });
  }
}

/** Encodes changes as operations of a batch. */
export function recordOps(changes: readonly RecordChange[]): WriteOp[] {
  return changes.map(({ key, value }): WriteOp => {
    if (value === undefined) return { type: 'delete', key: keyOf(key) };
    return { type: 'put', key: keyOf(key), value: utf8.encode(JSON.stringify(value)) };
  });
}

const keyOf = (key: string): Uint8Array => textKey(areaKey(Area.service), key);
