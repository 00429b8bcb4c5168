/** Snapshots and transactions of the engine as datasets of ids, which is what SPARQL joins on. */
import type * as RDF from '@rdfjs/types';
import type { KnownTerms, Snapshot, StagedTransaction, TextQuestion } from '@quadrille/core';
import { EvaluationError, iri } from '@quadrille/model';
import type {
  BoundPositions,
  Ends,
  FoundLiterals,
  IdDataset,
  IdPattern,
  IdQuads,
  IdScan,
  IdSeeker,
  IdStatistics,
  KeyRange,
  KeyedIds,
  NearestLiterals,
  NearestQuestion,
  ObjectStep,
  ScanOptions,
  TestedStrings,
  WordTest,
  WritableIdDataset,
} from '@quadrille/sparql';

// A constant, so that an import of this module loads no SPARQL.
const MISS: typeof import('@quadrille/sparql').MISS = -1;

/** The reads that snapshots and transactions have in common. */
type Reads = Pick<Snapshot, 'scanQuads' | 'seeker' | 'count' | 'estimate' | 'distinct' | 'statistics'>;

export abstract class EngineIdDataset implements IdDataset {
  abstract readonly planKey: object;
  abstract readonly termKey: object;
  abstract readonly size: number;
  abstract readonly hasNamedGraphs: boolean;
  protected abstract readonly reads: Reads;
  /** What answers searches for words; `undefined`: nothing does. */
  protected readonly searched: Pick<Snapshot, 'search' | 'nearest'> | undefined;

  fetchIds?(terms: readonly RDF.Term[]): Promise<void>;

  constructor(protected readonly terms: KnownTerms) {
    if (terms.takeRoundTrips) this.fetchIds = (wanted) => terms.fetchIds(wanted);
  }

  find(term: RDF.Term): number {
    return this.terms.find(term);
  }

  intern(term: RDF.Term): number {
    return this.terms.intern(term);
  }

  term(id: number): RDF.Term | undefined {
    return this.terms.term(id);
  }

  cachedTerm(id: number): RDF.Term | undefined {
    return this.terms.cached(id);
  }

  triple(id: number): readonly [number, number, number] | null | undefined {
    return this.terms.triple(id);
  }

  fetchTerm(ahead?: () => Iterable<number>): Promise<void> {
    return this.terms.fetch(ahead);
  }

  scan(pattern: IdPattern, options?: ScanOptions): IdScan {
    return this.reads.scanQuads(pattern, options);
  }

  seeker(bound: BoundPositions): IdSeeker {
    return this.reads.seeker(bound);
  }

  count(pattern: IdPattern, ends?: Ends): Promise<number> {
    return this.reads.count(pattern, ends);
  }

  estimate(pattern: IdPattern): number | Promise<number> {
    return this.reads.estimate(pattern);
  }

  distinct(predicate: number, position: 'subject' | 'object'): number {
    return this.reads.distinct(predicate, position);
  }

  statistics(): Promise<IdStatistics> {
    return this.reads.statistics();
  }

  async search(question: TextQuestion, ends: Ends): Promise<FoundLiterals> {
    if (this.searched === undefined)
      throw new EvaluationError(
        'UNSUPPORTED',
        'text:query cannot be asked here: a change is checked that has no index of words',
      );
    const { literals, highlight, properties, graphs } = await this.searched.search(question, ends);
    return { literals, highlight, properties: await this.#idsOf(properties), graphs: await this.#idsOf(graphs) };
  }

  async nearest(question: NearestQuestion, ends: Ends): Promise<NearestLiterals> {
    const { nearestIds } = await import('./nearest-ids.js');
    return nearestIds(this, this.searched, question, ends);
  }

  async #idsOf(iris: readonly string[] | undefined): Promise<ReadonlySet<number> | undefined> {
    if (iris === undefined) return undefined;
    const ids = new Set<number>();
    for (const name of iris) {
      let id = this.find(iri(name));
      for (; id === MISS; id = this.find(iri(name))) await this.fetchTerm();
      ids.add(id);
    }
    return ids;
  }
}

/** A snapshot by ids; terms that it does not have get ids of this object. The caller closes the snapshot. */
export class SnapshotIdDataset extends EngineIdDataset {
  protected override readonly searched: Snapshot;
  readonly planKey: object;
  readonly termKey: object;
  protected readonly reads: Reads;

  constructor(protected readonly snapshot: Snapshot) {
    super(snapshot.terms());
    // Not the repository: what is kept for it goes when it is unloaded.
    this.planKey = this.termKey = snapshot.timeline.dictionary;
    this.reads = snapshot;
    this.searched = snapshot;
  }

  sample(pattern: IdPattern, count: number): Promise<IdQuads> {
    return this.snapshot.sample(pattern, count);
  }

  estimateObjects(predicate: number, least: number, greatest: number): number | Promise<number> {
    return this.snapshot.estimateObjects(predicate, least, greatest);
  }

  stepObjects(step: ObjectStep): number | undefined {
    return this.snapshot.stepObjects(step);
  }

  literalsWith(tests: readonly WordTest[], ends: Ends, withWordless?: boolean): Promise<TestedStrings | undefined> {
    return this.snapshot.literalsWith(tests, ends, withWordless);
  }

  keysBetween(range: KeyRange, ends: Ends): Promise<KeyedIds | undefined> {
    return this.snapshot.keysBetween(range, ends);
  }

  countKeys(range: KeyRange): Promise<number | undefined> {
    return this.snapshot.countKeys(range);
  }

  stepKeys(range: KeyRange, rows: number, descending: boolean): Promise<number | null | undefined> {
    return this.snapshot.stepKeys(range, rows, descending);
  }

  areKeyed(predicate: number, ends: Ends): Promise<boolean | undefined> {
    return this.snapshot.areKeyed(predicate, ends);
  }

  get size(): number {
    return this.snapshot.record.size;
  }

  get hasNamedGraphs(): boolean {
    return this.snapshot.index.hasNamedGraphs();
  }
}

/** A transaction by ids; terms that the repository does not have get ids of the transaction. */
export class TransactionIdDataset extends EngineIdDataset implements WritableIdDataset {
  readonly planKey: object;
  readonly termKey: object;

  protected override readonly searched: StagedTransaction;

  constructor(private readonly transaction: StagedTransaction) {
    super(transaction.terms);
    this.searched = transaction;
    this.planKey = this.termKey = transaction.dictionary;
  }

  protected get reads(): Reads {
    return this.transaction.reads;
  }

  get size(): number {
    return this.transaction.size;
  }

  get hasNamedGraphs(): boolean {
    return this.transaction.reads.hasNamedGraphs;
  }

  override find(term: RDF.Term): number {
    const id = super.find(term);
    // That a term is not there is something the transaction has read, too.
    if (id === 0) this.transaction.noteReading();
    return id;
  }

  beginReading(predicates?: readonly RDF.Term[]): Promise<void> {
    return this.transaction.beginReading(predicates);
  }

  add(quads: IdQuads): Promise<void> {
    return this.transaction.addIds(quads);
  }

  remove(quads: IdQuads): Promise<void> {
    return this.transaction.removeIds(quads);
  }

  removeMatches(pattern: IdPattern): Promise<void> {
    return this.transaction.removeIdMatches(pattern);
  }
}
