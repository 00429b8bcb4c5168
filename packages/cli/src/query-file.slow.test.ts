import { gzipSync } from 'node:zlib';
import { writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
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
