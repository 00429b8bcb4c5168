import { describe, expect, test } from 'vitest';
import { ParseError } from '@quadrille/model';
import { parseSparql } from './parse.js';

function failure(text: string, options = {}): ParseError {
  try {
    parseSparql(text, options);
  } catch (error) {
    if (error instanceof ParseError) return error;
    throw error;
  }
  throw new Error(`accepted: ${text}`);
}

describe('syntax errors', () => {
  test('offsets count bytes', () => {
    expect(failure('ASK { "é" ?? }').offset).toBe(11);
  });
});

test('a prefixed name may hold colons', () => {
  const prefixes = { ex: 'http://example.org/' };
  for (const text of [
    'SELECT * { ?s ex:a:b:c ?o }',
    'DELETE { ?s ex:a:b:c 1 } WHERE {}',
    'INSERT DATA { ex:s ex:a:b:c 1 }',
  ])
    expect(JSON.stringify(parseSparql(text, { prefixes }))).toContain('http://example.org/a:b:c"');
  expect(failure('ASK { ?s no:a:b ?o }').reason).toBe('the prefix no: is not declared');
});

describe('columns that the grammar of the specification does not have', () => {
  const columns = (text: string): readonly string[] => {
    const parsed = parseSparql(text);
    const find = (node: unknown): readonly { value: string }[] => {
      const { variables, input } = node as { variables?: readonly { value: string }[]; input: unknown };
      return variables ?? find(input);
    };
    return parsed.kind === 'update' ? [] : find(parsed.algebra).map(({ value }) => value);
  };
  test.each([
    ['SELECT count(*) { ?s ?p ?o }', ['COUNT1']],
    ['SELECT DISTINCT Count(?s) COUNT(DISTINCT ?o) sum(?o) { ?s ?p ?o }', ['COUNT1', 'COUNT2', 'SUM1']],
    ['SELECT ?p count(*) (max(?o) AS ?m) { ?s ?p ?o } GROUP BY ?p', ['p', 'COUNT1', 'm']],
    [
      'SELECT str(?s) group_concat(?p; separator=",") FROM <x:g> WHERE { ?s ?p ?o } GROUP BY ?s',
      ['STR1', 'GROUP_CONCAT1'],
    ],
    ['SELECT count(*) { { SELECT ?s count(*) { ?s ?p ?o } GROUP BY ?s } }', ['COUNT1']],
    ['SELECT ?s ?s ?p $s { ?s ?p ?o }', ['s', 'p']],
  ])('%s', (text, names) => {
    expect(columns(text)).toEqual(names);
  });
  test('numbers go on in a subquery', () => {
    expect(columns('SELECT * { { SELECT count(*) { ?s ?p ?o } } { SELECT count(*) { ?s ?p 1 } } }')).toEqual([
      'COUNT1',
      'COUNT2',
    ]);
  });
  test.each([
    'SELECT COUNT(*) {}',
    'SELECT (COUNT(*)) { ?s ?p ?o }',
    'SELECT (1 AS ?x) (2 AS ?x) { ?s ?p ?o }',
    'SELECT (1 AS ?x) ?x { ?s ?p ?o }',
    'SELECT ?x (1 AS ?x) { ?s ?p ?o }',
    'SELECT ?p count(*) { ?s ?p ?o }',
    'SELECT <x:f>(?s) { ?s ?p ?o }',
  ])('but not %s', (text) => {
    expect(failure(text)).toBeInstanceOf(ParseError);
  });
});

describe('prefixes, bases and the cache', () => {
  test('the same request is parsed once', () => {
    const prefixes = { ex: 'http://example.org/' };
    const first = parseSparql('ASK { ex:a ?p ?o }', { prefixes });
    expect(parseSparql('ASK { ex:a ?p ?o }', { prefixes: { ...prefixes } })).toBe(first);
    expect(parseSparql('ASK { ex:a ?p ?o }', { prefixes: { ex: 'http://other/' } })).not.toBe(first);
    expect(failure('ASK { ex:a ?p ?o }')).toBeInstanceOf(ParseError);
  });
  test('kinds, and FROM apart from the algebra', () => {
    expect(parseSparql('CONSTRUCT WHERE { ?s ?p ?o }').kind).toBe('construct');
    expect(parseSparql('DESCRIBE <a:b>').kind).toBe('describe');
    expect(parseSparql('').kind).toBe('update');
    expect(parseSparql('CLEAR ALL ; DROP ALL')).toMatchObject({ kind: 'update', operations: [{}, {}] });
    const query = parseSparql('SELECT * FROM <a:b> FROM NAMED <c:d> {}');
    expect(query).toMatchObject({
      dataset: { default: [{ value: 'a:b' }], named: [{ value: 'c:d' }] },
      algebra: { type: 'project' },
    });
  });
  test('GRAPH is a node in DELETE WHERE as well', () => {
    const where = (text: string): unknown => parseSparql(text);
    const graph = (name: string) => ({ type: 'graph', name: { value: name }, input: { type: 'bgp' } });
    expect(where('DELETE WHERE { GRAPH <a:g> { ?s ?p ?o } }')).toMatchObject({
      operations: [{ delete: [{ graph: { value: 'a:g' } }], where: graph('a:g') }],
    });
    expect(where('DELETE WHERE { ?s ?p 1 . GRAPH <a:g> { ?s ?p 2 } GRAPH ?g { ?s ?p 3 } }')).toMatchObject({
      operations: [{ where: { type: 'join', input: [{ type: 'bgp' }, graph('a:g'), graph('g')] } }],
    });
  });
  test('BASE in the text', () => {
    expect(parseSparql('BASE <http://a/b/> ASK { <c> ?p ?o }', { baseIRI: 'http://z/' })).toMatchObject({
      baseIRI: 'http://a/b/',
    });
    expect(parseSparql('ASK {}', { baseIRI: 'http://z/' })).toMatchObject({ baseIRI: 'http://z/' });
  });
});

describe('variables that the algebra has besides those of the text', () => {
  const algebra = (text: string): string => JSON.stringify(parseSparql(text));
  test('have other names', () => {
    expect(algebra('SELECT * { _:x <a:p>/<a:q> [] }')).toContain('"var0"');
    const text = 'SELECT * { _:x <a:p>/<a:q> [] . ?var0 ?e_x ?g_0 }';
    expect(parseSparql(text)).toMatchObject({
      variables: ['var0', 'e_x', 'g_0'],
      algebra: { variables: [{ value: 'var0' }, { value: 'e_x' }, { value: 'g_0' }] },
    });
    for (const name of ['var0', 'e_x', 'g_0']) {
      // Once in the pattern, once as a column.
      expect(algebra(text).split(`"value":"${name}"`), name).toHaveLength(3);
    }
  });
  test('labels that are no names of variables', () => {
    expect(algebra('ASK { _:a-b ?p _:a.b }')).not.toMatch(/a-b|a\.b/);
  });
  test('of sub-selects are not those around them', () => {
    const text = 'SELECT * { ?a <a:p>/<a:q> ?b { SELECT * { ?c <a:p>/<a:q> ?d } } ?b <a:p>/<a:q> ?e }';
    for (const name of ['var0', 'var1', 'var2']) expect(algebra(text).split(`"value":"${name}"`)).toHaveLength(3);
  });
});

test('columns of SELECT * come in the order of the text, also in sub-selects', () => {
  const text = 'SELECT * { # ?c\n { SELECT * { ?b ?a "?d" } } ?d ?c ?b }';
  expect(parseSparql(text)).toMatchObject({
    algebra: { variables: [{ value: 'b' }, { value: 'a' }, { value: 'd' }, { value: 'c' }] },
  });
  expect(JSON.stringify(parseSparql(text))).toMatch(/"variables":\[[^\]]*"b"[^\]]*"a"[^\]]*\]\}/);
});

test('a variable may be called like one that the algebra would have', () => {
  for (const text of [
    'SELECT (?p AS ?var0) { ?s ?p ?o } GROUP BY (?s = ?o) ?p',
    'SELECT (1 AS ?var0) { ?s ?p ?o } GROUP BY str(?s)',
    'ASK { { SELECT (?p AS ?var0) (?p AS ?var0_) { ?s ?p ?o } GROUP BY (?s = ?o) ?p } }',
    'SELECT * { ?s <urn:p>/<urn:q> ?o BIND(1 AS ?var0) }',
  ]) {
    const other = text.replaceAll('?var0_', '?z').replaceAll('?var0', '?y');
    expect(parseSparql(text).kind).toBe(parseSparql(other).kind);
  }
  // What is wrong stays wrong, with its own message.
  expect(failure('SELECT (1 AS ?var0) { ?s <urn:p>/<urn:q> ?var0 }').reason).toContain('?var0 is bound already');
});

test('DISTINCT in the call of a function is kept', () => {
  const text = 'SELECT (<x:sum>(DISTINCT ?o) AS ?n) { ?s ?p ?o }';
  expect(parseSparql(text)).toMatchObject({
    algebra: { input: { expression: { subType: 'named', distinct: true } } },
  });
  expect(failure('ASK { FILTER(<x:sum>(DISTINCT ?o)) }').reason).toContain('DISTINCT stands only in an aggregate');
});

test('numbers as the grammar has them', () => {
  const numbers = ['1', '1.5', '.5', '1e0', '1.e0', '.5E-3', '+1', '-.5', '-1.5e+3', '007'];
  const parsed = parseSparql(`ASK { VALUES ?n { ${numbers.join(' ')} } }`);
  expect(JSON.stringify(parsed).match(/"value":"[-+.0-9eE]+"/g)).toEqual(numbers.map((n) => `"value":"${n}"`));
  expect(parseSparql('ASK { ?s ?p 1. }').kind).toBe('ask');
});

test('keywords need no blanks around them', () => {
  expect(parseSparql('SELECTDISTINCT?s{?s?p?o.FILTERSTRSTARTS(?o,"a")}ORDERBY?s LIMIT10OFFSET5')).toEqual(
    parseSparql('SELECT DISTINCT ?s { ?s ?p ?o . FILTER STRSTARTS(?o, "a") } ORDER BY ?s LIMIT 10 OFFSET 5'),
  );
});
