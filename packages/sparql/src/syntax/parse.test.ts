import { describe, expect, test } from 'vitest';
import { Parser } from 'sparqljs';
import { ParseError } from '@quadrille/model';
import { MAX_NESTING, parseSparql } from './parse.js';

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

describe('nesting', () => {
  const nested = (open: string, close: string, times: number): string =>
    `ASK { FILTER(1 = ${open.repeat(times)}1${close.repeat(times)}) }`;
  test('is limited, however it is made', () => {
    expect(parseSparql(nested('(', ')', MAX_NESTING - 2)).kind).toBe('ask');
    expect(failure(nested('(', ')', MAX_NESTING - 1)).reason).toBe('nested deeper than 64');
    for (const [open, close] of [
      ['{', '}'],
      ['[ ?p ', ']'],
      ['<< ?a ?b ', '>>'],
      ['{SELECT * ', '}'],
    ] as const) {
      const text = `SELECT * { ${open.repeat(100_000)}${close.repeat(100_000)} }`;
      expect(failure(text).reason).toBe('nested deeper than 64');
    }
  });
  test('does not count what stands in strings, IRIs and comments', () => {
    const many = '('.repeat(100);
    for (const text of [`"${many}"`, `'${many}'`, `"""\n"${many}"""`, `'''${many}'''`, `"\\"${many}"`, `<x:${many}>`]) {
      expect(parseSparql(`ASK { ?s ?p ${text} }`).kind).toBe('ask');
    }
    expect(parseSparql(`ASK { # ${many}\n ?s ?p ?o FILTER(?o < 1 && ?o<2) }`).kind).toBe('ask');
  });
  test('running out of stack is an error like any other', () => {
    const long = `ASK { FILTER(${'1 && '.repeat(50_000)}1) }`;
    try {
      parseSparql(long);
    } catch (error) {
      expect(error).toBeInstanceOf(ParseError);
    }
    const huge = `ASK { ?s ?p "${'x'.repeat(3_000_000)}" }`;
    try {
      parseSparql(huge);
    } catch (error) {
      expect(error).toBeInstanceOf(ParseError);
    }
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

describe('sparqljs agrees', () => {
  const corpus = [
    'SELECT * { ?s ?p ?o }',
    'SELECT * WHERE { ?s ?p ?o . }',
    'SELECT ?a WHERE { ?a <p:p> "x"@en, 1.5e3, true ; a <c:c> . OPTIONAL { ?a <p:q> [] } }',
    'SELECT (1 + 2 AS ?x) {}',
    'SELECT (1 + 2 AS ?x {}',
    'SELECT * { ?s ?p }',
    'SELECT * { ?s ?p ?o ',
    'SELECT { ?s ?p ?o }',
    'SELECT * { { ?a ?b ?c } UNION { ?d ?e ?f } MINUS { ?a ?b 1 } }',
    'SELECT * { ?a (<p:a>|^<p:b>)*/!(<p:c>|^<p:d>) ?b }',
    'SELECT * { ?a <p:a>{1,2} ?b }',
    'SELECT ?g (COUNT(DISTINCT *) AS ?n) { GRAPH ?g { ?s ?p ?o } } GROUP BY ?g HAVING (COUNT(*) > 1) ORDER BY DESC(?n) LIMIT 5 OFFSET 2',
    'SELECT ?x { ?s ?p ?o } GROUP BY ?s',
    'SELECT * { VALUES (?a ?b) { (1 UNDEF) (<x:x> "y") } }',
    'SELECT * { VALUES (?a ?b) { (1) } }',
    'SELECT * { ?s ?p ?o FILTER NOT EXISTS { ?s ?p 1 } FILTER(?o IN (1, 2)) BIND(IF(BOUND(?o), 1, 2) AS ?z) }',
    'ASK {}',
    'ASK',
    'CONSTRUCT { ?s ?p [] } WHERE { ?s ?p (1 2 3) }',
    'CONSTRUCT WHERE { ?s ?p ?o FILTER(1) }',
    'DESCRIBE <x:x> ?y { ?y ?p ?o }',
    'SELECT * { SERVICE SILENT <x:x> { ?s ?p ?o } }',
    'INSERT DATA { <x:x> <x:y> 1 GRAPH <x:g> { <x:x> <x:y> 2 } }',
    'INSERT DATA { ?x <x:y> 1 }',
    'DELETE DATA { _:x <x:y> 1 }',
    'DELETE WHERE { ?s ?p ?o }',
    'DELETE { ?s ?p ?o } INSERT { ?s ?p 1 } USING <x:g> WHERE { ?s ?p ?o }',
    'WITH <x:g> DELETE { _:b ?p ?o } WHERE { ?s ?p ?o }',
    'CLEAR ALL ; DROP SILENT GRAPH <x:g> ; CREATE GRAPH <x:g> ; COPY DEFAULT TO <x:g>',
    'LOAD <x:x> INTO GRAPH <x:g>',
    'SELECT * { ?s ?p "a\nb" }',
    'SELECT * { ?s ?p """a\n"b""" }',
    'SELECT * { ?s ?p ?o } LIMIT -1',
    'PREFIX : <x:> SELECT * { :a :b :c\\-d, :%20 }',
    'PREFIX p <x:> SELECT * {}',
  ];
  test.each(corpus)('%j', (text) => {
    const verdict = (parse: () => unknown): string => {
      try {
        parse();
        return 'accepted';
      } catch {
        return 'refused';
      }
    };
    expect(verdict(() => parseSparql(text))).toBe(verdict(() => new Parser().parse(text)));
  });
});
