/**
 * The state of a repository in memory: dictionary, indexes, heads, statistics. A reader or writer uses one generation
 * from its beginning to its end. A failed write and an unload replace the generation as a whole. So ids and rows of
 * different generations are never mixed.
 */
import type { Mutex } from '@quadrille/model';
import { termCacheLimit } from '../dictionary/term-cache.js';
import { TermDecoder } from '../dictionary/term-decoder.js';
import { TermEncoder } from '../dictionary/term-encoder.js';
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
import { TermDropGuard } from '../write/term-drop-guard.js';
import type { Root } from './manifest.js';
import { encodeRoot } from './manifest.js';
import type { Users } from './users.js';

// Bytes of the block cache per cached term. A decoded term takes about 200 bytes, so the terms may take about as much
// as the block cache.
const TERM_BYTES = 256;

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

/** The state of a new generation, as it was read from the storage. */
export interface GenerationState {
  readonly dictionary: Dictionary;
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
  readonly termDropGuard = new TermDropGuard();
  readonly dictionary: Dictionary;
  readonly decoder: TermDecoder;
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
  encoder: TermEncoder;
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
  /**
   * The error of a failed write. The state in memory may then be ahead of the storage, so nothing more is written
   * from it.
   */
  failure: unknown;
  /** Called after each publication. */
  onPublished: (() => void) | undefined;
  /** Waits until the memtable takes more rows; returns `undefined` if it takes them now. */
  room: () => Promise<void> | undefined = () => undefined;

  constructor(parts: RepositoryParts, state: GenerationState) {
    this.keyspace = parts.keyspace;
    this.env = parts.env;
    this.users = parts.users;
    this.numbers = parts.numbers;
    this.retiring = parts.retiring;
    this.dictionary = state.dictionary;
    this.encoder = new TermEncoder(state.dictionary);
    const cachedTerms = Math.ceil(Math.min(parts.keyspace.cache.capacityBytes, termCacheLimit.bytes) / TERM_BYTES);
    this.decoder = new TermDecoder(state.dictionary, cachedTerms, parts.env);
    this.index = state.index;
    this.statistics = state.statistics;
    this.published = this.staged = state.published;
    this.flushed = state.flushed;
    this.checkpoint = state.checkpoint;
    this.revisionStatistics = new RevisionStatistics(this);
    this.committer = new Committer(this, parts.writeLock);
  }

  /** @throws the error with which the repository was ended, or the error of the failed write */
  checkWritable(): void {
    this.keyspace.check();
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
    for (const { entry, table } of this.index.runs) {
      if (entry.order === SPOG) counts.add('subjects', table.distinct);
      else if (entry.order === POSG) counts.add('objects', table.distinct);
    }
    return counts;
  }

  /** Replaces the index version. */
  replaceIndex(index: IndexVersion): void {
    const old = this.index;
    this.index = index;
    old.supersede();
  }
}
