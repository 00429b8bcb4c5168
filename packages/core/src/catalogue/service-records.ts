/**
 * What a server keeps in the store beside the repositories: JSON values under text keys, not versioned. The engine gives
 * them no meaning; accounts, tokens, rights and jobs are the business of the package above.
 */
import type { StorageEngine, WriteOp } from '@quadrille/storage';
import { afterPrefix, Area, areaKey, textKey } from '../format/layout.js';
import { writeAlone } from '../keyspace/write-alone.js';

/** One change of a batch; without a value the record goes. */
export interface RecordChange {
  readonly key: string;
  readonly value?: unknown;
}

const utf8 = new TextEncoder();
const fromUtf8 = new TextDecoder();

/** Entries `[area] key` → JSON in the storage. Keys are at most 255 bytes, values at most 64 KB as JSON. */
export class ServiceRecords {
  constructor(
    private readonly engine: StorageEngine,
    private readonly durable: boolean,
  ) {}

  /** The value of a key; `undefined` if there is none. */
  async get(key: string): Promise<unknown> {
    const bytes = await this.engine.get(keyOf(key));
    return bytes && (JSON.parse(fromUtf8.decode(bytes)) as unknown);
  }

  /** All whose key begins with `prefix`, in the order of their keys. */
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
   * Makes all changes or none. `durable: false` survives the death of the process, not of the machine; default is what the
   * store does for commits.
   */
  async write(changes: readonly RecordChange[], { durable = this.durable }: { durable?: boolean } = {}): Promise<void> {
    if (changes.length > 0) await writeAlone(this.engine, recordOps(changes), { durable });
  }
}

/** The changes as operations of a batch. */
export function recordOps(changes: readonly RecordChange[]): WriteOp[] {
  return changes.map(({ key, value }): WriteOp => {
    if (value === undefined) return { type: 'delete', key: keyOf(key) };
    return { type: 'put', key: keyOf(key), value: utf8.encode(JSON.stringify(value)) };
  });
}

const keyOf = (key: string): Uint8Array => textKey(areaKey(Area.service), key);
