/** Reads a backup from a directory, a file or a stream, and checks all of it. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { damagedBackup, isSegmentName, segmentRecords } from '@quadrille/core/backup';
import type { Manifest, SegmentEntry, SegmentRecord } from '@quadrille/core/backup';
import { InvalidArgumentError, NotFoundError } from '@quadrille/model';
import { systemCode } from '@quadrille/storage-directory';
import type { BackupSource, VerifyBackupOptions } from '../api/index.js';
import { MANIFEST_FILE, openSegment, readManifest, SEGMENT_FOLDER } from './backup-directory.js';
import { notABackup, openManifest } from './manifest-file.js';
import { assertPath } from '../platform/backends.js';
import { tarFiles } from './tar.js';

/** Size of the pieces in which files are read, in bytes. */
const PIECE_BYTES = 1024 * 1024;

interface Segment {
  readonly name: string;
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** The parts of a backup. The manifest comes first or last. */
type Part = Segment | Manifest;

const isSegment = (part: Part): part is Segment => 'chunks' in part;

/** The receiver of the parts of a backup. */
export interface BackupReader {
  /** Called before any records, if the manifest comes first. */
  readonly begin?: (manifest: Manifest) => void;
  /** Takes records that belong to the backup. Their arrays stay as they are. */
  readonly records?: (records: readonly SegmentRecord[]) => Promise<void>;
}

/**
 * Reads a whole backup and checks its hashes.
 * @throws StateError `NOT_A_BACKUP`; CorruptionError `BACKUP_DAMAGED`; NotFoundError `INPUT_NOT_FOUND`; InvalidArgumentError
 *   `INVALID_OPTION`; what the reader throws
 */
export async function readBackup(
  source: BackupSource,
  reader: BackupReader,
  { onProgress, signal }: VerifyBackupOptions,
): Promise<Manifest> {
  let manifest: Manifest | undefined;
  let bytesRead = 0;
  const found = new Map<string, ReadSegment>();
  for await (const part of await partsOf(source)) {
    if (!isSegment(part)) {
      manifest = part;
      reader.begin?.(manifest);
      continue;
    }
    if (found.has(part.name)) throw damagedBackup(`${part.name} is there twice`);
    const entry = manifest?.segments.find(({ name }) => name === part.name);
    // Files that the manifest does not name are of an unfinished backup.
    if (manifest !== undefined && entry === undefined) continue;
    const progress = (bytes: number): void => {
      signal?.throwIfAborted();
      bytesRead += bytes;
      onProgress?.({ bytesRead });
    };
    found.set(part.name, await readSegment(part, entry, reader, progress));
  }
  if (manifest === undefined) throw damagedBackup(`${MANIFEST_FILE} is missing`);
  for (const entry of manifest.segments) checkSegment(entry, found.get(entry.name));
  if (found.size > manifest.segments.length) throw damagedBackup('it has segments that its manifest does not name');
  return manifest;
}

interface ReadSegment {
  readonly bytes: number;
  readonly records: number;
  readonly sha256: string;
  /** Whether only the records of the manifest were taken. */
  readonly chosen: boolean;
}

async function readSegment(
  { name, chunks }: Segment,
  entry: SegmentEntry | undefined,
  reader: BackupReader,
  progress: (bytes: number) => void,
): Promise<ReadSegment> {
  const hash = createHash('sha256');
  let bytes = 0;
  let records = 0;
  async function* hashed(): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      hash.update(chunk);
      bytes += chunk.length;
      progress(chunk.length);
      yield chunk;
    }
  }
  const live = liveFilter(entry);
  for await (const some of segmentRecords(hashed(), name)) {
    records += some.length;
    const wanted = live === undefined ? some : some.filter(({ at }) => live(at));
    if (wanted.length > 0) await reader.records?.(wanted);
  }
  const read = { bytes, records, sha256: hash.digest('hex'), chosen: entry !== undefined };
  // At once: nobody waits for the rest of a damaged backup.
  if (entry !== undefined) checkSegment(entry, read);
  return read;
}

function checkSegment(entry: SegmentEntry, read: ReadSegment | undefined): void {
  const { name, live } = entry;
  if (read === undefined) throw damagedBackup(`${name} is missing`);
  if (read.bytes !== entry.bytes) throw damagedBackup(`${name} has ${read.bytes} bytes instead of ${entry.bytes}`);
  if (read.sha256 !== entry.sha256) throw damagedBackup(`the SHA-256 of ${name} is not that of its manifest`);
  if (read.records !== entry.records)
    throw damagedBackup(`${name} has ${read.records} records instead of ${entry.records}`);
  if (live !== undefined && !read.chosen)
    throw damagedBackup(`its manifest comes after segments of which it uses a part: put ${MANIFEST_FILE} first`);
}

// Asked in ascending order.
function liveFilter(entry: SegmentEntry | undefined): ((at: number) => boolean) | undefined {
  const live = entry?.live;
  if (live === undefined) return undefined;
  let span = 0;
  return (at) => {
    while (span < live.length && at >= live[span]![0] + live[span]![1]) span++;
    return span < live.length && at >= live[span]![0];
  };
}

async function partsOf(source: BackupSource): Promise<AsyncIterable<Part>> {
  const path = source instanceof URL ? pathOf(source) : source;
  assertPath('the backup', path);
  if (typeof path !== 'string') return archiveParts(checked(path));
  const kind = await kindOf(path);
  return kind === 'directory'
    ? directoryParts(path)
    : archiveParts(createReadStream(path, { highWaterMark: PIECE_BYTES }));
}

function pathOf(source: URL): string {
  try {
    return fileURLToPath(source);
  } catch (cause) {
    throw new InvalidArgumentError('INVALID_OPTION', `a backup is read from a path, not from ${String(source)}`, {
      cause,
    });
  }
}

function checked(source: unknown): AsyncIterable<Uint8Array> {
  if (typeof source === 'object' && source !== null && Symbol.asyncIterator in source)
    return source as AsyncIterable<Uint8Array>;
  throw new InvalidArgumentError('INVALID_OPTION', `a backup is a path, a file URL or a stream, not ${String(source)}`);
}

async function kindOf(path: string): Promise<'directory' | 'file'> {
  try {
    return (await stat(path)).isDirectory() ? 'directory' : 'file';
  } catch (cause) {
    if (systemCode(cause) !== 'ENOENT') throw cause;
    throw new NotFoundError('INPUT_NOT_FOUND', `there is no backup ${path}`, { cause, details: { path } });
  }
}

async function* directoryParts(path: string): AsyncGenerator<Part> {
  const manifest = await readManifest(path);
  yield manifest;
  for (const { name } of manifest.segments) {
    const file = await openSegment(path, name);
    yield { name, chunks: file.createReadStream({ highWaterMark: PIECE_BYTES }) };
  }
}

async function* archiveParts(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Part> {
  for await (const { name, chunks } of tarFiles(bytes)) {
    if (name === MANIFEST_FILE) {
      yield openManifest(await textOf(chunks), MANIFEST_FILE);
      continue;
    }
    const segment = name.startsWith(`${SEGMENT_FOLDER}/`) ? name.slice(SEGMENT_FOLDER.length + 1) : '';
    if (!isSegmentName(segment)) throw notABackup(`An archive with the file ${name.slice(0, 100)}`);
    yield { name: segment, chunks };
  }
}

/** Largest manifest that is read from a stream, in bytes. */
const MOST_MANIFEST_BYTES = 256 * 1024 * 1024;

async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > MOST_MANIFEST_BYTES) throw damagedBackup(`${MANIFEST_FILE} is too long`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
