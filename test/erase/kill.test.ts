/**
 * An erasure is killed with SIGKILL at its steps: its writes, the copy of the database, the exchange of the folders. After each kill
 * either everything is there or the quads are gone from all revisions and files; and the erasure can be repeated.
 *
 * Runs the compiled packages (`npm run build` first). QUADRILLE_ERASE_KILLS: so many kills of each backend, or `all` for each step;
 * QUADRILLE_SEED repeats them.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { iri, literal, open, quad } from 'quadrille';
import type { Database } from 'quadrille';
import { seededRandom } from '@quadrille/storage/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { SEED } from '../model/environment.js';

const KILLS = process.env['QUADRILLE_ERASE_KILLS'] ?? '2';
const CHILD = join(import.meta.dirname, 'kill-child.mjs');
const SECRET = 'urn:x3k9q0v7m2zt8c4w1r6y5u0b9d7f3h1j';
const KEPT = 400;

let folder = '';
const at = (name: string): string => join(folder, name);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quadrille-erase-kill-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const quadOf = (n: number, object: string) => quad(iri(`urn:s${n}`), iri(`urn:p${n % 3}`), literal(object));

/** Returns what is {@link found} then. */
async function make(backend: 'leveldb' | 'lmdb'): Promise<number[]> {
  const db = await open(at('store'), { create: true, backend });
  const repository = await db.repository('r', { create: true });
  await repository.add(Array.from({ length: KEPT }, (_, n) => quadOf(n, `value ${n} ${'x'.repeat(n)}`)));
  await repository.add([quad(iri(SECRET), iri('urn:p'), literal('o'))]);
  const dev = await repository.branches.open('dev', { create: true });
  await dev.add([quad(iri('urn:a'), iri(SECRET), literal('o'))]);
  await repository.remove([quad(iri(SECRET), iri('urn:p'), literal('o'))]);
  const counts = await found(db);
  await db.close();
  return counts;
}

/** Number of steps; `undefined` if it was killed. */
function run(store: string, backend: string, n: number, when: string): number | undefined {
  const child = spawnSync(process.execPath, [CHILD, store, backend, `${n}`, when, SECRET], { encoding: 'utf8' });
  if (child.signal === 'SIGKILL') return undefined;
  if (child.status !== 0) throw new Error(`step ${n}: ${child.stderr.slice(0, 3000)}`);
  return Number(child.stdout);
}

/** What is stored of the secret: the quads of all revisions by branch. */
async function found(db: Database): Promise<number[]> {
  const repository = await db.repository('r');
  const counts: number[] = [];
  for (const line of [repository, await repository.branches.open('dev')]) {
    for await (const { number, size } of line.log()) {
      const view = line.at(number);
      expect(await view.count()).toBe(size);
      let held = 0;
      for (const pattern of [{ subject: iri(SECRET) }, { predicate: iri(SECRET) }]) held += await view.count(pattern);
      counts.push(held);
    }
  }
  expect((await db.verify()).problems).toEqual([]);
  return counts.toReversed();
}

function filesWithSecret(store: string): string[] {
  const entries = readdirSync(store, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => join(entry.parentPath, entry.name));
  return paths.filter((path) => readFileSync(path).includes(SECRET.slice(4)));
}

it.each(['leveldb', 'lmdb'] as const)(`%s (QUADRILLE_SEED=${SEED})`, { timeout: 600_000 }, async (backend) => {
  const before = await make(backend);
  expect(before.some((count) => count > 0)).toBe(true);
  cpSync(at('store'), at('whole'), { recursive: true });
  const steps = run(at('whole'), backend, 0, 'before')!;
  expect(steps).toBeGreaterThan(10);
  const random = seededRandom(SEED);
  const moments =
    KILLS === 'all'
      ? Array.from({ length: steps * 2 }, (_, i) => 1 + Math.floor(i / 2))
      : Array.from({ length: Number(KILLS) }, (_, i) => 1 + Math.floor(((i + random()) * steps) / Number(KILLS)));
  let killed = 0;
  const seen = new Set<string>();
  for (const [i, n] of moments.entries()) {
    const store = at(`store${i}`);
    cpSync(at('store'), store, { recursive: true });
    const when = KILLS === 'all' ? ['before', 'after'][i % 2]! : random() < 0.5 ? 'before' : 'after';
    if (run(store, backend, n, when) === undefined) killed++;
    const db = await open(store);
    try {
      const counts = await found(db);
      const isWhole = counts.some((count) => count > 0);
      seen.add(isWhole ? 'all' : 'nothing');
      if (isWhole) expect(counts, `${when} step ${n} of ${steps}`).toEqual(before);
      const repository = await db.repository('r');
      const erasing = repository.maintenance.erase({ term: iri(SECRET) }, { reason: 'again' });
      if (isWhole) expect(await erasing).toMatchObject({ quads: 2, branches: 2 });
      else await expect(erasing).rejects.toMatchObject({ code: 'NOTHING_TO_ERASE' });
      expect((await found(db)).every((count) => count === 0)).toBe(true);
      await repository.add([quadOf(1, 'new')]);
    } finally {
      await db.close();
    }
    expect(filesWithSecret(store), `${when} step ${n} of ${steps}`).toEqual([]);
    rmSync(store, { recursive: true });
  }
  expect(killed).toBeGreaterThan(0);
  if (KILLS === 'all')
    console.log(`${backend}: ${killed} kills at ${steps} steps; then there was: ${[...seen].join(', ')}`);
});

it.each(['leveldb', 'lmdb'] as const)('%s: between the two names it can be read', async (backend) => {
  const before = await make(backend);
  const [data] = readdirSync(at('store')).filter((name) => ['level', 'lmdb'].includes(name));
  // As a process leaves it that ended there.
  renameSync(join(at('store'), data!), join(at('store'), `${data}.copy`));
  for (const readOnly of [true, false]) {
    const db = await open(at('store'), { readOnly });
    expect(await found(db)).toEqual(before);
    await db.close();
  }
});
