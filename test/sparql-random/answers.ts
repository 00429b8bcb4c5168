/** Answers of engines in a form that can be compared. */
import { literal, iri, termToText, XSD } from '@quadrille/model';
import type { EvaluationOptions, QueryableDataset, SparqlEngine, SparqlRequest } from '@quadrille/sparql';
import type * as RDF from '@rdfjs/types';
import { PREFIXES } from './data.js';

export type Row = Readonly<Record<string, RDF.Term>>;

export type Answer =
  | { readonly type: 'bindings'; readonly variables: readonly string[]; readonly rows: readonly Row[] }
  | { readonly type: 'quads'; readonly quads: readonly RDF.Quad[] }
  | { readonly type: 'boolean'; readonly value: boolean }
  | { readonly type: 'error'; readonly code: string; readonly message: string };

/** Beginning of the labels of blank nodes that requests make. */
export const NEW_LABELS = 'new';
const NOW = new Date('2026-01-02T03:04:05Z');
// Without a base, Comunica ends the process where IRI() has a relative one.
export const OPTIONS = {
  prefixes: PREFIXES,
  baseIRI: 'http://base.example/',
  now: NOW,
  blankNodePrefix: NEW_LABELS,
  timeoutMs: 3000,
};

export async function answerOf(
  engine: SparqlEngine,
  text: SparqlRequest,
  dataset: QueryableDataset,
  options: EvaluationOptions = {},
): Promise<Answer> {
  try {
    const result = await engine.query(text, dataset, { ...OPTIONS, ...options });
    if (result.type === 'boolean') return result;
    if (result.type === 'quads') {
      const quads: RDF.Quad[] = [];
      for await (const batch of result.batches) quads.push(...batch);
      return { type: 'quads', quads };
    }
    const rows: Row[] = [];
    for await (const batch of result.batches) rows.push(...batch);
    return { type: 'bindings', variables: result.variables, rows };
  } catch (error) {
    const { code = 'none', message } = error as Error & { code?: string };
    return { type: 'error', code, message };
  }
}

/**
 * How a column is compared, where not as the terms that it has. `bound`: any value is right. `pieces`: in any order.
 * `number`: by value alone, since Comunica gives the SUM of one xsd:int as it is, and not as an xsd:integer.
 */
export type ColumnMode = 'bound' | 'pieces' | 'number';

/**
 * A term for comparison. Blank nodes of the data, which keep their labels, become IRIs; so that only those of the request
 * are compared up to their names.
 */
export function comparable(term: RDF.Term, byValue: boolean): RDF.Term {
  switch (term.termType) {
    case 'BlankNode':
      return term.value.startsWith(NEW_LABELS) ? term : iri(`urn:stored:${term.value}`);
    case 'Literal':
      return byValue ? numberByValue(term) : term;
    default:
      return term;
  }
}

const NUMBERS_BY_VALUE: ReadonlyMap<string, string> = new Map([
  [`${XSD}decimal`, 'Comunica computes with doubles: other digits after a division; and it writes 2 for 2.0'],
  [`${XSD}double`, 'Comunica writes 1.0E2 as 1.0E+2, and the sum of doubles depends on the order of the rows'],
  [`${XSD}integer`, 'beyond 2^53, Comunica computes integers as doubles'],
  [`${XSD}float`, 'Comunica computes floats with the digits of doubles'],
]);

function numberByValue(term: RDF.Literal, ofAnyType = false): RDF.Literal {
  const { value, datatype } = term;
  if (!ofAnyType && !NUMBERS_BY_VALUE.has(datatype.value)) return term;
  if (!ofAnyType && datatype.value === `${XSD}integer` && Number.isSafeInteger(Number(value))) return term;
  const number = Number(value.replace('INF', 'Infinity'));
  if (Number.isNaN(number)) return term;
  return literal(number === 0 ? '0' : String(Number(number.toPrecision(6))), datatype);
}

export function comparableRow(row: Row, modes: ReadonlyMap<string, ColumnMode>, byValue: boolean): Row {
  return Object.fromEntries(
    Object.entries(row).map(([name, term]) => {
      const mode = modes.get(name);
      if (mode === 'bound') return [name, iri('urn:bound')];
      if (mode === 'number' && term.termType === 'Literal') return [name, literal(numberByValue(term, true).value)];
      if (mode === 'pieces') return [name, literal(term.value.split(/[| ]/).sort().join('|'))];
      return [name, comparable(term, byValue)];
    }),
  );
}

export const comparableQuad = (quad: RDF.Quad, byValue: boolean): RDF.Quad =>
  ({
    subject: comparable(quad.subject, byValue),
    predicate: quad.predicate,
    object: comparable(quad.object, byValue),
    graph: comparable(quad.graph, byValue),
  }) as RDF.Quad;

export const rowText = (row: Row): string =>
  Object.keys(row)
    .toSorted()
    .map((name) => `?${name}=${termToText(row[name]!)}`)
    .join(' ');

/** An answer for a person. */
export function printAnswer(answer: Answer): string {
  switch (answer.type) {
    case 'bindings':
      return `${answer.rows.length} rows\n${answer.rows
        .map((row) => `    ${rowText(row)}`)
        .toSorted()
        .slice(0, 25)
        .join('\n')}`;
    case 'quads':
      return answer.quads
        .map((quad) => [quad.subject, quad.predicate, quad.object].map(termToText).join(' '))
        .join('\n    ');
    case 'boolean':
      return String(answer.value);
    default:
      return `${answer.code}: ${answer.message}`;
  }
}
