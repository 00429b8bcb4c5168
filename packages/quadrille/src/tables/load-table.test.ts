import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  type Database,
  iri,
  type LoadOptions,
  type LoadProblem,
  literal,
  mapTable,
  open,
  type Repository,
} from '../index.js';
import { hostOf } from '../host/index.js';
import { variableName } from './column-name.js';

const MAPPING = `PREFIX ex: <http://example.org/>
CONSTRUCT { ?person a foaf:Person ; foaf:name ?first_name ; ex:row ?row ; ex:mail ?mail }
WHERE { BIND(IRI(CONCAT("http://example.org/person/", ?id)) AS ?person) }`;
const CSV = 'id,first name,mail\n1,Ann,ann@example.org\n2,"Bo, jr.",\n';

let db: Database;
let repo: Repository;
let directory: string;
beforeEach(async () => {
  db = await open(':memory:');
  repo = await db.repository('people', { create: true });
  directory = await mkdtemp(join(tmpdir(), 'tables-'));
});
afterEach(async () => {
  await db.close();
  await rm(directory, { recursive: true });
});

const lines = async (view: Pick<Repository, 'dump'> = repo): Promise<string[]> =>
  (await view.dump('application/n-quads').toArray()).join('').trim().split('\n').toSorted();
const load = (text: string, options: LoadOptions = {}): ReturnType<Repository['load']> =>
  repo.load({ text }, { format: 'csv', mapping: MAPPING, ...options });

async function file(name: string, text: string | Uint8Array): Promise<string> {
  await writeFile(join(directory, name), text);
  return join(directory, name);
}

/** The statements of `<urn:s>`, by the local names of their predicates. */
async function told(document: unknown, template: string, format = 'json'): Promise<string[]> {
  const text = typeof document === 'string' ? document : JSON.stringify(document);
  await repo.load(
    { text },
    { format, replace: true, mapping: `PREFIX : <urn:> CONSTRUCT { :s ${template} } WHERE { }` },
  );
  return (await lines()).map((line) => line.replace('<urn:s> <urn:', '').replace('> ', ' ').replace(/ \.$/, ''));
}

test('each row of a table becomes what the mapping makes of it, in one revision', async () => {
  const revision = await load(CSV, { message: 'people' });
  expect(revision).toMatchObject({ number: 2, added: 7, message: 'people' });
  const name = '<http://xmlns.com/foaf/0.1/name>';
  expect((await lines()).filter((line) => line.includes(name))).toEqual([
    `<http://example.org/person/1> ${name} "Ann" .`,
    `<http://example.org/person/2> ${name} "Bo, jr." .`,
  ]);
});

test('the second import of a changed file is the difference', async () => {
  const graph = { graph: iri('urn:g'), replace: true };
  await load(CSV, graph);
  const changed = CSV.replace('Ann,', 'Anna,');
  expect(await repo.load({ text: changed }, { format: 'csv', mapping: MAPPING, ...graph, dryRun: true })).toMatchObject(
    { added: 1, removed: 1 },
  );
  expect(await load(changed, graph)).toMatchObject({ number: 3, added: 1, removed: 1 });
  expect(await load(changed, graph)).toMatchObject({ number: 3 });
});

test('the format is known by the name of the file, also of a compressed one', async () => {
  const options = { mapping: MAPPING };
  for (const [name, content] of [
    ['a.csv', CSV],
    ['a.csv.gz', gzipSync(CSV)],
    ['a.tsv', CSV.replaceAll(',', '\t').replace('"Bo\t jr."', 'Bo')],
    ['a.json', '[{"id":"1","first name":"x","mail":null}]'],
    ['a.ndjson', '{"id":"1","first name":"x","mail":null}\n'],
  ] as const) {
    await repo.load(await file(name, content), { ...options, replace: true });
    expect(await repo.size(), name).toBeGreaterThan(2);
    await repo.remove({});
  }
  const refused = async (name: string, more: object = options): Promise<unknown> =>
    repo.load(await file(name, CSV), more);
  await expect(refused('a.ttl')).rejects.toThrow(
    /a mapping is for a table, and .*a\.ttl is none that is known; there is csv, tsv, json, jsonl/,
  );
  await expect(refused('b.csv', {})).rejects.toThrow(/b\.csv is a table: say what its rows are/);
  await expect(load(CSV, { format: 'turtle' })).rejects.toMatchObject({ code: 'INVALID_OPTION' });
  await expect(repo.load({ text: CSV }, { mapping: MAPPING })).rejects.toThrow('a stream is none that is known');
  await expect(refused('c.json', {})).rejects.toThrow();
});

test('the variables of columns', () => {
  const names = ['first name', 'price-net', 'été', '1st', ' x ', '', 'a.b', '(€)', 'ſ·', 'a\tb'];
  expect(names.map((name, i) => variableName(name, i + 1))).toEqual([
    'first_name',
    'price2Dnet',
    'été',
    '1st',
    'x',
    'column_6',
    'a2Eb',
    '28€29',
    'ſC2B7',
    'a_b',
  ]);
});

test('all of these names can be used in a mapping', async () => {
  const header = ['first name', 'price-net', 'été', '1st', '', '€', '名前', '𝒳'];
  const variables = header.map((name, i) => variableName(name, i + 1));
  const mapping = `CONSTRUCT { <urn:s> <urn:p> ${variables.map((name) => `?${name}`).join(', ')} } WHERE { }`;
  const { added } = await load(`${header.join(',')}\n${header.map((_, i) => i).join(',')}\n`, { mapping });
  expect(added).toBe(header.length);
});

test('JSON: types, nested members, lists', async () => {
  const row = { s: 'x', i: 7, t: true, n: null, a: { b: { c: 'deep' } }, l: ['p', 'q'], o: [{ k: 1, m: 2 }, { k: 3 }] };
  expect(await told([row], ':s ?s; :i ?i; :t ?t; :c ?a_b_c; :l ?l; :row ?row')).toEqual([
    'c "deep"',
    'i "7"^^<http://www.w3.org/2001/XMLSchema#integer>',
    'l "p"',
    'l "q"',
    'row "1"^^<http://www.w3.org/2001/XMLSchema#integer>',
    's "x"',
    't "true"^^<http://www.w3.org/2001/XMLSchema#boolean>',
  ]);
  // Members of one item stay together.
  const pairs = '[ :k ?o_k ; :m ?o_m ]';
  expect((await told([row], `:o ${pairs}`)).filter((line) => / <urn:[km] /.test(line))).toHaveLength(3);
  expect(await told('{"n":12345678901234567890,"d":1.10,"e":1e3}', ':n ?n; :d ?d; :e ?e')).toEqual([
    'd "1.10"^^<http://www.w3.org/2001/XMLSchema#decimal>',
    'e "1e3"^^<http://www.w3.org/2001/XMLSchema#double>',
    'n "12345678901234567890"^^<http://www.w3.org/2001/XMLSchema#integer>',
  ]);
  expect(await told('{"row":"mine"}\n', ':row ?row', 'jsonl')).toEqual(['row "mine"']);
  expect(await told('[]', ':row ?nothing')).toEqual(['']);
});

test.each([
  [{ a_b: 1, a: { b: 2 } }, /row 1, column "a_b": two members of the row have this name/],
  [{ a_b: '\ud800' }, /row 1, column "a_b": a lone surrogate is no text/],
  [{ a_b: 'x'.repeat(17 * 1024 * 1024) }, /row 1: a term is longer than 16777216 bytes/],
  [
    { a_b: Array.from({ length: 10_001 }, (_, i) => i) },
    /row 1, column "a_b": its lists give more than 10000 combinations/,
  ],
  [{ a_c: 1 }, /^people\.json: no row has a member for \?a_b of the mapping; there is \?a_c/],
])('what is wrong with rows of JSON is told', async (row, message) => {
  const mapping = 'CONSTRUCT { <urn:s> <urn:p> ?a_b } WHERE { }';
  const failed = repo.load({ text: JSON.stringify([row]) }, { format: 'json', mapping, sourceName: 'people.json' });
  await expect(failed).rejects.toThrow(message);
  expect(await repo.size()).toBe(0);
});

test.each([
  ['id,mail\n', /^people\.csv: the table has no column for \?first_name of the mapping; it has \?id, \?mail$/],
  ['id,first name,first_name\n', /columns 2 and 3 have one name: "first name" and "first_name" are both \?first_name/],
  ['id,first name,mail,person\n', /the mapping gives \?person a value, and the table has a column of this name/],
  ['', /the table is empty/],
  [`${CSV}3,x\n`, /^people\.csv:4: row 3: the row has 2 cells, and the table has 3 columns$/],
])('what is wrong with a table is told', async (text, message) => {
  await expect(load(text, { sourceName: 'people.csv' })).rejects.toThrow(message);
  expect(await repo.size()).toBe(0);
});

test('a huge cell is loaded, and one beyond the limit of a term refused', async () => {
  await load(`id,first name,mail\n1,${'x'.repeat(9_000_000)},\n`);
  expect(await repo.size()).toBe(3);
  await expect(load(`id,first name,mail\n1,"${'x\n'.repeat(9_000_000)}",\n`)).rejects.toThrow(
    'row 1: a term is longer than 16777216 bytes',
  );
});

test('rows with a fault can be left out', async () => {
  const problems: LoadProblem[] = [];
  await load(`${CSV}3,x\n4,Cy,\n`, { onError: 'skip', onProblem: (problem) => void problems.push(problem) });
  expect(problems).toMatchObject([
    { kind: 'skipped', line: 4, text: '3,x', message: expect.stringContaining('row 3') as string },
  ]);
  expect((await lines()).some((line) => line.includes('"Cy"'))).toBe(true);
  await expect(load(`${CSV}3,x\n`, { onError: 'skip', maxErrors: 0 })).rejects.toMatchObject({ code: 'RDF_SYNTAX' });
});

test('a signal ends a load of a stream of any length, which is not held', async () => {
  const ending = new AbortController();
  async function* endless(): AsyncGenerator<string> {
    yield 'id,first name,mail\n';
    for (let i = 0; ; i++) {
      yield `${String(i)},x,\n`.repeat(1000);
      if (i === 50) ending.abort();
    }
  }
  const loading = repo.load(endless() as never, { format: 'csv', mapping: MAPPING, signal: ending.signal });
  await expect(loading).rejects.toMatchObject({ code: 'ABORTED' });
  expect(await repo.size()).toBe(0);
});

test('a mapping gives what a query with these bindings gives', async () => {
  const cells = [
    { a: 'x', b: '1' },
    { a: 'y', b: '2' },
    { a: 'x y', b: '1' },
  ];
  const text = `a,b\n${cells.map(({ a, b }) => `${a},${b}`).join('\n')}\n`;
  for (const where of [
    'BIND(IRI(CONCAT("urn:", ENCODE_FOR_URI(?a))) AS ?s) BIND(xsd:integer(?b) + 1 AS ?o)',
    'BIND(<urn:s> AS ?s) { BIND(UCASE(?a) AS ?o) } UNION { BIND(STRLEN(?a) AS ?o) FILTER(?b = "1") }',
    'BIND(<urn:s> AS ?s) OPTIONAL { BIND(?b AS ?o) FILTER(?a = "x") }',
    'BIND(<urn:s> AS ?s) OPTIONAL { VALUES (?b ?o) { ("1" "one") } } FILTER(CONTAINS(?a, "x"))',
    'VALUES ?s { <urn:s> <urn:t> } { BIND(IF(?a = "y", <urn:s>, <urn:t>) AS ?s) } BIND(REPLACE(?a, "[xy]", "z") AS ?o)',
    'BIND(IRI(?a) AS ?s) BIND(?b AS ?o)',
  ]) {
    const mapping = `CONSTRUCT { ?s <urn:p> ?o ; <urn:q> ?a } WHERE { ${where} }`;
    await load(text, { mapping, replace: true });
    const expected = new Set<string>();
    for (const { a, b } of cells) {
      const bindings = { a: literal(a), ...(where.includes('?b') && { b: literal(b) }) };
      const results = hostOf(repo).serialize(mapping, 'application/n-quads', { bindings });
      for (const line of (await results.toArray()).join('').split('\n')) if (line !== '') expected.add(line);
    }
    expect(await lines(), where).toEqual(expected.size === 0 ? [''] : [...expected].toSorted());
  }
});

test('mapTable gives the statements as text, without a store', async () => {
  const texts: string[] = [];
  for await (const text of mapTable(await file('a.csv.gz', gzipSync(CSV)), { mapping: MAPPING })) texts.push(text);
  await load(CSV);
  expect(texts.join('').trim().split('\n').toSorted()).toEqual(await lines());
  const ending = AbortSignal.abort();
  const aborted = mapTable({ text: CSV }, { mapping: MAPPING, format: 'csv', signal: ending });
  await expect(aborted.next()).rejects.toBeDefined();
  await expect(mapTable({ text: CSV }, { maping: MAPPING } as never).next()).rejects.toThrow('did you mean mapping?');
});

test('a mapping that makes nothing of any row is told', async () => {
  const problems: LoadProblem[] = [];
  const mapping = 'CONSTRUCT { ?s <urn:p> ?id } WHERE { BIND(IRI(CONCAT("urn:", ?id)) AS ?s) }';
  const options = { format: 'json', mapping, onProblem: (problem: LoadProblem) => void problems.push(problem) };
  const reason = 'the mapping makes no statement of any of the 2 rows';
  const loaded = await repo.load({ text: '[{"id":1},{"id":2}]' }, options);
  expect(loaded.dropped).toEqual({ count: 1, first: [{ path: '', reason }] });
  expect(problems).toEqual([{ kind: 'dropped', path: '', message: reason }]);
  await expect(repo.load({ text: '[{"id":1}]' }, { ...options, safe: true })).rejects.toMatchObject({
    code: 'RDF_SYNTAX',
  });
  expect(await repo.load({ text: '[{"id":"1"},{"id":2}]' }, options)).not.toHaveProperty('dropped');
  expect(await repo.load({ text: '[]' }, options)).not.toHaveProperty('dropped');
});
