/**
 * Backups, increments and restores are killed with SIGKILL at their writes. The earlier backup stays valid, the store is in order, and
 * the next run comes to the same end.
 *
 * Runs the compiled packages. QUADRILLE_BACKUP_KILLS: so many kills of each kind, at random writes; QUADRILLE_SEED repeats them.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { literal, iri, open, quad, restore, verifyBackup } from 'quadrille';
import type { Database } from 'quadrille';
import { seededRandom } from '@quadrille/storage/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { SEED } from '../model/environment.js';

const CAMPAIGN = Number(process.env['QUADRILLE_BACKUP_KILLS'] ?? 0);
/** Kills of each kind in the suite, spread over all writes. */
const SHARE = 4;
const TIMEOUT = 120_000 + CAMPAIGN * 6000;
const CHILD = join(import.meta.dirname, 'backup-child.mjs');

let folder = '';
const at = (name: string): string => join(folder, name);
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'quadrille-backup-kill-'));
  const db = await open(at('store'));
  const repository = await db.repository('crash/backup', { create: true });
  const predicates = Array.from({ length: 7 }, (_, n) => iri(`urn:p${n}`));
  for (let n = 0; n < 5; n++)
    await repository.add(
      Array.from({ length: 4000 }, (_, i) =>
        quad(iri(`urn:s${n}x${i}`), predicates[i % 7]!, literal(`value ${i % 997}`)),
      ),
    );
  await repository.maintenance.compact();
  await db.close();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the number of writes; `undefined` if it was killed. */
function run(mode: string, from: string, to: string, fatal: number): number | undefined {
  const child = spawnSync(process.execPath, [CHILD, mode, from, to, String(fatal)], { encoding: 'utf8' });
  if (child.signal === 'SIGKILL') return undefined;
  if (child.status !== 0) throw new Error(`${mode} at ${fatal}: ${child.stderr.slice(0, 3000)}`);
  return Number(child.stdout);
}

/** The writes at which to kill: all parts of the run, or random ones. */
function moments(writes: number): number[] {
  const random = seededRandom(SEED);
  if (CAMPAIGN > 0) return Array.from({ length: CAMPAIGN }, () => 1 + Math.floor(random() * writes));
  return Array.from({ length: SHARE }, (_, i) => 1 + Math.floor(((i + random()) * writes) / SHARE));
}

async function inOrder(store: string): Promise<number> {
  return using(store, async (db) => {
    expect((await db.verify()).problems).toEqual([]);
    return (await (await db.repository('crash/backup')).revision()).number;
  });
}

async function using<T>(store: string, work: (db: Database) => Promise<T>): Promise<T> {
  const db = await open(store);
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

async function headOf(place: string): Promise<number> {
  return (await verifyBackup(place)).heads[0]!.number;
}

async function equalTo(place: string, store: string): Promise<void> {
  rmSync(at('restored'), { recursive: true, force: true });
  await restore(place, at('restored'));
  const number = await inOrder(at('restored'));
  const dumpOf = (path: string) =>
    using(path, async (db) => {
      let text = '';
      for await (const chunk of (await db.repository('crash/backup')).at(number).dump('nquads')) text += chunk;
      return text.split('\n').toSorted();
    });
  expect(await dumpOf(at('restored'))).toEqual(await dumpOf(store));
}

it(`a first backup (QUADRILLE_SEED=${SEED})`, { timeout: TIMEOUT }, async () => {
  const writes = run('backup', at('store'), at('whole'), 0)!;
  let killed = 0;
  for (const [n, fatal] of moments(writes).entries()) {
    // Half of them go on with what the one before has left.
    if (n % 2 === 0) rmSync(at('backup'), { recursive: true, force: true });
    if (run('backup', at('store'), at('backup'), fatal) === undefined) killed++;
    await inOrder(at('store'));
    if (existsSync(join(at('backup'), 'backup.json'))) await verifyBackup(at('backup'));
  }
  run('backup', at('store'), at('backup'), 0);
  expect(readdirSync(at('backup')).toSorted()).toEqual(['backup.json', 'segments']);
  await equalTo(at('backup'), at('store'));
  expect(killed).toBeGreaterThan(0);
  if (CAMPAIGN > 0) console.log(`first backups: ${killed} kills at ${writes} writes`);
});

it(`an increment (QUADRILLE_SEED=${SEED})`, { timeout: TIMEOUT }, async () => {
  run('backup', at('store'), at('backup'), 0);
  const writes = run('backup', at('store'), at('backup'), 0)!;
  let killed = 0;
  for (const [n, fatal] of moments(writes).entries()) {
    const before = await headOf(at('backup'));
    if (run('backup', at('store'), at('backup'), fatal) === undefined) killed++;
    const head = await inOrder(at('store'));
    const now = await headOf(at('backup'));
    expect(now).toBeGreaterThanOrEqual(before);
    expect(now).toBeLessThanOrEqual(head);
    if (n % 10 === 9) await equalTo(at('backup'), at('store'));
  }
  run('backup', at('store'), at('backup'), 0);
  await equalTo(at('backup'), at('store'));
  expect(killed).toBeGreaterThan(0);
  if (CAMPAIGN > 0) console.log(`increments: ${killed} kills at ${writes} writes`);
});

it(`a restore (QUADRILLE_SEED=${SEED})`, { timeout: TIMEOUT }, async () => {
  run('backup', at('store'), at('backup'), 0);
  const head = await headOf(at('backup'));
  cpSync(at('backup'), at('kept'), { recursive: true });
  const writes = run('restore', at('backup'), at('whole'), 0)!;
  let killed = 0;
  for (const fatal of moments(writes)) {
    if (run('restore', at('backup'), at('new'), fatal) === undefined) killed++;
    // It is there as a whole, or not at all.
    if (existsSync(at('new'))) {
      expect(await inOrder(at('new'))).toBe(head - 2);
      rmSync(at('new'), { recursive: true });
    }
  }
  run('restore', at('backup'), at('new'), 0);
  expect(await inOrder(at('new'))).toBe(head - 2);
  expect(readdirSync(folder).filter((name) => name.includes('restoring'))).toEqual([]);
  expect(await verifyBackup(at('backup'))).toEqual(await verifyBackup(at('kept')));
  expect(killed).toBeGreaterThan(0);
  if (CAMPAIGN > 0) console.log(`restores: ${killed} kills at ${writes} writes`);
});
