/** A dataset laid over another one, whose terms and ids it shares. */
import type * as RDF from '@rdfjs/types';
import type {
  BoundPositions,
  IdDataset,
  IdPattern,
  IdScan,
  IdSeeker,
  IdStatistics,
  ScanOptions,
} from '@quadrille/sparql';

export abstract class LayeredIds implements IdDataset {
  readonly planKey: object;
  readonly termKey: object;
  readonly size: number;

  constructor(protected readonly base: IdDataset) {
    this.planKey = base.planKey;
    this.termKey = base.termKey;
    this.size = base.size;
  }

  abstract readonly hasNamedGraphs: boolean;
  abstract scan(pattern: IdPattern, options?: ScanOptions): IdScan;
  abstract seeker(bound: BoundPositions): IdSeeker;
  abstract count(pattern: IdPattern): Promise<number>;
  abstract estimate(pattern: IdPattern): number | Promise<number>;

  find(term: RDF.Term): number {
    return this.base.find(term);
  }
  intern(term: RDF.Term): number {
    return this.base.intern(term);
  }
  term(id: number): RDF.Term | undefined {
    return this.base.term(id);
  }
  cachedTerm(id: number): RDF.Term | undefined {
    return this.base.cachedTerm(id);
  }
  triple(id: number): readonly [number, number, number] | null | undefined {
    return this.base.triple(id);
  }
  fetchTerm(ahead?: () => Iterable<number>): Promise<void> {
    return this.base.fetchTerm(ahead);
  }

  distinct(predicate: number, position: 'subject' | 'object'): number {
    return this.base.distinct(predicate, position);
  }
  statistics(): Promise<IdStatistics> {
    return this.base.statistics();
  }
}

/** The id of a term, after what has to be fetched first. */
export async function idOf(dataset: IdDataset, term: RDF.Term): Promise<number> {
  for (;;) {
    const id = dataset.intern(term);
    if (id >= 0) return id;
    await dataset.fetchTerm();
  }
}
