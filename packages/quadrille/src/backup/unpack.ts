/** Writes a streamed backup into a directory, where it takes the place of the backup before. */
import { damagedBackup, isSegmentName } from '@quadrille/core/backup';
import type { Manifest, SegmentSink } from '@quadrille/core/backup';
import { StateError } from '@quadrille/model';
import type { VerifyBackupOptions, VerifyBackupReport } from '../api/index.js';
import { checkOptions } from '../options/check-options.js';
import { aFunction, signal as signalRule } from '../options/rules.js';
import { MANIFEST_FILE, SEGMENT_FOLDER } from './backup-directory.js';
import { DirectoryTarget } from './directory-target.js';
import { untilAborted } from './file-errors.js';
import { notABackup, openManifest } from './manifest-file.js';
import { tarFiles } from './tar.js';
import { reportOf } from './verify-backup.js';

const OPTIONS = { onProgress: aFunction, signal: signalRule };

interface Unpacked {
  readonly bytes: number;
  readonly sha256: string;
}

export async function unpackBackup(
  source: AsyncIterable<Uint8Array>,
  directory: string,
  options: VerifyBackupOptions = {},
): Promise<VerifyBackupReport> {
  checkOptions(options, OPTIONS, 'unpackBackup');
  return untilAborted(options.signal, 'unpacking', async () => {
    const target = await DirectoryTarget.open(directory);
    try {
      const manifest = await unpackInto(target, source, options);
      const before = (await target.previous()).manifest;
      if (before !== undefined && before.store !== manifest.store)
        throw new StateError('BACKUP_MISMATCH', `${directory} has the backup of another store. Nothing was changed.`);
      await target.finish(manifest);
      return reportOf(manifest);
    } finally {
      await target.close();
    }
  });
}

async function unpackInto(
  target: DirectoryTarget,
  source: AsyncIterable<Uint8Array>,
  { onProgress, signal }: VerifyBackupOptions,
): Promise<Manifest> {
  const unpacked = new Map<string, Unpacked>();
  let bytesRead = 0;
  let manifest: Manifest | undefined;
  for await (const { name, chunks } of tarFiles(source)) {
    if (name === MANIFEST_FILE) {
      let text = '';
      const decoder = new TextDecoder();
      for await (const chunk of chunks) text += decoder.decode(chunk, { stream: true });
      manifest = openManifest(text + decoder.decode(), MANIFEST_FILE);
      continue;
    }
    const segment = name.startsWith(`${SEGMENT_FOLDER}/`) ? name.slice(SEGMENT_FOLDER.length + 1) : '';
    if (!isSegmentName(segment)) throw notABackup(`An archive with the file ${name.slice(0, 100)}`);
    unpacked.set(
      segment,
      await copied(await target.segment(segment), chunks, (bytes) => {
        signal?.throwIfAborted();
        onProgress?.({ bytesRead: (bytesRead += bytes) });
      }),
    );
  }
  if (manifest === undefined) throw damagedBackup(`${MANIFEST_FILE} is missing`);
  for (const { name, bytes, sha256 } of manifest.segments) {
    const found = unpacked.get(name);
    if (found?.bytes !== bytes || found.sha256 !== sha256) throw damagedBackup(`${name} is not what its manifest says`);
  }
  return manifest;
}

async function copied(
  sink: SegmentSink,
  chunks: AsyncIterable<Uint8Array>,
  progress: (bytes: number) => void,
): Promise<Unpacked> {
  let bytes = 0;
  try {
    for await (const chunk of chunks) {
      progress(chunk.length);
      bytes += chunk.length;
      await sink.write(chunk);
    }
  } catch (error) {
    await sink.abandon();
    throw error;
  }
  return { bytes, sha256: await sink.finish() };
}
