/**
 * What is refused of branches, merges, copies, erasures and shapes: over the library and over HTTP with the same reason, and the store is
 * as it was.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHandler, type NodeServer, serveNode } from '@quadrille/server';
import { openService } from '@quadrille/server/host';
import { type Database, iri, open, type Repository } from 'quadrille';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';

let database: Database;
let server: NodeServer;
let main: Repository;
let dev: Repository;
/** The revision of `dev` before the last one, which a race leaves behind. */
let old: string;

beforeEach(async () => {
  database = await open(':memory:');
  main = await database.repository('acme/people', { create: true });
  await main.update('INSERT DATA { <urn:ann> <urn:knows> <urn:bob> }', { message: 'first' });
  dev = await main.branches.open('dev', { create: true });
  await dev.update('INSERT DATA { <urn:bob> <urn:knows> <urn:cid> }');
  old = (await main.revision()).id;
  await main.update('INSERT DATA { <urn:cid> <urn:knows> <urn:ann> }', { message: 'second' });
  server = await serveNode(createHandler({ service: await openService(database, { open: true }) }), { port: 0 });
});
afterEach(() => server.close());

/** All that a client can see of the repository. */
async function stateOf(repository: Repository): Promise<unknown> {
  const branches = await repository.branches.list().toArray();
  const lines: unknown[] = [];
  for (const { name, head } of branches) {
    const branch = await repository.branches.open(name);
    lines.push([name, head.id, await branch.proof.digest(), (await branch.quads().toArray()).length]);
  }
  return [lines, await repository.tags.list().toArray(), await repository.settings.get()];
}

/** What a call fails with. */
const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'none',
    (error: unknown) => (error as { code?: unknown }).code,
  );

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly json?: unknown;
  readonly text?: string;
  readonly headers?: Record<string, string>;
}

async function ask({ method, path, json, text, headers }: Sent): Promise<[number, unknown]> {
  const type = json === undefined ? 'application/rdf-patch' : 'application/json';
  const body = json === undefined ? (text ?? null) : JSON.stringify(json);
  const response = await fetch(`${server.url}/acme/people${path}`, {
    method,
    body,
    headers: { ...(body !== null && { 'Content-Type': type }), ...headers },
  });
  const answer = await response.text();
  return [response.status, answer === '' ? undefined : (JSON.parse(answer) as { code?: unknown }).code];
}

/** A history of the same beginning that goes on by one revision. */
async function nextRevision(): Promise<{ file: string; copy: Repository }> {
  const other = await open(':memory:');
  onTestFinished(() => other.close());
  const copy = await other.clone('acme/people', main);
  await copy.update('INSERT DATA { <urn:dan> <urn:knows> <urn:ann> }', { message: 'third', author: 'ann' });
  const { id } = await main.revision();
  return { file: (await copy.sync.exportHistory({ since: id }).toArray()).join(''), copy };
}

/** A server with the history of a copy, whose history files it changes. */
async function liar(copy: Repository, change: (file: string) => string, cut = false): Promise<string> {
  const database = await open(':memory:');
  const served = await database.clone('acme/people', copy);
  const honest = await serveNode(createHandler({ service: await openService(database, { open: true }) }), { port: 0 });
  expect(await served.proof.digest()).toBe(await copy.proof.digest());
  const lying = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      void (async () => {
        const { 'content-type': type } = request.headers;
        const body = chunks.length === 0 ? null : Buffer.concat(chunks);
        const answer = await fetch(`${honest.url}${request.url!}`, {
          method: request.method!,
          body,
          headers: type === undefined ? {} : { 'Content-Type': type },
        });
        const text = await answer.text();
        const isHistory = /rdf-patch/.test(answer.headers.get('Content-Type') ?? '');
        response.writeHead(answer.status, { 'Content-Type': answer.headers.get('Content-Type') ?? 'text/plain' });
        if (!isHistory) response.end(text);
        else if (!cut) response.end(change(text));
        else response.write(change(text), () => response.destroy());
      })();
    });
  });
  await new Promise<void>((resolve) => lying.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    lying.closeAllConnections();
    await new Promise((resolve) => lying.close(resolve));
    await honest.close();
  });
  return `http://127.0.0.1:${String((lying.address() as AddressInfo).port)}/acme/people`;
}

const cases: Record<
  string,
  {
    /** The code of the library, and the call. */
    readonly library: readonly (readonly [string, () => Promise<unknown>])[];
    readonly rest: readonly (readonly [number, string, () => Sent | Promise<Sent>])[];
  }
> = {
  'names that are no refs': {
    library: [
      ['INVALID_REF', () => main.branches.merge('HEAD~x')],
      ['INVALID_REF', () => main.branches.open('new', { create: true, from: 'a b' })],
      ['REVISION_NOT_FOUND', () => main.branches.merge('nobody')],
      ['REVISION_NOT_FOUND', () => main.branches.cherryPick(crypto.randomUUID())],
      ['INVALID_NAME', () => main.branches.open('HEAD', { create: true })],
      ['INVALID_NAME', () => main.branches.open('remote/x', { create: true })],
      ['BRANCH_NOT_FOUND', () => main.branches.open('nobody')],
    ],
    rest: [
      [400, 'INVALID_REF', () => ({ method: 'POST', path: '/revisions/HEAD~x/cherry-pick', json: {} })],
      [400, 'INVALID_REF', () => ({ method: 'PUT', path: '/branches/new?from=a%20b' })],
      [404, 'BRANCH_NOT_FOUND', () => ({ method: 'POST', path: '/branches/nobody/merge', json: {} })],
      [404, 'REVISION_NOT_FOUND', () => ({ method: 'PUT', path: `/branches/new?from=${crypto.randomUUID()}` })],
      [400, 'INVALID_NAME', () => ({ method: 'PUT', path: '/branches/HEAD' })],
      [404, 'BRANCH_NOT_FOUND', () => ({ method: 'GET', path: '/statements?branch=nobody' })],
    ],
  },
  'merging a branch into itself': {
    library: [
      ['INVALID_OPTION', () => main.branches.merge('main')],
      ['INVALID_OPTION', () => dev.branches.merge('dev')],
      ['INVALID_OPTION', () => main.branches.merge('main', { dryRun: true })],
    ],
    rest: [
      [400, 'INVALID_OPTION', () => ({ method: 'POST', path: '/branches/main/merge', json: {} })],
      [400, 'INVALID_OPTION', () => ({ method: 'POST', path: '/branches/dev/merge?branch=dev', json: {} })],
    ],
  },
  'unrelated histories': {
    library: [
      ['HISTORY_DIVERGED', async () => main.sync.pull(await stranger())],
      ['HISTORY_DIVERGED', async () => main.sync.pull(await stranger(), { merge: true })],
      ['HISTORY_DIVERGED', async () => (await stranger()).sync.push(main)],
      ['HISTORY_DIVERGED', async () => main.sync.importHistory({ text: await fileOf(await stranger()) })],
    ],
    rest: [
      [
        409,
        'HISTORY_DIVERGED',
        async () => ({ method: 'POST', path: '/changes?history=1', text: await fileOf(await stranger()) }),
      ],
    ],
  },
  'a merge that loses its race': {
    library: [['REVISION_CONFLICT', () => main.branches.merge('dev', { ifRevision: old })]],
    rest: [
      [
        412,
        'PRECONDITION_FAILED',
        () => ({ method: 'POST', path: '/branches/dev/merge', json: {}, headers: { 'If-Match': `"${old}"` } }),
      ],
    ],
  },
  'deletion of an unmerged branch': {
    library: [['BRANCH_NOT_MERGED', () => main.branches.delete('dev')]],
    rest: [[409, 'BRANCH_NOT_MERGED', () => ({ method: 'DELETE', path: '/branches/dev' })]],
  },
  'an erase of what is not there': {
    library: [
      ['NOTHING_TO_ERASE', () => main.maintenance.erase({ term: iri('urn:nobody') }, { reason: 'asked' })],
      ['NOTHING_TO_ERASE', () => dev.maintenance.erase({ pattern: { predicate: iri('urn:no') } }, { reason: 'asked' })],
    ],
    rest: [
      [
        404,
        'NOTHING_TO_ERASE',
        () => ({ method: 'POST', path: '/erase', json: { term: '<urn:nobody>', reason: 'asked' } }),
      ],
    ],
  },
  'an invalid shape graph': {
    library: [['SHAPES_INVALID', () => main.settings.set({ shapes: 'urn:shapes' })]],
    rest: [[422, 'SHAPES_INVALID', () => ({ method: 'PATCH', path: '/settings', json: { shapes: 'urn:shapes' } })]],
  },
};

async function stranger(): Promise<Repository> {
  const other = await open(':memory:');
  onTestFinished(() => other.close());
  const repository = await other.repository('acme/people', { create: true });
  await repository.update('INSERT DATA { <urn:x> <urn:y> <urn:z> }');
  return repository;
}

const fileOf = async (repository: Repository): Promise<string> =>
  (await repository.sync.exportHistory().toArray()).join('');

test.each(Object.entries(cases))('%s', async (name, { library, rest }) => {
  if (name === 'an invalid shape graph')
    await main.update(
      'PREFIX sh: <http://www.w3.org/ns/shacl#> INSERT DATA { GRAPH <urn:shapes> { ' +
        '<urn:s> sh:targetClass <urn:C> ; sh:property [ sh:path <urn:p> ; sh:minCount "many" ] } }',
    );
  const before = await stateOf(main);
  for (const [code, call] of library) {
    expect(await codeOf(call()), String(call)).toBe(code);
    expect(await stateOf(main), String(call)).toEqual(before);
  }
  for (const [status, code, sent] of rest) {
    const request = await sent();
    expect(await ask(request), JSON.stringify(request)).toEqual([status, code]);
    expect(await stateOf(main), JSON.stringify(request)).toEqual(before);
  }
  expect((await database.verify()).problems).toEqual([]);
});

const LIES: Record<string, (file: string) => string> = {
  'a bad chain': (file) => file.replace(/(H sha256 ")(.)/, (_, start: string, digit: string) => start + other(digit)),
  'an edited patch': (file) => file.replace('<urn:dan>', '<urn:eve>'),
  'another id': (file) => file.replace(/(H id <urn:uuid:.{8})-..../, '$1-0000'),
  'another author': (file) => file.replace('"ann"', '"bob"'),
  'a history without its end': (file) => file.slice(0, file.indexOf('\nTC')),
};
const other = (digit: string): string => (digit === '0' ? '1' : '0');

test.each(Object.entries(LIES))('a remote that lies: %s', async (_, lie) => {
  const { file, copy } = await nextRevision();
  const lied = lie(file);
  expect(lied).not.toBe(file);
  const before = await stateOf(main);
  expect(await codeOf(main.sync.pull(await liar(copy, lie)))).toBe('LOG_BROKEN');
  expect(await stateOf(main)).toEqual(before);
  expect(await codeOf(main.sync.importHistory({ text: lied }))).toBe('LOG_BROKEN');
  expect(await stateOf(main)).toEqual(before);
  expect(await ask({ method: 'POST', path: '/changes?history=1', text: lied })).toEqual([422, 'LOG_BROKEN']);
  expect(await stateOf(main)).toEqual(before);
  // The truth is taken.
  expect(await ask({ method: 'POST', path: '/changes?history=1', text: file })).toEqual([200, undefined]);
  expect(await main.proof.digest()).toBe(await copy.proof.digest());
});

test('a pull or a push that is cut changes nothing, and the next one goes on', async () => {
  const { file, copy } = await nextRevision();
  const half = (text: string): string => text.slice(0, text.indexOf('<urn:dan>'));
  const before = await stateOf(main);
  expect(await codeOf(main.sync.pull(await liar(copy, half, true)))).toBe('FETCH_FAILED');
  expect(await stateOf(main)).toEqual(before);
  const cut = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.enqueue(new TextEncoder().encode(half(file)));
      controller.error(new Error('cut'));
    },
  });
  const sending = fetch(`${server.url}/acme/people/changes?history=1`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/rdf-patch' },
    body: cut,
    duplex: 'half',
  } as RequestInit);
  await expect(sending).rejects.toThrow();
  expect(await stateOf(main)).toEqual(before);
  expect(await main.sync.pull(copy)).toMatchObject({ transferred: 1 });
  expect(await main.proof.digest()).toBe(await copy.proof.digest());
});
