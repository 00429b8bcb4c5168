/** A dataset with default graphs of other repositories as further graphs: what FROM and USING with `repo:` addresses read. */
import type * as RDF from '@rdfjs/types';
import { iri } from '@quadrille/model';
import {
  type Ends,
  MISS,
  type BoundPositions,
  type IdDataset,
  type IdPattern,
  type IdScan,
  type IdSeeker,
  type IdStatistics,
  type ScanOptions,
} from '../../dataset/id-dataset.js';
import type { EvaluationControl } from '../../control/control.js';
import { SolutionTerms } from '../../execute/core/solution-terms.js';
import type { BlankScopes } from './blank-scopes.js';
import { IdTranslation } from './id-translation.js';
import { MergedScan } from './merged-scan.js';
import { bestOrder, RepositoryGraph, type ScanContext } from './repository-graph.js';

/** Only what names such a graph sees it. A stored graph of its name is hidden. */
export class DatasetWithGraphs implements IdDataset {
  readonly planKey: object;
  readonly termKey: object;
  readonly size: number;
  readonly hasNamedGraphs = true;
  readonly extraGraphs: ReadonlySet<number>;
  readonly #byId: ReadonlyMap<number, RepositoryGraph>;
  /** What lacked something at the last step. */
  #lacking: { fetchTerm(): Promise<void> };

  private constructor(
    private readonly base: IdDataset,
    private readonly graphs: readonly RepositoryGraph[],
  ) {
    this.planKey = base.planKey;
    this.termKey = base.termKey;
    this.size = graphs.reduce((size, { dataset }) => size + dataset.size, base.size);
    this.#byId = new Map(graphs.map((graph) => [graph.id, graph]));
    this.extraGraphs = new Set(this.#byId.keys());
    this.#lacking = base;
  }

  /** Brings in what making a view over these graphs needs. */
  static async prepare(
    base: IdDataset,
    others: ReadonlyMap<string, IdDataset>,
    control: EvaluationControl,
  ): Promise<void> {
    for (const address of others.keys()) {
      while (base.intern(iri(address)) === MISS) {
        await base.fetchTerm();
        control.throwIfFailed();
      }
    }
  }

  /** `others` are the repositories by their addresses, for which {@link prepare} has to be awaited first. */
  static over(
    base: IdDataset,
    others: ReadonlyMap<string, IdDataset>,
    scopes: BlankScopes,
    context: ScanContext,
  ): DatasetWithGraphs {
    const { control, memory } = context;
    const here = { dataset: base, terms: new SolutionTerms(base, control, memory) };
    const graphs = [...others].map(([address, dataset]) => {
      const there = { dataset, terms: new SolutionTerms(dataset, control, memory) };
      const [own, theirs] = [base.termKey, dataset.termKey];
      const carry = { there: scopes.between(own, theirs), back: scopes.between(theirs, own) };
      const { there: inward, back } = IdTranslation.both(here, there, carry, context);
      return new RepositoryGraph(base.intern(iri(address)), dataset, inward, back, context);
    });
    return new DatasetWithGraphs(base, graphs);
  }

  /** A term that only another repository has gets an id here. */
  find(term: RDF.Term): number {
    this.#lacking = this.base;
    const stored = this.base.find(term);
    if (stored !== 0) return stored;
    for (const { dataset, outward } of this.graphs) {
      const there = dataset.find(outward.termBack(term));
      if (there === 0) continue;
      const id = there === MISS ? MISS : outward.tryId(there);
      if (id === MISS) this.#lacking = there === MISS ? dataset : { fetchTerm: () => outward.fetch() };
      return id;
    }
    return 0;
  }

  intern(term: RDF.Term): number {
    this.#lacking = this.base;
    return this.base.intern(term);
  }
  term(id: number): RDF.Term | undefined {
    this.#lacking = this.base;
    return this.base.term(id);
  }
  cachedTerm(id: number): RDF.Term | undefined {
    return this.base.cachedTerm(id);
  }
  triple(id: number): readonly [number, number, number] | null | undefined {
    this.#lacking = this.base;
    return this.base.triple(id);
  }
  fetchTerm(): Promise<void> {
    return this.#lacking.fetchTerm();
  }

  scan(pattern: IdPattern, options: ScanOptions = {}): IdScan {
    const graph = this.#byId.get(pattern.g);
    if (graph !== undefined) return graph.scan(pattern, options);
    if (pattern.g !== 0) return this.base.scan(pattern, options);
    const order = options.order ?? bestOrder(pattern);
    const ordered = { ...options, order };
    const scans = this.graphs.map((one) => one.scan(pattern, ordered));
    return new MergedScan([this.base.scan(pattern, ordered), ...scans], this.extraGraphs, order);
  }

  seeker(bound: BoundPositions): IdSeeker {
    return new GraphsSeeker(this, this.base, this.extraGraphs, bound);
  }

  async count(pattern: IdPattern, ends?: Ends): Promise<number> {
    const graph = this.#byId.get(pattern.g);
    if (graph !== undefined) return graph.count(pattern, ends);
    let count = await this.base.count(pattern, ends);
    if (pattern.g !== 0) return count;
    for (const one of this.graphs) {
      count += (await one.count(pattern, ends)) - (await this.base.count({ ...pattern, g: one.id }, ends));
    }
    return count;
  }

  estimate(pattern: IdPattern): number | Promise<number> {
    const graph = this.#byId.get(pattern.g);
    if (graph !== undefined) return graph.estimate(pattern);
    return pattern.g === 0 ? this.#estimateAll(pattern) : this.base.estimate(pattern);
  }

  async #estimateAll(pattern: IdPattern): Promise<number> {
    let rows = await this.base.estimate(pattern);
    for (const graph of this.graphs) rows += await graph.estimate(pattern);
    return rows;
  }

  distinct(predicate: number, position: 'subject' | 'object'): number {
    const all = [this.base.distinct(predicate, position)];
    for (const { dataset, inward } of this.graphs) {
      const there = inward.tryId(predicate);
      if (there !== MISS) all.push(dataset.distinct(there, position));
    }
    return Math.max(...all);
  }

  async statistics(): Promise<IdStatistics> {
    const { predicates, graphs } = await this.base.statistics();
    return { predicates, graphs: new Map([...graphs].filter(([graph]) => !this.extraGraphs.has(graph))) };
  }
}

/** Seeks in stored graphs go to the store; the others are scans. */
class GraphsSeeker implements IdSeeker {
  #stored: IdSeeker | undefined;
  #current: IdScan | undefined;

  constructor(
    private readonly all: Pick<IdDataset, 'scan'>,
    private readonly base: IdDataset,
    private readonly extra: ReadonlySet<number>,
    private readonly bound: BoundPositions,
  ) {}

  get s(): Uint32Array {
    return this.#current!.s;
  }
  get p(): Uint32Array {
    return this.#current!.p;
  }
  get o(): Uint32Array {
    return this.#current!.o;
  }
  get g(): Uint32Array {
    return this.#current!.g;
  }
  get start(): number {
    return this.#current!.start;
  }
  get end(): number {
    return this.#current!.end;
  }

  seek(s: number, p: number, o: number, g: number): void {
    if (this.#current !== this.#stored) this.#current?.close();
    if (g === 0 || this.extra.has(g)) {
      const { order } = this.bound;
      this.#current = this.all.scan({ s, p, o, g }, order === undefined ? {} : { order });
      return;
    }
    this.#stored ??= this.base.seeker(this.bound);
    this.#stored.seek(s, p, o, g);
    this.#current = this.#stored;
  }

  next(): number {
    return this.#current!.next();
  }
  fetch(): Promise<void> {
    return this.#current!.fetch();
  }
  close(): void {
    this.#current?.close();
    this.#stored?.close();
  }
}
