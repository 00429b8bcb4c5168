/** The files of a backup in a directory. */
import { open, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { damagedBackup, isSegmentName } from '@quadrille/core/backup';
import type { Manifest, SegmentEntry } from '@quadrille/core/backup';
import { LOCK_FILE, systemCode } from '@quadrille/storage-directory';
import { notABackup, openManifest, sha256 } from './manifest-file.js';

export const MANIFEST_FILE = 'backup.json';
/** The notes of unfinished runs. */
export const PART_FILE = 'backup.part.json';
export const SEGMENT_FOLDER = 'segments';
const OURS = new Set([PART_FILE, `${PART_FILE}.new`, `${MANIFEST_FILE}.new`, SEGMENT_FOLDER]);

/** `unfinished`: no backup was completed here. */
export type BackupKind = 'missing' | 'empty' | 'unfinished' | 'backup';

/** @throws StateError `NOT_A_BACKUP` if there is anything else */
export async function classifyBackup(path: string): Promise<BackupKind> {
  let names: string[];
  try {
    names = await readdir(path);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return 'missing';
    if (systemCode(error) === 'ENOTDIR') throw notABackup(path);
    throw error;
  }
  const own = names.filter((name) => !name.startsWith(LOCK_FILE) && name !== 'lost+found');
  if (own.length === 0) return 'empty';
  if (own.includes(MANIFEST_FILE)) return 'backup';
  const begun = own.includes(PART_FILE) || own.includes(`${PART_FILE}.new`);
  if (begun && own.every((name) => OURS.has(name))) return 'unfinished';
  throw notABackup(path);
}

/** @throws StateError `NOT_A_BACKUP`; CorruptionError `BACKUP_DAMAGED` */
export async function readManifest(path: string): Promise<Manifest> {
  try {
    return openManifest(await readFile(join(path, MANIFEST_FILE), 'utf8'), join(path, MANIFEST_FILE));
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') throw notABackup(path);
    throw error;
  }
}

export const segmentPath = (path: string, name: string): string => {
  // A manifest was checked for this; a name with a path in it must not get here.
  if (!isSegmentName(name)) throw damagedBackup('a segment has a name that no backup uses');
  return join(path, SEGMENT_FOLDER, name);
};

/** The index and trailer of a segment. @throws CorruptionError `BACKUP_DAMAGED` */
export async function readIndex(path: string, segment: SegmentEntry): Promise<Uint8Array> {
  const bytes = new Uint8Array(segment.indexBytes);
  const file = await openSegment(path, segment.name);
  try {
    const { size } = await file.stat();
    if (size !== segment.bytes) throw damagedBackup(`${segment.name} has ${size} bytes instead of ${segment.bytes}`);
    let at = 0;
    while (at < bytes.length) {
      const { bytesRead } = await file.read(bytes, at, bytes.length - at, size - bytes.length + at);
      if (bytesRead === 0) throw damagedBackup(`${segment.name} is cut off`);
      at += bytesRead;
    }
  } finally {
    await file.close();
  }
  if (sha256(bytes) !== segment.indexSha256)
    throw damagedBackup(`the index of ${segment.name} is not what was written`);
  return bytes;
}

export async function openSegment(path: string, name: string): ReturnType<typeof open> {
  try {
    return await open(segmentPath(path, name), 'r');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') throw damagedBackup(`${name} is missing`, { cause: error });
    throw error;
  }
}
