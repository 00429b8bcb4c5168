// `quadrille load` of tables with a mapping, into a store and to a server.
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { BZIP2, ZSTD } from '../../formats/src/testing-packed.js';
import { ok, quadrille, type Workspace, workspace } from './testing/command.js';

const SLOW = { timeout: 120_000 };
const MAPPING = 'CONSTRUCT { ?p foaf:name ?first_name } WHERE { BIND(IRI(CONCAT("http://example.org/", ?id)) AS ?p) }';
const CSV = 'id,first name\n1,Ann\n2,Bo\n';
const NAME = '<http://xmlns.com/foaf/0.1/name>';
const TRIPLES = `<http://example.org/1> ${NAME} "Ann" .\n<http://example.org/2> ${NAME} "Bo" .\n`;

let work: Workspace;
let mapping: string;
beforeEach(async () => {
  work = await workspace();
  mapping = await work.file('people.rq', MAPPING);
});
afterEach(() => work.remove());

test('a table becomes one revision; its next version is the difference', SLOW, async () => {
  const { store } = work;
  const table = await work.file('people.csv', CSV);
  const load = ['load', store, table, '--mapping', mapping, '--graph', 'urn:people', '--replace'];
  expect(await ok(...load)).toMatch(/people\.csv: #2 .* \+2 -0/);
  await work.file('people.csv', CSV.replace('Bo', 'Bob'));
  expect(await ok(...load, '--dry-run')).toContain('+1 -1');
  expect(await ok(...load)).toMatch(/#3 .* \+1 -1/);
  const lines = await work.file('more.jsonl', '{"id":"3","first name":"Cy"}\n');
  await ok('load', store, lines, '--mapping', mapping);
  const piped = await quadrille(['load', store, '-', '--format', 'tsv', '--mapping', mapping], {
    input: 'id\tfirst name\n4\tDi\n',
  });
  expect(piped.code, piped.stderr).toBe(0);
  expect(await ok('dump', store, '--format', 'nt', '--graph', 'urn:people')).toBe(TRIPLES.replace('Bo', 'Bob'));
  expect(await ok('size', store)).toMatch(/^4\b/);
});

test('errors name the file of the table or of the mapping', SLOW, async () => {
  const { store } = work;
  const table = await work.file('people.csv', `${CSV}3\n`);
  const failed = await quadrille(['load', store, table, '--mapping', mapping]);
  expect(failed).toMatchObject({
    code: 65,
    stderr: `quadrille: ${table}:4: row 3: the row has one cell, and the table has 2 columns (RDF_SYNTAX)\n`,
  });
  const skipped = await quadrille(['load', store, table, '--mapping', mapping, '--on-error', 'skip']);
  expect(skipped.stderr).toContain(`skipped ${table}:4:1: row 3: the row has one cell`);
  const wrong = await work.file('wrong.rq', 'CONSTRUCT { ?s foaf:name }');
  expect((await quadrille(['load', store, table, '--mapping', wrong])).stderr).toMatch(
    /^quadrille: \S*wrong\.rq:1:\d+: .* \(SPARQL_SYNTAX\)\n$/,
  );
  const missing = await quadrille(['load', `${store}-new`, table, '--mapping', 'missing.rq']);
  expect(missing.stderr).toContain('(INPUT_NOT_FOUND)');
  expect((await quadrille(['load', store, table])).stderr).toContain('people.csv is a table');
});

test('a table goes to a server as what the mapping makes of it', SLOW, async () => {
  const served = await work.serve(['--json']);
  const env = { QUADRILLE_TOKEN: served.token! };
  const place = `${served.url}/default/default`;
  const table = await work.file('people.csv', CSV);
  const spooled = (): number => readdirSync(tmpdir()).filter((name) => name.startsWith('quadrille-load-')).length;
  const before = spooled();
  const loaded = await quadrille(['load', place, table, '--mapping', mapping, '-m', 'people'], { env });
  expect(loaded, loaded.stderr).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/people\.csv: .*\+2 -0/) as string,
  });
  expect((await quadrille(['dump', place, '--format', 'nt'], { env })).stdout).toBe(TRIPLES);
  const bad = await work.file('bad.csv', 'id\n1\n');
  const failed = await quadrille(['load', place, bad, '--mapping', mapping], { env });
  expect(failed.stderr).toContain('bad.csv: the table has no column for ?first_name of the mapping; it has ?id');
  expect(spooled()).toBe(before);
});

test('bzip2 and zstd are unpacked on the way to a store, a query and a server', SLOW, async () => {
  const { store } = work;
  const files = [await work.file('a.nt.bz2', BZIP2), await work.file('a.nt.zst', ZSTD)];
  for (const file of files) {
    expect(await ok('load', store, file, '--replace')).toMatch(/a\.nt\..* 140 quads/);
    expect(await ok('query', file, 'SELECT (COUNT(*) AS ?n) { ?s ?p ?o }', '--format', 'csv')).toContain('140');
  }
  const refused = await quadrille(['load', store, await work.file('a.nt.xz', '')]);
  expect(refused.stderr).toContain('a.nt.xz | quadrille load STORE - --format nt (INVALID_OPTION)');
  const served = await work.serve(['--json']);
  const sent = await quadrille(['load', `${served.url}/default/default`, ...files], {
    env: { QUADRILLE_TOKEN: served.token! },
  });
  expect(sent, sent.stderr).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/bz2: .*\+140 -0[^]*zst: nothing changed/) as string,
  });
});

test('a query asks a table without a store', SLOW, async () => {
  const table = await work.file('people.csv', CSV);
  const text = 'SELECT ?name { ?p foaf:name ?name } ORDER BY ?name';
  const csv = await ok('query', table, text, '--mapping', mapping, '--format', 'csv');
  expect(csv.replaceAll('\r', '').replaceAll('"', '')).toBe('name\nAnn\nBo\n');
  const refused = async (...args: string[]): Promise<string> => (await quadrille(['query', ...args])).stderr;
  expect(await refused(table, text)).toContain('people.csv is a table: say what its rows are');
  await ok('load', work.store, table, '--mapping', mapping);
  expect(await refused(work.store, text, '--mapping', mapping)).toContain('--mapping is for a query of a table');
  const wrong = await work.file('wrong.rq', 'CONSTRUCT {');
  expect(await refused(table, text, '--mapping', wrong)).toMatch(/wrong\.rq:1:\d+: .*\(SPARQL_SYNTAX\)/);
});

test('a mapping that makes nothing of any row is told', SLOW, async () => {
  const table = await work.file('people.json', '[{"id":1,"first name":"Ann"},{"id":2,"first name":"Bo"}]');
  const loaded = await quadrille(['load', work.store, table, '--mapping', mapping]);
  const told = 'left out (first: the mapping makes no statement of any of the 2 rows)';
  expect(loaded).toMatchObject({ code: 0, stderr: expect.stringContaining(told) as string });
  const strict = await quadrille(['load', work.store, table, '--mapping', mapping, '--strict']);
  expect(strict).toMatchObject({ code: 65, stderr: expect.stringContaining('makes no statement') as string });
});
