import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { FilesOf, WebHost } from '@quadrille/storage-published/testing';
import { PublishedDriver } from '@quadrille/storage-published';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Database, OpenOptions, Repository } from '../index.js';
import { literal, open, publish } from '../index.js';
import { FolderTarget } from './folder-target.js';

let folder: string;
let out: string;
let db: Database;
let repo: Repository;
let host: WebHost;
const opened: Database[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quadrille-publish-test-'));
  out = join(folder, 'site');
  db = await open(join(folder, 'data'));
  repo = await db.repository('acme/people', { create: true });
  host = await WebHost.open({
    file: (name) => readFile(join(out, name)).catch(() => undefined),
  });
});
afterEach(async () => {
  for (const database of opened.splice(0)) await database.close();
  await host.close();
  await db.close();
  await rm(folder, { recursive: true });
});

async function site(options?: OpenOptions): Promise<Repository> {
  const database = await open(host.url, options);
  opened.push(database);
  return database.repository('acme/people');
}

const names = (from: Pick<Repository, 'select'>): Promise<unknown[]> =>
  from.select('SELECT ?n { ?s foaf:name ?n } ORDER BY ?n', { values: 'js' }).toArray();

/** Three revisions with a branch, tags, a removal and an index of words. */
async function history(): Promise<void> {
  await repo.settings.set({ search: { text: true } });
  await repo.update('INSERT DATA { <urn:ann> foaf:name "Ann" . <urn:bob> foaf:name "Bob" }', { message: 'two people' });
  await repo.tags.set('first', 'HEAD');
  await repo.branches.create('side');
  await repo.update('INSERT DATA { <urn:secret> foaf:name "Mallory Topsecret" }');
  await repo.update('DELETE DATA { <urn:secret> foaf:name "Mallory Topsecret" }', { message: 'not her' });
  await repo.tags.set('last', 'HEAD');
}

/** All bytes of all entries of the published store. */
async function allText(): Promise<string> {
  const target = await FolderTarget.open(out);
  try {
    const driver = new PublishedDriver(new FilesOf(target), { inflate: (bytes) => inflateRawSync(bytes) });
    await driver.open();
    let text = '';
    for await (const chunk of driver.range({}, { read: 'entries' }))
      for (const { key, value } of chunk)
        text += Buffer.from(key).toString('latin1') + Buffer.from(value).toString('latin1');
    return text;
  } finally {
    await target.close();
  }
}

describe('the head alone', () => {
  test('has number and id of the head, its data and prefixes, and nothing that it has lost', async () => {
    await history();
    await db.account('acme').namespaces.set('me', 'urn:me:');
    const { repositories, writtenFiles } = await publish(db, out);
    const head = await repo.revision();
    expect(repositories).toEqual([
      {
        name: 'acme/people',
        revision: { number: head.number, id: head.id, time: head.time.toISOString() },
        quads: 2,
        history: 'none',
        erasures: 0,
      },
    ]);
    expect(writtenFiles).toBeGreaterThan(1);
    const there = await site();
    expect(await there.revision()).toMatchObject({ number: head.number, id: head.id, message: 'not her' });
    expect(await names(there)).toEqual([{ n: 'Ann' }, { n: 'Bob' }]);
    expect((await there.log().toArray()).map(({ number }) => number)).toEqual([head.number]);
    for (const ref of ['first', 'side', 'HEAD~1', 1])
      await expect(there.at(ref).size()).rejects.toMatchObject({
        code: expect.stringMatching(/^REVISION_(NOT_FOUND|TRIMMED)$/) as string,
      });
    expect((await there.tags.list().toArray()).map(({ name }) => name)).toEqual(['last']);
    expect((await there.branches.list().toArray()).map(({ name }) => name)).toEqual(['main']);
    expect(await there.namespaces.effective()).toMatchObject({ me: 'urn:me:' });
    expect((await there.search('ann')).hits.length).toBe(1);
    const text = await allText();
    expect(text).toContain('Ann');
    for (const lost of ['Mallory', 'Topsecret', 'mallory', 'topsecret', 'two people']) expect(text).not.toContain(lost);
  });

  test('published again without a change is not written; then with one', async () => {
    await history();
    // The table of hashes gets its seed with the first terms that leave the memory.
    await repo.maintenance.compact();
    await publish(db, out);
    expect((await publish(db, out)).writtenBytes).toBe(0);
    await repo.update('INSERT DATA { <urn:cid> foaf:name "Cid" }');
    const { superfluous } = await publish(db, out);
    expect(superfluous.length).toBeGreaterThan(0);
    expect(await names(await site())).toEqual([{ n: 'Ann' }, { n: 'Bob' }, { n: 'Cid' }]);
    for (const name of superfluous) await rm(join(out, name));
    expect(await names(await site())).toEqual([{ n: 'Ann' }, { n: 'Bob' }, { n: 'Cid' }]);
  });
});

test('a whole history is asked at each revision and branch', async () => {
  await history();
  await repo.branches.open('side').then((side) => side.update('INSERT DATA { <urn:dan> foaf:name "Dan" }'));
  await publish(db, out, { history: 'all' });
  const there = await site();
  const numbers = (await repo.log().toArray()).map(({ number }) => number);
  expect((await there.log().toArray()).map(({ number }) => number)).toEqual(numbers);
  for (const ref of [...numbers, 'first', 'side', 'HEAD~1'])
    expect(await names(there.at(ref))).toEqual(await names(repo.at(ref)));
  expect(await there.diff('first', 'HEAD~1').toArray()).toHaveLength(1);
  await repo.update('INSERT DATA { <urn:eve> foaf:name "Eve" }');
  const { writtenBytes, bytes } = await publish(db, out, { history: 'all' });
  expect(writtenBytes).toBeLessThan(bytes);
  expect(await names(await site())).toEqual(await names(repo));
});

test('the last revisions', async () => {
  await history();
  await publish(db, out, { history: 2 });
  const there = await site();
  expect(await there.log().toArray()).toHaveLength(2);
  expect(await names(there.at('HEAD~1'))).toEqual(await names(repo.at('HEAD~1')));
});

test('a published store takes no writes, and options that it can use', async () => {
  await history();
  await publish(db, out, { ranges: false });
  host.fault = () => undefined;
  const there = await site({ concurrency: 2 });
  expect(await names(there)).toHaveLength(2);
  await expect(there.update('INSERT DATA { <urn:x> foaf:name "X" }')).rejects.toMatchObject({ code: 'READ_ONLY' });
  await expect(there.settings.set({ search: null })).rejects.toMatchObject({ code: 'READ_ONLY' });
  await expect(there.maintenance.compact()).rejects.toMatchObject({ code: 'READ_ONLY' });
  for (const options of [
    { create: true },
    { readOnly: false },
    { backend: 'lmdb' },
    { share: true },
    { concurrency: 0 },
  ] as const)
    await expect(open(host.url, options)).rejects.toMatchObject({ code: 'INVALID_OPTION' });
  await expect(open(`${host.url}nothing/`)).rejects.toMatchObject({ code: 'STORE_NOT_FOUND' });
});

test('hosts that give no parts read what was published for them', async () => {
  await repo.load(
    { text: Array.from({ length: 3000 }, (_, i) => `<urn:s${i}> <urn:p> "text ${i}" .`).join('\n') },
    { format: 'nquads' },
  );
  await publish(db, out, { ranges: false });
  host.fault = (name) => (name.endsWith('.json') ? undefined : 'whole');
  expect(await (await site()).select('SELECT * { ?s ?p ?o }').toArray()).toHaveLength(3000);
});

describe('a folder', () => {
  test('with files of strangers is refused, also with replace', async () => {
    await history();
    await mkdir(out);
    await writeFile(join(out, 'CNAME'), 'acme.example');
    await writeFile(join(out, 'mine.txt'), 'mine');
    for (const replace of [false, true])
      await expect(publish(db, out, { replace })).rejects.toMatchObject({ code: 'NOT_EMPTY' });
    expect((await readdir(out)).sort()).toEqual(['CNAME', 'mine.txt']);
    await rm(join(out, 'mine.txt'));
    await publish(db, out);
    expect(existsSync(join(out, 'CNAME'))).toBe(true);
    await expect(publish(db, join(folder, 'data'))).rejects.toMatchObject({ code: 'NOT_EMPTY' });
  });

  test('with the publication of another store, or of one from before an erasure, is replaced on request alone', async () => {
    await history();
    const other = await open(':memory:');
    await other.repository('acme/people', { create: true });
    await publish(other, out);
    await other.close();
    await expect(publish(db, out)).rejects.toMatchObject({ code: 'PUBLISHED_OTHER' });
    const before = (await readdir(out)).filter((name) => /\.(pack|start)$/.test(name));
    await publish(db, out, { replace: true });
    for (const name of before) expect(existsSync(join(out, name))).toBe(false);
    await repo.maintenance.erase({ term: literal('Bob') }, { reason: 'asked for' });
    await expect(publish(db, out)).rejects.toMatchObject({
      code: 'PUBLISHED_OTHER',
      message: expect.stringContaining('--replace') as string,
    });
    await publish(db, out, { replace: true });
    expect(await allText()).not.toContain('Bob');
  });
});

test('a store with several repositories needs their names, or all', async () => {
  await history();
  await db.repository('acme/places', { create: true });
  await expect(publish(db, out)).rejects.toMatchObject({
    code: 'INVALID_OPTION',
    message: expect.stringContaining('acme/places') as string,
  });
  await expect(publish(db, out, { repositories: ['acme/nothing'] })).rejects.toMatchObject({
    code: 'REPOSITORY_NOT_FOUND',
  });
  expect(existsSync(join(out, 'quadrille.json'))).toBe(false);
  expect((await publish(db, out, { all: true })).repositories).toHaveLength(2);
  expect((await publish(db, out, { repositories: ['acme/places'] })).repositories.map(({ name }) => name)).toEqual([
    'acme/places',
  ]);
});

test('a query that would fetch more than it may ends, and others go on', async () => {
  const lines = Array.from({ length: 20_000 }, (_, i) => `<urn:s${i}> <urn:p${i % 7}> "text ${(i * 7919) % 20_000}" .`);
  await repo.load({ text: lines.join('\n') }, { format: 'nquads' });
  await publish(db, out);
  const there = await site({ maxBytes: 100_000 });
  const all = there.select('SELECT * { ?s ?p ?o }').toArray();
  await expect(all).rejects.toMatchObject({
    code: 'FETCH_TOO_LARGE',
    details: { maxBytes: 100_000, estimate: expect.any(Number) as number },
  });
  expect(await there.select('SELECT * { <urn:s77> ?p ?o }').toArray()).toHaveLength(1);
});

test('a publication beside an old manifest is found', async () => {
  await history();
  await publish(db, out);
  const old = await readFile(join(out, 'quadrille.json'));
  await repo.update('INSERT DATA { <urn:cid> foaf:name "Cid" }');
  const { superfluous } = await publish(db, out);
  for (const name of superfluous) await rm(join(out, name));
  let asked = 0;
  const stale = await WebHost.open({
    file: async (name) =>
      name === 'quadrille.json' && asked++ === 0 ? old : readFile(join(out, name)).catch(() => undefined),
  });
  const database = await open(stale.url);
  expect(await names(await database.repository('acme/people'))).toHaveLength(3);
  await database.close();
  await stale.close();
});

test('what was begun is ended by a signal, and leaves what was there', async () => {
  await history();
  await publish(db, out);
  const before = await readdir(out);
  await expect(publish(db, out, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'ABORTED' });
  expect(await readdir(out)).toEqual(before);
});

test('options that are wrong are named', async () => {
  for (const options of [{ history: 0 }, { history: 'some' }, { repositories: 'acme/people' }, { nothing: 1 }])
    await expect(publish(db, out, options as never)).rejects.toMatchObject({ code: 'INVALID_OPTION' });
});
