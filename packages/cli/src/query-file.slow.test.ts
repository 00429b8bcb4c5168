import { gzipSync } from 'node:zlib';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ok, quadrille, type Workspace, workspace } from './testing/command.js';

// Every call is a process of its own, and a busy machine starts them slowly.
const SLOW = { timeout: 120_000 };
const NAMES = 'SELECT ?name { ?person <urn:name> ?name } ORDER BY ?name';

let work: Workspace;
beforeEach(async () => {
  work = await workspace();
});
afterEach(() => work.remove());

test('a file is asked without a store', SLOW, async () => {
  const turtle = await work.file('people.ttl', '@prefix p: <urn:> . p:a p:name "Ann" . p:b p:name "Bob" .');
  expect(await ok('query', turtle, NAMES, '-f', 'csv')).toBe('name\r\n"Ann"\r\n"Bob"\r\n');
  const zipped = `${turtle}.gz`;
  await writeFile(zipped, gzipSync('<urn:c> <urn:name> "Cy" .\n'));
  expect(await ok('query', zipped, 'ASK { <urn:c> ?p "Cy" }', '--json')).toContain('"boolean": true');
  const json = await work.file('d.jsonld', '{"@context":"http://ctx.example/","@id":"urn:d","name":"Dan"}');
  const context = await work.file('context.json', '{"@context":{"name":"urn:name"}}');
  expect(await ok('query', json, NAMES, '-f', 'csv', '--context', `http://ctx.example/=${context}`)).toBe(
    'name\r\n"Dan"\r\n',
  );
});

test('the plan of a query of a file is that of a store with its data', SLOW, async () => {
  const file = await work.file('a.nt', '<urn:a> <urn:name> "Ann" .\n<urn:b> <urn:name> "Bob" .\n');
  await ok('load', work.store, file);
  const plan = await ok('explain', work.store, NAMES);
  expect(plan).not.toBe('');
  expect(await ok('explain', file, NAMES)).toBe(plan);
  expect(JSON.parse(await ok('explain', file, NAMES, '--json', '--analyze'))).toMatchObject({ evaluator: 'native' });
  expect(await quadrille(['explain', file, NAMES, '--at', '1'])).toMatchObject({ code: 2, stdout: '' });
  expect(await quadrille(['explain', work.store, NAMES, '--context', `http://ctx.example/=${file}`])).toMatchObject({
    code: 2,
  });
});

test('what a document has that is no RDF is told beside the answer', SLOW, async () => {
  const json = await work.file('d.jsonld', '{"@context":{"name":"urn:name"},"@id":"urn:d","name":"Dan","lost":1}');
  expect(await quadrille(['query', json, NAMES, '-f', 'csv'])).toMatchObject({
    code: 0,
    stdout: 'name\r\n"Dan"\r\n',
    stderr: expect.stringMatching(/d\.jsonld: 1 statement left out/) as string,
  });
});

test('what does not go with a file, or a store, is refused with its place', SLOW, async () => {
  const broken = await work.file('broken.nt', '<urn:a> <urn:p> .\n');
  expect(await quadrille(['query', broken, NAMES])).toMatchObject({
    code: 65,
    stderr: expect.stringMatching(/broken\.nt.*(?:line 1|:1:)/) as string,
  });
  const file = await work.file('a.nt', '<urn:a> <urn:p> "1" .\n');
  expect(await quadrille(['query', file, NAMES, '--at', 'HEAD~1'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--at, --branch and --repository are for stores') as string,
  });
  await ok('load', work.store, file);
  expect(await quadrille(['query', work.store, NAMES, '--context', `http://ctx.example/=${file}`])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--context is for a query of a file') as string,
  });
});

test('every format of an answer ends with the end of a line', SLOW, async () => {
  const file = await work.file('a.nt', '<urn:a> <urn:p> "1" .\n');
  for (const format of ['json', 'xml', 'csv', 'tsv', 'table']) {
    const text = await ok('query', file, 'SELECT ?s { ?s ?p ?o }', '-f', format);
    expect([format, /[^\n]\r?\n$/.test(text)]).toEqual([format, true]);
  }
  for (const format of ['json', 'xml']) expect(await ok('query', file, 'ASK {}', '-f', format)).toMatch(/[^\n]\n$/);
  for (const format of ['nt', 'ttl', 'trig', 'jsonld', 'rdf'])
    expect(await ok('query', file, 'CONSTRUCT WHERE { ?s ?p ?o }', '-f', format)).toMatch(/[^\n]\n$/);
  expect(await ok('query', file, 'CONSTRUCT WHERE { ?s <urn:none> ?o }')).toBe('');
});

describe('files that a query names', SLOW, () => {
  const people = '<urn:a> <urn:name> "Ann" .\n<urn:b> <urn:name> "Bob" .\n';
  const ask = (...args: string[]): Promise<string> => ok('query', ...args, '-f', 'csv');
  const rows = (text: string): string[] => text.trim().split('\r\n').slice(1);

  test('SERVICE and FROM read documents and tables, of a store and of a file', async () => {
    await ok('load', work.store, await work.file('people.nt', people));
    const ages = await work.file('ages.ttl', '<urn:a> <urn:age> 30 . <urn:c> <urn:age> 40 .');
    const cities = await work.file('cities.csv', 'id,city\na,Oslo\nb,Rome\n');
    const mapping = await work.file(
      'm.rq',
      'CONSTRUCT { ?s <urn:city> ?city } WHERE { BIND(IRI(CONCAT("urn:", ?id)) AS ?s) }',
    );
    const joined = `SELECT ?name ?age ?city { ?s <urn:name> ?name OPTIONAL { SERVICE <file:${ages}> { ?s <urn:age> ?age } }
      # SERVICE <file:nothing.ttl>
      SERVICE <file://${cities}> { ?s <urn:city> ?city } FILTER(?name != "FROM <file:nothing.ttl>") } ORDER BY ?name`;
    for (const place of [work.store, join(work.directory, 'people.nt')])
      expect(rows(await ask(place, joined, '--mapping', mapping))).toEqual(['"Ann",30,"Oslo"', '"Bob",,"Rome"']);
    const from = `SELECT ?s FROM <file:${ages}> FROM <file:${cities}> { ?s ?p ?o } ORDER BY ?s`;
    expect(rows(await ask(work.store, from, '--mapping', mapping))).toEqual(['urn:a', 'urn:a', 'urn:b', 'urn:c']);
    // Names are what the grammar says, also with a prefix or a base, and not what ends like a word of it.
    const named = `PREFIX f: <file:${work.directory}/> PREFIX ex: <urn:ex:> SELECT ?s FROM # of here
      f:ages.ttl { ?s ?p ?o MINUS { ?s ex:éFROM <file:nothing.ttl> } } ORDER BY ?s`;
    expect(rows(await ask(work.store, named))).toEqual(['urn:a', 'urn:c']);
    // A relative one is within the working folder.
    const relative = 'SELECT (COUNT(*) AS ?n) FROM <file:ages.ttl> { ?s ?p ?o }';
    const outcome = await quadrille(['query', work.store, relative, '-f', 'csv'], { cwd: work.directory });
    expect([outcome.code, outcome.stdout]).toEqual([0, 'n\r\n2\r\n']);
  });

  test('a graph of this name is meant first; SILENT goes on; --safe, a missing file and a server refuse', async () => {
    const file = await work.file('people.nt', people);
    const address = `file:${file}`;
    await ok('load', work.store, await work.file('one.nt', '<urn:x> <urn:name> "Xi" .\n'), '--graph', address);
    const from = `SELECT ?name FROM <${address}> { ?s <urn:name> ?name }`;
    const service = `SELECT ?name { SERVICE <${address}> { ?s <urn:name> ?name } }`;
    expect(rows(await ask(work.store, from))).toEqual(['"Xi"']);
    expect(rows(await ask(work.store, service))).toHaveLength(2);
    expect(rows(await ask(work.store, from, '--safe'))).toEqual(['"Xi"']);
    expect(await quadrille(['query', work.store, service, '--safe'])).toMatchObject({
      stdout: '',
      stderr: expect.stringContaining('--safe allows no files (URL_NOT_ALLOWED)') as string,
    });
    const missing = service.replace(file, `${file}.gone`);
    expect(await quadrille(['query', work.store, missing])).toMatchObject({
      code: 66,
      stderr: expect.stringContaining('(INPUT_NOT_FOUND)') as string,
    });
    const silent = missing.replace('?name', '(COUNT(*) AS ?n)').replace('SERVICE', 'SERVICE SILENT');
    expect(rows(await ask(work.store, silent))).toEqual(['1']);
    expect(await quadrille(['query', work.store, `${service} oops`])).toMatchObject({
      stderr: expect.stringContaining(` 1:${String(service.length + 2)}: `) as string,
    });
    const served = await work.serve(['--json']);
    const env = { QUADRILLE_TOKEN: served.token };
    const remote = `${served.url}/default/default`;
    const refused = await quadrille(['query', remote, service], { env });
    expect(refused).toMatchObject({
      stdout: '',
      stderr: expect.stringMatching(/\((?:SERVICE|UNSUPPORTED|BLOCKED|URL)\w*\)/) as string,
    });
    // There it is the name of a graph, and nothing else.
    const graph = await quadrille(['query', remote, from.replace(address, `file:${file}2`), '-f', 'csv'], { env });
    expect([graph.code, rows(graph.stdout)]).toEqual([0, []]);
  });
});
