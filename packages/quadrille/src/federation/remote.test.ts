import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { createGuardedFetch } from '@quadrille/fetch';
import type { RemoteSources } from '@quadrille/sparql';
import type * as RDF from '@rdfjs/types';
import { expect, onTestFinished, test } from 'vitest';
import { open, termToText } from '../index.js';
import { createRemoteSources, type RemoteSourcesOptions } from './remote.js';
import { directory } from '../testing/fixtures.js';

interface Peer {
  readonly url: string;
  readonly requests: { readonly url: string; readonly headers: IncomingMessage['headers']; body: string }[];
  sources(options?: Partial<RemoteSourcesOptions>): RemoteSources;
}

/** A server on the loopback, and sources that may reach it. */
async function peer(answer: RequestListener): Promise<Peer> {
  const requests: Peer['requests'] = [];
  const server = createServer((request, response) => {
    const seen = { url: request.url ?? '', headers: request.headers, body: '' };
    requests.push(seen);
    request.on('data', (chunk) => (seen.body += String(chunk)));
    request.on('end', () => answer(request, response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const url = `http://${host}/`;
  const fetch = createGuardedFetch({ allow: [host] });
  return {
    url,
    requests,
    sources: (options = {}) => createRemoteSources({ fetch, serviceAllow: [`${url}sparql`], load: true, ...options }),
  };
}

const answering = (body: string | Uint8Array, contentType?: string, status = 200): Promise<Peer> =>
  peer((_, response) => {
    response.writeHead(status, contentType === undefined ? {} : { 'Content-Type': contentType }).end(body);
  });
const call = (signal = new AbortController().signal) => ({ signal });
const flat = async <T>(batches: AsyncIterable<readonly T[]>): Promise<T[]> => {
  const all: T[] = [];
  for await (const batch of batches) all.push(...batch);
  return all;
};
const quadText = ({ subject, predicate, object, graph }: RDF.Quad): string =>
  [subject, predicate, object, graph].map((term) => termToText(term)).join(' ');

const JSON_RESULTS = JSON.stringify({
  head: { vars: ['x', 'y'] },
  results: {
    bindings: [
      { x: { type: 'bnode', value: 'b0' }, y: { type: 'literal', value: 'é' } },
      { x: { type: 'bnode', value: 'b0' } },
      { x: { type: 'uri', value: 'http://example.org/a' }, y: { type: 'literal', value: '1', datatype: 'http://a/b' } },
    ],
  },
});
const XML_RESULTS =
  '<sparql xmlns="http://www.w3.org/2005/sparql-results#"><head><variable name="x"/></head>' +
  '<results><result><binding name="x"><uri>http://example.org/a</uri></binding></result></results></sparql>';

test('SERVICE posts the query and reads JSON results, with blank nodes of their own', async () => {
  const { url, requests, sources } = await answering(JSON_RESULTS, 'application/sparql-results+json; charset=utf-8');
  const remote = sources();
  const { variables, rows } = await remote.query(`${url}sparql`, 'SELECT * { ?x ?p "é" }', call());
  expect(variables).toEqual(['x', 'y']);
  const [first, second, third] = await flat(rows);
  expect(first?.['x']?.termType).toBe('BlankNode');
  expect(first?.['x']?.equals(second?.['x'])).toBe(true);
  expect(first?.['y']?.value).toBe('é');
  expect('y' in second!).toBe(false);
  expect(termToText(third!['y']!)).toBe('"1"^^<http://a/b>');
  expect(requests[0]).toMatchObject({ url: '/sparql', body: 'SELECT * { ?x ?p "é" }' });
  expect(requests[0]?.headers['content-type']).toBe('application/sparql-query');
  expect(requests[0]?.headers.accept).toMatch(/^application\/sparql-results\+json, application\/sparql-results\+xml/);
  const again = await flat((await remote.query(`${url}sparql`, 'SELECT *', call())).rows);
  expect(again[0]!['x']!.equals(first!['x'])).toBe(false);
});

test('SERVICE reads XML results, and many rows in batches', async () => {
  const xml = await answering(XML_RESULTS, 'application/sparql-results+xml');
  expect(await flat((await xml.sources().query(`${xml.url}sparql`, '', call())).rows)).toHaveLength(1);
  const row = '{"x":{"type":"literal","value":"1"}}';
  const many = await answering(
    `{"head":{"vars":["x"]},"results":{"bindings":[${Array.from({ length: 1300 }, () => row).join(',')}]}}`,
    'application/sparql-results+json',
  );
  const sizes: number[] = [];
  for await (const batch of (await many.sources().query(`${many.url}sparql`, '', call())).rows)
    sizes.push(batch.length);
  expect(sizes).toEqual([512, 512, 276]);
});

test.each([
  ['an error', 'secret', 'text/plain', 500],
  ['a page', '<html>secret</html>', 'text/html', 200],
  ['CSV', 'x\nsecret\n', 'text/csv', 200],
  ['no media type', JSON_RESULTS, undefined, 200],
  ['broken JSON', '{"secret', 'application/sparql-results+json', 200],
  ['a truth value', '{"head":{},"boolean":true}', 'application/sparql-results+json', 200],
  ['not UTF-8', new Uint8Array([0xff, 0xfe]), 'application/sparql-results+json', 200],
])('SERVICE fails where the answer is %s, without showing it', async (_, body, type, status) => {
  const { url, sources } = await answering(body, type, status);
  const error: Error = await sources()
    .query(`${url}sparql`, '', call())
    .then(
      () => expect.unreachable(),
      (caught) => caught as Error,
    );
  expect(error).toMatchObject({ name: 'EvaluationError', code: 'SERVICE_FAILED' });
  expect(error.message).not.toContain('secret');
});

test('SERVICE asks listed endpoints only, also after a redirect', async () => {
  const { url, requests, sources } = await peer((request, response) => {
    if (request.url === '/sparql') response.writeHead(307, { Location: '/other' }).end();
    else response.writeHead(200, { 'Content-Type': 'application/sparql-results+json' }).end(JSON_RESULTS);
  });
  const ask = (path: string) => sources().query(`${url}${path}`, 'SELECT *', call());
  await expect(ask('sparql')).rejects.toMatchObject({ code: 'URL_NOT_ALLOWED' });
  for (const path of ['other', 'sparql2', 'sparql/../other', '']) {
    await expect(ask(path), path).rejects.toMatchObject({ code: 'BLOCKED_ADDRESS' });
  }
  await expect(sources().query('nonsense', '', call())).rejects.toMatchObject({ code: 'BLOCKED_ADDRESS' });
  expect(requests.map((request) => request.url)).toEqual(['/sparql']);
  for (const path of ['sparql/', 'sparql/a', 'sparql?default-graph-uri=a']) {
    expect((await ask(path)).variables, path).toEqual(['x', 'y']);
  }
  const whole = sources({ serviceAllow: [url.slice(0, -1)] });
  expect((await whole.query(`${url}any`, '', call())).variables).toEqual(['x', 'y']);
});

test.each([301, 302, 303, 307, 308])('SERVICE sends its query along through %i', async (status) => {
  const { url, requests, sources } = await peer((request, response) => {
    if (request.url === '/sparql')
      response.writeHead(status, { Location: '/sparql/new?default-graph-uri=urn:g' }).end();
    else response.writeHead(200, { 'Content-Type': 'application/sparql-results+json' }).end(JSON_RESULTS);
  });
  const text = 'SELECT * { ?s ?p "a&b+c=é" }';
  expect((await sources().query(`${url}sparql`, text, call())).variables).toEqual(['x', 'y']);
  const last = requests.at(-1)!;
  const parameters = new URL(last.url, url).searchParams;
  expect(parameters.get('default-graph-uri')).toBe('urn:g');
  if (status < 307) expect([parameters.get('query'), last.body]).toEqual([text, '']);
  else expect([parameters.get('query'), last.body]).toEqual([null, text]);
});

test.each([301, 302])('SERVICE keeps POST through %i where the query is too long for an address', async (status) => {
  const { url, requests, sources } = await peer((request, response) => {
    if (request.url === '/sparql') response.writeHead(status, { Location: '/sparql/new' }).end();
    else response.writeHead(200, { 'Content-Type': 'application/sparql-results+json' }).end(JSON_RESULTS);
  });
  const text = `SELECT * { ?s ?p "${'x'.repeat(9000)}" }`;
  await sources().query(`${url}sparql`, text, call());
  expect(requests.at(-1)).toMatchObject({ url: '/sparql/new', body: text });
});

const row = (iri: string): string => `{"x":{"type":"uri","value":"${iri}"}}`;
const xmlRow = (iri: string): string => `<result><binding name="x"><uri>${iri}</uri></binding></result>`;
test.each([
  ['JSON', 'json', `{"head":{"vars":["x"]},"results":{"bindings":[${row('urn:a')},${row('no iri')}]}}`, 'row 2, ?x'],
  [
    'XML',
    'xml',
    `<sparql xmlns="http://www.w3.org/2005/sparql-results#"><head><variable name="x"/></head><results>${xmlRow('urn:a')}${xmlRow('no iri')}</results></sparql>`,
    'row 2',
  ],
])(
  'an answer of SERVICE in %s with one term that is none: the error names it and its row',
  async (_, type, body, at) => {
    const { url, sources } = await answering(body, `application/sparql-results+${type}`);
    const asked = sources().query(`${url}sparql`, '', call());
    await expect(asked).rejects.toMatchObject({
      code: 'SERVICE_FAILED',
      message: expect.stringContaining(`${at}: "no iri" is not an absolute IRI`) as string,
    });
  },
);

test('a listed endpoint may be private only where its host is allowed', async () => {
  const { url, requests, sources } = await answering(JSON_RESULTS);
  const remote = sources({ fetch: createGuardedFetch({ ports: [[1, 65_535]] }) });
  await expect(remote.query(`${url}sparql`, '', call())).rejects.toMatchObject({ code: 'BLOCKED_ADDRESS' });
  await expect(flat(remote.load(`${url}a.ttl`, call()))).rejects.toMatchObject({ code: 'BLOCKED_ADDRESS' });
  expect(requests).toEqual([]);
});

const TURTLE = '<s> <p> _:b . _:b <p> "o" .';
test.each([
  ['its media type', 'text/turtle; charset=utf-8', 'x', TURTLE],
  ['its name where the media type says nothing', 'text/plain', 'a/x.ttl', TURTLE],
  ['its name where there is no media type', undefined, 'x.ttl?y=z', TURTLE],
  ['its name where the media type is that of any JSON', 'application/json', 'x.ttl', TURTLE],
  ['its name where the media type is that of any XML', 'text/xml', 'x.ttl', TURTLE],
  ['its name where the media type is unknown', 'application/x-unknown', 'x.ttl', TURTLE],
  ['a gzip file', 'application/gzip', 'x.ttl.gz', gzipSync(TURTLE)],
  ['a gzip file that is served as what is in it', 'text/turtle', 'x.ttl.gz', gzipSync(TURTLE)],
])('LOAD knows the format by %s', async (_, type, path, body) => {
  const { url, requests, sources } = await answering(body, type);
  const quads = await flat(sources().load(url + path, call()));
  const base = new URL('.', url + path).href;
  expect(quads.map((quad) => quadText(quad).replaceAll(/_:b[0-9a-f]{32}\w+/g, '_:b'))).toEqual(
    [`<${base}s> <${base}p> _:b `, `_:b <${base}p> "o" `].map((line) => expect.stringContaining(line.trim())),
  );
  expect(quads[0]!.object.equals(quads[1]!.subject)).toBe(true);
  expect(requests[0]?.headers.accept).toMatch(/text\/turtle/);
  expect(requests[0]?.headers.accept).toMatch(/application\/n-quads/);
});

test('LOAD gives quads of named graphs, and blank nodes of each document alone', async () => {
  const { url, sources } = await answering('_:b <http://a/p> "1" <http://a/g> .\n', 'application/n-quads');
  const [one] = await flat(sources().load(url, call()));
  const [two] = await flat(sources().load(url, call()));
  expect(one?.graph.value).toBe('http://a/g');
  expect(one?.subject.equals(two?.subject)).toBe(false);
});

test('LOAD reads in batches before the end has come', async () => {
  const lines = '<http://a/s> <http://a/p> "o" .\n'.repeat(10_000);
  const { url, sources } = await peer((_, response) => {
    response.writeHead(200, { 'Content-Type': 'application/n-triples' }).write(lines);
  });
  for await (const batch of sources().load(url, call())) {
    expect(batch.length).toBeGreaterThan(10);
    break;
  }
});

test.each([
  ['an error', TURTLE, 'text/turtle', 404, /answered with status 404/],
  ['a picture', 'secret', 'image/png', 200, /the media type image\/png, in which no RDF can be read/],
  ['a page without data', '<html>secret</html>', 'text/html', 200, /the document cannot be read/],
  ['nothing known', 'secret', undefined, 200, /no media type/],
  ['broken', '<s> <p> <o> .\nsecret', 'text/turtle', 200, /the document cannot be read \(line 2/],
  ['a cut gzip file', gzipSync(TURTLE).subarray(0, 20), 'text/turtle', 200, /the document cannot be read/],
  ['a bomb', gzipSync(Buffer.alloc(20_000_000, ' ')), 'text/turtle', 200, /the gzip file becomes too large/],
])('LOAD fails where the document is %s, without showing it', async (_, body, type, status, message) => {
  const { url, sources } = await answering(body, type, status);
  const error: Error = await flat(sources().load(url, call())).then(
    () => expect.unreachable(),
    (caught) => caught as Error,
  );
  expect(error).toMatchObject({
    name: 'EvaluationError',
    code: 'SERVICE_FAILED',
    message: expect.stringMatching(message),
  });
  expect(error.message).not.toContain('secret');
});

test('LOAD is off where it is not switched on', async () => {
  const { url, requests, sources } = await answering(TURTLE, 'text/turtle');
  const loading = flat(sources({ load: false }).load(url, call()));
  await expect(loading).rejects.toMatchObject({ code: 'BLOCKED_ADDRESS' });
  expect(requests).toEqual([]);
});

test('a signal and the time limit end both', async () => {
  const { url, sources } = await peer(() => undefined);
  const aborted = { name: 'EvaluationError', code: 'ABORTED' };
  await expect(sources().query(`${url}sparql`, '', call(AbortSignal.timeout(30)))).rejects.toMatchObject(aborted);
  await expect(flat(sources().load(url, call(AbortSignal.timeout(30))))).rejects.toMatchObject(aborted);
  const late = { name: 'FetchError', code: 'FETCH_TIMEOUT' };
  await expect(sources({ timeoutMs: 30 }).query(`${url}sparql`, '', call())).rejects.toMatchObject(late);
  await expect(flat(sources({ timeoutMs: 30 }).load(url, call()))).rejects.toMatchObject(late);
});

test.each([
  { service: ['example.org'] },
  { service: ['file:///a'] },
  { service: 'http://a/' as unknown as string[] },
  { allow: ['a b'] },
  { load: 1 as unknown as boolean },
  { timeoutMs: 0 },
  { serivce: [] } as object,
])('open: federation that cannot be is refused before anything is opened: %j', async (federation) => {
  const path = `${await directory()}/store`;
  await expect(open(path, { federation })).rejects.toMatchObject({ code: 'INVALID_OPTION' });
  await expect(open(path, { create: false })).rejects.toMatchObject({ code: 'STORE_NOT_FOUND' });
});

test('open: with federation as without, a store answers queries', async () => {
  const db = await open(':memory:', { federation: { service: ['https://example.org/sparql'], load: true, allow: [] } });
  const repo = await db.repository('a/b', { create: true });
  expect(await repo.ask('ASK { }')).toBe(true);
  await db.close();
});
