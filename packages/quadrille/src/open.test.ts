import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { openLevelDirectory } from '@quadrille/storage-level';
import { MemoryDriver } from '@quadrille/storage';
import { describe, expect, test } from 'vitest';
import { asStore, open, type Database, type Location, type OpenOptions, type Repository } from './index.js';
import { hostOf } from './host/index.js';
import { directory, lines, many, memory, q } from './testing/fixtures.js';

describe('where a database is', () => {
  test('a path: what was written is there at the next open', async () => {
    const path = join(await directory(), 'deep', 'store');
    const db = await open(path);
    expect(db.location).toBe(path);
    const revision = await (await db.repository('people', { create: true })).add(q('a p b'));
    await db.close();
    const again = await open(path, { create: false });
    const repo = await again.repository('default/people');
    expect(await repo.revision()).toEqual(revision);
    expect(await lines(repo.quads())).toEqual(['a p b']);
    await again.close();
  });

  test(':memory: is a new database each time', async () => {
    const [one, two] = [await memory(), await memory()];
    expect(one.location).toBe(':memory:');
    await one.repository('people', { create: true });
    expect(await two.repositories().toArray()).toEqual([]);
  });

  test('{ storage }: a driver in memory, LevelDB at a path', async () => {
    const path = await directory();
    for (const storage of [new MemoryDriver(), await openLevelDirectory(path, { create: true })]) {
      const db = await open({ storage });
      expect(db.location).toBe(storage.name);
      const repo = await db.repository('people', { create: true });
      await repo.add(many(10));
      expect(await repo.size()).toBe(10);
      await db.close();
    }
  });

  test.each([undefined, null, 7, '', {}, [], { storage: 'x' }])('%j is no location', async (location) => {
    await expect(open(location as unknown as Location)).rejects.toMatchObject({ code: 'INVALID_OPTION' });
  });
});

describe('options', () => {
  test.each([
    [{ path: 'x' }],
    [{ readonly: true }],
    [{ durability: 'none' }],
    [{ cacheBytes: 0 }],
    [{ cacheBytes: 1.5 }],
    [{ cacheBytes: '64' }],
    [null],
    ['disk'],
  ])('%j is refused', async (options) => {
    await expect(open(':memory:', options as unknown as OpenOptions)).rejects.toMatchObject({ code: 'INVALID_OPTION' });
  });

  test('durability process and a small cache keep the content', async () => {
    const path = await directory();
    const db = await open(path, { durability: 'process', cacheBytes: 1024, lockTimeoutMs: 10 });
    await (await db.repository('people', { create: true })).add(many(9000));
    await db.close();
    const again = await open(path);
    expect(await (await again.repository('people')).count()).toBe(9000);
    await again.close();
  });

  test('create: false makes nothing', async () => {
    const base = await directory();
    const path = join(base, 'missing');
    await expect(open(path, { create: false })).rejects.toMatchObject({ code: 'STORE_NOT_FOUND' });
    expect(existsSync(path)).toBe(false);
    await mkdir(path);
    await expect(open(path, { create: false })).rejects.toMatchObject({ code: 'STORE_NOT_FOUND' });
    expect(await readdir(path)).toEqual([]);
    await (await open(path)).close();
    await (await open(path, { create: false })).close();
  });
});

test('a second open in the same process is refused until the first is closed', async () => {
  const path = await directory();
  const db = await open(path);
  const message = expect.stringContaining(path) as unknown;
  await expect(open(path)).rejects.toMatchObject({ code: 'STORE_LOCKED', message });
  await db.close();
  await (await open(path)).close();
});

test('a new account begins with the prefixes that everybody uses', async () => {
  const db = await memory();
  await db.repository('people', { create: true });
  const prefixes = await db.account('default').namespaces.list();
  expect(Object.keys(prefixes)).toEqual(['dc', 'dcterms', 'foaf', 'owl', 'rdf', 'rdfs', 'skos', 'xsd']);
  expect(prefixes['foaf']).toBe('http://xmlns.com/foaf/0.1/');
});

test('the prefixes are there also where the account was asked before it was made', async () => {
  const db = await memory();
  expect(Object.keys(await db.account('acme').namespaces.list())).toEqual([]);
  const repo = await db.repository('acme/people', { create: true });
  expect(await repo.ask('ASK { ?s foaf:name ?name }')).toBe(false);
  const before = db.account('other').namespaces;
  await before.list();
  await db.accounts.create('other');
  expect(await before.get('rdf')).toBe('http://www.w3.org/1999/02/22-rdf-syntax-ns#');
});

describe('close', () => {
  test('await using closes', async () => {
    const path = await directory();
    {
      await using db = await open(path);
      await using repo = await db.repository('people', { create: true });
      await repo.add(q('a p b'));
    }
    await (await open(path)).close();
  });

  test('waits for commits under way', async () => {
    const path = await directory();
    const db = await open(path);
    const repo = await db.repository('people', { create: true });
    await repo.add(q('a p b'));
    const commits = Promise.allSettled(Array.from({ length: 20 }, (_, i) => repo.add(q(`s${i} p o`))));
    await db.close();
    const landed = (await commits).filter(({ status }) => status === 'fulfilled').length;
    for (const commit of await commits)
      if (commit.status === 'rejected') expect(commit.reason).toMatchObject({ code: 'STORE_NOT_OPEN' });
    const again = await open(path);
    expect(await (await again.repository('people')).size()).toBe(1 + landed);
    expect(landed).toBe(20);
    await again.close();
  });

  test('later calls fail with STORE_NOT_OPEN', async () => {
    const db = await open(':memory:');
    const repo = await db.repository('people', { create: true });
    const revision = await repo.add(q('a p b'));
    const lazy = repo.quads();
    const old = repo.at(revision);
    await db.close();
    await db.close();
    const calls: Record<string, () => unknown> = {
      'db.repository': () => db.repository('people'),
      'db.repositories': () => db.repositories().toArray(),
      'db.deleteRepository': () => db.deleteRepository('people'),
      'db.accounts.list': () => db.accounts.list().toArray(),
      'db.accounts.create': () => db.accounts.create('x'),
      'db.verify': () => db.verify(),
      'db.rebuild': () => db.rebuild('people'),
      'started before': () => lazy.toArray(),
      'old.size': () => old.size(),
      'old.quads': () => old.quads().toArray(),
      revision: () => repo.revision(),
      size: () => repo.size(),
      count: () => repo.count(),
      quads: () => repo.quads().toArray(),
      contexts: () => repo.graphs().toArray(),
      select: () => repo.select('SELECT * { ?s ?p ?o }').toArray(),
      ask: () => repo.ask('ASK {}'),
      dump: () => repo.dump().toArray(),
      load: () => repo.load({ text: '<x:a> <x:b> <x:c> .' }, { format: 'nt' }),
      add: () => repo.add(q('c p d')),
      'add many': () => repo.add(many(9000)),
      remove: () => repo.remove({}),
      update: () => repo.update('INSERT DATA { <x:a> <x:b> 1 }'),
      transaction: () => repo.transaction(async (tx) => tx.add(q('c p d'))),
      log: () => repo.log().toArray(),
      diff: () => repo.diff(1, 2).toArray(),
      revert: () => repo.revert(revision),
      stats: () => repo.maintenance.stats(),
      verify: () => repo.maintenance.verify(),
      rebuild: () => repo.maintenance.rebuild(),
      compact: () => repo.maintenance.compact(),
      'metadata.get': () => repo.settings.metadata.get(),
      'metadata.set': () => repo.settings.metadata.set({ summary: 'x' }),
      'tags.set': () => repo.tags.set('t', 1),
      'tags.list': () => repo.tags.list().toArray(),
      'namespaces.set': () => repo.namespaces.set('x', 'urn:x:'),
    };
    const wrong: Record<string, unknown> = {};
    for (const [name, call] of Object.entries(calls)) {
      try {
        wrong[name] = await call();
      } catch (error) {
        const { code } = error as { code?: unknown };
        if (code !== 'STORE_NOT_OPEN') wrong[name] = error;
      }
    }
    expect(wrong).toEqual({});
  });
});

describe('URLs', () => {
  test('a file URL is a directory', async () => {
    const path = join(await directory(), 'with a space');
    const db = await open(pathToFileURL(path));
    expect(db.location).toBe(path);
    await db.close();
    expect(existsSync(path)).toBe(true);
  });

  test.each<[string, Location]>([
    ['of another host', new URL('file://host/data')],
    ['as a text', 'file:///tmp/quadrille-nowhere'],
  ])('a URL %s is no store, and nothing is made', async (_, location) => {
    const before = await readdir('.');
    await expect(open(location)).rejects.toMatchObject({ code: 'INVALID_OPTION', message: /directory|path/ });
    expect(await readdir('.')).toEqual(before);
  });

  test.each<Location>(['http://127.0.0.1:9/site', new URL('http://127.0.0.1:9/site/')])(
    'the address %s is that of a published store, and nothing is made',
    async (location) => {
      const before = await readdir('.');
      await expect(open(location)).rejects.toMatchObject({ code: 'FETCH_FAILED', message: /127\.0\.0\.1:9\/site\// });
      expect(await readdir('.')).toEqual(before);
    },
  );

  test('a document over HTTP is not loaded, and the error says what to do', async () => {
    const repo = await (await memory()).repository('people', { create: true });
    for (const source of [new URL('http://127.0.0.1:9/a.ttl'), 'https://127.0.0.1:9/a.ttl'])
      await expect(repo.load(source)).rejects.toMatchObject({ code: 'INVALID_OPTION', message: /fetch\(url\).*LOAD/ });
  });
});

describe('results that are half read when the database is closed or their repository deleted', () => {
  const ALL = 'SELECT * { ?s ?p ?o }';
  const GRAPH = 'CONSTRUCT WHERE { ?s ?p ?o }';
  type Open = (repo: Repository) => AsyncIterable<unknown> | Promise<AsyncIterable<unknown>>;
  const streamed = <T>(stream: unknown): AsyncIterable<T> => stream as AsyncIterable<T>;
  const kinds: [string, Open][] = [
    ['quads', (repo) => repo.quads()],
    ['contexts', (repo) => repo.graphs()],
    ['select', (repo) => repo.select(ALL)],
    ['construct', (repo) => repo.construct(GRAPH)],
    ['describe', (repo) => repo.describe('DESCRIBE ?s { ?s ?p ?o }')],
    ['dump', (repo) => repo.dump('nq')],
    ['serialize', (repo) => hostOf(repo).serialize(GRAPH, 'nt')],
    ['log', (repo) => repo.log()],
    ['diff', (repo) => repo.diff(1)],
    ['history', (repo) => repo.history()],
    ['an old revision', (repo) => repo.at('HEAD~1').quads()],
    ['match', (repo) => streamed(asStore(repo).match())],
    ['match at a revision', (repo) => streamed(asStore(repo.at('HEAD')).match())],
    ['queryBindings', async (repo) => streamed(await asStore(repo).queryBindings(ALL))],
    ['queryQuads', async (repo) => streamed(await asStore(repo).queryQuads(GRAPH))],
    [
      'query',
      async (repo) => {
        const answer = await repo.query(ALL);
        if (answer.type !== 'bindings') throw new Error('no rows');
        return answer.rows;
      },
    ],
    ['a held transaction', async (repo) => (await hostOf(repo).begin()).quads()],
    ['a query of a held transaction', async (repo) => (await hostOf(repo).begin()).select(ALL)],
  ];

  // However few items there are, and whether they are in memory already or not.
  const ends: [string, (db: Database) => Promise<unknown>][] = [
    ['STORE_NOT_OPEN', (db) => db.close()],
    ['REPOSITORY_DELETED', (db) => db.deleteRepository('people')],
  ];
  for (const [code, end] of ends) {
    test.each(kinds)(`%s end with ${code}`, async (_, start) => {
      for (const count of [2, 3000]) {
        const db = await open(':memory:');
        const repo = await db.repository('people', { create: true });
        await repo.add([q('a p b g'), q('a p b h'), q('a p c h')]);
        await repo.add(many(count));
        const items = (await start(repo))[Symbol.asyncIterator]();
        expect((await items.next()).done).toBe(false);
        await end(db);
        await expect(items.next()).rejects.toMatchObject({ code });
        await db.close();
      }
    });
  }

  test('a stream that is read by events', async () => {
    const db = await open(':memory:');
    const repo = await db.repository('people', { create: true });
    await repo.add(many(3000));
    const stream = asStore(repo).match() as unknown as Readable;
    await once(stream, 'data');
    stream.pause();
    // A paused stream reads ahead, so it may fail at once.
    const failed = once(stream, 'error');
    await db.close();
    let items = 0;
    stream.on('data', () => items++);
    stream.resume();
    expect(await failed).toMatchObject([{ code: 'STORE_NOT_OPEN' }]);
    expect(items).toBe(0);
  });
});

test('a signal ends streams of queries, whatever they hold', async () => {
  const db = await memory();
  const repo = await db.repository('people', { create: true });
  await repo.add(many(3000));
  const controller = new AbortController();
  const stream = await asStore(repo).queryBindings('SELECT * { ?s ?p ?o }', { signal: controller.signal });
  const items = (stream as unknown as Readable)[Symbol.asyncIterator]();
  expect((await items.next()).done).toBe(false);
  controller.abort();
  await expect(items.next()).rejects.toMatchObject({ code: 'ABORTED' });
});

test('metrics follow commits, deletions and reads', async () => {
  const db = await open(':memory:');
  expect(db.metrics()).toMatchObject({ openRepositories: 0, commits: 0, memtableQuads: 0, runningQueries: 0 });
  const repo = await db.repository('people', { create: true });
  await repo.add(q('a p b'));
  await repo.add(q('a p b'));
  await repo.add(q('b p b'));
  expect(db.metrics()).toMatchObject({ openRepositories: 1, commits: 2, memtableQuads: 2 });
  await repo.maintenance.compact();
  const { runs, cacheBytes } = db.metrics();
  expect(runs).toBeGreaterThan(0);
  expect(cacheBytes).toBeGreaterThan(0);
  await db.deleteRepository('people');
  expect(db.metrics()).toMatchObject({ openRepositories: 0, commits: 2, runs: 0 });
  await db.close();
});
