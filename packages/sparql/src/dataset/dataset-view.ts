/** The dataset of one request: which graphs are its default graph, and which are its named ones. */
import type * as RDF from '@rdfjs/types';
import { dataFactory, defaultGraph, termToText } from '@quadrille/model';
import type { TermDataset, TermPattern } from './dataset.js';

/** A graph by its name, or one of the three that every store has. */
export type GraphSource = RDF.Term | 'default' | 'named' | 'all';

/** The graphs that a request reads. */
export interface GraphSelection {
  /** Merged, without duplicates, they are the default graph. */
  readonly default: readonly GraphSource[];
  /** What GRAPH can name: these, or every named graph. */
  readonly named: 'all' | readonly RDF.Term[];
}

/** The graphs of a request that does not choose any. */
export const WHOLE_DATASET: GraphSelection = { default: ['default'], named: 'all' };

const SPECIAL_GRAPH = /^urn:(?:quadrille|dydra):(default|named|all)$/;

/** `urn:quadrille:default`, `:named` and `:all` (and their older `urn:dydra:` names) stand for sets of graphs. */
export function toGraphSource(graph: RDF.Term): GraphSource {
  const special = graph.termType === 'NamedNode' ? SPECIAL_GRAPH.exec(graph.value)?.[1] : undefined;
  if (special !== undefined) return special as 'default' | 'named' | 'all';
  return graph.termType === 'DefaultGraph' ? 'default' : graph;
}

/** What FROM and FROM NAMED, or the parameters of a protocol that stand in for them, select. */
export function selectGraphs(defaults: readonly RDF.Term[], named: readonly RDF.Term[]): GraphSelection {
  const sources = named.map(toGraphSource);
  const everyNamed = sources.some((source) => source === 'named' || source === 'all');
  return {
    default: defaults.map(toGraphSource),
    named: everyNamed ? 'all' : sources.filter((source): source is RDF.Term => typeof source !== 'string'),
  };
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
