/**
 * The state of an open repository that its parts share: dictionary, indexes, heads, statistics. Only the committer, the
 * maintenance and the opening change it.
 */
import type { WriteOp } from '@quadrille/storage';
import { CorruptionError, Mutex, StorageError, yieldTurn } from '@quadrille/model';
import { applyDelta, Committer } from '../write/committer.js';
import { TermDecoder } from '../dictionary/term-decoder.js';
import { TermEncoder } from '../dictionary/term-encoder.js';
import { Dictionary } from '../dictionary/dictionary.js';
import type { Env } from '../runtime/env.js';
import { Tag } from '../format/layout.js';
import { IndexVersion, Memtable } from '../index/index-version.js';
import { openRun } from '../index/run/run-writer.js';
import { SeekerPool } from '../index/read/seeker-pool.js';
import { equalBytes } from '../format/byte-codec.js';
import { NO_QUADS } from '../index/quad-columns.js';
import { brokenLog, checkLink, readRecord, readRecords } from '../revision/log.js';
import type { RevisionRecord } from '../revision/record.js';
import { decodeHead, encodeHead, encodeRecord, withoutDelta } from '../revision/record.js';
import { DIGEST_BYTES } from '../revision/digest.js';
import { revisionUuid } from '../revision/uuid.js';
import type { Root } from './manifest.js';
import { decodeRoot, encodeRoot } from './manifest.js';
import { memoryUse } from './memory-use.js';
import { writeAlone } from '../keyspace/write-alone.js';
import { firstFreeRun, RunNumbers, sweepSessions } from '../index/run/run-session.js';
import type { Keyspace } from '../keyspace/keyspace.js';
import { TermDropGuard } from '../write/term-drop-guard.js';
import { DistinctCounts, Statistics } from '../revision/statistics.js';
import { readCheckpoint, RevisionStatistics } from '../revision/revision-statistics.js';
import { POSG, SPOG } from '../index/orders.js';

// Decoded terms, of some 200 bytes each, may take about as much again as the block cache.
const TERM_BYTES = 256;

/** What {@link RepositoryCore.load} reads and {@link RepositoryCore.unload} forgets. */
const NOTHING = {
  dictionary: undefined,
  encoder: undefined,
  decoder: undefined,
  state: undefined,
  statistics: undefined,
} as const;

export class RepositoryCore {
  readonly committer: Committer = new Committer(this);
  /** One flush or merge at a time. */
  readonly maintenance = new Mutex();
  readonly termDropGuard = new TermDropGuard();
  /** Runs that are out of the root and still read. */
  readonly retiring = new Set<number>();
  readonly numbers = new RunNumbers(1);
  lookups = new SeekerPool();
  readonly revisionStatistics: RevisionStatistics = new RevisionStatistics(this);
  /** Published records that were read lately: who reads one revision reads it again. */
  readonly recentRecords: Map<number, RevisionRecord> = new Map();
  /** Numbers of published revisions that were asked for by UUID. */
  readonly recentNumbers: Map<string, number> = new Map();
  dictionary!: Dictionary;
  encoder!: TermEncoder;
  decoder!: TermDecoder;
  state!: IndexVersion;
  /** What readers see and writers were told. */
  published!: RevisionRecord;
  /** What the next commit builds on: perhaps not durable yet. */
  staged!: RevisionRecord;
  /** Of the staged state. */
  statistics!: Statistics;
  /** Small deltas up to this revision stand in runs. */
  flushed = 0;
  /** Revision of the last statistics checkpoint. */
  checkpoint = 0;
  /** A write failed: nothing can be staged before the state was read anew. */
  broken: unknown;
  /** A flush or merge is under way. */
  maintaining = false;
  /** What the last flush or merge failed with; it is tried again after the next commit. */
  maintenanceError: unknown;
  /** When it was last used, by `env.ticks`. */
  lastUsed = 0;
  /** Told before it is read from the storage again. */
  onReading: (() => void) | undefined;
  /** Told when the last one who used it is done. */
  onIdle: (() => void) | undefined;
  #users = 0;
  #inMemory = false;
  #reading: Promise<void> | undefined;
  #firstNumber = 0;

  private constructor(
    readonly keyspace: Keyspace,
    readonly env: Env,
  ) {
    // Also one of a flush or a load: what stands in memory may be ahead of the storage.
    keyspace.onWriteFailure = (error) => {
      this.broken ??= error;
    };
  }

  /** Writes the first revision, which is empty. */
  static async create(keyspace: Keyspace, env: Env): Promise<void> {
    const time = env.now();
    const body = {
      number: 1,
      id: revisionUuid(env, time, undefined),
      parentId: undefined,
      time,
      author: undefined,
      message: undefined,
      addedCount: 0,
      removedCount: 0,
      size: 0,
      termMark: 2,
      added: NO_QUADS,
      removed: { ...NO_QUADS, length: 0, from: new Uint32Array(0) },
      payload: undefined,
      parentDigest: new Uint8Array(DIGEST_BYTES),
    };
    const { bytes, digest } = encodeRecord(body);
    const ops: WriteOp[] = [
      { type: 'put', key: keyspace.key(Tag.log, 1), value: bytes },
      { type: 'put', key: keyspace.key(Tag.head), value: encodeHead({ number: 1, digest }) },
      {
        type: 'put',
        key: keyspace.key(Tag.root),
        value: encodeRoot({ flushed: 1, checkpoint: 1, nextRun: 1, runs: [] }),
      },
      { type: 'put', key: keyspace.key(Tag.statistics, 1, 0), value: new Statistics().encode() },
    ];
    await writeAlone(keyspace.engine, ops, keyspace.durable);
  }

  static async open(keyspace: Keyspace, env: Env): Promise<RepositoryCore> {
    const core = new RepositoryCore(keyspace, env);
    await core.load();
    core.#begin();
    return core;
  }

  /**
   * Opens on the log and the terms alone, where the indexes cannot be read. Nothing is to be done with it but
   * `rebuildIndexes`, which makes them anew.
   */
  static async openOnLog(keyspace: Keyspace, env: Env): Promise<RepositoryCore> {
    const core = new RepositoryCore(keyspace, env);
    const published = await core.#head();
    core.numbers.next = await firstFreeRun(keyspace);
    await core.#openDictionary(published.termMark, true);
    core.statistics = new Statistics();
    core.state = new IndexVersion([], [new Memtable()]);
    core.flushed = core.checkpoint = published.number;
    core.published = core.staged = published;
    core.#begin();
    return core;
  }

  #begin(): void {
    this.#inMemory = true;
    this.#firstNumber = this.published.number;
    this.lastUsed = this.env.ticks();
  }

  // ── In memory or let go ─────────────────────────────────────────────────────────────────────────────────────────

  /** Whether there is more in memory than what is known of the head. */
  get inMemory(): boolean {
    return this.#inMemory;
  }

  /** Resolves when it is in memory, for at least this turn of the event loop; `undefined` where it is there already. */
  ready(): Promise<void> | undefined {
    if (this.#inMemory) return undefined;
    return (this.#reading ??= this.#readAgain());
  }

  async #readAgain(): Promise<void> {
    this.onReading?.();
    this.enter();
    try {
      await this.load(false);
      this.#begin();
    } finally {
      this.#reading = undefined;
      // Those who waited have begun by then.
      void yieldTurn().then(() => this.leave());
    }
  }

  /** Somebody reads, writes or works on it: until as many have left it stays in memory. */
  enter(): void {
    this.#users++;
  }

  leave(): void {
    this.lastUsed = this.env.ticks();
    if (--this.#users === 0) this.onIdle?.();
  }

  /** Whether nothing uses it and all of it stands in the storage. */
  get idle(): boolean {
    if (!this.#inMemory || this.#users > 0 || this.maintaining || this.broken !== undefined) return false;
    return this.staged.number === this.published.number && this.retiring.size === 0;
  }

  /** Forgets all but what is known of the head. Only while it is {@link idle}. */
  unload(): void {
    this.state.supersede();
    this.published = this.staged = withoutDelta(this.published);
    this.lookups = new SeekerPool();
    this.recentRecords.clear();
    this.recentNumbers.clear();
    this.revisionStatistics.forget();
    Object.assign(this, NOTHING);
    this.#inMemory = false;
  }

  /** About how many bytes it takes in memory, beside the block cache. */
  get memoryBytes(): number {
    return this.#inMemory ? memoryUse(this) : 0;
  }

  /** Revisions made since it was read. */
  get commits(): number {
    return this.#inMemory ? this.published.number - this.#firstNumber : 0;
  }

  /** Resolves when nothing is under way that was begun before. */
  async settled(): Promise<void> {
    await this.#reading?.catch(() => undefined);
    await this.committer.writeLock.run(() => this.committer.drain());
    await this.maintenance.run(async () => undefined);
  }

  // ── Reading it ──────────────────────────────────────────────────────────────────────────────────────────────────

  async #head(): Promise<RevisionRecord> {
    const head = await this.#value(Tag.head, 'head', decodeHead);
    const record = await readRecord(this.keyspace, head.number);
    if (equalBytes(head.digest, record.digest)) return record;
    throw brokenLog(this.keyspace, head.number, 'is not the one that the head names');
  }

  async #openDictionary(mark: number, withoutRuns: boolean): Promise<void> {
    const { keyspace } = this;
    const seed = new DataView(this.env.random(new Uint8Array(4)).buffer).getUint32(0);
    this.dictionary = await Dictionary.open(keyspace, seed, mark, withoutRuns);
    this.encoder = new TermEncoder(this.dictionary);
    this.decoder = new TermDecoder(this.dictionary, Math.ceil(keyspace.cache.bytes.length / TERM_BYTES));
  }

  /** Reads the state from the storage; again after a failed write. `sweep`: there may be what nobody finished. */
  async load(sweep = true): Promise<void> {
    const { keyspace } = this;
    const published = await this.#head();
    const root = await this.#value(Tag.root, 'root', decodeRoot);
    const kept = new Set(root.runs.map((run) => run.id));
    const swept = sweep ? await sweepSessions(keyspace, kept, this.retiring) : 0;
    this.numbers.next = Math.max(root.nextRun, swept, this.numbers.next);
    const base = root.flushed === published.number ? published : await readRecord(keyspace, root.flushed);
    await this.#openDictionary(published.termMark, false);
    const runs = await Promise.all(root.runs.map((entry) => openRun(keyspace, entry)));
    const memtable = new Memtable();
    this.statistics = await readCheckpoint(keyspace, root.checkpoint);
    await this.#replay(root, base, published, memtable);
    this.state?.supersede();
    this.state = new IndexVersion(runs, [memtable]);
    this.flushed = root.flushed;
    this.checkpoint = root.checkpoint;
    this.published = this.staged = published;
    this.broken = undefined;
    this.revisionStatistics.forget();
  }

  async #replay(root: Root, base: RevisionRecord, published: RevisionRecord, memtable: Memtable): Promise<void> {
    if (root.flushed > published.number || root.checkpoint > published.number) {
      throw new CorruptionError('LOG_BROKEN', `repository ${this.keyspace.name}: the indexes are ahead of the log`);
    }
    let previous = base;
    const first = Math.min(root.flushed, root.checkpoint) + 1;
    for await (const record of readRecords(this.keyspace, first, published.number)) {
      if (record.number === root.flushed + 1) checkLink(this.keyspace, base, record);
      if (record.number > root.checkpoint) {
        this.statistics.apply(record.added, 1);
        this.statistics.apply(record.removed, -1);
      }
      if (record.number > root.flushed) applyDelta(memtable, record);
      previous = record;
    }
    if (previous.number !== published.number) throw brokenLog(this.keyspace, published.number, 'cannot be reached');
  }

  async #value<T>(tag: number, what: string, decode: (bytes: Uint8Array) => T): Promise<T> {
    const bytes = await this.keyspace.get(tag);
    if (bytes === undefined) throw this.keyspace.missing(`the ${what}`);
    return decode(bytes);
  }

  /**
   * Ids that were found or given before a failed write mean nothing after the state was read anew.
   * @throws StorageError where `dictionary` is not the present one
   */
  checkGeneration(dictionary: Dictionary): void {
    if (this.broken !== undefined) throw this.broken;
    if (this.dictionary === dictionary) return;
    throw new StorageError('STORAGE_IO', 'the storage failed while this change was prepared: nothing of it was kept');
  }

  /** The root as it would be written now, with these runs. */
  encodeRoot(runs: Root['runs'], change: Partial<Pick<Root, 'flushed' | 'checkpoint'>> = {}): Uint8Array {
    const { flushed, checkpoint } = this;
    return encodeRoot({ flushed, checkpoint, nextRun: this.numbers.next, runs, ...change });
  }

  /** Distinct subjects and objects by predicate: sums over the runs, so estimates, and without the memtable. */
  distinctCounts(): DistinctCounts {
    const counts = new DistinctCounts();
    for (const { entry, table } of this.state.runs) {
      if (entry.order === SPOG) counts.add('subjects', table.distinct);
      else if (entry.order === POSG) counts.add('objects', table.distinct);
    }
    return counts;
  }

  /** Puts a new index state in the place of the present one. */
  replaceState(state: IndexVersion): void {
    const old = this.state;
    this.state = state;
    old.supersede();
  }
}
