/**
 * An erasure on a disk that is really full: nothing is lost, reads go on, and once there is room it ends, or can be repeated. Asks for
 * the right to mount a tmpfs.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { iri, literal, open, quad } from 'quadrille';
import type { Database, Repository } from 'quadrille';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { SmallDisk } from '../crash/small-disk.js';

const possible = SmallDisk.possible;
const why = possible ? '' : ' (skipped: this machine does not let us mount a tmpfs)';
const SECRET = 'x3k9q0v7m2zt8c4w1r6y5u0b9d7f3h1j';

let disk: SmallDisk;
let db: Database | undefined;
beforeEach(() => {
  disk = new SmallDisk('erase', 24);
  if (possible) disk.mount();
});
afterEach(async () => {
  await db?.close();
  db = undefined;
  if (possible) disk.unmount();
});

const store = (): string => join(disk.path, 'store');
const quadOf = (n: number, subject = `urn:s${n}`) => quad(iri(subject), iri('urn:p'), literal(`${n} ${n * 7919}`));
const secret = iri(`urn:${SECRET}`);

function filesWithSecret(): string[] {
  const entries = readdirSync(store(), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => join(entry.parentPath, entry.name));
  return paths.filter((path) => readFileSync(path).includes(SECRET));
}

async function expectWhole(repository: Repository, kept: number, erased: number): Promise<void> {
  expect(await repository.count({ subject: secret })).toBe(erased);
  expect(await repository.count()).toBe(kept + erased);
  expect(await repository.at(2).count()).toBe(kept + erased);
  expect((await db!.verify()).problems).toEqual([]);
}

it.skipIf(!possible).each([
  ['leveldb', 0],
  ['leveldb', 0.3],
  ['lmdb', 0],
  ['lmdb', 0.5],
] as const)(`%s with %d of the room that it needs${why}`, async (backend, share) => {
  const free = disk.freeBytes;
  db = await open(store(), { create: true, backend });
  let repository = await db.repository('a/full', { create: true });
  const kept = 6000;
  await repository.add([
    ...Array.from({ length: kept }, (_, n) => quadOf(n)),
    quadOf(1, secret.value),
    quadOf(2, secret.value),
  ]);
  await db.close();
  const taken = free - disk.freeBytes;
  db = await open(store());
  repository = await db.repository('a/full');
  disk.fill('ballast', share * taken);
  const error = await repository.maintenance
    .erase({ term: secret }, { reason: 'asked for' })
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'STORAGE_FULL' });
  const isErased = (error as { details: { erased?: boolean } }).details.erased === true;
  await expectWhole(repository, kept, isErased ? 0 : 2);
  await db.close();
  db = await open(store());
  repository = await db.repository('a/full');
  await expectWhole(repository, kept, isErased ? 0 : 2);
  disk.remove('ballast');
  if (isErased) await repository.add(quadOf(kept));
  else await repository.maintenance.erase({ term: secret }, { reason: 'asked for again' });
  expect(filesWithSecret()).toEqual([]);
  expect(await repository.count({ subject: secret })).toBe(0);
  expect((await db.verify()).problems).toEqual([]);
  await db.close();
  db = await open(store());
  expect(await (await db.repository('a/full')).at(2).count()).toBe(kept);
  expect(filesWithSecret()).toEqual([]);
});
