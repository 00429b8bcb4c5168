/** Datasets by terms, which Comunica reads; and such a dataset as a request sees it. */
import type * as RDF from '@rdfjs/types';
import { dataFactory, defaultGraph, termToText } from '@quadrille/model';
import {
  toGraphSource,
  WHOLE_DATASET,
  type GraphSelection,
  type GraphSource,
} from '../../packages/sparql/src/dataset/dataset-view.js';
import type { QueryableDataset, WritableDataset } from '../../packages/sparql/src/dataset/dataset.js';

/** Terms that a quad must equal; an absent member matches anything. */
export interface TermPattern {
  /** The subject. */
  readonly subject?: RDF.Term | undefined;
  /** The predicate. */
  readonly predicate?: RDF.Term | undefined;
  /** The object. */
  readonly object?: RDF.Term | undefined;
  /** The graph; the default graph has a term of its own. */
  readonly graph?: RDF.Term | undefined;
}

/** One unchanging state of a repository, by terms. */
export interface TermDataset {
  /** The quads that match, in batches of at most some thousands. Leaving the loop frees what the scan holds. */
  match(pattern: TermPattern): AsyncIterable<readonly RDF.Quad[]>;
  /** How many quads match: exact, or an estimate where `estimate` is asked for and counting would cost a scan. */
  count(pattern: TermPattern, options?: { readonly estimate?: boolean }): Promise<number>;
}

/** A dataset by ids and by terms. */
export type ReadableDataset = QueryableDataset & TermDataset;

/** A staged transaction by terms. */
export interface ChangeableDataset extends WritableDataset, TermDataset {
  readonly ids: WritableDataset['ids'];
  /** Stages quads. What is there already stays. */
  add(quads: readonly RDF.Quad[]): Promise<void>;
  /** Stages the removal of quads. */
  remove(quads: readonly RDF.Quad[]): Promise<void>;
  /** Removes every quad that matches. */
  removeMatches(pattern: TermPattern): Promise<void>;
}

/**
 * A dataset as a request sees it. In a pattern, the default graph is the merged one, and no graph means each named graph.
 */
export class DatasetView implements TermDataset {
  readonly #base: TermDataset;
  readonly #default: readonly GraphSource[];
  readonly #named: 'all' | ReadonlyMap<string, RDF.Term>;

  constructor(base: TermDataset, selection: GraphSelection = WHOLE_DATASET) {
    this.#base = base;
    this.#default = simplify(selection.default);
    this.#named =
      selection.named === 'all' ? 'all' : new Map(selection.named.map((graph) => [termToText(graph), graph]));
  }

  match(pattern: TermPattern): AsyncIterable<readonly RDF.Quad[]> {
    const { graph } = pattern;
    if (graph === undefined) return this.#matchNamed(pattern);
    const source = toGraphSource(graph);
    if (graph.termType === 'DefaultGraph') return this.#merge(pattern, this.#default);
    if (typeof source === 'string') return this.#merge(pattern, [source]);
    return this.#sees(graph) ? this.#base.match(pattern) : empty();
  }

  async count(pattern: TermPattern, options?: { readonly estimate?: boolean }): Promise<number> {
    const { graph } = pattern;
    if (graph === undefined) {
      if (this.#named === 'all') return this.#base.count(pattern, options);
      return this.#countEach(pattern, [...this.#named.values()], options);
    }
    const source = toGraphSource(graph);
    if (graph.termType === 'DefaultGraph') return this.#countEach(pattern, this.#default, options);
    if (typeof source === 'string') return this.#countEach(pattern, [source], options);
    return this.#sees(graph) ? this.#base.count(pattern, options) : 0;
  }

  /** The graphs that GRAPH ?g goes through; a scan where the request does not list them. */
  async namedGraphs(): Promise<RDF.Term[]> {
    const found = new Map<string, RDF.Term>();
    for await (const batch of this.#matchNamed({})) {
      for (const { graph } of batch) found.set(termToText(graph), graph);
    }
    return [...found.values()];
  }

  #sees(graph: RDF.Term): boolean {
    return this.#named === 'all' || this.#named.has(termToText(graph));
  }

  async *#matchNamed(pattern: TermPattern): AsyncGenerator<readonly RDF.Quad[]> {
    if (this.#named === 'all') {
      for await (const batch of this.#base.match({ ...pattern, graph: undefined })) {
        const named = batch.filter(({ graph }) => graph.termType !== 'DefaultGraph');
        if (named.length > 0) yield named;
      }
      return;
    }
    for (const graph of this.#named.values()) yield* this.#base.match({ ...pattern, graph });
  }

  async *#merge(pattern: TermPattern, sources: readonly GraphSource[]): AsyncGenerator<readonly RDF.Quad[]> {
    const [only] = sources;
    if (sources.length === 1 && only !== undefined && only !== 'named' && only !== 'all') {
      for await (const batch of this.#scan(pattern, only)) yield batch.map(inDefaultGraph);
      return;
    }
    const seen = new Set<string>();
    for (const source of sources) {
      for await (const batch of this.#scan(pattern, source)) {
        const fresh = batch.filter((quad) => addKey(seen, quad)).map(inDefaultGraph);
        if (fresh.length > 0) yield fresh;
      }
    }
  }

  async *#scan(pattern: TermPattern, source: GraphSource): AsyncGenerator<readonly RDF.Quad[]> {
    const graph = source === 'default' ? defaultGraph() : typeof source === 'string' ? undefined : source;
    for await (const batch of this.#base.match({ ...pattern, graph })) {
      yield source === 'named' ? batch.filter((quad) => quad.graph.termType !== 'DefaultGraph') : batch;
    }
  }

  async #countEach(
    pattern: TermPattern,
    sources: readonly GraphSource[],
    options: { readonly estimate?: boolean } | undefined,
  ): Promise<number> {
    let total = 0;
    for (const source of sources) {
      const graph = source === 'default' ? defaultGraph() : typeof source === 'string' ? undefined : source;
      total += await this.#base.count({ ...pattern, graph }, options);
    }
    return total;
  }
}

async function* empty(): AsyncGenerator<readonly RDF.Quad[]> {}

function simplify(sources: readonly GraphSource[]): readonly GraphSource[] {
  const byName = new Map(sources.map((source) => [typeof source === 'string' ? source : termToText(source), source]));
  if (byName.has('all') || (byName.has('default') && byName.has('named'))) return ['all'];
  const all = [...byName.values()];
  return byName.has('named') ? ['named', ...all.filter((source) => source === 'default')] : all;
}

function addKey(seen: Set<string>, quad: RDF.Quad): boolean {
  const before = seen.size;
  seen.add(`${termToText(quad.subject)} ${termToText(quad.predicate)} ${termToText(quad.object)}`);
  return seen.size > before;
}

function inDefaultGraph(quad: RDF.Quad): RDF.Quad {
  return quad.graph.termType === 'DefaultGraph' ? quad : dataFactory.quad(quad.subject, quad.predicate, quad.object);
}
