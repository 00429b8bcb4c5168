/**
 * What is in memory of a repository: dictionary, indexes, heads, statistics. Readers and writers work on one generation
 * from their beginning to their end. A failed write and an unload replace the generation as a whole, so that ids and
 * rows of one are never mixed with those of another.
 */
import type { Mutex } from '@quadrille/model';
import { TermDecoder } from '../dictionary/term-decoder.js';
import { TermEncoder } from '../dictionary/term-encoder.js';
import type { Dictionary } from '../dictionary/dictionary.js';
import type { IndexVersion } from '../index/index-version.js';
import { POSG, SPOG } from '../index/orders.js';
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

// Decoded terms, of some 200 bytes each, may take about as much again as the block cache.
const TERM_BYTES = 256;

/** What all generations of a repository share. */
export interface RepositoryParts {
  readonly keyspace: Keyspace;
  readonly env: Env;
  /** Held while a commit is staged, not while it is written. */
  readonly writeLock: Mutex;
  readonly users: Users;
  readonly numbers: RunNumbers;
  /** Runs that are out of the root and still read. */
  readonly retiring: Set<number>;
}

/** What a generation begins with, as it was read from the storage. */
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
  readonly revisionStatistics: RevisionStatistics;
  /** Published records that were read lately, by number: who reads one revision reads it again. */
  readonly recentRecords = new Map<number, RevisionRecord>();
  /** Numbers of published revisions that were asked for by UUID. */
  readonly recentNumbers = new Map<string, number>();
  encoder: TermEncoder;
  index: IndexVersion;
  /** What readers see and writers were told. */
  published: RevisionRecord;
  /** What the next commit builds on: perhaps not durable yet. */
  staged: RevisionRecord;
  /** Of the staged revision. */
  statistics: Statistics;
  /** Small deltas up to this revision stand in runs. */
  flushed: number;
  /** Revision of the last statistics checkpoint. */
  checkpoint: number;
  /** The write that failed. What is in memory may be ahead of the storage: nothing more is written from it. */
  failure: unknown;
  /** Called after each publication. */
  onPublished: (() => void) | undefined;
  /** Resolves when the memtable takes more rows; `undefined` where it does now. */
  room: () => Promise<void> | undefined = () => undefined;

  constructor(parts: RepositoryParts, state: GenerationState) {
    this.keyspace = parts.keyspace;
    this.env = parts.env;
    this.users = parts.users;
    this.numbers = parts.numbers;
    this.retiring = parts.retiring;
    this.dictionary = state.dictionary;
    this.encoder = new TermEncoder(state.dictionary);
    this.decoder = new TermDecoder(state.dictionary, Math.ceil(parts.keyspace.cache.bytes.length / TERM_BYTES));
    this.index = state.index;
    this.statistics = state.statistics;
    this.published = this.staged = state.published;
    this.flushed = state.flushed;
    this.checkpoint = state.checkpoint;
    this.revisionStatistics = new RevisionStatistics(this);
    this.committer = new Committer(this, parts.writeLock);
  }

  /** @throws the error that ended the repository, or the one of the write that failed */
  checkWritable(): void {
    this.keyspace.check();
    if (this.failure !== undefined) throw this.failure;
  }

  /** The root as it would be written now, with these runs. */
  encodeRoot(runs: Root['runs'], change: Partial<Pick<Root, 'flushed' | 'checkpoint'>> = {}): Uint8Array {
    const { flushed, checkpoint } = this;
    return encodeRoot({ flushed, checkpoint, nextRun: this.numbers.next, runs, ...change });
  }

  /** Distinct subjects and objects by predicate: sums over the runs, so estimates, and without the memtable. */
  distinctCounts(): DistinctCounts {
    const counts = new DistinctCounts();
    for (const { entry, table } of this.index.runs) {
      if (entry.order === SPOG) counts.add('subjects', table.distinct);
      else if (entry.order === POSG) counts.add('objects', table.distinct);
    }
    return counts;
  }

  /** Puts a new index version in the place of the present one. */
  replaceIndex(index: IndexVersion): void {
    const old = this.index;
    this.index = index;
    old.supersede();
  }
}
