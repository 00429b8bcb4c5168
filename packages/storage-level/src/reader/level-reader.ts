/**
 * Reads a LevelDB directory without LevelDB, and writes nothing: for a disk that is full, since LevelDB writes a table, a
 * manifest and a log whenever it is opened, and for a directory that is damaged, of which LevelDB opens nothing.
 */

import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { yieldTurn } from '@quadrille/model';
import {
  compareBytes,
  type Bytes,
  type Entry,
  type KeyRange,
  type RangeOptions,
  type StorageCapabilities,
  type StorageDriver,
  type WriteOutcome,
} from '@quadrille/storage';
import { BlockCache } from './block-cache.js';
import type { KeyVersion, VersionSource } from './key-version.js';
import { LevelOfTables } from './level-of-tables.js';
import { readLogRecords } from './log-records.js';
import { LogTable } from './log-table.js';
import { Table } from './table.js';
import { readVersion } from './version.js';

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
  #tables: readonly Table[] = [];

  constructor(private readonly directory: string) {}

  /** @throws CorruptionError `LOG_BROKEN`, `CHECKSUM` */
  async open(): Promise<void> {
    const { levels, logNumber, previousLog } = await readVersion(this.directory);
    const cache = new BlockCache();
    const tables: Table[] = [];
    try {
      const names = new Set(await readdir(this.directory));
      const opened = levels.map((files) =>
        files.map((file) => {
          const table = Table.open(join(this.directory, tableName(file.number, names)), cache);
          tables.push(table);
          return { file, table };
        }),
      );
      const [first = [], ...rest] = opened;
      const logs = await this.#readLogs([...names], logNumber, previousLog);
      this.#sources = [...logs, ...first.map(({ table }) => table), ...rest.map((files) => new LevelOfTables(files))];
      this.#tables = tables;
    } catch (error) {
      for (const table of tables) table.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    for (const table of this.#tables) table.close();
    this.#tables = this.#sources = [];
  }

  async get(key: Bytes): Promise<Bytes | undefined> {
    return this.getSync(key);
  }

  /** A source that comes before another has the newer versions of its keys. */
  getSync(key: Bytes): Bytes | undefined {
    for (const source of this.#sources) {
      const found = source.find(key);
      if (found !== undefined) return found.value;
    }
    return undefined;
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

  /** Of table files alone, as LevelDB itself says. */
  async approximateSize({ gte, lt }: KeyRange): Promise<number> {
    let bytes = 0;
    for (const table of this.#tables)
      bytes += Math.max(0, table.bytesBefore(lt) - (gte === undefined ? 0 : table.bytesBefore(gte)));
    return bytes;
  }

  async #readLogs(names: readonly string[], logNumber: number, previousLog: number): Promise<LogTable[]> {
    const numbers = names.filter((name) => name.endsWith('.log')).map((name) => Number.parseInt(name, 10));
    const live = numbers.filter((number) => number >= logNumber || number === previousLog).sort((a, b) => b - a);
    return Promise.all(
      live.map(async (number) => {
        const { records } = readLogRecords(await readFile(join(this.directory, fileName(number, 'log'))));
        const table = new LogTable();
        for (const record of records) table.apply(record);
        return table;
      }),
    );
  }
}

export const fileName = (number: number, extension: string): string =>
  `${String(number).padStart(6, '0')}.${extension}`;

/** Older versions of LevelDB called tables `.sst`. */
const tableName = (number: number, names: ReadonlySet<string>): string =>
  names.has(fileName(number, 'ldb')) ? fileName(number, 'ldb') : fileName(number, 'sst');

/** Merges the sources: of each key the version with the highest sequence. */
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
