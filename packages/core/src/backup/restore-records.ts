/** Writes the records of a backup into an empty storage. */
import { StorageError } from '@quadrille/model';
import type { StorageEngine, WriteOp } from '@quadrille/storage';
import { Area, Tag } from '../format/layout.js';
import type { Env } from '../runtime/env.js';
import { Catalogue, storeEntryOp } from '../catalogue/catalogue.js';
import { ByteReader } from '../format/byte-codec.js';
import { damagedBackup } from './errors.js';
import type { SegmentRecord } from './segment-reader.js';

/** Size at which a batch is written, in bytes. LMDB flushes its file after each batch. */
const BATCH_BYTES = 2 * 1024 * 1024;

/** Writes the records of a backup into an empty storage, in batches. */
export class RecordWriter {
  #ops: WriteOp[] = [];
  #bytes = 0;
  #nextRepository: number | undefined;

  constructor(
    private readonly engine: StorageEngine,
    private readonly env: Env,
  ) {}

  /** Takes a record. The arrays must stay as they are until {@link flush}. Returns whether a batch is full. */
  add({ key, value }: SegmentRecord): boolean {
    if (key[0] === Area.store) {
      // The new store gets an id of its own.
      const reader = new ByteReader(value);
      reader.varint();
      this.#nextRepository = reader.varint();
      return false;
    }
    // Terms stay while runs are replaced.
    const lasting = key[0] === Area.data && (key[5] === Tag.termBlock || key[5] === Tag.longTerm);
    this.#ops.push({ type: 'put', key, value, lasting });
    this.#bytes += key.length + value.length;
    return this.#bytes >= BATCH_BYTES;
  }

  /** Writes the records that were taken since the last batch. */
  async flush(): Promise<void> {
    const ops = this.#ops;
    this.#ops = [];
    this.#bytes = 0;
    if (ops.length > 0) await write(this.engine, ops, false);
  }

  /** Completes the store. Then everything is on the disk. @throws CorruptionError `BACKUP_DAMAGED` */
  async finish(): Promise<void> {
    const next = this.#nextRepository;
    if (next === undefined) throw damagedBackup('it has no entry of the store');
    await this.flush();
    const catalogue = new Catalogue(this.engine, this.env, true, () => undefined);
    await write(this.engine, [storeEntryOp(next, catalogue.newStoreId())], true);
    // A durable batch makes the earlier ones durable, except those in older logs of LevelDB. A compaction writes
    // these logs out as tables.
    if (this.engine.capabilities.compact) await this.engine.compact({});
  }
}

async function write(engine: StorageEngine, ops: readonly WriteOp[], durable: boolean): Promise<void> {
  const outcome = await engine.write(ops, { durable });
  if (outcome !== 'ok')
    throw new StorageError(outcome === 'full' ? 'STORAGE_FULL' : 'STORAGE_IO', `the storage answered "${outcome}"`);
}
