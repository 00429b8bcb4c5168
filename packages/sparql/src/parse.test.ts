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
  test.each([
    ['SELECT * {\n  ?s ?p ?o .\n} LIMIT x', 3, 9, "unexpected 'x'"],
    ['SELCT * {}', 1, 1, "unexpected 'SELCT'"],
    ['SELECT * { ?s ?p ?o } }', 1, 23, "unexpected '}', expected nothing more"],
    ['SELECT * { ?s ?p ', 1, 17, 'the request ends too early'],
    ['SELECT * { ?s ?p "abc }', 1, 18, 'a string is not closed, or has an illegal escape'],
    ['SELECT count(*) {}', 1, 8, "unexpected 'count', expected '*', a variable or '('"],
    ['SELECT * {\r\n ?s foo:p ?o }', 2, 5, 'the prefix foo: is not declared'],
    ['INSERT DATA { ?s ?p 1 }', 1, 15, "unexpected '?s'"],
  ])('%j', (text, line, column, reason) => {
    expect(failure(text)).toMatchObject({ code: 'SPARQL_SYNTAX', line, column, reason });
  });
  test('those without a place still have words', () => {
    expect(failure('SELECT ?a { ?s ?p ?o } GROUP BY ?s').reason).toBe('variable not allowed in projection');
    expect(failure('SELECT * { <b> ?p 1 }').reason).toContain('relative IRI b');
    expect(failure('SELECT (1 AS ?s) { ?s ?p ?o }').reason).toContain('?s is bound already');
    expect(failure('ASK { VALUES (?a ?a) { (1 1) } }').reason).toBe('VALUES names a variable twice');
  });
  test('offsets count bytes', () => {
    expect(failure('ASK { "é" ?? }').offset).toBe(11);
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
