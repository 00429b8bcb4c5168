/**
 * Writes a backup of an open store. One range over all keys shows one state of the storage, however long it takes to
 * read it, and writers go on. What an earlier backup in the same place has, and cannot have changed since, is not read.
 */
import { StorageError } from '@quadrille/model';
import type { Bytes, Entry, StorageEngine } from '@quadrille/storage';
import { uuidText } from '../revision/uuid.js';
import { nameIn } from '../catalogue/catalogue.js';
import type { RepositoryRecord } from '../catalogue/repository-records.js';
import { fromJson, toHex } from '../format/byte-codec.js';
import { Area, dataKey, readU32, Tag } from '../format/layout.js';
import { decodeHead, decodeRecord } from '../revision/record.js';
import { loadDigest } from '../format/digest.js';
import type { Env } from '../runtime/env.js';
import { Pacer } from '../runtime/env.js';
import { BaseCursor, BaseSegment, worthKeeping } from './base-keys.js';
import { damagedBackup } from './errors.js';
import type { RepositoryFacts } from './facts.js';
import { readFacts, readMarks } from './facts.js';
import type { Attempt, Manifest, RepositoryEntry, SegmentEntry } from './manifest.js';
import { BACKUP_FORMAT, segmentName } from './manifest.js';
import { decodeIndex } from './segment-reader.js';
import type { SegmentSink } from './segment-writer.js';
import { SegmentWriter } from './segment-writer.js';
import { checkBase, isStampKey, readStamps, writeStamp } from './stamps.js';

/** Where a backup goes. */
export interface BackupTarget {
  /** Largest size of a segment, in bytes. */
  readonly segmentBytes: number;
  /** The backup that the target has already. @throws CorruptionError `BACKUP_DAMAGED`, StateError `NOT_A_BACKUP` */
  previous(): Promise<PreviousBackup>;
  /** The bytes of the index and trailer of a segment that is there. @throws CorruptionError `BACKUP_DAMAGED` */
  index(segment: SegmentEntry): Promise<Bytes>;
  /** Creates a segment. */
  segment(name: string): Promise<SegmentSink>;
  /** SHA-256 of bytes, as 64 hexadecimal digits. */
  sha256(bytes: Bytes): string;
  /** Notes what an unfinished backup has written, so that the next one can use it. */
  note(set: string, attempts: readonly Attempt[]): Promise<void>;
  /** Makes the backup valid in one step. Then removes what only earlier backups needed. */
  finish(manifest: Manifest): Promise<void>;
}

/** The backup that is in the target already. */
export interface PreviousBackup {
  /** Name of the set of backups. Missing if the target is empty. */
  readonly set?: string | undefined;
  /** The manifest of the last complete backup. */
  readonly manifest?: Manifest | undefined;
  /** Unfinished runs since then, the oldest first. */
  readonly attempts: readonly Attempt[];
}

/** The progress of a backup. */
export interface BackupFigures {
  /** Entries of the store that the backup has so far. */
  readonly entries: number;
  /** Bytes of segments that were written. */
  readonly bytesWritten: number;
  /** Bytes of records that were there already and are used again. */
  readonly bytesReused: number;
}

export interface WriteBackupOptions {
  readonly env: Env;
  /** UUID of the store, if it has one. */
  readonly store: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((figures: BackupFigures) => void) | undefined;
}

/** The result of a backup. */
export interface WrittenBackup extends BackupFigures {
  /** The manifest of the backup. */
  readonly manifest: Manifest;
  /** Whether nothing of an earlier backup was used. */
  readonly full: boolean;
}

/**
 * Writes a backup of the present state. An error leaves the earlier backup of the place as it was.
 * @throws StateError `BACKUP_MISMATCH`, `STORE_NOT_OPEN`; CorruptionError `CHECKSUM` if the store is damaged;
 *   and the errors of the target
 */
export async function writeBackup(
  engine: StorageEngine,
  target: BackupTarget,
  options: WriteBackupOptions,
): Promise<WrittenBackup> {
  await loadDigest();
  return new BackupRun(engine, target, options).run();
}

const RANDOM_BYTES = 16;

class BackupRun {
  readonly #pacer: Pacer;
  readonly #random: () => string;
  #figures = { entries: 0, bytesWritten: 0, bytesReused: 0 };
  #base: readonly BaseSegment[] = [];
  #wanting: BaseCursor | undefined;
  #facts!: ReadonlyMap<number, RepositoryFacts>;
  #stamp: string | undefined;
  #set!: string;
  /** Unfinished runs that this one uses. */
  #earlier: readonly Attempt[] = [];
  #writer: SegmentWriter | undefined;
  #writerName = '';
  readonly #run: string;
  readonly #segments: SegmentEntry[] = [];
  readonly #heads = new Heads();

  constructor(
    private readonly engine: StorageEngine,
    private readonly target: BackupTarget,
    private readonly options: WriteBackupOptions,
  ) {
    const { env, signal } = options;
    this.#pacer = new Pacer(env, undefined, signal);
    this.#random = () => toHex(env.random(new Uint8Array(RANDOM_BYTES)));
    this.#run = this.#random();
  }

  async run(): Promise<WrittenBackup> {
    const { env } = this.options;
    const previous = await this.#checked(await this.target.previous());
    this.#facts = await readFacts(this.engine);
    const range = this.engine.range({ wants: (key) => this.#wanting?.find(key) === undefined });
    try {
      // From the first chunk on, the range shows one state.
      let step = await range.next();
      const created = new Date(env.now()).toISOString();
      await this.#writeStamp();
      await this.#openBase(previous);
      const cursor = new BaseCursor(this.#base);
      while (step.done !== true) {
        // The next chunk is read while this one is written.
        const following = range.next();
        following.catch(() => undefined);
        await this.#take(step.value, cursor);
        step = await following;
      }
      await this.#endSegment();
      return await this.#finish(created);
    } catch (error) {
      await this.#writer?.abandon();
      throw error;
    } finally {
      await range.return();
    }
  }

  /** Takes the set of the earlier backup, and drops unfinished runs that this store cannot use. */
  async #checked(previous: PreviousBackup): Promise<PreviousBackup> {
    const { store } = this.options;
    this.#set = previous.set ?? this.#random();
    const stamps = await readStamps(this.engine, this.#set);
    if (previous.manifest !== undefined) checkBase(previous.manifest, store, stamps);
    const attempts = previous.attempts.filter((attempt) => attempt.store === store && stamps.includes(attempt.stamp));
    return { ...previous, attempts };
  }

  // A store that cannot be written, because its disk is full or it is open for reading, is backed up as a whole.
  async #writeStamp(): Promise<void> {
    if (this.engine.capabilities.readOnly === true) return;
    try {
      await writeStamp(this.engine, this.#set, this.#run, this.options.env);
      this.#stamp = this.#run;
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
    }
  }

  // Without a stamp, nothing proves that the state on which a segment would build is the one that was read.
  async #openBase({ manifest, attempts }: PreviousBackup): Promise<void> {
    if (this.#stamp === undefined) return;
    const base: BaseSegment[] = [];
    const earlier: (Manifest | Attempt)[] = [...(manifest?.stamp === undefined ? [] : [manifest]), ...attempts];
    for (const { facts, segments } of earlier) {
      const ids = Object.keys(facts).map(Number);
      const marks = await readMarks(this.engine, ids);
      const same = ids.filter((id) => marks.get(id) === facts[id]!.rewritten);
      const known = new Map(same.map((id) => [id, facts[id]!]));
      for (const segment of segments) {
        const index = decodeIndex(await this.target.index(segment), segment.name);
        if (index.count !== segment.records) {
          throw damagedBackup(`the index of ${segment.name} has another number of entries than its manifest says`);
        }
        base.push(new BaseSegment(segment, index, known));
        if (this.#pacer.due()) await this.#pacer.pause();
      }
    }
    this.#base = worthKeeping(base);
    this.#wanting = new BaseCursor(this.#base);
    this.#earlier = attempts;
  }

  async #take(entries: readonly Entry[], cursor: BaseCursor): Promise<void> {
    this.options.signal?.throwIfAborted();
    for (const { key, value } of entries) {
      if (!this.#heads.belongs(key, value)) continue;
      this.#figures.entries++;
      const found = cursor.find(key);
      if (found === undefined) await this.#copy(key, value);
      else {
        found.segment.use(found.at);
        this.#figures.bytesReused += key.length + found.segment.index.valueBytes[found.at]!;
      }
      if (this.#pacer.due()) await this.#pacer.pause();
    }
    this.options.onProgress?.({ ...this.#figures });
  }

  async #copy(key: Bytes, value: Bytes): Promise<void> {
    if (this.#writer?.fits(key, value) === false) {
      await this.#endSegment();
      await this.#note();
    }
    if (this.#writer === undefined) {
      this.#writerName = segmentName(this.#run, this.#segments.length + 1);
      this.#writer = new SegmentWriter(await this.target.segment(this.#writerName), this.target.segmentBytes);
    }
    const before = this.#writer.bytes;
    await this.#writer.add(key, value);
    this.#figures.bytesWritten += this.#writer.bytes - before;
  }

  async #endSegment(): Promise<void> {
    const writer = this.#writer;
    if (writer === undefined) return;
    const before = writer.bytes;
    const { bytes, records, sha256, index } = await writer.finish();
    this.#writer = undefined;
    this.#figures.bytesWritten += bytes - before;
    const indexSha256 = this.target.sha256(index);
    this.#segments.push({ name: this.#writerName, bytes, sha256, records, indexBytes: index.length, indexSha256 });
  }

  async #note(): Promise<void> {
    if (this.#stamp !== undefined) await this.target.note(this.#set, [...this.#earlier, this.#attempt(this.#stamp)]);
  }

  #attempt(stamp: string): Attempt {
    const { store } = this.options;
    return { ...(store && { store }), stamp, facts: Object.fromEntries(this.#facts), segments: this.#segments };
  }

  async #finish(created: string): Promise<WrittenBackup> {
    const reused = this.#base.filter(({ usedRecords }) => usedRecords > 0).map((segment) => segment.usedEntry());
    const { store } = this.options;
    const manifest: Manifest = {
      format: BACKUP_FORMAT,
      set: this.#set,
      ...(store && { store }),
      ...(this.#stamp && { stamp: this.#stamp }),
      created,
      repositories: await this.#heads.entries(this.engine),
      entries: this.#figures.entries,
      facts: Object.fromEntries(this.#facts),
      segments: [...reused, ...this.#segments],
    };
    await this.target.finish(manifest);
    this.options.onProgress?.({ ...this.#figures });
    return { ...this.#figures, manifest, full: reused.length === 0 };
  }
}

/** The repositories of the state, and their heads. */
class Heads {
  readonly #names = new Map<number, string>();
  readonly #numbers = new Map<number, number>();
  readonly #records = new Map<number, Bytes>();

  /** Whether an entry is part of the backup. Entries come in the order of their keys. Notes what it says of heads. */
  belongs(key: Bytes, value: Bytes): boolean {
    if (key[0] === Area.repository) this.#names.set((fromJson(value) as RepositoryRecord).id, nameIn(key));
    if (key[0] !== Area.data) return key[0] !== Area.dropped && !isStampKey(key);
    const id = readU32(key, 1);
    if (!this.#names.has(id)) return false;
    if (key[5] === Tag.head) this.#numbers.set(id, decodeHead(value).number);
    else if (key[5] === Tag.log && value.length > 0 && readU32(key, 6) === this.#numbers.get(id))
      this.#records.set(id, value.slice());
    return true;
  }

  /** Sorted by name. */
  async entries(engine: StorageEngine): Promise<RepositoryEntry[]> {
    const entries: RepositoryEntry[] = [];
    for (const [id, name] of this.#names) {
      const head = this.#numbers.get(id) ?? 0;
      const stored = this.#records.get(id) ?? (await engine.get(dataKey(id, Tag.log, head)));
      const record = stored && decodeRecord(stored);
      const shown = record && { revision: uuidText(record.id), time: new Date(record.time).toISOString() };
      entries.push({ name, id, head, ...shown });
    }
    return entries.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }
}
