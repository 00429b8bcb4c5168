/** How deep a request may be nested, in every construct that nests, and what is no nesting. */
import { describe, expect, test } from 'vitest';
import { ParseError } from '@quadrille/model';
import { MAX_NESTING, parseSparql } from './parse.js';

const nested = (open: string, inner: string, close: string, times: number): string =>
  open.repeat(times) + inner + close.repeat(times);
const inGroup = (open: string, inner: string, close: string) => (times: number) =>
  `SELECT * { ${nested(open, inner, close, times)} }`;
const inFilter = (open: string, close: string) => (times: number) =>
  `ASK { FILTER(1 = ${nested(open, '1', close, times)}) }`;

const CONSTRUCTS: Readonly<Record<string, (times: number) => string>> = {
  groups: inGroup('{', '?s ?p ?o', '}'),
  'groups with triples': inGroup('{ ?a ?b ?c . ', '?s ?p ?o', '}'),
  OPTIONAL: inGroup('OPTIONAL {', '?s ?p ?o', '}'),
  MINUS: inGroup('MINUS {', '?s ?p ?o', '}'),
  GRAPH: inGroup('GRAPH ?g {', '?s ?p ?o', '}'),
  SERVICE: inGroup('SERVICE ?g {', '?s ?p ?o', '}'),
  UNION: inGroup('{} UNION {', '?s ?p ?o', '}'),
  EXISTS: inGroup('FILTER NOT EXISTS {', '?s ?p ?o', '}'),
  'sub-selects': inGroup('{ SELECT * ', '{ ?s ?p ?o }', '}'),
  'EXISTS in BIND': inGroup('BIND(1 || EXISTS {', '?s ?p ?o', '} AS ?x)'),
  collections: (times) => `ASK { ?s ?p ${nested('(', '1', ')', times)} }`,
  'collections as subjects': (times) => `ASK { ${nested('(', '1', ')', times)} ?p ?o }`,
  'blank nodes': (times) => `ASK { ?s ?p ${nested('[ ?p ', '1', ']', times)} }`,
  paths: (times) => `ASK { ?s ${nested('^(<a:a>|', '<a:b>', ')*', times)} ?o }`,
  'triple terms': (times) => `ASK { ?s ?p ${nested('<<( ?s ?p ', '?o', ')>>', times)} }`,
  'reified triples': (times) => `ASK { ${nested('<< ?s ?p ', '?o', '>>', times)} ?p ?o }`,
  annotations: (times) => `ASK { ?s ?p ${nested('?o {| ?p ', '?o', '|}', times)} }`,
  'triple terms in VALUES': (times) => `ASK { VALUES ?x { ${nested('<<( <a:b> <a:c> ', '1', ')>>', times)} } }`,
  data: (times) => `INSERT DATA { <a:b> <a:c> ${nested('[ <a:d> ', '1', ']', times)} }`,
  'data in graphs': (times) => `INSERT DATA { GRAPH <a:g> { <a:b> <a:c> ${nested('(', '1', ')', times)} } }`,
  parentheses: inFilter('(', ')'),
  signs: inFilter('!', ''),
  functions: inFilter('STR(', ')'),
  'functions by IRI': inFilter('<x:f>(1, ', ')'),
  IN: inFilter('(1 IN (', '))'),
  'all operators': inFilter('(1 || 2 && 3 = 4 + 5 * ', ')'),
  'triple terms in expressions': inFilter('<<( ?s ?p ', ')>>'),
  'columns of SELECT': (times) => `SELECT (${nested('(', '1', ')', times)} AS ?x) {}`,
};
/** Constructs that have two brackets a level. */
const DOUBLE = new Set(['IN', 'EXISTS in BIND']);

function failure(text: string): string {
  try {
    parseSparql(text);
  } catch (error) {
    if (error instanceof ParseError) return error.reason;
    throw error;
  }
  return 'accepted';
}

test('the bound', () => {
  expect(MAX_NESTING).toBe(500);
});

test.each(Object.entries(CONSTRUCTS))('%s: 500 levels, and no more', (name, make) => {
  const levels = DOUBLE.has(name) ? MAX_NESTING / 2 : MAX_NESTING;
  expect(failure(make(levels))).toBe('accepted');
  for (const times of [levels + 3, 5000, 100_000]) expect(failure(make(times))).toBe('nested deeper than 500');
});

test('brackets that nothing closes', () => {
  for (const open of ['{', '(', '[', '<<', '<<(', '{ ?s ?p [ ?p (', '{SELECT * ', 'FILTER(EXISTS {']) {
    expect(failure(`SELECT * { ${open.repeat(100_000)}`)).not.toBe('accepted');
  }
});

test('what stands in strings, IRIs and comments is no nesting', () => {
  const many = '('.repeat(1000);
  for (const text of [`"${many}"`, `'${many}'`, `"""\n"${many}"""`, `'''${many}'''`, `"\\"${many}"`, `<x:${many}>`]) {
    expect(failure(`ASK { ?s ?p ${text} }`)).toBe('accepted');
  }
  expect(failure(`ASK { # ${many}\n ?s ?p ?o FILTER(?o < 1 && ?o<2) }`)).toBe('accepted');
});

describe('what is long is no nesting', () => {
  test.each([
    ['&&', `ASK { FILTER(${'1 && '.repeat(50_000)}1) }`],
    ['a sum', `ASK { FILTER(${'1 + '.repeat(50_000)}1) }`],
    ['a path', `ASK { ?s ${'<a:b>/'.repeat(20_000)}<a:b> ?o }`],
    ['UNION', `ASK { ${'{} UNION '.repeat(20_000)}{} }`],
    ['OPTIONAL', `ASK { ${'OPTIONAL {} '.repeat(20_000)} }`],
    ['a string', `ASK { ?s ?p "${'x'.repeat(3_000_000)}" }`],
  ])('%s', (_, text) => {
    expect(failure(text)).toBe('accepted');
  });
  test('a sum in an aggregate has a bound, and its error', () => {
    expect(failure(`SELECT (SUM(${'1 + '.repeat(50_000)}1) AS ?x) {}`)).toBe('an expression is too long');
  });
});
