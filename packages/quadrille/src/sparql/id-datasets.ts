/** Snapshots and transactions of the engine as datasets of ids, which is what SPARQL joins on. */
import type * as RDF from '@rdfjs/types';
import type { KnownTerms, Snapshot, StagedTransaction } from '@quadrille/core';
import type {
  BoundPositions,
  Ends,
  IdDataset,
  IdPattern,
  IdQuads,
  IdScan,
  IdSeeker,
  IdStatistics,
  ObjectStep,
  ScanOptions,
  WritableIdDataset,
} from '@quadrille/sparql';

/** The reads that snapshots and transactions have in common. */
type Reads = Pick<Snapshot, 'scanQuads' | 'seeker' | 'count' | 'estimate' | 'distinct' | 'statistics'>;

export abstract class EngineIdDataset implements IdDataset {
  abstract readonly planKey: object;
  abstract readonly termKey: object;
  abstract readonly size: number;
  abstract readonly hasNamedGraphs: boolean;
  protected abstract readonly reads: Reads;

  constructor(protected readonly terms: KnownTerms) {}

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
}

/** A snapshot by ids; terms that it does not have get ids of this object. The caller closes the snapshot. */
export class SnapshotIdDataset extends EngineIdDataset {
  readonly planKey: object;
  readonly termKey: object;
  protected readonly reads: Reads;

  constructor(protected readonly snapshot: Snapshot) {
    super(snapshot.terms());
    // Not the repository: what is kept for it goes when it is unloaded.
    this.planKey = this.termKey = snapshot.timeline.dictionary;
    this.reads = snapshot;
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

  constructor(private readonly transaction: StagedTransaction) {
    super(transaction.terms);
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
