/**
 * A directory that takes backups. `segments/` holds the records, `backup.json` names the segments that belong to the backup and is
 * renamed into place last. So the directory holds the backup before or the one after, whenever a process dies.
 */
import { createHash } from 'node:crypto';
import { mkdir, open, readdir, readFile, realpath, rm } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { checkAttempt, isSetName, SEGMENT_BYTES } from '@quadrille/core/backup';
import type {
  Attempt,
  BackupTarget,
  Manifest,
  PreviousBackup,
  SegmentEntry,
  SegmentSink,
} from '@quadrille/core/backup';
import { makeDirectory, renameSynced, syncDirectory, writeSynced } from '@quadrille/storage-directory';
import type { ProcessLock } from '@quadrille/storage-directory';
import {
  classifyBackup,
  MANIFEST_FILE,
  PART_FILE,
  readIndex,
  readManifest,
  SEGMENT_FOLDER,
  segmentPath,
} from './backup-directory.js';
import { assertPath } from '../platform/backends.js';
import { filing } from './file-errors.js';
import { lockDirectory } from './lock.js';
import { openText, sealedText, sha256 } from './manifest-file.js';

const ACTION = 'write the backup';

export class DirectoryTarget implements BackupTarget {
  /** Segments that are written and may not be on the disk yet. */
  #syncing: Promise<unknown> = Promise.resolve();
  #failure: unknown;

  private constructor(
    private readonly path: string,
    private readonly lock: ProcessLock,
    private readonly found: PreviousBackup,
    readonly segmentBytes: number,
  ) {}

  /**
   * Takes the lock of a directory, which it creates if necessary.
   * @throws StateError `NOT_A_BACKUP`; `STORE_LOCKED` if another backup is being written there; CorruptionError `BACKUP_DAMAGED`;
   *   StorageError
   */
  static open(location: string, segmentBytes = SEGMENT_BYTES): Promise<DirectoryTarget> {
    assertPath('backup: the target', location);
    const path = resolve(location);
    return filing(`open the backup ${path}`, async () => {
      if ((await classifyBackup(path)) === 'missing') {
        await makeDirectory(path);
      }
      const real = await realpath(path);
      const lock = await lockDirectory(real, `Another backup is being written to ${real}: wait until it has ended.`);
      try {
        return new DirectoryTarget(real, lock, await begin(real), segmentBytes);
      } catch (error) {
        await lock.release();
        throw error;
      }
    });
  }

  async previous(): Promise<PreviousBackup> {
    return this.found;
  }

  index(segment: SegmentEntry): Promise<Uint8Array> {
    return filing('read the backup', () => readIndex(this.path, segment));
  }

  sha256(bytes: Uint8Array): string {
    return sha256(bytes);
  }

  segment(name: string): Promise<SegmentSink> {
    return filing(ACTION, async () => {
      const path = segmentPath(this.path, name);
      return new FileSink(await open(path, 'wx'), path, (sync) => this.#background(sync));
    });
  }

  async note(set: string, attempts: readonly Attempt[]): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure as Error;
    // The text is made now: the list of segments grows.
    const text = sealedText({ set, attempts });
    // A segment is named only when it is on the disk.
    this.#background(() => writeAside(join(this.path, PART_FILE), text));
  }

  finish(manifest: Manifest): Promise<void> {
    return filing(ACTION, async () => {
      await this.#syncing;
      if (this.#failure !== undefined) throw this.#failure as Error;
      await syncDirectory(join(this.path, SEGMENT_FOLDER));
      await writeAside(join(this.path, MANIFEST_FILE), sealedText(manifest));
      // The backup is valid. What cannot be removed now is removed by the next backup.
      await this.#removeUnneeded(manifest).catch(() => undefined);
    });
  }

  async close(): Promise<void> {
    await this.#syncing;
    await this.lock.release();
  }

  // One after the other. A failure is reported by the next call.
  #background(work: () => Promise<void>): void {
    this.#syncing = this.#syncing.then(async () => {
      if (this.#failure !== undefined) return;
      await filing(ACTION, work).catch((error: unknown) => (this.#failure = error));
    });
  }

  async #removeUnneeded({ segments }: Manifest): Promise<void> {
    await rm(join(this.path, PART_FILE), { force: true });
    const needed = new Set(segments.map(({ name }) => name));
    const folder = join(this.path, SEGMENT_FOLDER);
    for (const name of await readdir(folder)) if (!needed.has(name)) await rm(join(folder, name), { force: true });
  }
}

/** Reads what is there. From here on the directory is an unfinished backup at least. */
async function begin(path: string): Promise<PreviousBackup> {
  // Again: another process may have written here before this one got the lock.
  const kind = await classifyBackup(path);
  const manifest = kind === 'backup' ? await readManifest(path) : undefined;
  const part = await readPart(path);
  if (kind === 'empty') await writeAside(join(path, PART_FILE), sealedText({}));
  await mkdir(join(path, SEGMENT_FOLDER), { recursive: true });
  await syncDirectory(path);
  const set = manifest?.set ?? part?.set;
  // What was noted of another set is of a backup that was finished since.
  return { set, manifest, attempts: part !== undefined && part.set === set ? part.attempts : [] };
}

/** The notes of unfinished runs. If they are missing or damaged, the backup writes everything again. */
async function readPart(path: string): Promise<{ set: string; attempts: readonly Attempt[] } | undefined> {
  try {
    const text = await readFile(join(path, PART_FILE), 'utf8');
    const { set, attempts } = openText(text, PART_FILE) as { set?: unknown; attempts?: unknown };
    if (!isSetName(set) || !Array.isArray(attempts)) return undefined;
    return { set, attempts: attempts.map(checkAttempt) };
  } catch {
    return undefined;
  }
}

async function writeAside(path: string, text: string): Promise<void> {
  await writeSynced(`${path}.new`, text);
  await renameSynced(`${path}.new`, path);
}

/** Bytes after which a segment is synced while it goes on: the disk is at work then, and the last sync has little left to do. */
const SYNCED_BYTES = 8 * 1024 * 1024;

class FileSink implements SegmentSink {
  readonly #hash = createHash('sha256');
  #unsynced = 0;
  /** The write under way. The next chunk is hashed meanwhile. */
  #writing: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly file: FileHandle,
    private readonly path: string,
    private readonly background: (work: () => Promise<void>) => void,
  ) {}

  async write(chunk: Uint8Array): Promise<void> {
    this.#hash.update(chunk);
    await filing(ACTION, () => this.#writing.then(() => undefined));
    this.#writing = this.file.writeFile(chunk);
    this.#writing.catch(() => undefined);
    this.#unsynced += chunk.length;
    if (this.#unsynced < SYNCED_BYTES) return;
    this.#unsynced = 0;
    this.background(() => this.file.datasync());
  }

  async finish(): Promise<string> {
    await filing(ACTION, () => this.#writing.then(() => undefined));
    this.background(async () => {
      try {
        await this.file.datasync();
      } finally {
        await this.file.close();
      }
    });
    return this.#hash.digest('hex');
  }

  async abandon(): Promise<void> {
    await this.#writing.catch(() => undefined);
    await this.file.close().catch(() => undefined);
    await rm(this.path, { force: true }).catch(() => undefined);
  }
}
