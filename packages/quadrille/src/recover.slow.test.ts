import { mkdir, mkdtemp, readdir, readFile, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { LevelDirectory } from '@quadrille/storage-level';
import { LmdbDirectory } from '@quadrille/lmdb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { open, recover } from './index.js';
import type { Backend } from './index.js';

let base: string;
let store: string;
beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'quadrille-recover-')));
  store = join(base, 'data');
});
afterEach(() => rm(base, { recursive: true }));

/** A repository of four revisions, of two quads each but for the first. */
async function make(backend: Backend = 'leveldb'): Promise<void> {
  const db = await open(store, { backend });
  const repository = await db.repository('a/r', { create: true });
  for (const n of [2, 3, 4])
    await repository.update(`INSERT DATA { <urn:s> <urn:p> "${n}". <urn:s> <urn:q${n}> ${n} }`, {
      message: `number ${n}`,
      author: 'jo',
    });
  await db.close();
}

/** Flips a bit of the record of a revision. */
async function damageRecord(revision: number, backend: Backend = 'leveldb'): Promise<void> {
  const driver = backend === 'leveldb' ? new LevelDirectory(store) : new LmdbDirectory(store);
  await driver.open();
  const key = Uint8Array.of(0x10, 0, 0, 0, 1, 3, 0, 0, 0, revision);
  const value = Uint8Array.from((await driver.get(key))!);
  value[20]! ^= 8;
  await driver.write([{ type: 'put', key, value }], { durable: true });
  await driver.close();
}

async function log(path: string): Promise<unknown[]> {
  const db = await open(path, { create: false });
  try {
    const found: unknown[] = [];
    for await (const { id, number, message, author, size } of (await db.repository('a/r')).log())
      found.push([id, number, message, author, size]);
    return found;
  } finally {
    await db.close();
  }
}

const everything = { name: 'a/r', revisionsKept: 4, revisionsLost: 0, quadsLost: 0 };

describe.each(['leveldb', 'lmdb'] as const)('a store of %s', (backend) => {
  it('that is whole is recovered as it is', async () => {
    await make(backend);
    const before = await log(store);
    expect(await recover(store)).toEqual({
      location: `${store}.recovered`,
      damaged: store,
      lost: false,
      repositories: [everything],
      problems: [],
    });
    expect(await log(`${store}.recovered`)).toEqual(before);
    const marker = JSON.parse(await readFile(join(`${store}.recovered`, 'quadrille.json'), 'utf8')) as object;
    expect(marker).toMatchObject({ backend });
  });

  it('with a damaged record is recovered up to there, and says what is lost', async () => {
    await make(backend);
    const before = await log(store);
    await damageRecord(3, backend);
    const report = await recover(pathToFileURL(store), { to: pathToFileURL(join(base, 'other')) });
    expect(report).toMatchObject({
      location: join(base, 'other'),
      lost: true,
      repositories: [{ name: 'a/r', revisionsKept: 2, revisionsLost: 2, quadsLost: 4 }],
      problems: [
        {
          code: 'CHECKSUM',
          where: 'a/r revision 3',
          message: expect.stringMatching(/revisions 3 to 4 are lost$/),
          lost: true,
        },
      ],
    });
    expect(await log(join(base, 'other'))).toEqual(before.slice(2));
    expect(await readdir(base)).toEqual(['data', 'other']);
  });
});

describe('in place', () => {
  it('the recovered store takes the place of the damaged one, which can be opened too', async () => {
    await make();
    await damageRecord(4);
    await symlink(store, join(base, 'link'));
    const { location, damaged, lost } = await recover(join(base, 'link'), { inPlace: true });
    expect({ location, damaged, lost }).toEqual({ location: store, damaged: `${store}.damaged`, lost: true });
    expect((await log(join(base, 'link'))).length).toBe(3);
    expect((await readdir(base)).sort()).toEqual(['data', 'data.damaged', 'link']);
    expect(await readdir(`${store}.damaged`)).not.toContain('quadrille.pid');
    expect(await recover(`${store}.damaged`)).toMatchObject({ repositories: [{ revisionsKept: 3 }] });
  });

  it('is refused where there is a damaged one already', async () => {
    await make();
    await mkdir(`${store}.damaged`);
    await expect(recover(store, { inPlace: true })).rejects.toMatchObject({ code: 'ALREADY_EXISTS' });
    expect((await log(store)).length).toBe(4);
  });
});

/** Changes the backend in the marker of a store. */
const nameBackend = (change: (name: string) => string) => async (path: string) => {
  const file = join(path, 'quadrille.json');
  const marker = JSON.parse(await readFile(file, 'utf8')) as { backend: string };
  await writeFile(file, JSON.stringify({ ...marker, backend: change(marker.backend) }));
};

describe('what stands around the data', () => {
  it.each([
    ['a marker that is missing', (path: string) => rm(join(path, 'quadrille.json')), /marker .* is missing/],
    [
      'a marker that is damaged',
      (path: string) => writeFile(join(path, 'quadrille.json'), '{'),
      /marker .* is damaged/,
    ],
    ['a marker of an unknown backend', nameBackend(() => 'le6eldb'), /marker .* is damaged/],
    [
      'a marker of the other backend',
      nameBackend((name) => (name === 'lmdb' ? 'leveldb' : 'lmdb')),
      /marker .* is damaged/,
    ],
  ])('%s loses nothing', async (_, damage, message) => {
    for (const backend of ['leveldb', 'lmdb'] as const) {
      await make(backend);
      await damage(store);
      const report = await recover(store);
      expect(report).toMatchObject({ lost: false, repositories: [everything] });
      expect(report.problems).toMatchObject([{ message: expect.stringMatching(message), lost: false }]);
      expect((await log(report.location)).length).toBe(4);
      await rm(store, { recursive: true });
      await rm(report.location, { recursive: true });
    }
  });

  it('a marker of a newer version is refused', async () => {
    await make();
    const file = join(store, 'quadrille.json');
    const marker = JSON.parse(await readFile(file, 'utf8')) as object;
    await writeFile(file, JSON.stringify({ ...marker, format: 99 }));
    await expect(recover(store)).rejects.toMatchObject({ code: 'FORMAT_VERSION' });
    expect(await readdir(base)).toEqual(['data']);
  });

  it('a data directory that is gone: an empty store, and it says so', async () => {
    await make();
    await rename(join(store, 'level'), join(base, 'level'));
    await mkdir(join(store, 'level'));
    expect(await recover(store)).toMatchObject({ lost: true, repositories: [], problems: [{ lost: true }] });
  });
});

describe('a recovery that is refused', () => {
  it('leaves everything as it was', async () => {
    await make();
    await mkdir(join(base, 'there'));
    await mkdir(join(base, 'foreign'));
    await writeFile(join(base, 'foreign/file'), 'mine');
    const before = (await readdir(base)).sort();
    const cases = [
      [() => recover(store, { to: join(base, 'there') }), 'ALREADY_EXISTS'],
      [() => recover(store, { to: store }), 'ALREADY_EXISTS'],
      [() => recover(store, { to: join(store, 'in/side') }), 'INVALID_OPTION'],
      [() => recover(store, { to: 'x', inPlace: true }), 'INVALID_OPTION'],
      [() => recover(store, { to: '' }), 'INVALID_OPTION'],
      [() => recover(store, { to: new URL('http://e/') }), 'INVALID_OPTION'],
      [() => recover(store, { too: 'x' } as object), 'INVALID_OPTION'],
      [() => recover(store, { inPlace: 1 as never }), 'INVALID_OPTION'],
      [() => recover(':memory:'), 'INVALID_OPTION'],
      [() => recover(undefined as never), 'INVALID_OPTION'],
      [() => recover(join(base, 'nothing')), 'STORE_NOT_FOUND'],
      [() => recover(join(base, 'there')), 'STORE_NOT_FOUND'],
      [() => recover(join(base, 'foreign')), 'NOT_A_STORE'],
      [() => recover(store, { signal: AbortSignal.abort() }), 'ABORTED'],
    ] as const;
    for (const [call, code] of cases) await expect(call(), String(call)).rejects.toMatchObject({ code });
    expect((await readdir(base)).sort()).toEqual(before);
    expect((await log(store)).length).toBe(4);
  });

  it('waits for whoever holds the store, and holds it itself', async () => {
    await make();
    const db = await open(store);
    await expect(recover(store)).rejects.toMatchObject({ code: 'STORE_LOCKED' });
    const waiting = recover(store, { lockTimeoutMs: 20_000 });
    await db.close();
    await waiting;
    await rm(`${store}.recovered`, { recursive: true });
    const running = recover(store);
    const both = await Promise.allSettled([running, recover(store, { to: join(base, 'second') })]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect((await log(store)).length).toBe(4);
  });

  it('aborted while it runs leaves nothing behind', async () => {
    const db = await open(store);
    const repository = await db.repository('a/r', { create: true });
    const lines = Array.from({ length: 60_000 }, (_, i) => `<urn:s${i}> <urn:p> "text ${i}" .`);
    await repository.load({ text: lines.join('\n') }, { format: 'nt' });
    await db.close();
    const abort = new AbortController();
    const running = recover(store, { signal: abort.signal });
    setTimeout(() => abort.abort(new Error('enough')), 60);
    await expect(running).rejects.toMatchObject({ code: 'ABORTED' });
    expect(await readdir(base)).toEqual(['data']);
    await (await open(store)).close();
  });
});
