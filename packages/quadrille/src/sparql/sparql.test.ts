import { describe, expect, test } from 'vitest';
import type * as RDF from '@rdfjs/types';
import type { QueryOptions, SparqlText } from '../index.js';
import { hostOf } from '../host/index.js';
import { iri, literal, open, parseSparql, sparql } from '../index.js';
import { ex, lines, many, q, repository, term } from '../testing/fixtures.js';

const DATA = ['a p b', 'a name "Ann"', 'b name "Bob"', 'b p c g'];
const SLOW = '{ ?a ex:p ?x . ?b ex:p ?y . ?c ex:p ?z FILTER(STRLEN(CONCAT(STR(?x), STR(?y), STR(?z))) < 0) }';

test('select: rows, columns, order', async () => {
  const repo = await repository(...DATA);
  const rows = repo.select('SELECT ?s ?name ?none { ?s ex:name ?name } ORDER BY ?name');
  expect(await rows.variables).toEqual(['s', 'name', 'none']);
  expect(await rows.toArray()).toEqual([
    { s: ex('a'), name: literal('Ann') },
    { s: ex('b'), name: literal('Bob') },
  ]);
  expect(await repo.select('SELECT * { GRAPH ?g { ?s ?p ?o } }').toArray()).toEqual([
    { g: ex('g'), s: ex('b'), p: ex('p'), o: ex('c') },
  ]);
  const odd = (await repo.select('SELECT ?constructor ?__proto__ { ?__proto__ ex:p ?constructor }').first())!;
  expect(term(Object.getOwnPropertyDescriptor(odd, '__proto__')!.value as RDF.Term)).toBe('a');
  expect(Object.keys(odd).toSorted()).toEqual(['__proto__', 'constructor']);
});

test('construct, describe, ask, query', async () => {
  const repo = await repository(...DATA);
  expect(await lines(repo.construct('CONSTRUCT { ?o ex:is ?s } WHERE { ?s ex:p ?o }'))).toEqual(['b is a']);
  expect(await lines(repo.describe('DESCRIBE ex:a'))).toEqual(['a name "Ann"', 'a p b']);
  expect(await repo.ask('ASK { ex:a ex:p ex:b }')).toBe(true);
  expect(await repo.at(1).ask('ASK { ex:a ex:p ex:b }')).toBe(false);
  const select = await repo.query('SELECT ?s { ?s ex:p ?o }');
  expect(select).toMatchObject({ type: 'bindings', variables: ['s'] });
  expect(select.type === 'bindings' && (await select.rows.toArray())).toEqual([{ s: ex('a') }]);
  const quads = await repo.query('CONSTRUCT WHERE { ?s ex:p ?o }');
  expect(quads.type === 'quads' && (await lines(quads.quads))).toEqual(['a p b']);
  expect(await repo.query`ASK { ${ex('z')} ?p ?o }`).toEqual({ type: 'boolean', value: false });
});

test('the form must fit the call', async () => {
  const repo = await repository(...DATA);
  const refused = { code: 'INVALID_OPTION' };
  await expect(repo.select('ASK {}').toArray()).rejects.toMatchObject(refused);
  await expect(repo.select('ASK {}').variables).rejects.toMatchObject(refused);
  await expect(repo.construct('SELECT * {}').toArray()).rejects.toMatchObject(refused);
  await expect(repo.describe('ASK {}').toArray()).rejects.toMatchObject(refused);
  await expect(repo.ask('CONSTRUCT WHERE { ?s ?p ?o }')).rejects.toMatchObject(refused);
  for (const text of ['CLEAR ALL', 'INSERT DATA { ex:a ex:b 1 }'])
    await expect(repo.query(text)).rejects.toMatchObject({ code: expect.any(String) as string });
  expect(await repo.size()).toBe(4);
  for (const text of [7, null, undefined, {}, { text: 'ASK {}', values: [] }])
    expect(() => repo.ask(text as unknown as SparqlText)).toThrow(expect.objectContaining(refused));
});

test('a syntax error says where', async () => {
  const repo = await repository();
  const error = { code: 'SPARQL_SYNTAX', line: 2, column: expect.any(Number) as number };
  const text = 'SELECT * {\n ?s ?p }';
  await expect(repo.select(text).toArray()).rejects.toMatchObject(error);
  await expect(repo.query(text)).rejects.toMatchObject(error);
  await expect(repo.explain(text)).rejects.toMatchObject(error);
  await expect(hostOf(repo).serialize(text, 'text/csv').toArray()).rejects.toMatchObject(error);
  await expect(parseSparql(text)).rejects.toMatchObject(error);
  expect(await parseSparql('ASK { ?s foaf:name ?o }')).toEqual({ kind: 'ask' });
  expect(await parseSparql('CLEAR ALL')).toEqual({ kind: 'update' });
});

test('functions of open, and of a call', async () => {
  const text = ([value]: RDF.Term[]): RDF.Term => literal(`<${value!.value}>`);
  const db = await open(':memory:', { functions: { 'urn:f': text } });
  const repo = await db.repository('a/r', { create: true });
  await repo.update('INSERT { <urn:s> <urn:p> ?x } WHERE { BIND(<urn:f>("a") AS ?x) }');
  expect(await repo.select('SELECT ?x { ?s ?p ?x }').toArray()).toEqual([{ x: literal('<a>') }]);
  const extensionFunctions = { 'urn:g': async ([value]: RDF.Term[]) => literal(`${value!.value}!`) };
  const query = 'SELECT (<urn:g>(<urn:f>(?x)) AS ?y) { ?s ?p ?x }';
  expect(await repo.select(query, { extensionFunctions }).toArray()).toEqual([{ y: literal('<<a>>!') }]);
  expect(await repo.at('HEAD').select(query, { extensionFunctions }).toArray()).toHaveLength(1);
  const refused = { code: 'UNKNOWN_FUNCTION', details: { function: 'urn:g' } };
  await expect(repo.select(query).toArray()).rejects.toMatchObject(refused);
  await expect(open(':memory:', { functions: { slug: text } })).rejects.toMatchObject({ code: 'INVALID_OPTION' });
  await db.close();
});

describe('serialize', () => {
  const serialized = async (text: string, mediaType: string): Promise<string> =>
    (
      await hostOf(await repository(...DATA))
        .serialize(text, mediaType)
        .toArray()
    ).join('');
  const SELECT = 'SELECT ?s ?name { ?s ex:name ?name } ORDER BY ?name';
  test.each([
    ['application/sparql-results+json', SELECT, /"vars": \["s", "name"\][^]*"value": "Ann"/],
    ['application/sparql-results+json', 'ASK {}', /"boolean": true/],
    ['application/sparql-results+xml', SELECT, /<literal>Ann<\/literal>/],
    ['application/sparql-results+xml', 'ASK {}', /<boolean>true<\/boolean>/],
    ['text/csv', SELECT, /^s,name\r\nhttp:\/\/example.org\/a,"?Ann"?\r\n/],
    ['text/tab-separated-values', SELECT, /^\?s\t\?name\n<http:\/\/example.org\/a>\t"Ann"\n/],
    ['text/turtle', 'CONSTRUCT WHERE { ?s ex:p ?o }', /ex:a ex:p ex:b/],
    ['application/n-triples', 'DESCRIBE ex:b', /"Bob" \.\n$/],
    ['application/trig', 'CONSTRUCT WHERE { ?s ex:p ?o }', /ex:a ex:p ex:b/],
    ['nq', 'CONSTRUCT WHERE { ?s ex:none ?o }', /^$/],
  ])('%s: %s', async (mediaType, text, expected) => {
    expect(await serialized(text, mediaType)).toMatch(expected);
  });
  test('is JSON that a parser reads, also of no rows', async () => {
    for (const [text, rows] of [
      [SELECT, 2],
      ['SELECT * { ?s ex:none ?o }', 0],
    ] as const) {
      const json = JSON.parse(await serialized(text, 'application/sparql-results+json')) as {
        results: { bindings: [] };
      };
      expect(json.results.bindings).toHaveLength(rows);
    }
  });
  test.each([
    ['text/csv', 'CONSTRUCT WHERE { ?s ?p ?o }'],
    ['text/turtle', SELECT],
    ['application/pdf', SELECT],
    ['text/boolean', SELECT],
  ])('%s cannot hold %s', async (mediaType, text) => {
    await expect(serialized(text, mediaType)).rejects.toMatchObject({ code: 'INVALID_OPTION' });
  });
});

test('explain shows the patterns and what they find', async () => {
  const repo = await repository(...DATA);
  const query = 'SELECT * { ?s ex:name ?name FILTER(?name > "A") }';
  const { evaluator, text, plan } = await repo.explain(query);
  expect(evaluator).toBe('native');
  expect(text).toMatch(/scan \?s <http:\/\/example.org\/name> \?name.*\[about 2 rows\]/);
  expect(text).toMatch(/filter .*\?name/);
  expect(JSON.parse(JSON.stringify(plan))).toEqual(plan);
  expect(plan).toMatchObject({ operator: expect.any(String) as string, estimatedRows: expect.any(Number) as number });
  await expect(repo.explain('CLEAR ALL', { analyze: true })).rejects.toMatchObject({ code: 'NOT_A_QUERY' });
  const analysed = await repo.explain(query, { analyze: true });
  expect(analysed.text).toMatch(/scan .*\[about 2 rows, got 2 in [\d.]+ ms\]/);
  expect((await repo.explain(query, { bindings: { s: ex('a') }, analyze: true })).text).toMatch(/got 1 in/);
});

test('timeoutMs and signal end a query that runs', async () => {
  const repo = await repository();
  await repo.add(many(300));
  const run = (options: QueryOptions): Promise<unknown>[] => [
    repo.select(`SELECT * ${SLOW}`, options).toArray(),
    repo.construct(`CONSTRUCT { ?a ?b ?c } WHERE ${SLOW}`, options).toArray(),
    repo.ask(`ASK ${SLOW}`, options),
    hostOf(repo).serialize(`SELECT * ${SLOW}`, 'text/csv', options).toArray(),
  ];
  for (const outcome of await Promise.allSettled(run({ timeoutMs: 100 })))
    expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'QUERY_TIMEOUT' } });
  for (const outcome of await Promise.allSettled(run({ signal: AbortSignal.timeout(100) })))
    expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'ABORTED' } });
  expect(await repo.ask('ASK { ?s ?p ?o }', { timeoutMs: 10_000 })).toBe(true);
});

test('bindings, baseIRI and templates with options', async () => {
  const repo = await repository(...DATA);
  const text = 'SELECT ?name { ?s ex:name ?name }';
  expect(await repo.select(text, { bindings: { s: ex('b') } }).toArray()).toEqual([{ name: literal('Bob') }]);
  expect(await repo.ask('ASK { <a> ?p ?o }', { baseIRI: 'http://example.org/' })).toBe(true);
  const template = sparql`SELECT ?s { ?s ex:name ${'Ann'} . ?s ${ex('p')} ?o } LIMIT ${1}`;
  expect(await repo.select(template, { timeoutMs: 5000 }).toArray()).toEqual([{ s: ex('a') }]);
  expect((await repo.explain(template)).text).toContain('Ann');
});

test('no value of a template becomes part of the text', async () => {
  const repo = await repository(...DATA);
  const attacks = ['" . ?s ?p ?o . #', '" } ; DROP ALL #', '\\', "'''", '?s', '<x:y>', '\n}'];
  for (const attack of attacks) {
    expect(await repo.select`SELECT ?s { ?s ex:name ${attack} }`.toArray()).toEqual([]);
    await repo.update`INSERT DATA { ex:x ex:said ${attack} }`;
    expect(await repo.ask`ASK { ex:x ex:said ${attack} }`).toBe(true);
  }
  expect(await repo.size()).toBe(DATA.length + attacks.length);
  expect(() => repo.ask`ASK { ${iri('x:y> ?p ?o . <x:z')} ?p ?o }`).toThrow(
    expect.objectContaining({ code: 'INVALID_TERM' }),
  );
  await repo.add(q('safe p b'));
});
