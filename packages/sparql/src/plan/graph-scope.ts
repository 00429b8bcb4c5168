/** Which graphs the patterns of a group look at. */
import type * as RDF from '@rdfjs/types';
import { termToText } from '@quadrille/model';
import type { Resolve } from '../algebra/terms.js';
import { toGraphSource, type GraphSelection } from '../dataset/dataset-view.js';
import type { Constants } from './constants.js';
import type { PatternGraph } from './plan.js';

/** The graph of patterns outside of GRAPH. */
export function defaultGraphOf(selection: GraphSelection, constants: Constants): PatternGraph {
  const sources = selection.default.map((source) =>
    typeof source === 'string' ? source : { constant: constants.add(source) },
  );
  const [only] = sources;
  if (sources.length === 1 && typeof only === 'object') return { kind: 'named', constant: only.constant };
  return { kind: 'merged', sources };
}

/** Tells of names whether a request lists them as named graphs. Placeholders may stand on both sides. */
export function graphList({ named }: GraphSelection, resolve: Resolve): (name: RDF.Term) => boolean {
  if (named === 'all') return () => true;
  let listed: ReadonlySet<string> | undefined;
  return (name) => {
    listed ??= new Set(named.map((graph) => termToText(resolve(graph))));
    return listed.has(termToText(resolve(name)));
  };
}

/** The named graphs of one request, for its plan. */
export class NamedGraphs {
  readonly #isListed: (name: RDF.Term) => boolean;

  constructor(
    private readonly selection: GraphSelection,
    private readonly constants: Constants,
    resolve: Resolve,
  ) {
    this.#isListed = graphList(selection, resolve);
  }

  /** The graph of patterns in `GRAPH <iri>`; one that the request does not list has nothing in it. */
  of(name: RDF.Term): PatternGraph {
    const source = toGraphSource(name);
    if (typeof source === 'string') return { kind: 'merged', sources: [source] };
    if (!this.#isListed(name)) return { kind: 'merged', sources: [] };
    return { kind: 'named', constant: this.constants.add(name) };
  }

  /** The graphs that a variable of GRAPH goes through; `undefined`: all that have a name. */
  get listed(): readonly number[] | undefined {
    const { named } = this.selection;
    return named === 'all' ? undefined : named.map((graph) => this.constants.add(graph));
  }
}
