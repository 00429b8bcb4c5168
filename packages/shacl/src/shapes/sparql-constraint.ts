/** Constraints in SPARQL: `sh:sparql`, and those that a component makes with its validators. */
import type * as RDF from '@rdfjs/types';
import { ShapesError, XSD } from '@quadrille/model';
import { ROWS_AT_ONCE, type ShapesQuery, type Solution } from '../data/shapes-data.js';
import type { Steps } from '../steps.js';
import { shownTerm } from './invalid.js';
import type { Bind } from './parse-path.js';
import type { Path } from './paths.js';
import { filled, queryOf, type QueryPlace, readsOf, sparqlPath } from './query-text.js';
import type { Checked } from './checked.js';
import type { Constraint, PlacedViolation, Validating } from './shape.js';

/** What a constraint in SPARQL is made with. */
export interface SparqlContext {
  readonly place: QueryPlace;
  /** The path of the shape, if it is a property shape. */
  readonly path: Path | undefined;
  readonly bind: Bind;
  /** The name of the graph of the shapes. */
  readonly shapesGraph: RDF.Term;
  /** IRI of the component. */
  readonly component: string;
  /** Values of the parameters of the component. */
  readonly parameters: Readonly<Record<string, RDF.Term>>;
  /** Where the validator has none. */
  readonly messages: readonly RDF.Term[];
}

interface Made extends Pick<Constraint, 'component' | 'source' | 'severity' | 'fromFocus' | 'fromValues' | 'forAll'> {
  readonly query: ShapesQuery;
  readonly messages: readonly RDF.Term[];
}

function make(kind: 'select' | 'ask', rows: readonly string[], context: SparqlContext): Made {
  const { place, path, bind, shapesGraph, parameters } = context;
  const constants = { ...parameters, currentShape: place.owner, shapesGraph };
  const walked = path && sparqlPath(path);
  const query = queryOf(place, { kind, rows, constants, path: walked, apart: shapesGraph });
  const { graph, node } = place;
  const messages = graph.sh(node, 'message');
  return {
    component: context.component,
    query: { query, owner: place.owner },
    messages: messages.length > 0 ? messages : context.messages,
    ...readsOf(query.reach, bind),
  };
}

/** A constraint whose solutions are violations. */
export function selectConstraint(context: SparqlContext): Constraint {
  const made = make('select', ['this'], context);
  const isNodeShape = context.path === undefined;
  return {
    ...made,
    *check(validation, { focus }) {
      const telling = { made, context, isNodeShape };
      const violations: PlacedViolation[] = [];
      for (let first = 0; first < focus.length; first += ROWS_AT_ONCE) {
        const rows = focus.slice(first, first + ROWS_AT_ONCE).map((node) => [node]);
        for (const { row, terms } of yield* validation.data.solutions(made.query, ['this'], rows))
          violations.push(violationOf({ row: first + row, terms }, focus[first + row]!, telling));
      }
      return violations;
    },
  };
}

interface Telling {
  readonly made: Made;
  readonly context: SparqlContext;
  readonly isNodeShape: boolean;
}

function violationOf(
  { row, terms }: Solution,
  focus: number,
  { made, context, isNodeShape }: Telling,
): PlacedViolation {
  const { value, path, message, failure } = terms;
  if (
    failure?.termType === 'Literal' &&
    failure.datatype.value === `${XSD}boolean` &&
    /^(?:true|1)$/.test(failure.value)
  )
    throw new ShapesError(
      'SHAPES_INVALID',
      `the query of ${shownTerm(context.place.node)} reports a failure by ?failure`,
      {
        details: { shape: shownTerm(context.place.owner) },
      },
    );
  const values = { ...context.parameters, ...terms };
  return {
    at: row,
    value: value === undefined && isNodeShape ? focus : 0,
    term: value,
    ...(path?.termType === 'NamedNode' && { path }),
    message: `is a solution of the query of ${shownTerm(context.place.node)}`,
    messages: message === undefined ? orNone(filled(made.messages, values)) : [message],
  };
}

/** A constraint to which value nodes conform for which the answer is true. */
export function askConstraint(context: SparqlContext): Constraint {
  const made = make('ask', ['this', 'value'], context);
  return {
    ...made,
    *check(validation, checked) {
      const conforming = yield* conformingBy(validation, made.query, checked);
      const violations: PlacedViolation[] = [];
      for (const [at, focus] of checked.focus.entries()) {
        for (let i = checked.start(at); i < checked.ends[at]!; i++) {
          if (conforming.has(i)) continue;
          const value = checked.values[i]!;
          const known = made.messages.some((message) => message.value.includes('{'))
            ? { this: yield* validation.term(focus), value: yield* validation.term(value) }
            : {};
          const messages = orNone(filled(made.messages, { ...context.parameters, ...known }));
          violations.push({ at, value, message: `does not conform to ${shownTerm(context.place.node)}`, messages });
        }
      }
      return violations;
    },
  };
}

/** The places of the value nodes that conform. */
function* conformingBy(validation: Validating, query: ShapesQuery, checked: Checked): Steps<ReadonlySet<number>> {
  const found = new Set<number>();
  let rows: (readonly [focus: number, value: number])[] = [];
  let first = 0;
  const ask = function* (): Steps<void> {
    for (const { row } of yield* validation.data.solutions(query, ['this', 'value'], rows)) found.add(first + row);
    first += rows.length;
    rows = [];
  };
  for (const [at, focus] of checked.focus.entries()) {
    for (let i = checked.start(at); i < checked.ends[at]!; i++) {
      rows.push([focus, checked.values[i]!]);
      if (rows.length >= ROWS_AT_ONCE) yield* ask();
    }
  }
  if (rows.length > 0) yield* ask();
  return found;
}

const orNone = (messages: readonly RDF.Term[]): readonly RDF.Term[] | undefined =>
  messages.length > 0 ? messages : undefined;
