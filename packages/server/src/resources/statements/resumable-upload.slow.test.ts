/** Uploads in parts, over connections that break. */
import { request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { openService, type Service } from '../../host/index.js';
import { type Database, open } from 'quadrille';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type NodeServer, serveNode } from '../../node/node.js';
import { createHandler } from '../../handler.js';

let database: Database;
let service: Service;
let node: NodeServer;
const tokens: Record<string, string> = {};
async function start(importIdleMs: number): Promise<void> {
  database = await open(':memory:');
  service = await openService(database, { limits: { importIdleMs } });
  for (const name of ['acme', 'jo']) {
    await service.accounts.create(name);
    tokens[name] = (await service.tokens.create(name)).text;
  }
  tokens['reader'] = (await service.tokens.create('acme', { rights: ['read'] })).text;
  await database.repository('acme/people', { create: true });
  node = await serveNode(createHandler({ service }), { port: 0 });
}
async function stop(): Promise<void> {
  await node.close(0);
  await service.close();
  await database.close();
}
beforeEach(() => start(30_000));
afterEach(stop);

/** On a busy machine. */
const PATIENT = { timeout: 20_000 };

const STATEMENTS = '/acme/people/statements';
const lines = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, i) => `<urn:s${String(from + i)}> <urn:p> "${'x'.repeat(80)}" .\n`).join('');

type Headers = Readonly<Record<string, string>>;
const send = (method: string, path: string, headers: Headers = {}, body?: string | Uint8Array, who = 'acme') =>
  fetch(new URL(path, node.url), {
    method,
    headers: { Authorization: `Bearer ${tokens[who]!}`, ...headers },
    // Bytes, because fetch calls a text text/plain.
    ...(body !== undefined && { body: Buffer.from(body) }),
  });
const begin = async (part: string | Uint8Array, headers: Headers = {}, path = STATEMENTS): Promise<string> => {
  const more = { 'Content-Type': 'application/n-triples', 'Upload-Complete': '?0', ...headers };
  const begun = await send('POST', path, more, part);
  expect([begun.status, begun.headers.get('Upload-Offset')]).toEqual([202, String(part.length)]);
  return new URL(begun.headers.get('Location')!).pathname;
};
const part = (job: string, offset: number, body: string | Uint8Array, last = false, who = 'acme') =>
  send('PATCH', job, { 'Upload-Offset': String(offset), 'Upload-Complete': last ? '?1' : '?0' }, body, who);
const size = async (): Promise<number> => Number(await (await send('GET', '/acme/people/size')).text());

/** Sends a part that announces more, and breaks the connection when the server has taken it. */
async function broken(job: string, offset: number, body: string): Promise<void> {
  const headers = {
    Authorization: `Bearer ${tokens['acme']!}`,
    'Upload-Offset': String(offset),
    'Upload-Complete': '?1',
    'Content-Length': String(body.length + 1000),
  };
  const sent = request(node.url + job, { method: 'PATCH', headers, agent: false });
  sent.on('error', () => undefined);
  sent.write(body);
  await expect
    .poll(async () => Number((await send('HEAD', job)).headers.get('Upload-Offset')), PATIENT)
    .toBe(offset + body.length);
  sent.destroy();
}

test('goes on where a broken connection has ended, and is one revision', async () => {
  const text = lines(0, 20_000);
  const job = await begin('', { 'Upload-Length': String(text.length), 'Revision-Message': 'all of it' });
  await broken(job, 0, text.slice(0, 300_001));
  expect(await size()).toBe(0);
  await broken(job, 300_001, text.slice(300_001, 900_003));
  const shown = await send('GET', job);
  expect([shown.headers.get('Upload-Complete'), await shown.json()]).toMatchObject([
    '?0',
    { status: 'running', bytes_total: text.length },
  ]);
  const ended = await part(job, 900_003, text.slice(900_003), true);
  expect(ended.status).toBe(204);
  expect(await size()).toBe(20_000);
  const log = await (await send('GET', '/acme/people/revisions')).json();
  expect(log).toMatchObject([{ ordinal: 2, added: 20_000, agent: 'acme', message: 'all of it' }, { ordinal: 1 }]);
  expect(ended.headers.get('ETag')).toBe(`"${(log as { uuid: string }[])[0]!.uuid}"`);
  expect(await (await send('GET', job)).json()).toMatchObject({
    status: 'completed',
    statements: 20_000,
    bytes: text.length,
  });
  expect((await part(job, text.length, '', true)).status).toBe(409);
  const undone = await send('POST', '/acme/people/revisions/HEAD/revert');
  expect([undone.status, await size()]).toEqual([204, 0]);
});

test('a coding is that of the whole; skipped lines are told; the answer need not be waited for', async () => {
  const packed = gzipSync(`${lines(0, 3)}nonsense\n${lines(3, 5)}`);
  const job = await begin(packed.subarray(0, 7), { 'Content-Encoding': 'gzip' }, `${STATEMENTS}?on-error=skip`);
  expect((await part(job, 7, packed.subarray(7, 20))).status).toBe(204);
  const last = { 'Upload-Offset': '20', 'Upload-Complete': '?1', Prefer: 'respond-async' };
  expect((await send('PATCH', job, last, packed.subarray(20))).status).toBe(202);
  await expect
    .poll(async () => ((await (await send('GET', job)).json()) as { status: string }).status, PATIENT)
    .toBe('completed');
  expect([await size(), await (await send('GET', `${job}/problems`)).json()]).toMatchObject([
    5,
    [{ line: 4, text: 'nonsense' }],
  ]);
});

describe('is refused', () => {
  test('where it does not begin where the last part has ended', async () => {
    const job = await begin(lines(0, 1));
    const at = lines(0, 1).length;
    for (const offset of [0, at - 1, at + 1]) {
      const refused = await part(job, offset, 'x');
      expect([refused.status, refused.headers.get('Upload-Offset')]).toEqual([409, String(at)]);
      expect(await refused.json()).toMatchObject({ code: 'UPLOAD_CONFLICT' });
    }
    expect((await part(job, at, lines(1, 2), true)).status).toBe(204);
    expect(await size()).toBe(2);
  });

  test('with headers that say nothing, or by somebody else', async () => {
    const job = await begin('');
    for (const headers of [
      {},
      { 'Upload-Offset': '0' },
      { 'Upload-Complete': '?1' },
      { 'Upload-Offset': '-1', 'Upload-Complete': '?0' },
      { 'Upload-Offset': '0', 'Upload-Complete': 'yes' },
    ])
      expect((await send('PATCH', job, headers, 'x')).status, JSON.stringify(headers)).toBe(400);
    const plain = { 'Upload-Offset': '0', 'Upload-Complete': '?0' };
    expect((await send('PATCH', job, { ...plain, 'Content-Type': 'text/turtle' }, 'x')).status).toBe(415);
    expect((await send('PATCH', job, { ...plain, 'Content-Encoding': 'gzip' }, 'x')).status).toBe(415);
    expect((await part(job, 0, '', true, 'jo')).status).toBe(404);
    expect((await part(job, 0, '', true, 'reader')).status).toBe(403);
    const form = { 'Content-Type': 'application/x-www-form-urlencoded', 'Upload-Complete': '?0' };
    expect((await send('POST', STATEMENTS, form, 'url=urn:a')).status).toBe(415);
    expect((await send('DELETE', job)).status).toBe(204);
    expect((await part(job, 0, '', true)).status).toBe(409);
  });
});

test('a fault in the document ends it with the place, and nothing is imported', async () => {
  const job = await begin(lines(0, 2));
  const failed = await part(job, lines(0, 2).length, 'nonsense\n', true);
  expect([failed.status, await failed.json()]).toMatchObject([400, { code: 'RDF_SYNTAX', line: 3 }]);
  expect([await size(), await (await send('GET', job)).json()]).toMatchObject([0, { status: 'failed' }]);
});

test('a client that does not come back in time loses it', async () => {
  await stop();
  await start(500);
  const job = await begin(lines(0, 10));
  await expect
    .poll(async () => (await (await send('GET', job)).json()) as object, PATIENT)
    .toMatchObject({ status: 'failed' });
  expect((await part(job, lines(0, 10).length, '', true)).status).toBe(409);
  expect(await size()).toBe(0);
});
