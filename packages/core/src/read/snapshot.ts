/** A snapshot of one revision, which never changes. Close it: an open snapshot keeps old blocks in the storage. */
import type * as RDF from '@rdfjs/types';
import { StateError } from '@quadrille/model';
import { toHex } from '@quadrille/storage';
import { MISS } from '../keyspace/block-cache.js';
import { KnownTerms } from '../dictionary/known-terms.js';
import { LocalTerms } from '../dictionary/local-terms.js';
import { Pacer } from '../runtime/env.js';
import type { EndSignal } from '../runtime/env.js';
import { DEFAULT_GRAPH, FIRST_INLINE_ID, FOREVER } from '../format/layout.js';
import type { IndexVersion } from '../index/index-version.js';
import { estimateDistinct, fetchBounds, tryEstimate, tryEstimateObjects } from '../index/read/estimate.js';
import type { IdPattern, ScanOptions } from '../index/orders.js';
import { accessPath, boundsOf, orderedIds, pathInOrder } from '../index/orders.js';
import type { SampledQuads } from '../index/read/sample.js';
import { stepObjects, type ObjectStep } from '../index/step-objects.js';
import { countRows } from '../index/read/batches.js';
import { QuadScan } from '../index/read/quad-scan.js';
import { newLanes, QuadSeeker } from '../index/read/quad-seeker.js';
import type { BoundPositions, Lanes } from '../index/read/quad-seeker.js';
import type { OpenSources } from '../index/read/seek-lane.js';
import { MergeScan } from '../index/read/merge-scan.js';
import { indexSources } from '../index/read/seek-sources.js';
import type { TestedLiterals } from './search-literals.js';
import type { WordPiece } from '../words/search-text.js';
import type { KeyedIds, KeyRange } from './ordered-literals.js';
import type { FoundTexts, TextQuestion } from './search-literals.js';
import type { FoundVectors, VectorQuestion } from './search-vectors.js';
import { QuadReader } from './quad-reader.js';
import type { Timeline } from '../timeline/timeline.js';
import type { Revision, RevisionRecord } from '../revision/record.js';
import { toRevision } from '../revision/record.js';
import type { Statistics } from '../index/statistics.js';

/** The terms of a matching quad. A missing member matches any term. */
export interface TermPattern {
  /** The subject. */
  readonly subject?: RDF.Term | null | undefined;
  /** The predicate. */
  readonly predicate?: RDF.Term | null | undefined;
  /** The object. */
  readonly object?: RDF.Term | null | undefined;
  /** The graph; absent: all graphs. */
  readonly graph?: RDF.Term | null | undefined;
}

/** One revision for reading. It keeps what it reads from being deleted until it is closed. */
export class Snapshot {
  /** The runs and memtables that it reads. */
  readonly index: IndexVersion;
  #closed = false;
  /** Of seekers that read no revisions. */
  #lanes: Lanes | undefined;
  /** Whether this is the newest revision. Then positions in the indexes give exact counts. */
  readonly #newest: boolean;

  constructor(
    /** The timeline that it reads, from its beginning to its end. */
    readonly timeline: Timeline,
    /** The record of its revision. */
    readonly record: RevisionRecord,
  ) {
    const { head, index } = timeline.state;
    this.index = index;
    index.retain();
    timeline.users.enter();
    timeline.readers.enter();
    this.#newest = record.number === head.number;
  }

  /** Number of its revision. */
  get number(): number {
    return this.record.number;
  }

  /** Its revision. */
  get revision(): Revision {
    return toRevision(this.record);
  }

  /** Converts terms to ids and back. Terms that the repository does not have get ids that only this converter knows. */
  terms(): KnownTerms {
    return new KnownTerms(this.timeline, new LocalTerms());
  }

  /** Lets go of what it keeps. Calling it again has no effect. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.index.release();
    this.timeline.readers.leave();
    this.timeline.users.leave();
  }

  /** @throws NotFoundError `REPOSITORY_DELETED`, StateError `STORE_NOT_OPEN`, `SNAPSHOT_CLOSED` */
  check(): void {
    this.timeline.check();
    if (this.#closed) throw new StateError('SNAPSHOT_CLOSED', 'this snapshot is closed: take a new one');
  }

  /** The matching rows, in the order of `accessPath`. The caller closes the scan. */
  scan(pattern: IdPattern): MergeScan {
    this.check();
    return this.index.scan(pattern, this.number);
  }

  /** The ids of a pattern; `undefined` if the repository lacks one of its terms, so that no quad matches. */
  async ids(pattern: TermPattern): Promise<IdPattern | undefined> {
    const known = this.tryIds(pattern);
    if (known !== MISS) return known;
    const { encoder } = this.timeline;
    for (const term of [pattern.subject, pattern.predicate, pattern.object, pattern.graph])
      if (term) await encoder.encode(term);
    return this.ids(pattern);
  }

  /** Like {@link ids}, without waiting. Returns `MISS` (-1) if data must be fetched. */
  tryIds(pattern: TermPattern): IdPattern | undefined | typeof MISS {
    const { encoder } = this.timeline;
    const s = pattern.subject ? encoder.tryEncode(pattern.subject) : 0;
    const p = pattern.predicate ? encoder.tryEncode(pattern.predicate) : 0;
    const o = pattern.object ? encoder.tryEncode(pattern.object) : 0;
    const g = pattern.graph ? encoder.tryEncode(pattern.graph) : 0;
    if (s === MISS || p === MISS || o === MISS || g === MISS) return MISS;
    if ((pattern.subject && s === 0) || (pattern.predicate && p === 0)) return undefined;
    if ((pattern.object && o === 0) || (pattern.graph && g === 0)) return undefined;
    return { s, p, o, g };
  }

  /**
   * The matching quads as RDF/JS quads, in batches. The caller closes the reader. With `revisions` it also knows the revision that added
   * each of them.
   */
  read(pattern: IdPattern, revisions = false): QuadReader {
    this.check();
    const { index, number } = this;
    const { timeline } = this;
    const lookups = revisions ? timeline.datedLookups : timeline.lookups;
    if (!revisions && pattern.s === 0 && pattern.p === 0 && pattern.o === 0)
      return new QuadReader(timeline, this.scanQuads(pattern));
    const seeker = lookups.take(index, number, pattern, (bound) => this.seeker(bound, revisions));
    return new QuadReader(timeline, seeker, undefined, () => lookups.give(index, number, pattern, seeker));
  }

  /** Whether a quad matches. `MISS` (-1) if data must be fetched first. */
  tryHas(pattern: IdPattern): boolean | typeof MISS {
    this.check();
    if (pattern.s === 0 && pattern.p === 0 && pattern.o === 0 && pattern.g === 0) return this.record.size > 0;
    const { index, number } = this;
    const { lookups } = this.timeline;
    const seeker = lookups.take(index, number, pattern, (bound) => this.seeker(bound));
    const rows = seeker.next();
    lookups.give(index, number, pattern, seeker);
    return rows === MISS ? MISS : rows > 0;
  }

  /** The matching quads as ids, in a chosen order and within bounds. The caller closes the scan. */
  scanQuads(pattern: IdPattern, { order, least = 0, greatest = FOREVER }: ScanOptions = {}): QuadScan {
    this.check();
    const path = order === undefined ? accessPath(pattern) : pathInOrder(order, pattern);
    const bounds = boundsOf(path, least, greatest);
    const { plus, minus } = this.index.sources(pattern, this.number, path, false, bounds);
    return new QuadScan(new MergeScan(plus, minus), path.order);
  }

  /**
   * A reader of many patterns that bind the same positions. With `revisions` it also reads the `from` of each
   * interval.
   */
  seeker(bound: BoundPositions, revisions = false): QuadSeeker {
    this.check();
    const { index, number } = this;
    const open: OpenSources = (path, key) => indexSources(index, path, number, key);
    const lanes = revisions ? newLanes(open, true) : (this.#lanes ??= this.timeline.lanes.at(index, number, open));
    return new QuadSeeker(bound, lanes, index.hasNamedGraphs());
  }

  /**
   * Estimates the number of matching quads from positions in the indexes. It is 0 only if no quad matches. Reads at
   * most two blocks per run.
   */
  estimate(pattern: IdPattern): number | Promise<number> {
    this.check();
    const estimate = tryEstimate(this.index, pattern, this.record);
    return typeof estimate === 'number' ? estimate : estimate.fetch().then(() => this.estimate(pattern));
  }

  /** Estimates the number of quads of a predicate with objects from `least` to `greatest`, as {@link estimate} does. */
  estimateObjects(predicate: number, least: number, greatest: number): number | Promise<number> {
    this.check();
    const estimate = tryEstimateObjects(this.index, predicate, { least, greatest }, this.number);
    if (typeof estimate === 'number') return estimate;
    return estimate.fetch().then(() => this.estimateObjects(predicate, least, greatest));
  }

  /**
   * About `count` of the matching quads as ids, spread evenly over all of them; all, if they are fewer. Some of them may
   * have been removed. Reads at most one block for each.
   */
  async sample(pattern: IdPattern, count: number): Promise<SampledQuads> {
    this.check();
    return (await import('../index/read/sample.js')).sampleQuads(this.index, pattern, this.number, count);
  }

  /**
   * Divides the quads of a predicate by their objects. Returns the object at which a part of about `rows` rows ends, or
   * `undefined` if the part contains all remaining quads. Reads nothing.
   */
  stepObjects(step: ObjectStep): number | undefined {
    this.check();
    return stepObjects(this.index, step);
  }

  /** Estimates the distinct subjects or objects of a predicate's quads; 0 if nothing is known. */
  distinct(predicate: number, position: 'subject' | 'object'): number {
    return estimateDistinct(this.index, this.timeline.statistics, predicate, position);
  }

  /**
   * The exact number of matching quads. O(log n) if the pattern is a prefix of an order and the revision is the
   * newest; otherwise it scans. Asks `ends` meanwhile.
   */
  async count(pattern: IdPattern, ends?: EndSignal): Promise<number> {
    this.check();
    if (pattern.s === 0 && pattern.p === 0 && pattern.o === 0 && pattern.g === 0) return this.record.size;
    if (this.#newest) {
      for (;;) {
        const count = this.index.countNewest(pattern, this.number);
        if (count === undefined) break;
        if (typeof count === 'number') return count;
        const { order, prefix } = accessPath(pattern);
        await fetchBounds(count, orderedIds(order, pattern), prefix);
        ends?.throwIfAborted();
      }
    } else if (pattern.s === 0 && pattern.o === 0 && (pattern.p === 0) !== (pattern.g === 0)) {
      const statistics = await this.statistics();
      return (pattern.p !== 0 ? statistics.predicates.get(pattern.p) : statistics.graphs.get(pattern.g)) ?? 0;
    }
    return countRows(this.scan(pattern), new Pacer(this.timeline.env, undefined, ends));
  }

  /**
   * The literals that have words, with their scores; also those that only quads of other revisions have. The first call may have to make
   * the index.
   * @throws ParseError `TEXT_SYNTAX`; ConflictError `NO_INDEX` if the settings have no `search`
   */
  async search(question: TextQuestion, ends?: EndSignal): Promise<FoundTexts> {
    this.check();
    const { searchTexts } = await import('../texts.js');
    return searchTexts({ timeline: this.timeline, termMark: this.record.termMark }, question, ends);
  }

  /** As {@link search}, by vectors. */
  async nearest(question: VectorQuestion, ends?: EndSignal): Promise<FoundVectors> {
    this.check();
    const { nearestVectors } = await import('./vectors.js');
    return nearestVectors({ timeline: this.timeline, termMark: this.record.termMark }, question, ends);
  }

  /**
   * All strings that pass tests of their words, and perhaps others, and on demand the terms that the tests say nothing of; `undefined` if no
   * index tells.
   */
  async literalsWith(
    pieces: readonly WordPiece[],
    ends?: EndSignal,
    withWordless?: boolean,
  ): Promise<TestedLiterals | undefined> {
    this.check();
    const { timeline, record } = this;
    // Where there is no setting, nothing has to be loaded.
    if ((await timeline.readSettings()).search?.text === undefined) return undefined;
    const { literalsWith } = await import('../texts.js');
    return literalsWith({ timeline, termMark: record.termMark }, pieces, withWordless, ends);
  }

  /** All literals with keys in a range, and perhaps others; `undefined` if no index tells. */
  async keysBetween(range: KeyRange, ends?: EndSignal): Promise<KeyedIds | undefined> {
    this.check();
    const { keysBetween } = await import('./ordered-literals.js');
    return keysBetween(this.#ordered, range, ends);
  }

  /** How many literals have keys in a range, also those that only quads of other revisions have; `undefined` if no index tells. */
  async countKeys(range: KeyRange): Promise<number | undefined> {
    this.check();
    const { countKeys } = await import('./ordered-literals.js');
    return countKeys(this.#ordered, range);
  }

  /** The key at which a part of a range ends; `null` if so many literals are not left, `undefined` if no index tells. */
  async stepKeys(range: KeyRange, rows: number, descending: boolean): Promise<number | null | undefined> {
    this.check();
    const { stepKeys } = await import('./ordered-literals.js');
    return stepKeys(this.#ordered, range, rows, descending);
  }

  /** Whether the objects of a predicate that are in the dictionary all have keys; `undefined` if no index tells. */
  async areKeyed(predicate: number, ends?: EndSignal): Promise<boolean | undefined> {
    this.check();
    const { areKeyed } = await import('./ordered-literals.js');
    const objects = { s: 0, p: predicate, o: 0, g: 0 };
    const scan = (): QuadScan => this.scanQuads(objects, { order: 'posg', greatest: FIRST_INLINE_ID - 1 });
    return areKeyed({ ...this.#ordered, revision: toHex(this.record.id) }, predicate, scan, ends);
  }

  get #ordered(): { readonly timeline: Timeline; readonly termMark: number } {
    return { timeline: this.timeline, termMark: this.record.termMark };
  }

  /** The ids of the named graphs that have quads, ascending. */
  async *graphs(): AsyncGenerator<number> {
    const statistics = await this.statistics();
    for (const graph of [...statistics.graphs.keys()].sort((x, y) => x - y)) if (graph !== DEFAULT_GRAPH) yield graph;
  }

  /** The numbers of quads by predicate and by graph at this revision. The object is shared: do not change it. */
  async statistics(): Promise<Statistics> {
    this.check();
    return this.timeline.revisionStatistics.of(this.number);
  }
}
