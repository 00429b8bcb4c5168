/** `verifyBackup()`: reads a whole backup and checks it. */
import type { Manifest } from '@quadrille/core/backup';
import type { BackupSource, VerifyBackupOptions, VerifyBackupReport } from '../api/index.js';
import { checkOptions } from '../options/check-options.js';
import { aFunction, signal as signalRule } from '../options/rules.js';
import { filing, untilAborted } from './file-errors.js';
import { readBackup } from './read-backup.js';
import { headOf } from './run-backup.js';

const OPTIONS = { onProgress: aFunction, signal: signalRule };

export async function verifyBackup(
  source: BackupSource,
  options: VerifyBackupOptions = {},
): Promise<VerifyBackupReport> {
  checkOptions(options, OPTIONS, 'verifyBackup');
  return untilAborted(options.signal, 'check of the backup', async () => {
    const manifest = await filing('read the backup', () => readBackup(source, {}, options));
    return reportOf(manifest);
  });
}

export function reportOf(manifest: Manifest): VerifyBackupReport {
  const { repositories, created, store, segments, entries } = manifest;
  return {
    heads: repositories.map(headOf),
    created: new Date(created),
    ...(store !== undefined && { store }),
    segments: segments.length,
    bytes: segments.reduce((sum, segment) => sum + segment.bytes, 0),
    entries,
  };
}
