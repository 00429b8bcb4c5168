import { expect, test } from 'vitest';
import { iri } from '@quadrille/model';
import { sparql } from '../algebra/template.js';
import { datasetOf, engine, PREFIXES } from '../testing/fixtures.js';
import { dataToInsert, prepare, type SparqlRequest } from './prepare.js';

const prepared = (request: SparqlRequest): ReturnType<typeof prepare> => prepare(request, { prefixes: PREFIXES });
const values = (terms: readonly { readonly value: string }[] | undefined): string[] | undefined =>
  terms?.map(({ value }) => value.replace('http://example.org/', ''));

test.each([
  ['SELECT * {}', 'select'],
  ['# ASK {}\nPREFIX ask: <urn:select:> BASE <urn:x:>\nCONSTRUCT WHERE { ask:a ?p ?o }', 'construct'],
  ['DESCRIBE ex:a', 'describe'],
  ['ask {}', 'ask'],
  ['PREFIX a: # a comment\n <urn:a> INSERT DATA { a:a a:b a:c }', 'update'],
  ['', 'update'],
])('%s is of the kind %s', (text, kind) => {
  expect(prepared(text).kind).toBe(kind);
});

test.each([
  ['SELECT * {}', undefined, []],
  ['SELECT * FROM ex:a FROM NAMED ex:b {}', [['a'], ['b']], ['a', 'b']],
  [
    'SELECT * { GRAPH ex:a { ?s ?p "FROM ex:c" } FILTER EXISTS { GRAPH ex:b { ?s ?p ?o } GRAPH ?g {} } }',
    undefined,
    ['a', 'b'],
  ],
  ['SELECT * { { SELECT * { GRAPH ex:a { ?s ?p ?o } } } SERVICE ex:e {} }', undefined, ['a']],
  ['INSERT DATA { ex:s ex:p "WITH" GRAPH ex:a { ex:s ex:p ex:o } }', undefined, ['a']],
  ['DELETE WHERE { GRAPH ex:a { ?s ?p ?o } }', undefined, ['a']],
  ['WITH ex:a DELETE { ?s ?p ?o } WHERE { ?s ?p ?o }', [['a'], []], ['a']],
  [
    'DELETE { GRAPH ex:b { ?s ?p ?o } } USING ex:a USING NAMED ex:c WHERE { ?s ?p ?o }',
    [['a'], ['c']],
    ['a', 'c', 'b'],
  ],
  ['CLEAR GRAPH ex:a; COPY ex:b TO DEFAULT; LOAD <urn:d> INTO GRAPH ex:c', undefined, ['a', 'b', 'c']],
  [
    sparql`SELECT * FROM ${iri('http://example.org/a')} { GRAPH ${iri('http://example.org/b')} {} }`,
    [['a'], []],
    ['a', 'b'],
  ],
  [
    sparql`SELECT * FROM ${iri('http://example.org/a')} { GRAPH ${iri('http://example.org/a')} {} }`,
    [['a'], []],
    ['a'],
  ],
  // Of one shape: each has its own graphs.
  ['ASK FROM ex:c FROM NAMED ex:c { GRAPH ex:d { ?s ?p 1 } }', [['c'], ['c']], ['c', 'd']],
  ['ASK FROM ex:d FROM NAMED ex:c { GRAPH ex:c { ?s ?p 2 } }', [['d'], ['c']], ['c', 'd']],
  ['ASK FROM ex:a FROM NAMED ex:b { GRAPH ex:e { ?s ?p 3 } }', [['a'], ['b']], ['a', 'b', 'e']],
] as const)('the graphs of %s', (request, dataset, graphs) => {
  const found = prepared(request);
  expect(found.dataset && [values(found.dataset.default), values(found.dataset.named)]).toEqual(dataset);
  expect(values(found.graphs)?.toSorted()).toEqual(graphs.toSorted());
});

test('its prefixes are those that it uses, with what they stand for', () => {
  expect(
    prepared('PREFIX a: <urn:a:> PREFIX unused: <urn:u:> SELECT * { a:s ex:p "xsd:x" # foaf:x\n }').prefixes,
  ).toEqual({
    a: 'urn:a:',
    ex: PREFIXES.ex,
  });
  expect(prepared('PREFIX ex: <urn:mine:> ASK { ?s ex:p 1 }').prefixes).toEqual({ ex: 'urn:mine:' });
  expect(prepared('ASK { ?s <ex:p> "ex:p" }').prefixes).toEqual({});
});

test('a prologue with blanks and no IRI is refused at once', () => {
  const started = performance.now();
  expect(() => prepared(`PREFIX a:${' '.repeat(30)}`)).toThrow(expect.objectContaining({ code: 'SPARQL_SYNTAX' }));
  expect(() => prepared(`PREFIX a:${' '.repeat(30_000)}# x\n`)).toThrow(
    expect.objectContaining({ code: 'SPARQL_SYNTAX' }),
  );
  expect(performance.now() - started).toBeLessThan(2000);
});

test('a prepared request is parsed and planned once, whatever its values', async () => {
  const dataset = await datasetOf('ex:s1 ex:p 1 . ex:s2 ex:p 2');
  const { request } = prepared('SELECT ?o { ?s ex:p ?o }');
  // Only parsing and planning need a promise here.
  const run = (i: number): unknown => engine.query(request, dataset, { bindings: { s: iri(`${PREFIXES.ex}s${i}`) } });
  expect(run(1)).toBeInstanceOf(Promise);
  await run(1);
  for (let i = 1; i < 5; i++) expect(run(i)).not.toBeInstanceOf(Promise);
  expect(engine.query('SELECT ?o { ?other ex:p ?o }', dataset, { prefixes: PREFIXES })).toBeInstanceOf(Promise);
});

const inserted = (request: SparqlRequest): string[] | undefined =>
  dataToInsert(request, { prefixes: PREFIXES })?.map((quad) =>
    values([quad.subject, quad.predicate, quad.object, quad.graph])!.join(' ').trim(),
  );

test.each([
  ['INSERT DATA { ex:s ex:p ex:o }', ['s p o']],
  ['INSERT DATA { ex:s ex:p "a", "b" . GRAPH ex:g { ex:s ex:p 1 } }', ['s p a', 's p b', 's p 1 g']],
  ['INSERT DATA { ex:s ex:p ex:o } ; INSERT DATA { ex:t ex:p ex:o }', ['s p o', 't p o']],
  ['INSERT DATA {}', []],
])('%s adds its quads and reads nothing', (text, quads) => {
  expect(inserted(text)).toEqual(quads);
  expect(inserted(prepared(text).request)).toEqual(quads);
});

test('the values of a template are in the quads to insert', () => {
  expect(inserted(sparql`INSERT DATA { ex:s ex:p ${iri('urn:x')} }`)).toBeUndefined();
  expect(inserted(prepared(sparql`INSERT DATA { ex:s ex:p ${iri('urn:x')} }`).request)).toEqual(['s p urn:x']);
});

test.each([
  'INSERT DATA { _:b ex:p ex:o }',
  'INSERT DATA { ex:s ex:p <<( ex:s ex:p _:b )>> }',
  'DELETE DATA { ex:s ex:p ex:o }',
  'INSERT DATA { ex:s ex:p ex:o } ; DELETE DATA { ex:s ex:p ex:o }',
  'INSERT { ex:s ex:p ex:o } WHERE { ?s ?p ?o }',
  'INSERT DATA { ex:s ex:p ex:o } ; CLEAR ALL',
  'ASK { ex:s ex:p ex:o }',
  'INSERT DATA { ex:s ex:p',
  `INSERT DATA { ex:s ex:p ${Array.from({ length: 257 }, (_, i) => String(i)).join(', ')} }`,
])('%.60s is more than data to insert', (text) => {
  expect(inserted(text)).toBeUndefined();
});
