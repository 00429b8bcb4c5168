/** Clone, pull and push between libraries, over HTTP on the loopback, with rights, cuts and remotes that lie. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openService, type Service } from '../../host/index.js';
import { type Database, open, type Repository } from 'quadrille';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type NodeServer, serveNode } from '../../node/node.js';
import { createHandler } from '../../handler.js';

let database: Database;
let server: NodeServer;
let source: Repository;
let local: Database;
let address: string;

beforeEach(async () => {
  database = await open(':memory:');
  local = await open(':memory:');
  source = await database.repository('acme/people', { create: true });
  server = await serveNode(createHandler({ service: await openService(database, { open: true }) }), { port: 0 });
  address = `${server.url}/acme/people`;
});
afterEach(async () => {
  await server.close();
  await local.close();
});

const add = (repository: Repository, n: number): Promise<unknown> =>
  repository.update(`INSERT DATA { <urn:s${String(n)}> <urn:p> ${String(n)}, _:b }`, {
    author: 'ann',
    message: `n ${String(n)}`,
  });
const digests = async (...repositories: Repository[]): Promise<string[]> =>
  Promise.all(repositories.map((repository) => repository.proof.digest()));

test('a clone is the same history; pull and push bring either copy up to date', async () => {
  for (let n = 0; n < 5; n++) await add(source, n);
  await source.tags.set('start', 2);
  await source.namespaces.set('x', 'urn:x:');
  const clone = await local.clone('copies/people', address);
  const [theirs, ours] = await digests(source, clone);
  expect(ours).toBe(theirs);
  expect(await clone.sync.remotes.list().toArray()).toEqual([{ name: 'origin', url: address }]);
  expect((await clone.tags.get('start'))?.number).toBe(2);
  expect(await clone.namespaces.get('x')).toBe('urn:x:');
  expect(await clone.sync.pull()).toMatchObject({ transferred: 0, revision: { number: 6 } });
  await add(source, 5);
  await add(source, 6);
  expect(await clone.sync.pull()).toMatchObject({ transferred: 2, revision: { number: 8 } });
  await add(clone, 7);
  expect(await clone.sync.pull()).toMatchObject({ transferred: 0 });
  expect(await clone.sync.push()).toMatchObject({ transferred: 1, revision: { number: 9 } });
  expect(await clone.sync.push()).toMatchObject({ transferred: 0 });
  expect(await source.proof.digest()).toBe(await clone.proof.digest());
  expect((await database.verify()).problems).toEqual([]);
});

test('copies with revisions of their own are refused, and stay as they are', async () => {
  for (let n = 0; n < 9; n++) await add(source, n);
  const clone = await local.clone('people', address);
  await add(source, 10);
  await add(clone, 11);
  await add(clone, 12);
  const before = await digests(source, clone);
  for (const call of [
    () => clone.sync.pull(),
    () => clone.sync.push(),
    () => clone.sync.pull(source),
    () => source.sync.push(clone),
  ])
    await expect(call()).rejects.toMatchObject({ code: 'HISTORY_DIVERGED' });
  expect(await digests(source, clone)).toEqual(before);
  const unrelated = await local.repository('other', { create: true });
  await add(unrelated, 1);
  await expect(unrelated.sync.push(address)).rejects.toThrow(/no revision in common/);
  await expect(unrelated.sync.pull(source)).rejects.toMatchObject({ code: 'HISTORY_DIVERGED' });
});

test('revisions of another branch do not count as those of main', async () => {
  await add(source, 1);
  const side = await source.branches.open('side', { create: true });
  await add(side, 2);
  for (const target of [address, source]) {
    const clone = await local.clone(`copy-${typeof target}`, side);
    if (target === source) await add(clone, 3);
    expect(await clone.sync.push(target)).toMatchObject({ transferred: 1 });
    expect(await source.proof.digest()).toBe(await clone.proof.digest());
  }
  const behind = await local.clone('behind', source);
  const ahead = await behind.branches.open('ahead', { create: true });
  await add(ahead, 4);
  await source.sync.pull(ahead);
  expect(await behind.sync.pull(source)).toMatchObject({ transferred: 1 });
  expect(await behind.proof.digest()).toBe(await source.proof.digest());
});

test('an empty repository at a server takes a whole history', async () => {
  const here = await local.repository('people', { create: true });
  for (let n = 0; n < 3; n++) await add(here, n);
  await database.repository('acme/new', { create: true });
  await here.sync.remotes.set('backup', { url: `${server.url}/acme/new` });
  expect(await here.sync.push('backup')).toMatchObject({ transferred: 4 });
  expect(await (await database.repository('acme/new')).proof.digest()).toBe(await here.proof.digest());
});

test('large revisions, and many small ones', async () => {
  const text = Array.from({ length: 60_000 }, (_, i) => `<urn:s${String(i)}> <urn:p> "${String(i)}" .`).join('\n');
  await source.load({ text }, { format: 'nt' });
  for (let n = 0; n < 300; n++) await source.update(`INSERT DATA { <urn:n> <urn:n> ${String(n)} }`);
  const clone = await local.clone('people', address);
  expect(await clone.proof.digest()).toBe(await source.proof.digest());
});

describe('rights', () => {
  let service: Service;
  const tokens: Record<string, string> = {};
  beforeEach(async () => {
    await server.close();
    database = await open(':memory:');
    source = await database.repository('acme/people', { create: true });
    for (let n = 0; n < 3; n++) await add(source, n);
    service = await openService(database, {});
    server = await serveNode(createHandler({ service }), { port: 0 });
    address = `${server.url}/acme/people`;
    for (const [name, rights] of [
      ['reader', ['read']],
      ['writer', ['read', 'write']],
      ['replica', ['write', 'replicate']],
    ] as const)
      tokens[name] = (await service.tokens.create('acme', { name, rights: [...rights] })).text;
  });

  test('a push needs write and replicate, a pull needs read', async () => {
    await expect(local.clone('people', address)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(await local.repositories().toArray()).toEqual([]);
    const clone = await local.clone('people', address, { token: tokens['reader'] });
    await add(clone, 4);
    await expect(clone.sync.push()).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    for (const name of ['reader', 'writer'])
      await expect(clone.sync.push('origin', { token: tokens[name] }), name).rejects.toMatchObject({
        code: 'FORBIDDEN',
      });
    expect((await source.revision()).number).toBe(4);
    expect(await clone.sync.push('origin', { token: tokens['replica'] })).toMatchObject({ transferred: 1 });
  });
});

const whole = (text: string): boolean => text.startsWith('H history');

/** A server that answers as it likes. */
async function liar(answer: RequestListener): Promise<string> {
  const http = createServer(answer);
  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done));
  onTestFinished(() => new Promise<void>((done) => void http.close(() => done()).closeAllConnections()));
  return `http://127.0.0.1:${String((http.address() as AddressInfo).port)}/acme/people`;
}

/** Passes requests on, with the history file changed. */
const through = (change: (text: string) => string, cut = false): Promise<string> =>
  liar((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      const body = request.method === 'POST' ? Buffer.concat(chunks) : null;
      const type = request.headers['content-type'];
      const answer = await fetch(`${server.url}${request.url!}`, {
        method: request.method!,
        body,
        headers: type === undefined ? {} : { 'Content-Type': type },
      });
      const text = change(await answer.text());
      response.writeHead(answer.status, { 'Content-Type': answer.headers.get('Content-Type')! });
      if (!cut || !whole(text)) response.end(text);
      else response.write(text, () => setTimeout(() => response.destroy(), 50));
    });
  });

describe('a remote that lies', () => {
  beforeEach(async () => {
    for (let n = 0; n < 4; n++) await add(source, n);
  });

  test.each<[string, (text: string) => string, string]>([
    ['an edited quad', (text) => text.replace('<urn:s2>', '<urn:s9>'), 'LOG_BROKEN'],
    ['an edited message', (text) => text.replace('"n 2"', '"n 3"'), 'LOG_BROKEN'],
    ['another id', (text) => text.replace(/(H id <urn:uuid:.{8})-..../, '$1-0000'), 'LOG_BROKEN'],
    [
      'a history without its end',
      (text) => (whole(text) ? text.split('\n').slice(0, -4).join('\n') : text),
      'LOG_BROKEN',
    ],
    ['a page', (text) => (whole(text) ? '<html>' : text), 'LOG_BROKEN'],
    ['no JSON', (text) => (whole(text) ? text : 'hello'), 'FETCH_FAILED'],
    [
      'a revision that was not asked for',
      (text) => text.replace(/"common":null/, `"common":"${crypto.randomUUID()}"`),
      'FETCH_FAILED',
    ],
  ])('%s', async (_, change, code) => {
    await expect(local.clone('people', await through(change))).rejects.toMatchObject({ code });
    for (const { name } of await local.repositories().toArray()) {
      const kept = await local.repository(name);
      expect(await kept.proof.digest()).toBe(await source.proof.digest((await kept.revision()).number));
    }
  });

  test('a pull that is cut keeps whole revisions, and the next one goes on', async () => {
    const url = await through((text) => (whole(text) ? text.slice(0, text.indexOf('"n 2"')) : text), true);
    await expect(local.clone('people', url)).rejects.toMatchObject({ code: 'FETCH_FAILED' });
    const kept = await local.repository('people');
    expect((await kept.revision()).number).toBe(3);
    expect(await kept.sync.pull(address)).toMatchObject({ transferred: 2 });
    expect(await kept.proof.digest()).toBe(await source.proof.digest());
  });
});

test('wrong use is said, and nothing is asked or changed', async () => {
  await add(source, 1);
  const here = await local.repository('people', { create: true });
  const wrong: [() => Promise<unknown>, string][] = [
    [() => here.sync.pull(), 'INVALID_OPTION'],
    [() => here.sync.pull('https://ann:secret@127.0.0.1:1/a/b'), 'INVALID_OPTION'],
    [() => here.sync.pull('ftp://127.0.0.1/a/b'), 'INVALID_OPTION'],
    [() => here.sync.pull(`${address}?x=1`), 'INVALID_OPTION'],
    [() => here.sync.pull({} as never), 'INVALID_OPTION'],
    [() => here.sync.pull(address, { token: 'a b' }), 'INVALID_OPTION'],
    [() => here.sync.pull('http://127.0.0.1:1/a/b'), 'FETCH_FAILED'],
    [() => here.sync.pull(`${server.url}/acme/none`), 'REPOSITORY_NOT_FOUND'],
    [() => here.sync.pull(address, { signal: AbortSignal.abort() }), 'ABORTED'],
    [() => here.sync.remotes.set('a b', { url: address }), 'INVALID_NAME'],
    [() => here.sync.remotes.set('a', { url: 'people' }), 'INVALID_OPTION'],
    [() => local.clone('people', address), 'ALREADY_EXISTS'],
    [() => local.clone('new', 'http://127.0.0.1:1/a/b'), 'FETCH_FAILED'],
  ];
  for (const [call, code] of wrong) {
    const error = await call().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code });
    expect(String(error)).not.toContain('secret');
  }
  expect((await here.revision()).number).toBe(1);
  expect((await local.repositories().toArray()).map(({ name }) => name)).toEqual(['default/people']);
  expect(await here.sync.remotes.delete('none')).toBe(false);
  const bad = await fetch(`${address}/changes/common`, {
    method: 'POST',
    body: '{"have":["x"]}',
    headers: { 'Content-Type': 'application/json' },
  });
  expect(bad.status).toBe(400);
});
