/**
 * Queries for what a change of quads changes in an answer. A solution that only the later state has is made of at least one added quad.
 * In the later state, each solution that is made of an added quad is new. The solutions that have gone are found in the earlier state by
 * the removed quads. So one pattern after the other is bound to the changed quads, and the engine joins the others with it. A solution
 * that several patterns find counts for the first of them.
 */
import type * as RDF from '@rdfjs/types';
import type { Operation } from '../algebra/algebra.js';
import { bindsGraph } from '../algebra/graph-transparency.js';
import { bindQuery, columnsOf } from '../algebra/substitute-variables.js';
import type { SparqlTemplate } from '../algebra/template.js';
import { mapInputs } from '../algebra/rewrite.js';
import { makeVariable } from '../algebra/terms.js';
import { visibleVariables } from '../algebra/variables.js';
import { graphsFor, type EvaluationOptions } from '../engine/options.js';
import { type PreparedSparql, requestFor } from '../engine/prepare.js';
import { type DeltaShape, type Place, shapeOf } from './delta-shape.js';
import { type Binding, quadKey } from './placed-pattern.js';
import { type QuadRead, readsOf } from './query-reads.js';

/** A query for some of the solutions that a change makes or ends. */
export interface DeltaPart {
  readonly request: SparqlTemplate;
  /** Whether no part before this one has the solution too. */
  isFirst(row: Binding): boolean;
}

/** What is known of a query before it runs. */
export interface QueryDependence {
  /** The columns of its answer. */
  readonly columns: readonly string[];
  /** What it reads. `undefined`: its answer may change although none of these quads does. */
  readonly reads: readonly QuadRead[] | undefined;
  /** What computes the changes of its answer. `undefined`: it has to run again. */
  readonly delta: DeltaQuery | undefined;
}

const UNKNOWN: QueryDependence = { columns: [], reads: undefined, delta: undefined };

type Options = Pick<EvaluationOptions, 'bindings' | 'defaultGraphUris' | 'namedGraphUris' | 'unionDefaultGraph'>;

/** How the answer of a query depends on quads. What the engine would refuse depends on anything. */
export function dependenceOf(prepared: PreparedSparql, options: Options): QueryDependence {
  const { bindings = {} } = options;
  const isKnown = (name: string): boolean => prepared.variables.includes(name);
  if (prepared.kind !== 'select' || prepared.readsOthers || !Object.keys(bindings).every(isKnown)) return UNKNOWN;
  const algebra = bindQuery(prepared.algebra as Operation, bindings);
  const selection = graphsFor(prepared.dataset, options);
  const reads = readsOf(algebra, selection);
  const shape = reads && shapeOf(algebra, selection);
  return { columns: columnsOf(algebra), reads, delta: shape && new DeltaQuery(prepared, shape) };
}

export class DeltaQuery {
  readonly columns: readonly string[];
  /** Whether equal rows are one row. */
  readonly distinct: boolean;
  /** Whether the answer has an order. Its changes have none. */
  readonly ordered: boolean;
  /** The names of keys and counts, where rows count solutions. */
  readonly counted: DeltaShape['counted'];
  readonly #variables: readonly RDF.Variable[];

  constructor(
    private readonly prepared: PreparedSparql,
    private readonly shape: DeltaShape,
  ) {
    this.columns = shape.columns;
    this.distinct = shape.distinct;
    this.ordered = shape.ordered;
    this.counted = shape.counted;
    this.#variables = [...visibleVariables(shape.where)].map(makeVariable);
  }

  /** The queries for the solutions that are made of at least one of these quads. They run in the state that has the quads. */
  parts(quads: readonly RDF.BaseQuad[]): DeltaPart[] {
    const { places } = this.shape;
    const changed = new Set(quads.map(quadKey));
    const seeds = places.map(({ pattern }) =>
      quads.map((quad) => pattern.match(quad)).filter((row) => row !== undefined),
    );
    return places.flatMap((place, i) => {
      const rows = seeds[i]!;
      if (rows.length === 0) return [];
      const before = places.slice(0, i).filter((_, j) => seeds[j]!.length > 0);
      const isFirst = (row: Binding): boolean => !before.some(({ pattern }) => changed.has(pattern.keyIn(row)));
      return { request: this.#select(seeded(this.shape.where, place, rows), this.#variables), isFirst };
    });
  }

  /** The query for those of these rows that the answer has. */
  existing(rows: readonly Binding[]): SparqlTemplate {
    const variables = this.columns.map(makeVariable);
    const input: Operation = { type: 'values', variables, bindings: rows };
    const expression = { type: 'expression', subType: 'existence', not: false, input: this.shape.where } as const;
    return this.#select({ type: 'filter', input, expression }, variables);
  }

  #select(input: Operation, variables: readonly RDF.Variable[]): SparqlTemplate {
    return requestFor(this.prepared, { type: 'project', input, variables });
  }
}

/** The operation with one of its patterns bound to rows. They stand in the place of the pattern, so that scopes stay the same. */
function seeded(node: Operation, place: Place, rows: readonly Binding[]): Operation {
  if (node === place.bgp) {
    const { bgp, index, pattern } = place;
    const patterns = bgp.patterns.filter((_, i) => i !== index);
    const values: Operation = { type: 'values', variables: pattern.variables.map(makeVariable), bindings: rows };
    return patterns.length === 0 ? values : { type: 'join', input: [values, { type: 'bgp', patterns }] };
  }
  const made = mapInputs(node, (input) => seeded(input, place, rows));
  // The graph exists, because the quad is in it.
  return made !== node && made.type === 'graph' && !bindsGraph(made.input) ? made.input : made;
}
