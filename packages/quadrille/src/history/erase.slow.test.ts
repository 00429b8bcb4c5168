/** Erasures through the library, over real files: no byte is left, signatures verify, feeds and readers end or go on. */
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom } from '@quadrille/storage/testing';
import { afterEach, expect, test } from 'vitest';
import type { Database, Repository } from '../index.js';
import { iri, literal, open, quad, restore } from '../index.js';
import { q } from '../testing/fixtures.js';

const folders: string[] = [];

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'erase-'));
  folders.push(path);
  return join(path, 'store');
}

afterEach(async () => {
  for (const path of folders.splice(0)) await rm(path, { recursive: true, force: true });
});

const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'none',
    (error: unknown) => (error as { code: string }).code,
  );

/** Names of the files of a store that contain one of the texts. */
async function filesWith(path: string, ...texts: string[]): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(path, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const bytes = await readFile(join(entry.parentPath, entry.name));
    if (texts.some((text) => bytes.includes(text))) found.push(entry.name);
  }
  return found;
}

const random = seededRandom(1);
/** A text that stands nowhere else in a store. It is random, so that no compression takes it apart. */
const secretOf = (): string => Array.from({ length: 32 }, () => Math.floor(random() * 36).toString(36)).join('');

async function fill(repo: Repository, secret: string, long: string): Promise<void> {
  await repo.add(q(`a p ${secret}`), { author: 'ann' });
  await repo.add([q(`${secret} p o`), quad(iri('http://example.org/b'), iri('http://example.org/p'), literal(long))]);
  // Through blob files: terms and runs of a load.
  const lines = Array.from(
    { length: 3000 },
    (_, i) => `<http://example.org/s${i}> <http://example.org/p> <http://example.org/o${i % 7}> .`,
  );
  lines.push(
    `<http://example.org/s1> <http://example.org/${secret}> "x${secret}" .`,
    `<http://example.org/s2> <http://example.org/p> "${long}" .`,
  );
  await repo.load({ text: lines.join('\n') }, { format: 'application/n-triples' });
  await repo.remove(q(`${secret} p o`));
  await repo.add(q('c p o'));
}

test.each(['leveldb', 'lmdb'] as const)('leaves no byte in any file: %s', async (backend) => {
  const path = await folder();
  const secret = secretOf();
  const long = secretOf().repeat(400);
  let db: Database = await open(path, { create: true, backend });
  let repo = await db.repository('r', { create: true });
  const other = await db.repository('other', { create: true });
  await other.load(
    {
      text: Array.from({ length: 2000 }, (_, i) => `<http://example.org/k${i}> <http://example.org/p> "k" .`).join(
        '\n',
      ),
    },
    {
      format: 'application/n-triples',
    },
  );
  await fill(repo, secret, long);
  const digest = await repo.proof.digest();
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const key = String(publicKey.export({ type: 'spki', format: 'pem' }));
  await repo.proof.sign(String(privateKey.export({ type: 'pkcs8', format: 'pem' })), { ref: 4 });
  const size = await repo.size();
  expect(await filesWith(path, secret)).not.toEqual([]);
  const report = await repo.maintenance.erase({ term: iri(`http://example.org/${secret}`) }, { reason: 'a request' });
  expect(report).toMatchObject({ quads: 3, revisions: 5, branches: 1 });
  expect(report.copies.length).toBeGreaterThan(3);
  await repo.maintenance.erase({ pattern: { object: literal(long) } }, { reason: 'a second one' });
  expect(await filesWith(path, secret, long.slice(0, 64))).toEqual([]);
  expect(await repo.size()).toBe(size - 4);
  const check = async (): Promise<void> => {
    expect((await repo.maintenance.verify()).problems).toEqual([]);
    expect(await repo.proof.verify({ key })).toMatchObject({ ok: true, validSignatures: 1 });
    expect(await repo.proof.digest(6)).toBe(digest);
    expect(await repo.at(3).size()).toBe(0);
    expect(await (await db.repository('other')).size()).toBe(2000);
    expect((await db.verify()).problems).toEqual([]);
  };
  await check();
  await repo.add(q('d p o'));
  await db.close();
  expect(await filesWith(path, secret, long.slice(0, 64))).toEqual([]);
  db = await open(path);
  repo = await db.repository('r');
  await check();
  await db.close();
});

test('the next backup in a place is without it, and keeps none of its files', async () => {
  const path = await folder();
  const place = `${path}-backup`;
  const [secret, long] = [secretOf(), secretOf().repeat(400)];
  const db = await open(path, { create: true });
  const repo = await db.repository('r', { create: true });
  await fill(repo, secret, long);
  await db.backup(place);
  await repo.maintenance.erase({ term: iri(`http://example.org/${secret}`) }, { reason: 'a request' });
  await repo.maintenance.erase({ pattern: { object: literal(long) } }, { reason: 'a second one' });
  await db.backup(place);
  await db.close();
  await restore(place, `${path}-restored`);
  expect(await filesWith(`${path}-restored`, secret, long.slice(0, 64))).toEqual([]);
  expect(await filesWith(place, secret, long.slice(0, 64))).toEqual([]);
  const restored = await open(`${path}-restored`);
  expect((await restored.verify()).problems).toEqual([]);
  expect(await (await restored.repository('r')).at(3).size()).toBe(0);
  await restored.close();
});

test('commits beside an erasure are all there, and bring back nothing', async () => {
  const db = await open(':memory:');
  const repo = await db.repository('r', { create: true });
  await repo.add(Array.from({ length: 3000 }, (_, i) => q(`s${i} p ${i % 3 === 0 ? 'secret' : 'o'}`)));
  const dev = await repo.branches.open('dev', { create: true });
  const commits = Array.from({ length: 30 }, (_, i) => (i % 2 === 0 ? repo : dev).add(q(`n${i} p o`)));
  const erasure = repo.maintenance.erase({ term: iri('http://example.org/secret') }, { reason: 'asked for' });
  const more = Array.from({ length: 30 }, (_, i) => (i % 2 === 0 ? repo : dev).add(q(`m${i} p o`)));
  await Promise.all([...commits, erasure, ...more]);
  expect([await repo.size(), await dev.size()]).toEqual([2030, 2030]);
  for (const line of [repo, dev]) expect(await line.count({ object: iri('http://example.org/secret') })).toBe(0);
  await repo.branches.merge('dev');
  expect(await repo.size()).toBe(2060);
  expect((await db.verify()).problems).toEqual([]);
  await db.close();
});

test('ends old readers, and tells what it made', async () => {
  const db = await open(':memory:');
  const repo = await db.repository('r', { create: true });
  await repo.add(Array.from({ length: 500 }, (_, i) => q(`s${i} p secret`)));
  const feed = repo.watch({ since: 2 })[Symbol.asyncIterator]();
  await repo.maintenance.erase({ quads: [q('s1 p secret')] }, { reason: 'asked for', author: 'ann' });
  const { value } = await feed.next();
  expect(value?.revision).toMatchObject({ kind: 'erase', message: 'asked for (1 quad)', author: 'ann', added: 0 });
  await feed.return?.(undefined);
  expect(await repo.size()).toBe(499);
  expect(await repo.at(2).revision()).toMatchObject({ added: 499, size: 499 });
  await db.close();
});

test('refuses what names nothing', async () => {
  const db = await open(':memory:');
  const repo = await db.repository('r', { create: true });
  await repo.add(q('a p o'));
  const reason = 'why';
  const wrong: [unknown, object, string][] = [
    [{ term: iri('http://example.org/unknown') }, { reason }, 'NOTHING_TO_ERASE'],
    [{ term: iri('http://example.org/a') }, {}, 'INVALID_OPTION'],
    [{ term: iri('http://example.org/a') }, { reason: ' ' }, 'INVALID_OPTION'],
    [{ term: iri('http://example.org/a') }, { reason, force: true }, 'INVALID_OPTION'],
    [{ term: { termType: 'DefaultGraph', value: '' } }, { reason }, 'INVALID_TERM'],
    [{ pattern: {} }, { reason }, 'INVALID_PATTERN'],
    [{ pattern: { subj: iri('http://example.org/a') } }, { reason }, 'INVALID_PATTERN'],
    [{ quads: [] }, { reason }, 'INVALID_OPTION'],
    [{ quads: [q('b p o')] }, { reason }, 'NOTHING_TO_ERASE'],
    [{}, { reason }, 'INVALID_OPTION'],
    [undefined, { reason }, 'INVALID_OPTION'],
  ];
  for (const [target, options, code] of wrong)
    expect(await codeOf(repo.maintenance.erase(target as never, options as never)), JSON.stringify(target)).toBe(code);
  expect(await repo.revision()).toMatchObject({ number: 2 });
  await db.close();
});
