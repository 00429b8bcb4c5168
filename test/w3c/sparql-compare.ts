/** Whether two answers are the same: rows as multisets, blank nodes up to their names. */
import { blankNode, iri, literal, quad, termToText } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import { expect } from 'vitest';
import { areIsomorphic } from './isomorphism.js';
import type { Answer } from './sparql-documents.js';

type Row = Readonly<Record<string, RDF.Term>>;

const COUNT = iri('urn:count');

/** @throws the assertion error of vitest, with both answers printed */
export function expectSameAnswer(actual: Answer, wanted: Answer, { anyCardinality = false } = {}): void {
  if (actual.type === 'quads' && wanted.type === 'quads') {
    if (!areIsomorphic(actual.quads, wanted.quads)) fail(printQuads(actual.quads), printQuads(wanted.quads));
    return;
  }
  if (actual.type !== 'bindings' || wanted.type !== 'bindings') {
    expect(actual).toEqual(wanted);
    return;
  }
  expect(actual.variables.toSorted()).toEqual(wanted.variables.toSorted());
  const rows = anyCardinality ? withCardinalityOf(wanted.rows, actual.rows) : wanted.rows;
  const ordered = wanted.ordered === true;
  if (!areSameRows(actual.rows, rows, ordered)) fail(print(actual.rows, ordered), print(rows, ordered));
}

/** @throws the assertion error of vitest, with both datasets printed */
export function expectSameQuads(actual: readonly RDF.Quad[], wanted: readonly RDF.Quad[]): void {
  if (!areIsomorphic(actual, wanted)) fail(printQuads(actual), printQuads(wanted));
}

/** Prints what differs; where all lines are the same, it is the names of blank nodes or the order, and all are printed. */
function fail(actual: readonly string[], wanted: readonly string[]): never {
  const extra = without(actual, wanted);
  const missing = without(wanted, actual);
  const same = extra.length === 0 && missing.length === 0;
  const [got, expected] = same ? [actual, wanted] : [extra, missing];
  expect.fail(`got, but not expected:\n${got.join('\n')}\nexpected, but not got:\n${expected.join('\n')}`);
}

function without(all: readonly string[], others: readonly string[]): string[] {
  const left = counted(others);
  return all.filter((line) => {
    const times = left.get(line) ?? 0;
    left.set(line, times - 1);
    return times <= 0;
  });
}

/** REDUCED may leave out some of the rows that are equal to another, so that what counts is which there are. */
function withCardinalityOf(wanted: readonly Row[], actual: readonly Row[]): Row[] {
  const allowed = counted(wanted.map(printRow));
  const found = counted(actual.map(printRow));
  const distinct = new Map(wanted.map((row) => [printRow(row), row]));
  return [...distinct].flatMap(([text, row]) => {
    const times = Math.min(Math.max(1, found.get(text) ?? 0), allowed.get(text) ?? 1);
    return Array.from({ length: times }, () => row);
  });
}

function areSameRows(a: readonly Row[], b: readonly Row[], ordered: boolean): boolean {
  return a.length === b.length && areIsomorphic(toQuads(a, ordered), toQuads(b, ordered));
}

/**
 * Each distinct row is a node with its count; its bindings are the node's properties. Rows in an order have their index
 * instead. Two graphs are the same under one renaming of blank nodes if and only if the rows are.
 */
function toQuads(rows: readonly Row[], ordered: boolean): RDF.Quad[] {
  const texts = rows.map((row, index) => (ordered ? `${index} ${printRow(row)}` : printRow(row)));
  const distinct = new Map(rows.map((row, index) => [texts[index] ?? '', row]));
  const counts = counted(texts);
  return [...distinct].flatMap(([text, row]) => {
    const bindings = Object.entries(row);
    // A row without blank nodes is known by its text, which spares the search for a renaming.
    const ground = !/_:/.test(text);
    const node = ground ? iri(`urn:row:${text}`) : blankNode(`row ${text}`);
    const number = literal(ordered ? (text.split(' ')[0] ?? '') : String(counts.get(text)));
    return [
      quad(node, COUNT, number),
      ...bindings.map(([name, term]) => quad(node, iri(`urn:var:${name}`), term as RDF.Quad_Object)),
    ];
  });
}

function counted(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

const printRow = (row: Row): string =>
  Object.keys(row)
    .toSorted()
    .map((name) => `?${name}=${termToText(row[name]!)}`)
    .join(' ');

const print = (rows: readonly Row[], ordered: boolean): string[] =>
  rows.map((row, index) => `${ordered ? `${index} ` : ''}{${printRow(row)}}`);

const printQuads = (quads: readonly RDF.Quad[]): string[] =>
  quads.map(({ subject, predicate, object, graph }) => [subject, predicate, object, graph].map(termToText).join(' '));
