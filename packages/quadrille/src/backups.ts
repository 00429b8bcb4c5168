/** Restores backups and checks them. What does the work is loaded when it is first used. */
import { platform } from '#platform';
import type {
  BackupSource,
  RestoreOptions,
  RestoreReport,
  VerifyBackupOptions,
  VerifyBackupReport,
} from './api/index.js';

/**
 * Makes a new store of a backup, which {@link Database.backup} wrote. The store gets a UUID of its own: later backups of it go to
 * another place than those of the store that it came from. It is built beside `location` and renamed when it is complete and every hash
 * of the backup was right. Costs about as much as reading and writing the bytes of the backup; with `to`, the indexes of repositories
 * that are set back are built anew.
 *
 * @param location directory of the new store; it must not exist
 * @throws ConflictError `ALREADY_EXISTS`; StateError `NOT_A_BACKUP`, `STORE_LOCKED`; CorruptionError `BACKUP_DAMAGED`; NotFoundError
 *   `INPUT_NOT_FOUND`, `REPOSITORY_NOT_FOUND`, `REVISION_NOT_FOUND`; InvalidArgumentError `INVALID_OPTION`, `INVALID_REF`; StorageError
 *   `STORAGE_FULL`, `STORAGE_IO`; EvaluationError `ABORTED`. An error leaves no part of the new store behind.
 */
export async function restore(
  source: BackupSource,
  location: string | URL,
  options?: RestoreOptions,
): Promise<RestoreReport> {
  return (await platform.backups()).restore(source, location, options);
}

/**
 * Reads a whole backup: checks the hashes of all segments, and that everything is there which the manifest names. Costs as much as
 * reading and hashing the files. It does not check the store that was backed up: {@link Database.verify} does, also after a restore.
 *
 * @throws CorruptionError `BACKUP_DAMAGED`; StateError `NOT_A_BACKUP`; NotFoundError `INPUT_NOT_FOUND`; StorageError `STORAGE_IO`;
 *   EvaluationError `ABORTED`; InvalidArgumentError `INVALID_OPTION`
 */
export async function verifyBackup(source: BackupSource, options?: VerifyBackupOptions): Promise<VerifyBackupReport> {
  return (await platform.backups()).verifyBackup(source, options);
}

/**
 * Writes a streamed backup into a directory, which then takes the place of the backup that the directory had: the same as unpacking the
 * archive, with all hashes checked. The backup before stays valid until everything is there.
 *
 * @throws StateError `NOT_A_BACKUP`, `BACKUP_MISMATCH` if the directory has the backup of another store, `STORE_LOCKED`; CorruptionError
 *   `BACKUP_DAMAGED`; StorageError `STORAGE_FULL`, `STORAGE_IO`; EvaluationError `ABORTED`
 */
export async function unpackBackup(
  source: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>,
  directory: string,
  options?: VerifyBackupOptions,
): Promise<VerifyBackupReport> {
  return (await platform.backups()).unpackBackup(source as AsyncIterable<Uint8Array>, directory, options);
}
