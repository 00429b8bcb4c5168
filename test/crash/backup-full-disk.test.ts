/** The disk of a backup, or of a restored store, is full: the error says so, and what was there before is valid. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { iri, literal, open, quad, restore, verifyBackup } from 'quadrille';
import type { Database, Repository } from 'quadrille';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { SmallDisk } from './small-disk.js';

const possible = SmallDisk.possible;
const why = possible ? '' : ' (skipped: this machine does not let us mount a tmpfs)';

let disk: SmallDisk;
let folder = '';
let db: Database;
let repository: Repository;
beforeEach(async () => {
  disk = new SmallDisk('backup', 16);
  if (possible) disk.mount();
  folder = mkdtempSync(join(tmpdir(), 'quadrille-backup-disk-'));
  db = await open(join(folder, 'store'), { durability: 'process' });
  repository = await db.repository('a/full', { create: true });
  await add(2);
});
afterEach(async () => {
  await db.close();
  if (possible) disk.unmount();
  rmSync(folder, { recursive: true, force: true });
});

let number = 0;
/** Adds so many megabytes. */
async function add(megabytes: number): Promise<void> {
  for (let left = megabytes; left > 0; left--)
    await repository.add([
      quad(iri('urn:s'), iri('urn:p'), literal(`${++number} ${randomBytes(500_000).toString('hex')}`)),
    ]);
}

it.skipIf(!possible)(`of a backup${why}`, { timeout: 120_000 }, async () => {
  const place = join(disk.path, 'backup');
  await db.backup(place);
  const before = await verifyBackup(place);
  await add(20);
  for (let again = 0; again < 2; again++) {
    await expect(db.backup(place)).rejects.toMatchObject({ code: 'STORAGE_FULL' });
    expect(await verifyBackup(place)).toEqual(before);
  }
  disk.fill('ballast');
  await expect(db.backup(place)).rejects.toMatchObject({ code: 'STORAGE_FULL' });
  await expect(db.backup(join(disk.path, 'another'))).rejects.toMatchObject({ code: 'STORAGE_FULL' });
  expect(await verifyBackup(place)).toEqual(before);
  // The store is not touched by it.
  await add(1);
  expect((await db.verify()).problems).toEqual([]);
  disk.remove('ballast');
  await repository.branches.reset(3);
  await db.backup(join(folder, 'elsewhere'));
  await verifyBackup(join(folder, 'elsewhere'));
});

it.skipIf(!possible)(`of the store: it is backed up nevertheless${why}`, { timeout: 120_000 }, async () => {
  const full = await open(join(disk.path, 'store'));
  try {
    const own = await full.repository('a/own', { create: true });
    await own.add([quad(iri('urn:s'), iri('urn:p'), literal('x'))]);
    disk.fill('ballast');
    const place = join(folder, 'backup');
    // The journal has a little room that it has asked for before.
    let revisions = 2;
    const insert = async (): Promise<void> => {
      for (;;) {
        await own.add([quad(iri('urn:s'), iri('urn:p'), literal(`${++number} ${'y'.repeat(3000)}`))]);
        revisions++;
      }
    };
    await expect(insert()).rejects.toMatchObject({ code: 'STORAGE_FULL' });
    for (let again = 0; again < 2; again++) {
      expect(await full.backup(place)).toMatchObject({ heads: [{ name: 'a/own', number: revisions }] });
      await verifyBackup(place);
    }
    disk.remove('ballast');
    await full.backup(place);
    expect(await full.backup(place)).toMatchObject({ full: false });
  } finally {
    await full.close();
  }
});

it.skipIf(!possible)(`of a restored store${why}`, { timeout: 120_000 }, async () => {
  await add(20);
  const place = join(folder, 'backup');
  await db.backup(place);
  await expect(restore(place, join(disk.path, 'restored'))).rejects.toMatchObject({ code: 'STORAGE_FULL' });
  expect(readdirSync(disk.path)).toEqual([]);
  await restore(place, join(folder, 'restored'));
});
