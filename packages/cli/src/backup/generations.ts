/**
 * Keeps several backups in one folder, each in a subfolder named by its time. A new backup begins with hard links to the segments
 * of the newest one, so only changes take space. Each backup can be restored, checked and removed alone.
 */
import { copyFile, link, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { StateError } from '@quadrille/model';

/** A time to the millisecond, so that two backups of one second have two names. Earlier versions named them by the second. */
const GENERATION = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(?:-\d{3})?Z$/;
/** The backup that is being written. */
const NEXT = 'next';
/** The folder is renamed to {@link NEXT} when all links are made. */
const LINKED = 'next.new';

/** The names of the backups, the oldest first. @throws StateError `NOT_A_BACKUP` if there is anything else */
async function generationsIn(folder: string): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const names = (await readdir(folder)).filter((name) => name !== 'lost+found');
  const other = names.find((name) => !GENERATION.test(name) && name !== NEXT && name !== LINKED);
  if (other === undefined) return names.filter((name) => GENERATION.test(name)).toSorted();
  throw new StateError(
    'NOT_A_BACKUP',
    `${folder} has ${other}, which is not the name of a backup: choose another folder for --keep. Nothing was changed.`,
    { details: { path: folder } },
  );
}

/** The directory for the next backup. One that was interrupted goes on. */
export async function beginGeneration(folder: string): Promise<string> {
  const newest = (await generationsIn(folder)).at(-1);
  const next = join(folder, NEXT);
  if ((await readdir(folder)).includes(NEXT) || newest === undefined) return next;
  const linked = join(folder, LINKED);
  await rm(linked, { recursive: true, force: true });
  await mkdir(join(linked, 'segments'), { recursive: true });
  const from = join(folder, newest);
  for (const name of await readdir(join(from, 'segments')))
    await linkOrCopy(join(from, 'segments', name), join(linked, 'segments', name));
  await copyFile(join(from, 'backup.json'), join(linked, 'backup.json'));
  await rename(linked, next);
  return next;
}

// Not every file system has hard links.
const linkOrCopy = (from: string, to: string): Promise<void> => link(from, to).catch(() => copyFile(from, to));

/** Names the backup that {@link beginGeneration} began, and removes the oldest ones. Returns its path. */
export async function endGeneration(folder: string, created: string, keep: number): Promise<string> {
  const path = join(folder, created.replaceAll(/[:.]/g, '-'));
  // Two in one millisecond, which a clock that was set back can make: the later one has everything.
  await rm(path, { recursive: true, force: true });
  await rename(join(folder, NEXT), path);
  const names = await generationsIn(folder);
  for (const name of names.slice(0, Math.max(0, names.length - keep)))
    await rm(join(folder, name), { recursive: true, force: true });
  return path;
}
