/** One revision of a repository, unchanging for as long as it is open. Close it: it keeps blocks from being deleted. */
import type * as RDF from '@rdfjs/types';
import { StateError } from '@quadrille/model';
import { MISS } from '../keyspace/block-cache.js';
import { KnownTerms } from '../dictionary/known-terms.js';
import { LocalTerms } from '../dictionary/local-terms.js';
import { Pacer } from '../runtime/env.js';
import { DEFAULT_GRAPH, FOREVER } from '../format/layout.js';
import type { IndexVersion } from '../index/index-version.js';
import { estimateDistinct, tryEstimate } from '../index/read/estimate.js';
import type { IdPattern, ScanOptions } from '../index/orders.js';
import { accessPath, boundsOf, orderedIds, pathInOrder } from '../index/orders.js';
import { countRows } from '../index/read/batches.js';
import { QuadScan } from '../index/read/quad-scan.js';
import { QuadSeeker } from '../index/read/quad-seeker.js';
import type { BoundPositions } from '../index/read/quad-seeker.js';
import { MergeScan } from '../index/read/merge-scan.js';
import { stateSources } from '../index/read/seek-sources.js';
import { QuadReader } from './quad-reader.js';
import type { Generation } from '../open/generation.js';
import type { Revision, RevisionRecord } from '../revision/record.js';
import { toRevision } from '../revision/record.js';
import type { Statistics } from '../revision/statistics.js';

/** Terms that a quad must equal; an absent member matches anything. */
export interface TermPattern {
  readonly subject?: RDF.Term | null | undefined;
  readonly predicate?: RDF.Term | null | undefined;
  readonly object?: RDF.Term | null | undefined;
  readonly graph?: RDF.Term | null | undefined;
}

export class Snapshot {
  readonly state: IndexVersion;
  #closed = false;
  /** Whether this is the newest revision, so that positions alone tell counts. */
  readonly #newest: boolean;

  constructor(
    readonly generation: Generation,
    readonly record: RevisionRecord,
  ) {
    this.state = generation.index;
    this.state.retain();
    generation.users.enter();
    this.#newest = record.number === generation.published.number;
  }

  get number(): number {
    return this.record.number;
  }

  get revision(): Revision {
    return toRevision(this.record);
  }

  /** Ids of terms; those that the repository does not have get ids that are good with this reader of terms only. */
  terms(): KnownTerms {
    return new KnownTerms(this.generation, new LocalTerms());
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.state.release();
    this.generation.users.leave();
  }

  /** @throws NotFoundError `REPOSITORY_DELETED`, StateError `STORE_NOT_OPEN`, `SNAPSHOT_CLOSED` */
  check(): void {
    this.generation.keyspace.check();
    if (this.#closed) throw new StateError('SNAPSHOT_CLOSED', 'this snapshot is closed: take a new one');
  }

  /** The rows that match, in the order of {@link accessPath}. The caller closes it. */
  scan(pattern: IdPattern): MergeScan {
    this.check();
    return this.state.scan(pattern, this.number);
  }

  /** The ids of a pattern; `undefined` if the repository does not have one of its terms, so that nothing matches. */
  async ids(pattern: TermPattern): Promise<IdPattern | undefined> {
    const known = this.tryIds(pattern);
    if (known !== MISS) return known;
    const { encoder } = this.generation;
    for (const term of [pattern.subject, pattern.predicate, pattern.object, pattern.graph])
      if (term) await encoder.encode(term);
    return this.ids(pattern);
  }

  /** As {@link ids}, or {@link MISS} where something has to be fetched. */
  tryIds(pattern: TermPattern): IdPattern | undefined | typeof MISS {
    const { encoder } = this.generation;
    const s = pattern.subject ? encoder.tryEncode(pattern.subject) : 0;
    const p = pattern.predicate ? encoder.tryEncode(pattern.predicate) : 0;
    const o = pattern.object ? encoder.tryEncode(pattern.object) : 0;
    const g = pattern.graph ? encoder.tryEncode(pattern.graph) : 0;
    if (s === MISS || p === MISS || o === MISS || g === MISS) return MISS;
    if ((pattern.subject && s === 0) || (pattern.predicate && p === 0)) return undefined;
    if ((pattern.object && o === 0) || (pattern.graph && g === 0)) return undefined;
    return { s, p, o, g };
  }

  /** Quads of ids that match, as RDF/JS quads in batches. The caller closes it. */
  read(pattern: IdPattern): QuadReader {
    this.check();
    const { state, number } = this;
    const { generation } = this;
    const { lookups } = generation;
    if (pattern.s === 0 && pattern.p === 0 && pattern.o === 0)
      return new QuadReader(generation, this.scanQuads(pattern));
    const seeker = lookups.take(state, number, pattern, (bound) => this.seeker(bound));
    return new QuadReader(generation, seeker, undefined, () => lookups.give(state, number, pattern, seeker));
  }

  /** The quads that match, in an order and within bounds of the reader's choice. The caller closes it. */
  scanQuads(pattern: IdPattern, { order, least = 0, greatest = FOREVER }: ScanOptions = {}): QuadScan {
    this.check();
    const path = order === undefined ? accessPath(pattern) : pathInOrder(order, pattern);
    const bounds = boundsOf(path, least, greatest);
    const { plus, minus } = this.state.sources(pattern, this.number, path, false, bounds);
    return new QuadScan(new MergeScan(plus, minus), path.order);
  }

  /** A reader of many patterns that bind the same positions. `revisions`: it also tells when each interval began. */
  seeker(bound: BoundPositions, revisions = false): QuadSeeker {
    this.check();
    const { state, number } = this;
    const named = state.hasNamedGraphs();
    return new QuadSeeker(bound, (path, key) => stateSources(state, path, number, key), { named, revisions });
  }

  /** About how many quads match, by positions in the indexes alone; 0 only where none does. */
  estimate(pattern: IdPattern): number | Promise<number> {
    this.check();
    const estimate = tryEstimate(this.state, pattern, this.record);
    return typeof estimate === 'number' ? estimate : estimate.fetch().then(() => this.estimate(pattern));
  }

  /** About how many subjects, or objects, the quads of a predicate have; 0 where nothing is known. */
  distinct(predicate: number, position: 'subject' | 'object'): number {
    return estimateDistinct(this.state, this.generation.statistics, predicate, position);
  }

  /** How many quads match. Exact; O(log n) where the pattern is a prefix of an index and the revision the newest. */
  async count(pattern: IdPattern): Promise<number> {
    this.check();
    if (pattern.s === 0 && pattern.p === 0 && pattern.o === 0 && pattern.g === 0) return this.record.size;
    if (this.#newest) {
      for (;;) {
        const count = this.state.countNewest(pattern, this.number);
        if (count === undefined) break;
        if (count !== MISS) return count;
        await this.#fetchBounds(pattern);
      }
    } else if (pattern.s === 0 && pattern.o === 0 && (pattern.p === 0) !== (pattern.g === 0)) {
      const statistics = await this.statistics();
      return (pattern.p !== 0 ? statistics.predicates.get(pattern.p) : statistics.graphs.get(pattern.g)) ?? 0;
    }
    return countRows(this.scan(pattern), new Pacer(this.generation.env));
  }

  // Brings in the blocks where the range begins and ends.
  async #fetchBounds(pattern: IdPattern): Promise<void> {
    const run = this.state.blocked!;
    const path = accessPath(pattern);
    const ids = orderedIds(path.order, pattern);
    const blocks = [false, true]
      .map((after) => run.boundaryBlock(ids, path.prefix, after))
      .filter((block) => block >= 0);
    await run.cache.fetch(run.source, blocks);
  }

  /** Ids of the named graphs that hold a quad, ascending. */
  async *graphs(): AsyncGenerator<number> {
    const statistics = await this.statistics();
    for (const graph of [...statistics.graphs.keys()].sort((x, y) => x - y)) if (graph !== DEFAULT_GRAPH) yield graph;
  }

  /** Quads by predicate and by graph at this revision. Shared: not to be changed. */
  async statistics(): Promise<Statistics> {
    this.check();
    return this.generation.revisionStatistics.of(this.number);
  }
}
