/** Erasures from a store that several servers share: nothing is left in its log, its packs and the cache of the server. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSliceCache } from '@quadrille/storage-directory';
import { SharedMemory, SharedMemoryDriver, SharedStorage } from '@quadrille/storage-shared';
import { iri, literal, open, quad } from 'quadrille';
import { hostOf } from 'quadrille/host';
import type { Database, Repository } from 'quadrille';
import { expect, onTestFinished, test } from 'vitest';

const SECRET = 'x3k9q0v7m2zt8c4w1r6y5u0b9d7f3h1j';
const secret = iri(`urn:${SECRET}`);

function textOf(memory: SharedMemory): string {
  const parts: Uint8Array[] = [];
  for (const { entries, root, packs } of memory.logs.values()) {
    for (const { body } of entries) parts.push(body);
    if (root !== undefined) parts.push(root.body);
    for (const { bytes } of packs.values()) parts.push(bytes);
  }
  return Buffer.concat(parts).toString('latin1');
}

async function fill(repository: Repository): Promise<void> {
  const quads = Array.from({ length: 3000 }, (_, n) => quad(iri(`urn:s${n}`), iri('urn:p'), literal(`value ${n}`)));
  await repository.add([...quads, quad(secret, iri('urn:p'), literal('o'))]);
  await repository.add(quad(iri('urn:a'), iri('urn:p'), literal(SECRET.repeat(200))));
  await repository.remove(quad(secret, iri('urn:p'), literal('o')));
  await repository.maintenance.compact();
  for (let n = 0; n < 20; n++) await repository.add(quad(secret, iri('urn:n'), literal(String(n))));
}

test('leaves nothing behind, and others go on with what is left', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'quadrille-erase-shared-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const memory = new SharedMemory();
  const cache = await openSliceCache(folder, 64 * 1024 * 1024);
  const db = await open({ storage: new SharedStorage(new SharedMemoryDriver(memory), { cache }) });
  const repository = await db.repository('r', { create: true });
  await fill(repository);
  const other = await open({ storage: new SharedStorage(new SharedMemoryDriver(memory), { follow: true }) });
  onTestFinished(() => other.close());
  const follower = await other.repository('r');
  expect(await follower.count({ subject: secret })).toBe(20);
  // Into the cache.
  for await (const _ of repository.at(2).quads());
  expect(textOf(memory)).toContain(SECRET);
  const report = await repository.maintenance.erase({ term: secret }, { reason: 'asked for' });
  expect(report).toMatchObject({ quads: 21, branches: 1 });
  await repository.maintenance.erase({ pattern: { subject: iri('urn:a') } }, { reason: 'asked for' });
  expect(textOf(memory)).not.toContain(SECRET);
  for (const name of readdirSync(folder)) expect(readFileSync(join(folder, name)).includes(SECRET), name).toBe(false);
  expect(await repository.count()).toBe(3000);
  expect(await repository.at(2).count()).toBe(3000);
  expect((await db.verify()).problems).toEqual([]);
  await repository.add(quad(iri('urn:b'), iri('urn:p'), literal('new')));
  await hostOf(other).refresh();
  expect([await follower.count(), await follower.count({ subject: secret })]).toEqual([3001, 0]);
  expect((await follower.at(2).revision()).erasures).toBe(2);
  await db.close();
  const again = await open({ storage: new SharedStorage(new SharedMemoryDriver(memory)) });
  expect(await (await again.repository('r')).count()).toBe(3001);
  expect((await again.verify()).problems).toEqual([]);
  await again.close();
  expect(textOf(memory)).not.toContain(SECRET);
});

test('caches of other servers lose what was erased: at once, or when they are opened again', async () => {
  const base = mkdtempSync(join(tmpdir(), 'quadrille-erase-caches-'));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const memory = new SharedMemory();
  const has = (name: string): boolean =>
    readdirSync(join(base, name)).some((file) => readFileSync(join(base, name, file)).includes(SECRET));
  const follow = async (name: string): Promise<Database> => {
    const cache = await openSliceCache(join(base, name), 64 * 1024 * 1024);
    return open({ storage: new SharedStorage(new SharedMemoryDriver(memory), { follow: true, cache }) });
  };
  const readAll = async (db: Database): Promise<number> => {
    let count = 0;
    for await (const _ of (await db.repository('r')).at(2).quads()) count++;
    return count;
  };
  const db = await open({ storage: new SharedStorage(new SharedMemoryDriver(memory)) });
  const repository = await db.repository('r', { create: true });
  await fill(repository);
  const [stays, leaves] = [await follow('stays'), await follow('leaves')];
  for (const each of [stays, leaves]) expect(await readAll(each)).toBe(3001);
  await leaves.close();
  expect(has('leaves')).toBe(true);
  await expect.poll(() => has('stays')).toBe(true);
  await repository.maintenance.erase({ term: secret }, { reason: 'asked for' });
  await repository.maintenance.erase({ pattern: { subject: iri('urn:a') } }, { reason: 'asked for' });
  await hostOf(stays).refresh();
  expect([has('stays'), has('leaves')]).toEqual([false, true]);
  expect(await readAll(stays)).toBe(3000);
  const again = await follow('leaves');
  expect(await readAll(again)).toBe(3000);
  for (const each of [again, stays, db]) await each.close();
  expect([has('stays'), has('leaves')]).toEqual([false, false]);
  // What is cached from now on stays.
  const last = await follow('leaves');
  expect(readdirSync(join(base, 'leaves')).some((file) => file.startsWith('segment-'))).toBe(true);
  await last.close();
});
