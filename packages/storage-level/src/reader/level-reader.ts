/**
 * Reads a LevelDB directory without LevelDB, and never writes. It is used on a full disk, because LevelDB writes a
 * table, a manifest and a log whenever it opens. It is also used for a damaged directory, which LevelDB refuses to
 * open.
 */

import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { yieldTurn } from '@quadrille/model';
import {
  compareBytes,
  type Bytes,
  type Entry,
  type KeyRange,
  type OnDamage,
  type RangeOptions,
  type StorageCapabilities,
  type StorageDriver,
  type WriteOutcome,
} from '@quadrille/storage';
import { BlockCache } from './block-cache.js';
import { findVersion, type FoundVersion } from './damaged-version.js';
import type { KeyVersion, VersionSource } from './key-version.js';
import { LevelOfTables, type OpenTable } from './level-of-tables.js';
import { readLogRecords } from './log-records.js';
import { LogTable } from './log-table.js';
import { LostTable } from './lost-table.js';
import { Table } from './table.js';
import { readVersion, type TableFile } from './version.js';

const CHUNK_BYTES = 256 * 1024;
const CHUNK_ENTRIES = 500;
const NOTHING: Bytes = new Uint8Array(0);

export class LevelReader implements StorageDriver {
  readonly name = 'leveldb';
  readonly capabilities: StorageCapabilities = {
    getSync: true,
    durable: true,
    sizeOnDisk: true,
    compact: false,
    readOnly: true,
  };
  #sources: readonly VersionSource[] = [];
  #tables: Table[] = [];
  /** Whether a source that comes before another has the newer versions of its keys. */
  #inOrder = true;

  /**
   * With `onDamage`, opening and ranges skip damaged parts. Reading a key fails with CorruptionError `CHECKSUM` if
   * its newest version may be in a damaged part, because an older version would be wrong.
   */
  constructor(
    private readonly directory: string,
    private readonly onDamage?: OnDamage,
  ) {}

  /** @throws CorruptionError `LOG_BROKEN`, `CHECKSUM` */
  async open(): Promise<void> {
    const { directory, onDamage } = this;
    const version =
      onDamage === undefined
        ? { ...(await readVersion(directory)), inOrder: true }
        : await findVersion(directory, onDamage);
    try {
      const names = await readdir(directory);
      const present = new Set(names);
      const cache = new BlockCache();
      const [first = [], ...rest] = version.levels.map((files) =>
        files.flatMap((file) => this.#openTable(file, present, cache, version.inOrder)),
      );
      const logs = await this.#readLogs(names, version);
      this.#sources = [...logs, ...[...first.map((one) => [one]), ...rest].map((files) => new LevelOfTables(files))];
      this.#inOrder = version.inOrder;
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#tables = [];
    this.#sources = [];
  }

  /** Returns no table if it is damaged and its keys are unknown. */
  #openTable(file: TableFile, names: ReadonlySet<string>, cache: BlockCache, boundsAreKnown: boolean): OpenTable[] {
    const { onDamage } = this;
    const path = join(this.directory, tableName(file.number, names));
    try {
      const table = new Table(path, cache, { onDamage, smallest: boundsAreKnown ? file.smallest : undefined });
      this.#tables.push(table);
      const { smallest, largest } = boundsAreKnown ? file : table;
      return [{ file: { smallest, largest }, table }];
    } catch (error) {
      if (onDamage === undefined) throw error;
      const message = `The table ${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`;
      onDamage({ message, missing: boundsAreKnown ? { from: file.smallest, to: file.largest } : 'anywhere' });
      return boundsAreKnown ? [{ file, table: new LostTable(message) }] : [];
    }
  }

  async get(key: Bytes): Promise<Bytes | undefined> {
    return this.getSync(key);
  }

  getSync(key: Bytes): Bytes | undefined {
    let newest: KeyVersion | undefined;
    for (const source of this.#sources) {
      const found = source.find(key);
      if (found !== undefined && (newest === undefined || found.sequence > newest.sequence)) newest = found;
      if (newest !== undefined && this.#inOrder) break;
    }
    return newest?.value;
  }

  async getMany(keys: readonly Bytes[]): Promise<(Bytes | undefined)[]> {
    return keys.map((key) => this.getSync(key));
  }

  async *range(range: KeyRange, { read }: Required<RangeOptions>): AsyncGenerator<readonly Entry[], void, undefined> {
    let left = range.limit ?? Infinity;
    let chunk: Entry[] = [];
    let bytes = 0;
    for (const { key, value } of newestVersions(this.#sources, range)) {
      if (value === undefined) continue;
      if (left-- <= 0) break;
      chunk.push({ key: read === 'values' ? NOTHING : key, value: read === 'keys' ? NOTHING : value });
      bytes += key.length + value.length;
      if (chunk.length < CHUNK_ENTRIES && bytes < CHUNK_BYTES) continue;
      yield chunk;
      await yieldTurn();
      chunk = [];
      bytes = 0;
    }
    if (chunk.length > 0) yield chunk;
  }

  write(): Promise<WriteOutcome> {
    return Promise.resolve('full');
  }

  /** Counts table files only, like LevelDB. */
  async approximateSize({ gte, lt }: KeyRange): Promise<number> {
    let bytes = 0;
    for (const table of this.#tables)
      bytes += Math.max(0, table.bytesBefore(lt) - (gte === undefined ? 0 : table.bytesBefore(gte)));
    return bytes;
  }

  async #readLogs(names: readonly string[], { logNumber, previousLog, inOrder }: FoundVersion): Promise<LogTable[]> {
    const numbers = names.filter((name) => name.endsWith('.log')).map((name) => Number.parseInt(name, 10));
    const live = numbers.filter((number) => number >= logNumber || number === previousLog).sort((a, b) => b - a);
    if (inOrder && !live.includes(logNumber)) this.#lost(fileName(logNumber, 'log'), 'is missing');
    return Promise.all(live.map((number) => this.#readLog(fileName(number, 'log'))));
  }

  async #readLog(name: string): Promise<LogTable> {
    const bytes = await readFile(join(this.directory, name)).catch((error: unknown) => {
      if (this.onDamage === undefined) throw error;
      this.#lost(name, `cannot be read: ${error instanceof Error ? error.message : String(error)}`);
      return new Uint8Array(0);
    });
    const { records, damaged, rest } = readLogRecords(bytes, { thorough: this.onDamage !== undefined });
    if (damaged[0] !== undefined) this.#lost(name, `is damaged at byte ${damaged[0]}: the data there are lost`);
    else if (rest !== undefined) this.#lost(name, `ends at byte ${rest.at} with an incomplete record`);
    const table = new LogTable();
    for (const record of records) table.apply(record);
    return table;
  }

  #lost(name: string, what: string): void {
    this.onDamage?.({ message: `The log ${join(this.directory, name)} ${what}.`, missing: 'anywhere' });
  }
}

export const fileName = (number: number, extension: string): string =>
  `${String(number).padStart(6, '0')}.${extension}`;

/** Older versions of LevelDB named tables `.sst`. */
const tableName = (number: number, names: ReadonlySet<string>): string =>
  names.has(fileName(number, 'sst')) ? fileName(number, 'sst') : fileName(number, 'ldb');

/** Merges sources: for each key, the version with the highest sequence number. */
export function* newestVersions(sources: readonly VersionSource[], range: KeyRange): Generator<KeyVersion> {
  const before = range.reverse === true ? 1 : -1;
  const scans = sources.map((source) => source.scan(range)[Symbol.iterator]());
  const heads = scans.map((scan) => scan.next());
  for (;;) {
    let next: KeyVersion | undefined;
    for (const head of heads) {
      if (head.done === true) continue;
      const order = next === undefined ? before : compareBytes(head.value.key, next.key);
      if (order * before > 0 || (order === 0 && head.value.sequence > next!.sequence)) next = head.value;
    }
    if (next === undefined) return;
    for (let i = 0; i < heads.length; i++) {
      for (let head = heads[i]!; head.done !== true && compareBytes(head.value.key, next.key) === 0;) {
        if (head.value.sequence > next.sequence) next = head.value;
        heads[i] = head = scans[i]!.next();
      }
    }
    yield next;
  }
}
