/** Many processes on one store: at once, suspended, ended, and on a full disk. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { open } from 'quadrille';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SmallDisk } from '../crash/small-disk.js';
import { Writer } from './processes.js';

let folder: string;
let store: string;
let writers: Writer[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quadrille-share-'));
  store = join(folder, 'store');
  writers = [];
});
afterEach(async () => {
  await Promise.all(writers.map((writer) => writer.kill()));
  await rm(folder, { recursive: true, force: true });
});

async function started(count: number, writes: number): Promise<Writer[]> {
  writers = Array.from({ length: count }, (_, i) => new Writer(store, `w${String(i)}`, writes));
  await Promise.all(writers.map((writer) => writer.start()));
  return writers;
}

async function quadsInStore(): Promise<number> {
  await using db = await open(store, { share: false });
  return (await db.repository('acme/people')).size();
}

const roles = (): string[] => writers.map(({ role }) => role).toSorted();

test('twenty processes begin at once: one holds, and all write', async () => {
  const all = await started(20, 5);
  await Promise.all(all.map(({ done }) => done));
  expect(roles()).toEqual([...Array<string>(19).fill('guest'), 'holder']);
  expect(all.flatMap(({ errors }) => errors)).toEqual([]);
  // They end one after the other, so that the store is handed on.
  for (const writer of all) await writer.end();
  expect(await quadsInStore()).toBe(100);
});

test('the holder is handed on until the last one has ended', async () => {
  const all = await started(4, 3);
  await Promise.all(all.map(({ done }) => done));
  for (let left = all.length; left > 1; left--) {
    const holder = writers.find(({ role }) => role === 'holder')!;
    await holder.end();
    writers = writers.filter((writer) => writer !== holder);
    await expect
      .poll(() => writers.filter(({ role }) => role === 'holder').length, { timeout: 2000, interval: 5 })
      .toBe(1);
  }
  await writers[0]!.end();
  expect(await quadsInStore()).toBe(12);
});

test('a holder that is suspended: nobody takes over, calls tell within ten seconds, and all goes on later', async () => {
  const [holder] = await started(1, 0);
  await holder!.done;
  const db = await open(store, { share: true });
  const repository = await db.repository('acme/people');
  await repository.update('INSERT DATA { <urn:a> <urn:p> 1 }');
  holder!.signal('SIGSTOP');
  try {
    // Sent before anybody could know.
    const sent = await repository.update('INSERT DATA { <urn:b> <urn:p> 1 }').catch((error: unknown) => error);
    expect(sent).toMatchObject({ code: 'COMMIT_UNKNOWN' });
    await sleep(100);
    const read = await repository.size().catch((error: unknown) => error);
    expect(read).toMatchObject({ code: 'STORE_UNAVAILABLE' });
    const write = await repository.update('INSERT DATA { <urn:c> <urn:p> 1 }').catch((error: unknown) => error);
    expect([write, db.role]).toEqual([expect.objectContaining({ code: 'STORE_UNAVAILABLE' }), 'guest']);
  } finally {
    holder!.signal('SIGCONT');
  }
  await repository.update('INSERT DATA { <urn:d> <urn:p> 1 }');
  // What is certainly not written is not there. What nobody knew was written when the holder went on.
  expect(await repository.ask('ASK { <urn:c> ?p ?o }')).toBe(false);
  expect(await repository.ask('ASK { <urn:d> ?p ?o }')).toBe(true);
  await db.close();
});

const possible = SmallDisk.possible;

test.skipIf(!possible)(
  `a full disk${possible ? '' : ' (skipped: this machine does not let us mount a tmpfs)'}`,
  async () => {
    const disk = new SmallDisk('share', 12);
    disk.mount();
    store = join(disk.path, 'store');
    try {
      const [holder] = await started(1, 1);
      await holder!.done;
      const db = await open(store, { share: true });
      const repository = await db.repository('acme/people');
      disk.fill('filler');
      const text = `INSERT DATA { <urn:a> <urn:p> "${'x'.repeat(100_000)}" }`;
      await expect(repository.update(text)).rejects.toMatchObject({ code: 'STORAGE_FULL' });
      expect(await repository.size()).toBe(1);
      // The next holder opens it without a byte of room.
      await holder!.kill();
      await expect.poll(() => db.role, { timeout: 3000, interval: 5 }).toBe('holder');
      expect(await repository.size()).toBe(1);
      disk.remove('filler');
      expect((await repository.update(text)).size).toBe(2);
      await db.close();
    } finally {
      disk.unmount();
    }
  },
);
