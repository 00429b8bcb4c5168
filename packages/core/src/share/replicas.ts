/** The repositories that a thread reads for another one. One session at a time. */
import { Mutex } from '@quadrille/model';
import type { StorageEngine } from '@quadrille/storage';
import { TermEncoder } from '../dictionary/term-encoder.js';
import { IndexVersion } from '../index/index-version.js';
import { RunNumbers } from '../index/run/run-session.js';
import { BlockCache } from '../keyspace/block-cache.js';
import { Keyspace } from '../keyspace/keyspace.js';
import { Timeline } from '../timeline/timeline.js';
import { Snapshot } from '../read/snapshot.js';
import type { RevisionRecord } from '../revision/record.js';
import { Checkpoints } from '../revision/checkpoints.js';
import { Statistics } from '../index/statistics.js';
import type { Env } from '../runtime/env.js';
import { Gate } from '../runtime/gate.js';
import { ReplicaDictionary } from './replica-dictionary.js';
import { memtableCopy, replicaRuns } from './replica-index.js';
import type { SessionDescription } from './session-description.js';

/** Asks the other thread for the statistics of the session's revision, as `encodedStatistics` encodes them. */
export type StatisticsSource = () => Promise<Uint8Array>;

/** A snapshot of another thread. */
class ReplicaSnapshot extends Snapshot {
  #statistics: Promise<Statistics> | undefined;

  constructor(
    timeline: Timeline,
    record: RevisionRecord,
    private readonly source: StatisticsSource,
  ) {
    super(timeline, record);
  }

  override statistics(): Promise<Statistics> {
    this.check();
    return (this.#statistics ??= this.source().then(Statistics.decode));
  }
}

/** The parts of one timeline that a thread keeps. */
class Replica {
  readonly #dictionary: ReplicaDictionary;
  readonly #timeline: Timeline;
  #encoder: number;

  constructor(keyspace: Keyspace, env: Env, { dictionary, published, predicates }: SessionDescription) {
    this.#dictionary = new ReplicaDictionary(keyspace, dictionary);
    this.#encoder = dictionary.encoder;
    const parts = { keyspace, env, writeLock: new Mutex(), maintenance: new Mutex(), users: new Gate() };
    const none = (): undefined => undefined;
    this.#timeline = new Timeline(
      { ...parts, numbers: new RunNumbers(1), retiring: new Set(), announce: none, room: none, guard: none },
      {
        dictionary: this.#dictionary,
        index: new IndexVersion([], []),
        statistics: statisticsOf(predicates),
        published,
        flushed: published.number,
        checkpoints: new Checkpoints(published.number),
      },
    );
  }

  open(session: SessionDescription, statistics: StatisticsSource): Snapshot {
    const { dictionary, runs, memtables, published, record, predicates } = session;
    const timeline = this.#timeline;
    this.#dictionary.update(dictionary);
    if (dictionary.encoder !== this.#encoder) timeline.encoder = new TermEncoder(this.#dictionary);
    this.#encoder = dictionary.encoder;
    const { keyspace, index } = timeline;
    const copied = new IndexVersion(replicaRuns(keyspace, index.runs, runs), memtables.map(memtableCopy));
    timeline.publish({ head: published, index: copied, statistics: statisticsOf(predicates) });
    timeline.staged = published;
    return new ReplicaSnapshot(timeline, record, statistics);
  }
}

// Only the counts of predicates are known at once: estimates need them.
function statisticsOf(predicates: Uint32Array): Statistics {
  const statistics = new Statistics();
  for (let i = 0; i < predicates.length; i += 2) statistics.predicates.set(predicates[i]!, predicates[i + 1]!);
  return statistics;
}

/** The repositories that a thread reads for another thread. One session at a time. */
export class Replicas {
  readonly #cache: BlockCache;
  readonly #kept = new Map<number, Replica>();

  constructor(
    private readonly engine: StorageEngine,
    private readonly env: Env,
    cacheBytes: number,
  ) {
    this.#cache = new BlockCache(cacheBytes);
  }

  /** The snapshot of a session. The caller closes it before it opens another one. */
  open(session: SessionDescription, statistics: StatisticsSource): Snapshot {
    for (const number of session.forgotten) this.#kept.delete(number);
    let replica = this.#kept.get(session.timeline);
    if (replica === undefined) {
      const { id, name } = session.repository;
      const keyspace = new Keyspace(this.engine, this.#cache, id, name, false);
      replica = new Replica(keyspace, this.env, session);
      this.#kept.set(session.timeline, replica);
    }
    return replica.open(session, statistics);
  }
}
