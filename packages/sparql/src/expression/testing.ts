/** For the tests of expressions: evaluates the text of one, over terms given as text. */
import type * as RDF from '@rdfjs/types';
import { dataFactory, termToText } from '@quadrille/model';
import type { Expression, Operation } from '../algebra/algebra.js';
import { parseSparql } from '../syntax/parse.js';
import { ExtensionCalls } from './extension-functions.js';
import { compileExpression, type ExpressionContext } from './compile.js';
import { loadAllLibraries } from './libraries.js';
import { effectiveBoolean } from './values/ebv.js';
import { ERROR, termOf, valueOf, type Value } from './values/value.js';

await loadAllLibraries();

const prefixes = {
  '': 'http://example.org/',
  xsd: 'http://www.w3.org/2001/XMLSchema#',
  rdf: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#',
};

/** The algebra of the text of an expression. */
export function parseExpression(text: string): Expression {
  const parsed = parseSparql(`SELECT (${text} AS ?result) {}`, { prefixes });
  if (parsed.kind === 'update') throw new Error('not a query');
  return expressionOf(parsed.algebra);
}

function expressionOf(operation: Operation): Expression {
  if (operation.type === 'extend') return operation.expression;
  if (operation.type === 'project') return expressionOf(operation.input);
  throw new Error(`no expression in ${operation.type}`);
}

/** A context without columns; times and random things are fixed. */
export function testContext(variables: readonly string[] = []): ExpressionContext {
  let count = 0;
  return {
    slotOf: (variable) => (variables.includes(variable) ? variables.indexOf(variable) : undefined),
    baseIRI: 'http://example.org/dir/file',
    now: new Date('2026-01-02T03:04:05.678Z'),
    newBlankNode: () => dataFactory.blankNode(`new${++count}`),
    random: () => 0.25,
    uuid: () => '00000000-0000-4000-8000-000000000000',
    extension: (iri) =>
      iri === 'http://example.org/first' ? { iri, call: ([first]) => first, deterministic: true } : undefined,
    calls: new ExtensionCalls(),
  };
}

/** The value of an expression; variables are bound to the values of the record. */
export function evaluateValue(text: string, bindings: Readonly<Record<string, Value | undefined>> = {}): Value {
  const names = Object.keys(bindings);
  const values = Object.values(bindings);
  return compileExpression(parseExpression(text), testContext(names)).evaluate({ value: (slot) => values[slot] });
}

const XSD = '^^<http://www.w3.org/2001/XMLSchema#';

/** The same as text: N-Triples with `xsd:` for that namespace, or `error`. */
export function evaluateText(text: string, bindings: Readonly<Record<string, RDF.Term | undefined>> = {}): string {
  const values = Object.entries(bindings).map(([name, term]) => [name, term && valueOf(term)] as const);
  return textOfValue(evaluateValue(text, Object.fromEntries(values)));
}

export function textOfValue(value: Value): string {
  if (value === ERROR) return 'error';
  const text = termToText(termOf(value));
  return text.includes(XSD) ? text.replace(XSD, '^^xsd:').replace(/>$/, '') : text;
}

/** The effective boolean value of an expression, for tests. */
export const evaluateBoolean = (text: string): boolean | undefined => effectiveBoolean(evaluateValue(text));
