/** The option `extraGraphs` of queries: graphs that are not stored, laid over a dataset for one query. */
import type * as RDF from '@rdfjs/types';
import { EvaluationError, iri, termToText, yieldTurn } from '@quadrille/model';
import type {
  BoundPositions,
  IdDataset,
  IdPattern,
  IdScan,
  IdSeeker,
  IdStatistics,
  QueryableDataset,
  ScanOptions,
  TermPattern,
} from '@quadrille/sparql';
import type { ExtraGraphs } from '../api/index.js';
import { GraphRows } from './graph-rows.js';

/** They are held in memory while the query runs. */
const MAX_QUADS = 1_000_000;
const BATCH_QUADS = 1024;

/** A dataset with further graphs; a stored graph of such a name is hidden. GRAPH with a variable does not go through them. */
export async function withExtraGraphs(base: QueryableDataset, graphs: ExtraGraphs): Promise<QueryableDataset> {
  const quads = new Map<string, readonly RDF.Quad[]>();
  for (const [name, items] of Object.entries(graphs)) quads.set(name, await collected(items, name));
  return { ...overTerms(base, quads), ids: await OverlaidIds.over(base.ids, quads) };
}

async function collected(
  items: Iterable<RDF.Quad> | AsyncIterable<RDF.Quad>,
  name: string,
): Promise<readonly RDF.Quad[]> {
  const quads = new Map<string, RDF.Quad>();
  for await (const quad of items) {
    const { subject, predicate, object } = quad;
    quads.set(`${termToText(subject)} ${termToText(predicate)} ${termToText(object)}`, quad);
    if (quads.size > MAX_QUADS) {
      throw new EvaluationError('QUERY_MEMORY', `the graph ${name} has more than ${String(MAX_QUADS)} statements`);
    }
    if (quads.size % BATCH_QUADS === 0) await yieldTurn();
  }
  return [...quads.values()];
}

type Quads = ReadonlyMap<string, readonly RDF.Quad[]>;

/** By terms, which is what the fallback evaluator reads. */
function overTerms(base: QueryableDataset, quads: Quads): Omit<QueryableDataset, 'ids'> {
  const own = ({ graph }: TermPattern): readonly RDF.Quad[] | undefined =>
    graph?.termType === 'NamedNode' ? quads.get(graph.value) : undefined;
  const matching = (found: readonly RDF.Quad[], { subject, predicate, object }: TermPattern): RDF.Quad[] =>
    found.filter(
      (quad) =>
        (subject === undefined || subject.equals(quad.subject)) &&
        (predicate === undefined || predicate.equals(quad.predicate)) &&
        (object === undefined || object.equals(quad.object)),
    );
  return {
    async *match(pattern) {
      const found = own(pattern);
      if (found === undefined) yield* base.match(pattern);
      else yield matching(found, pattern);
    },
    async count(pattern, options) {
      const found = own(pattern);
      return found === undefined ? base.count(pattern, options) : matching(found, pattern).length;
    },
  };
}

class OverlaidIds implements IdDataset {
  readonly planKey: object;
  readonly termKey: object;
  readonly size: number;
  readonly hasNamedGraphs: boolean;
  readonly extraGraphs = new Map<number, GraphRows>();

  private constructor(private readonly base: IdDataset) {
    this.planKey = base.planKey;
    this.termKey = base.termKey;
    this.size = base.size;
    this.hasNamedGraphs = base.hasNamedGraphs;
  }

  static async over(base: IdDataset, quads: Quads): Promise<OverlaidIds> {
    const overlaid = new OverlaidIds(base);
    for (const [name, found] of quads) await overlaid.#add(name, found);
    return overlaid;
  }

  async #add(name: string, quads: readonly RDF.Quad[]): Promise<void> {
    const columns = {
      s: new Uint32Array(quads.length),
      p: new Uint32Array(quads.length),
      o: new Uint32Array(quads.length),
    };
    for (const [row, { subject, predicate, object }] of quads.entries()) {
      columns.s[row] = await this.#idOf(subject);
      columns.p[row] = await this.#idOf(predicate);
      columns.o[row] = await this.#idOf(object);
    }
    const graph = await this.#idOf(iri(name));
    this.extraGraphs.set(graph, new GraphRows(columns, graph));
  }

  async #idOf(term: RDF.Term): Promise<number> {
    for (;;) {
      const id = this.base.intern(term);
      // What has to be fetched first.
      if (id >= 0) return id;
      await this.base.fetchTerm();
    }
  }

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
  fetchTerm(): Promise<void> {
    return this.base.fetchTerm();
  }

  scan(pattern: IdPattern, options?: ScanOptions): IdScan {
    return this.extraGraphs.get(pattern.g)?.scan(pattern, options) ?? this.base.scan(pattern, options);
  }

  seeker(bound: BoundPositions): IdSeeker {
    return bound.g ? new OverlaidSeeker(this.extraGraphs, this.base, bound) : this.base.seeker(bound);
  }

  count(pattern: IdPattern): Promise<number> {
    const graph = this.extraGraphs.get(pattern.g);
    return graph === undefined ? this.base.count(pattern) : Promise.resolve(graph.count(pattern));
  }

  estimate(pattern: IdPattern): number | Promise<number> {
    return this.extraGraphs.get(pattern.g)?.count(pattern) ?? this.base.estimate(pattern);
  }

  distinct(predicate: number, position: 'subject' | 'object'): number {
    return this.base.distinct(predicate, position);
  }

  statistics(): Promise<IdStatistics> {
    return this.base.statistics();
  }
}

/** Seeks in a graph that is laid over, or in the dataset below: which one, each seek says anew. */
class OverlaidSeeker implements IdSeeker {
  readonly #seekers = new Map<GraphRows | undefined, IdSeeker>();
  #current: IdSeeker;

  constructor(
    private readonly graphs: ReadonlyMap<number, GraphRows>,
    private readonly base: IdDataset,
    private readonly bound: BoundPositions,
  ) {
    this.#current = this.#seekerOf(undefined);
  }

  #seekerOf(graph: GraphRows | undefined): IdSeeker {
    let seeker = this.#seekers.get(graph);
    if (seeker === undefined) this.#seekers.set(graph, (seeker = (graph ?? this.base).seeker(this.bound)));
    return seeker;
  }

  get s(): Uint32Array {
    return this.#current.s;
  }
  get p(): Uint32Array {
    return this.#current.p;
  }
  get o(): Uint32Array {
    return this.#current.o;
  }
  get g(): Uint32Array {
    return this.#current.g;
  }
  get start(): number {
    return this.#current.start;
  }
  get end(): number {
    return this.#current.end;
  }

  seek(s: number, p: number, o: number, g: number): void {
    this.#current = this.#seekerOf(this.graphs.get(g));
    this.#current.seek(s, p, o, g);
  }
  next(): number {
    return this.#current.next();
  }
  fetch(): Promise<void> {
    return this.#current.fetch();
  }
  close(): void {
    for (const seeker of this.#seekers.values()) seeker.close();
  }
}
