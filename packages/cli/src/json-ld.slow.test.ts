import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { ok, quadrille, type Workspace, workspace } from './testing/command.js';

const EVENT = '{"@context": "http://schema.org", "@id": "urn:e", "name": "Fair"}';
const CONTEXT = '{"@context": {"name": "urn:name"}}';
const NAME = '<urn:e> <urn:name> "Fair" .\n';

let work: Workspace;
let store: string;
beforeEach(async () => {
  work = await workspace();
  ({ store } = work);
});
afterEach(() => work.remove());

async function host(): Promise<{ root: string; requests: string[] }> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url!);
    response.setHeader('Content-Type', 'application/ld+json');
    response.end(request.url === '/event' ? EVENT.replace('http://schema.org', '/context') : CONTEXT);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { root: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`, requests };
}

test('load answers contexts from files, and refuses them without one', { timeout: 60_000 }, async () => {
  const [event, context] = [await work.file('event.jsonld', EVENT), await work.file('schema.jsonld', CONTEXT)];
  const refused = await quadrille(['load', store, event, '--fetch', 'off']);
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/<http:\/\/schema\.org>.*--context.*\(URL_NOT_ALLOWED\)/) as string,
  });
  await ok(
    'load',
    store,
    event,
    '--fetch',
    'off',
    '--context',
    `urn:x=${context}`,
    '--context',
    `https://schema.org/=${context}`,
  );
  expect(await ok('dump', store)).toBe(NAME);
  for (const wrong of ['schema.jsonld', `=${context}`, 'https://schema.org=', `schema=${context}`])
    expect(await quadrille(['load', store, event, '--context', wrong])).toMatchObject({ code: 2 });
  const missing = ['load', store, event, '--context', 'https://schema.org=missing.jsonld'];
  expect((await quadrille(missing)).stderr).toContain('(INPUT_NOT_FOUND)');
});

test('load and update fetch contexts where they may, each once, and say so', { timeout: 60_000 }, async () => {
  const { root, requests } = await host();
  const text = EVENT.replace('http://schema.org', `${root}/context`);
  const files = [await work.file('a.jsonld', text), await work.file('b.jsonld', text)];
  const blocked = await quadrille(['load', store, ...files]);
  expect(blocked).toMatchObject({ code: 1, stderr: expect.stringContaining('(URL_NOT_ALLOWED)') as string });
  expect(requests).toEqual([]);
  const fetched = await quadrille(['load', store, ...files, '--fetch', 'all']);
  expect(fetched).toMatchObject({ code: 0, stderr: `quadrille: fetched the context ${root}/context\n` });
  expect(requests).toEqual(['/context']);
  await ok('update', store, `CLEAR ALL; LOAD <${root}/event>`, '--allow', new URL(root).host);
  expect(await ok('dump', store)).toBe(NAME);
  const off = await quadrille(['update', store, `LOAD <${root}/event>`, '--fetch', 'off']);
  expect(off).toMatchObject({ code: 1, stderr: expect.stringContaining('(BLOCKED_ADDRESS)') as string });
});

test('--safe reaches no other host and no file that a text names', { timeout: 60_000 }, async () => {
  const { root, requests } = await host();
  const event = await work.file('a.jsonld', EVENT.replace('http://schema.org', `${root}/context`));
  const context = await work.file('context.jsonld', CONTEXT);
  const one = await work.file('one.nt', NAME);
  await ok('load', store, one, '--safe');
  const refused = async (code: string, ...call: string[]): Promise<void> => {
    expect(await quadrille([...call, '--safe'])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(`(${code})`) as string,
    });
  };
  await refused('URL_NOT_ALLOWED', 'load', store, event);
  await refused('URL_NOT_ALLOWED', 'explain', event, 'ASK {}');
  await refused('BLOCKED_ADDRESS', 'update', store, `LOAD <${root}/event>`);
  await refused('BLOCKED_ADDRESS', 'update', store, `LOAD <file:${one}>`);
  await refused('BLOCKED_ADDRESS', 'explain', store, `ASK { SERVICE <${root}/sparql> { ?s ?p ?o } }`, '--analyze');
  // What the caller names is no matter of the text.
  await ok('load', store, event, '--safe', '--context', `${root}/context=${context}`);
  expect(await ok('dump', store)).toBe(NAME);
  expect(requests).toEqual([]);
  for (const more of [
    ['--fetch', 'all'],
    ['--allow', 'localhost'],
  ])
    expect(await quadrille(['load', store, event, '--safe', ...more])).toMatchObject({ code: 2 });
});

test('what is left out is one line, and --strict refuses it', { timeout: 60_000 }, async () => {
  const file = await work.file('a.jsonld', '{"@id": "urn:e", "urn:name": "Fair", "unknown": {"deep": 1}, "other": 2}');
  const strict = await quadrille(['load', store, file, '--strict']);
  expect(strict).toMatchObject({
    code: 65,
    stderr: expect.stringMatching(/\/other: "other" has no IRI.*\(RDF_SYNTAX\)/) as string,
  });
  const loaded = await quadrille(['load', store, file]);
  expect(loaded).toMatchObject({
    code: 0,
    stderr: `quadrille: ${file}: 2 statements left out (first: /other: "other" has no IRI in the context)\n`,
  });
  expect(await ok('dump', store)).toBe(NAME);
});

test('query reaches the endpoints of SERVICE where they may be reached', { timeout: 60_000 }, async () => {
  const { root, requests } = await host();
  await ok('load', store, await work.file('one.nt', NAME));
  const query = ['query', store, `ASK { SERVICE <${root}/sparql> { ?s ?p ?o } }`];
  expect((await quadrille(query)).stderr).toContain('(BLOCKED_ADDRESS)');
  expect((await quadrille([...query, '--fetch', 'off'])).stderr).toContain('(BLOCKED_ADDRESS)');
  expect(requests).toEqual([]);
  expect((await quadrille([...query, '--fetch', 'all'])).stderr).toContain('(SERVICE_FAILED)');
  expect(requests).toEqual(['/sparql']);
});

test('files whose names end in .json and .html', { timeout: 60_000 }, async () => {
  const page = await work.file(
    'page.html',
    `<h1>Fair</h1><script type="application/ld+json">${CONTEXT.slice(0, -1)}, "@id": "urn:e", "name": "Fair"}</script>`,
  );
  await ok('load', store, page);
  expect(await ok('dump', store)).toBe(NAME);
  const json = await work.file('more.json', '{"@id": "urn:f", "urn:name": "Feast"}');
  await ok('load', store, json, '--replace');
  expect(await ok('dump', store)).toBe('<urn:f> <urn:name> "Feast" .\n');
  const other = await work.file('other.json', '{"urn:a": {"urn:p": [{"value": "x", "type": "literal"}]}}');
  expect(await quadrille(['load', store, other])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/other\.json has no "@context".*\(INVALID_OPTION\)/) as string,
  });
  await ok('load', store, other, '--format', 'rj');
  expect(await ok('size', store)).toBe('2\n');
});
