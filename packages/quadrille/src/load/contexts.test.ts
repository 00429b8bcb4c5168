import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGuardedFetch } from '@quadrille/fetch';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { fetchedContexts, type LoadProblem, open, type OpenOptions, type Repository } from '../index.js';
import { threads } from './parser.js';

const EVENT = '{"@context": "https://schema.org", "@id": "urn:e", "name": "Fair"}';
const NAME = { name: 'urn:name' };

const { fromBytes } = threads;
afterEach(() => {
  threads.fromBytes = fromBytes;
});

async function repository(options: OpenOptions = {}): Promise<Repository> {
  const database = await open(':memory:', options);
  onTestFinished(() => database.close());
  return database.repository('events', { create: true });
}

async function predicates(repo: Repository): Promise<string[]> {
  const rows = await repo
    .select('SELECT DISTINCT ?p { { ?s ?p ?o } UNION { GRAPH ?g { ?s ?p ?o } } } ORDER BY ?p')
    .toArray();
  return rows.map(({ p }) => p!.value);
}

/** Answers on a free port. Returns the address of its root. */
async function host(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}

test.each([
  ['https://schema.org', NAME],
  ['http://schema.org/', { '@context': NAME }],
  ['https://schema.org/', [NAME]],
])('a given context answers for %s, whatever its scheme and last slash', async (address, context) => {
  const repo = await repository();
  await repo.load({ text: EVENT }, { format: 'jsonld', contexts: { [address]: context } });
  expect(await predicates(repo)).toEqual(['urn:name']);
});

test('a context may be a file; that of a load comes before that of the database, and both before the loader', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'contexts-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'schema.jsonld');
  await writeFile(file, '{"@context": {"name": "urn:of-file"}}');
  const repo = await repository({ contexts: { 'http://schema.org': file } });
  const asked: string[] = [];
  const loadDocument = async (url: string): Promise<string> => {
    asked.push(url);
    return '{"@context": {"name": "urn:of-loader"}}';
  };
  await repo.load({ text: EVENT }, { format: 'jsonld', loadDocument });
  expect(await predicates(repo)).toEqual(['urn:of-file']);
  await repo.load(
    { text: EVENT },
    { format: 'jsonld', loadDocument, replace: true, contexts: { 'https://schema.org': NAME } },
  );
  expect(await predicates(repo)).toEqual(['urn:name']);
  const other = EVENT.replace('schema.org', 'example.org/c');
  await repo.load({ text: other }, { format: 'jsonld', loadDocument, replace: true });
  expect([await predicates(repo), asked]).toEqual([['urn:of-loader'], ['https://example.org/c']]);
  await rm(file);
  await expect(repo.load({ text: EVENT }, { format: 'jsonld' })).rejects.toMatchObject({ code: 'FETCH_FAILED' });
});

test.each([Infinity, 0])(
  'a context that may not be read is told with its address, also from a thread (%s)',
  async (from) => {
    threads.fromBytes = from;
    const repo = await repository();
    const load = (options: object): Promise<unknown> =>
      repo.load({ text: EVENT }, { format: 'jsonld', sourceName: 'event', ...options });
    const refused = { code: 'URL_NOT_ALLOWED', details: { address: 'https://schema.org' } };
    await expect(load({})).rejects.toMatchObject(refused);
    await expect(load({ contexts: { 'urn:other': NAME } })).rejects.toMatchObject(refused);
    const guarded = fetchedContexts(createGuardedFetch({ mode: 'listed' }));
    await expect(load({ loadDocument: guarded })).rejects.toMatchObject({
      ...refused,
      cause: { code: 'URL_NOT_ALLOWED' },
    });
    const loadDocument = (): Promise<string> => Promise.reject(new Error('no network'));
    await expect(load({ loadDocument })).rejects.toMatchObject({
      code: 'FETCH_FAILED',
      message: 'event: the context <https://schema.org> could not be read: no network',
    });
    expect((await repo.revision()).number).toBe(1);
  },
);

test.each([{ schema: NAME }, { 'https://schema.org': 5 }, { 'https://schema.org': '' }, 'https://schema.org', [NAME]])(
  'wrong contexts are refused: %j',
  async (contexts) => {
    const repo = await repository();
    const wrong = { format: 'jsonld', contexts: contexts as never };
    await expect(repo.load({ text: EVENT }, wrong)).rejects.toMatchObject({ code: 'INVALID_OPTION' });
    await expect(open(':memory:', { contexts: contexts as never })).rejects.toMatchObject({ code: 'INVALID_OPTION' });
  },
);

test('a context is fetched: JSON, or what a page names as its JSON-LD, as schema.org does; LOAD does so too', async () => {
  const root = await host((request, response) => {
    if (request.url === '/page') {
      const others = '</style.css>; rel="stylesheet", </feed>; rel="alternate"; type="application/atom+xml"';
      response.setHeader('Link', `${others}, </context>; rel="alternate"; type="application/ld+json"`);
      response.setHeader('Content-Type', 'text/html').end('<p>A page');
    } else if (request.url === '/context') {
      response.setHeader('Content-Type', 'application/ld+json').end('{"@context": {"name": "urn:fetched"}}');
    } else if (request.url === '/event') {
      response.setHeader('Content-Type', 'application/ld+json').end(EVENT.replace('https://schema.org', '/page'));
    } else response.writeHead(404).end();
  });
  const allow = [new URL(root).host];
  const loadDocument = fetchedContexts(createGuardedFetch({ allow }));
  const repo = await repository({ federation: { load: true, allow } });
  const at = (path: string): string => EVENT.replace('https://schema.org', root + path);
  for (const path of ['/context', '/page']) {
    await repo.load({ text: at(path) }, { format: 'jsonld', loadDocument, replace: true });
    expect(await predicates(repo)).toEqual(['urn:fetched']);
  }
  await expect(repo.load({ text: at('/other') }, { format: 'jsonld', loadDocument })).rejects.toMatchObject({
    code: 'FETCH_FAILED',
    message: expect.stringContaining('status 404') as string,
  });
  await repo.update(`CLEAR ALL; LOAD <${root}/event>`);
  expect(await predicates(repo)).toEqual(['urn:fetched']);
});

const MARKUP = JSON.stringify({
  '@context': {
    '@base': null,
    name: 'urn:name',
    action: 'urn:action',
    target: { '@id': 'urn:target', '@type': '@id' },
  },
  '@id': 'urn:shop',
  name: [{ '@value': 'Laden', '@language': 'd_e' }, 'Shop'],
  action: { target: 'https://e.org/?q={term}' },
  'open/closed': true,
});
const PARTS = [
  ['/open~1closed', '"open/closed" has no IRI in the context'],
  ['/action/target', '"https://e.org/?q={term}" is no absolute IRI'],
  ['/name/0/@language', '"d_e" is no language tag'],
];

test.each([Infinity, 0])('what is no RDF is left out and told, or refused, also from a thread (%s)', async (from) => {
  threads.fromBytes = from;
  const repo = await repository();
  const problems: LoadProblem[] = [];
  const onProblem = (problem: LoadProblem): void => void problems.push(problem);
  const { dropped, size } = await repo.load({ text: MARKUP }, { format: 'jsonld', onProblem });
  expect([size, dropped?.count]).toEqual([2, 3]);
  expect(new Set(dropped?.first)).toEqual(new Set(PARTS.map(([path, reason]) => ({ path, reason }))));
  expect(problems).toEqual(dropped?.first.map(({ path, reason }) => ({ kind: 'dropped', path, message: reason })));
  const strict = repo.load({ text: MARKUP }, { format: 'jsonld', safe: true, replace: true });
  await expect(strict).rejects.toMatchObject({
    code: 'RDF_SYNTAX',
    message: expect.stringMatching(/\/\S+: ".*" (is|has) no/) as string,
  });
  const { number, dropped: none } = await repo.load(
    { text: '[{"@id": "urn:a", "urn:p": 1}]' },
    { format: 'jsonld', safe: true },
  );
  expect([number, none]).toEqual([3, undefined]);
});

test('places count the elements of long documents, and the first ten are told', async () => {
  const repo = await repository();
  const nodes = Array.from({ length: 2500 }, (_, i) => ({
    '@id': `urn:${String(i)}`,
    'urn:p': 1,
    ...(i % 100 === 99 && { bad: i }),
  }));
  const paths: string[] = [];
  const onProblem = (problem: LoadProblem): void => void (problem.kind === 'dropped' && paths.push(problem.path));
  const { dropped } = await repo.load({ text: JSON.stringify(nodes) }, { format: 'jsonld', onProblem });
  expect([dropped?.count, dropped?.first.length]).toEqual([25, 10]);
  expect(paths).toEqual(Array.from({ length: 25 }, (_, i) => `/${String(100 * i + 99)}/bad`));
  paths.length = 0;
  await repo.load({ text: JSON.stringify({ '@graph': nodes }) }, { format: 'jsonld', onProblem, replace: true });
  expect(paths).toEqual(Array.from({ length: 25 }, (_, i) => `/@graph/${String(100 * i + 99)}/bad`));
});
