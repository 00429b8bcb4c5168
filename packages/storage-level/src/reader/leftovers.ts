/** Removes what LevelDB leaves in its directory when the disk is full: unused tables and the torn end of a log. */

import { open, readdir, readFile, rm, truncate, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { syncDirectory } from '@quadrille/storage-directory';
import { readLogRecords } from './log-records.js';
import { readVersion, type LevelVersion } from './version.js';

const NAMED = /^(?:(?<kind>MANIFEST)-)?(?<number>\d+)(?:\.(?<extension>log|ldb|sst|dbtmp))?$/;

/**
 * Removes unused files, as LevelDB does when it opens. Call it while LevelDB is closed and the store's lock is held.
 * Syncs the manifest first: if a power failure took its end, removed files would be needed again.
 */
export async function removeLeftovers(directory: string): Promise<void> {
  const version = await readVersion(directory);
  await synced(join(directory, version.manifest));
  const tables = new Set(version.levels.flat().map(({ number }) => number));
  const logs: string[] = [];
  for (const name of await readdir(directory)) {
    const { kind, number, extension } = NAMED.exec(name)?.groups ?? {};
    if (number === undefined) continue;
    if (!isNeeded(version, tables, kind ?? extension, Number(number))) await rm(join(directory, name), { force: true });
    else if (extension === 'log') logs.push(name);
  }
  await syncDirectory(directory);
  for (const name of logs) await cutTornEnd(join(directory, name));
}

function isNeeded(
  version: LevelVersion,
  tables: ReadonlySet<number>,
  kind: string | undefined,
  number: number,
): boolean {
  if (kind === 'MANIFEST') return number >= Number(version.manifest.replace('MANIFEST-', ''));
  if (kind === 'log') return number >= version.logNumber || number === version.previousLog;
  return (kind !== 'ldb' && kind !== 'sst' && kind !== 'dbtmp') || tables.has(number);
}

async function cutTornEnd(path: string): Promise<void> {
  const bytes = await readFile(path);
  const { end } = readLogRecords(bytes);
  if (end < bytes.length) await truncate(path, end);
}

async function synced(path: string): Promise<void> {
  const file: FileHandle = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
