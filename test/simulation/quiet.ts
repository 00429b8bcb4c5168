/** What must hold when callers have gone, nothing fails any more, and time has passed: what nobody needs is freed. */
import type { SharedStorage } from '@quadrille/storage-shared';
import { check } from '../model/check.js';
import { NAMES, type World } from './world.js';

const REST_MS = 60_000;
/** Bytes of blob files for each byte of the living values, and the files that may be open. */
const BLOB_SHARE = 2;
const BLOB_FILES = 2;
/** Entries of a shared log for each of those after which a checkpoint is written. */
const LOG_SHARE = 2;

/** Compacts all, lets time pass, and counts what is stored. The writer is open, and its storage answers at once. */
export async function checkQuiet(world: World): Promise<void> {
  const server = world.writer!;
  const { engine } = server.store;
  for (const name of NAMES) await world.now(compact(world, name));
  await world.now(engine.compact());
  await world.time.rest(REST_MS);
  check(engine.openIterators === 0, () => `${engine.openIterators} ranges are open after quiet`);
  if (world.plan.repositoryBytes === 1) {
    const { length } = [...server.store.repositoriesInMemory];
    check(length <= 1, () => `${length} repositories are in memory after quiet, and there is room for none`);
  }
  const living = await world.now(livingBytes(world));
  checkFiles(world, living);
  if (world.plan.disk.form === 'shared') await checkPacks(world);
}

async function compact(world: World, name: string): Promise<void> {
  const repository = await world.writer!.store.repository(name);
  await repository.maintenance.compact();
}

/** Bytes of all keys and values. Each value can be read, so what holds it is there. */
async function livingBytes(world: World): Promise<number> {
  let bytes = 0;
  for await (const chunk of world.writer!.store.engine.range())
    for (const { key, value } of chunk) bytes += key.length + value.length;
  return bytes;
}

function checkFiles({ disk, plan }: World, living: number): void {
  const { journal, blobs } = plan.disk;
  for (const { length } of disk.journal.contents)
    check(
      length <= journal.fileBytes!,
      () => `a journal file has ${length} bytes, at most ${journal.fileBytes} are due`,
    );
  let stored = 0;
  for (const { length } of disk.blobs.contents.values()) stored += length;
  const due = BLOB_SHARE * living + BLOB_FILES * blobs.fileBytes!;
  check(stored <= due, () => `the blob files have ${stored} bytes after quiet, of ${living} living ones`);
}

/** Another process needs each pack that is left, and the logs are short. */
async function checkPacks(world: World): Promise<void> {
  const { disk, plan } = world;
  await world.now((world.writer!.storage as SharedStorage).collectGarbage(0));
  await world.time.rest(REST_MS);
  await world.end(world.writer!);
  disk.packsRead.clear();
  await world.start();
  await world.now(livingBytes(world));
  for (const [number, { packs, entries }] of disk.service.logs) {
    for (const id of packs.keys()) check(disk.packsRead.has(id), () => `nobody needs pack ${id} of log ${number}`);
    const due = LOG_SHARE * plan.disk.shared.checkpointEntries!;
    check(entries.length <= due, () => `log ${number} has ${entries.length} entries after quiet`);
  }
}
