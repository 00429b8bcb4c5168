/**
 * The state of a repository in memory: dictionary, indexes, heads, statistics. A reader or writer uses one generation
 * from its beginning to its end. A failed write and an unload replace the generation as a whole. So ids and rows of
 * different generations are never mixed.
 */
import type { Mutex } from '@quadrille/model';
import type { QuadrilleError } from '@quadrille/model';
import type { TermDecoder } from '../dictionary/term-decoder.js';
import type { TermEncoder } from '../dictionary/term-encoder.js';
import type { Dictionary } from '../dictionary/dictionary.js';
import type { IndexVersion } from '../index/index-version.js';
import { POSG, SPOG } from '../index/orders.js';
import { LanePool } from '../index/read/lane-pool.js';
import { SeekerPool } from '../index/read/seeker-pool.js';
import type { RunNumbers } from '../index/run/run-session.js';
import type { Keyspace } from '../keyspace/keyspace.js';
import type { RevisionRecord } from '../revision/record.js';
import { RevisionStatistics } from '../revision/revision-statistics.js';
import { DistinctCounts } from '../revision/statistics.js';
import type { Statistics } from '../revision/statistics.js';
import type { Env } from '../runtime/env.js';
import { Committer } from '../write/committer.js';
import type { CommitState } from '../write/committer.js';
import type { GroupWriter } from '../write/group-writer.js';
import type { ProposedChange } from '../write/proposed-change.js';
import type { TermDropGuard } from '../write/term-drop-guard.js';
import type { Root } from './manifest.js';
import { encodeRoot } from './manifest.js';
import { Readers } from './readers.js';
import { SharedState } from './shared-state.js';
import type { Users } from './users.js';

/** State that all generations of a repository share. */
export interface RepositoryParts {
  readonly keyspace: Keyspace;
  readonly env: Env;
  /** Held while a commit is staged, not while it is written. */
  readonly writeLock: Mutex;
  readonly users: Users;
  readonly numbers: RunNumbers;
  /** Numbers of runs that the manifest does not name any more, but that readers still use. */
  readonly retiring: Set<number>;
}

/** Where a line begins. */
export interface LineBase {
  readonly generation: Generation;
  /** The last revision of the base that belongs to the line. */
  readonly fork: number;
  /** The index version of the line over that of its base. */
  over(own: Pick<IndexVersion, 'runs' | 'memtables'>, base: IndexVersion): IndexVersion;
}

/** The state of a new generation, as it was read from the storage. */
export interface GenerationState {
  readonly dictionary: Dictionary;
  /** Lowest id of a term that no revision uses. Default: that of the published one. */
  readonly termMark?: number;
  readonly base?: LineBase | undefined;
  readonly index: IndexVersion;
  readonly statistics: Statistics;
  readonly published: RevisionRecord;
  readonly flushed: number;
  readonly checkpoint: number;
}

export class Generation implements CommitState {
  readonly keyspace: Keyspace;
  readonly env: Env;
  readonly users: Users;
  readonly numbers: RunNumbers;
  readonly retiring: Set<number>;
  readonly committer: Committer;
  readonly dictionary: Dictionary;
  readonly decoder: TermDecoder;
  /** The state that all lines of the repository share. */
  readonly shared: SharedState;
  /** The line on which this one begins; `undefined` for `main`. */
  readonly base: LineBase | undefined;
  /** The generations of lines that begin on this one and are in memory. */
  readonly above = new Set<Generation>();
  readonly lookups = new SeekerPool();
  /** The same, of lookups that also read revisions. */
  readonly datedLookups = new SeekerPool();
  /** Of seekers that look up many patterns. */
  readonly lanes = new LanePool();
  readonly revisionStatistics: RevisionStatistics;
  /**
   * Records of published revisions that were read most recently, by number. Readers often ask for the same revision
   * again.
   */
  readonly recentRecords = new Map<number, RevisionRecord>();
  /** Numbers of published revisions that were requested by UUID. */
  readonly recentNumbers = new Map<string, number>();
  index: IndexVersion;
  /** The newest durable revision: readers see it, and its commit was acknowledged. */
  published: RevisionRecord;
  /** The revision on which the next commit builds. It may not be durable yet. */
  staged: RevisionRecord;
  /** Statistics of the staged revision. */
  statistics: Statistics;
  /** The small deltas up to this revision are in runs. */
  flushed: number;
  /** Revision of the last checkpoint of the statistics. */
  checkpoint: number;
  /** Why nothing may be written any more, if the branch was deleted. */
  ended: QuadrilleError | undefined;
  readonly readers = new Readers();
  /** How often published revisions have got other records or were removed. */
  rewrites = 0;
  /** Called after each publication. */
  onPublished: (() => void) | undefined;
  /**
   * Checks a change before it is staged, under the write lock. Returns `undefined` if nothing asks for that; rejects if
   * the change must not be made.
   */
  guard: (change: ProposedChange) => Promise<void> | undefined = () => undefined;
  /** Waits until the memtable takes more rows; returns `undefined` if it takes them now. */
  room: () => Promise<void> | undefined = () => undefined;

  constructor(parts: RepositoryParts, state: GenerationState) {
    this.keyspace = parts.keyspace;
    this.env = parts.env;
    this.users = parts.users;
    this.numbers = parts.numbers;
    this.retiring = parts.retiring;
    this.base = state.base;
    this.shared =
      state.base?.generation.shared ??
      new SharedState(parts, state.dictionary, state.termMark ?? state.published.termMark);
    this.dictionary = this.shared.dictionary;
    this.decoder = this.shared.decoder;
    this.index = state.index;
    this.statistics = state.statistics;
    this.published = this.staged = state.published;
    this.flushed = state.flushed;
    this.checkpoint = state.checkpoint;
    this.revisionStatistics = new RevisionStatistics(this);
    this.committer = new Committer(this, parts.writeLock);
  }

  get encoder(): TermEncoder {
    return this.shared.encoder;
  }

  set encoder(encoder: TermEncoder) {
    this.shared.encoder = encoder;
  }

  get termDropGuard(): TermDropGuard {
    return this.shared.termDropGuard;
  }

  get writer(): GroupWriter {
    return this.shared.writer;
  }

  /**
   * The error of a failed write. The state in memory may then be ahead of the storage, so nothing more is written
   * from it.
   */
  get failure(): unknown {
    return this.shared.failure;
  }

  set failure(error: unknown) {
    this.shared.failure = error;
  }

  /** The first revision that the line itself has made. */
  get firstOwn(): number {
    return this.base === undefined ? 1 : this.base.fork + 1;
  }

  /** For readers. @throws the error with which the repository or its readers were ended */
  check(): void {
    this.keyspace.check();
    if (this.readers.ended !== undefined) throw this.readers.ended;
  }

  /** @throws the error with which the repository was ended, or the error of the failed write */
  checkWritable(): void {
    this.keyspace.check();
    if (this.ended !== undefined) throw this.ended;
    if (this.failure !== undefined) throw this.failure;
  }

  /** Encodes the manifest as it would be written now, with these runs. */
  encodeRoot(runs: Root['runs'], change: Partial<Pick<Root, 'flushed' | 'checkpoint'>> = {}): Uint8Array {
    const { flushed, checkpoint } = this;
    return encodeRoot({ flushed, checkpoint, nextRun: this.numbers.next, runs, ...change });
  }

  /** Estimated number of distinct subjects and objects by predicate. Adds up the runs, and leaves out the memtables. */
  distinctCounts(): DistinctCounts {
    const counts = new DistinctCounts();
    for (const { entry, table } of this.index.present(this.published.number).flatMap(({ index }) => index.runs)) {
      if (entry.order === SPOG) counts.add('subjects', table.distinct);
      else if (entry.order === POSG) counts.add('objects', table.distinct);
    }
    return counts;
  }

  /** Replaces the index version. */
  replaceIndex(index: IndexVersion): void {
    const old = this.index;
    this.index = index;
    for (const line of this.above) line.replaceIndex(line.base!.over(line.index, index));
    old.supersede();
  }
}
