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
 * that are set back are built anew. An error leaves no part of the new store behind.
 *
 * @param location directory of the new store, which must not exist; or the URL of a database or bucket without a store. There it is
 *   written in place: `open` refuses it until it is complete
 * @throws ConflictError `ALREADY_EXISTS`
 * @throws StateError `NOT_A_BACKUP`, `STORE_LOCKED`
 * @throws CorruptionError `BACKUP_DAMAGED`
 * @throws NotFoundError `INPUT_NOT_FOUND`, `REPOSITORY_NOT_FOUND`, `REVISION_NOT_FOUND`
 * @throws InvalidArgumentError `INVALID_OPTION`, `INVALID_REF`
 * @throws StorageError `STORAGE_FULL`, `STORAGE_IO`
 * @throws EvaluationError `ABORTED`
 * @example
 * ```ts
 * import { open, restore } from 'quadrille';
 *
 * const db = await open('./data');
 * const repo = await db.repository('people', { create: true });
 * await repo.update('INSERT DATA { <urn:ann> foaf:name "Ann" }');
 * await db.backup('./backup');
 * await db.close();
 *
 * const { heads } = await restore('./backup', './yesterday', { to: { 'default/people': 1 } });
 * console.log(heads.map(({ name, number }) => `${name} ${String(number)}`)); // [ 'default/people 2' ]
 * ```
 * @since 0.1.0
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
 * @throws CorruptionError `BACKUP_DAMAGED`
 * @throws StateError `NOT_A_BACKUP`
 * @throws NotFoundError `INPUT_NOT_FOUND`
 * @throws StorageError `STORAGE_IO`
 * @throws EvaluationError `ABORTED`
 * @throws InvalidArgumentError `INVALID_OPTION`
 * @example
 * ```ts
 * import { open, verifyBackup } from 'quadrille';
 *
 * const db = await open('./data');
 * const repo = await db.repository('people', { create: true });
 * await repo.update('INSERT DATA { <urn:ann> foaf:name "Ann" }');
 * await db.backup('./backup');
 * await db.close();
 *
 * console.log((await verifyBackup('./backup')).heads.length); // 1
 * ```
 * @since 0.1.0
 */
export async function verifyBackup(source: BackupSource, options?: VerifyBackupOptions): Promise<VerifyBackupReport> {
  return (await platform.backups()).verifyBackup(source, options);
}

/**
 * Writes a streamed backup into a directory, which then takes the place of the backup that the directory had: the same as unpacking the
 * archive, with all hashes checked. The backup before stays valid until everything is there.
 *
 * @param source the bytes of the archive
 * @param directory a directory that is empty, missing, or has a backup of the same store
 * @throws StateError `NOT_A_BACKUP`, `BACKUP_MISMATCH` if the directory has the backup of another store, `STORE_LOCKED`
 * @throws CorruptionError `BACKUP_DAMAGED`
 * @throws StorageError `STORAGE_FULL`, `STORAGE_IO`
 * @throws EvaluationError `ABORTED`
 * @throws InvalidArgumentError `INVALID_OPTION`
 * @example
 * ```ts
 * import { open, unpackBackup } from 'quadrille';
 *
 * const db = await open('./data');
 * await db.repository('people', { create: true });
 * const archive = new TransformStream<Uint8Array, Uint8Array>();
 * const [, { heads }] = await Promise.all([
 *   db.backup(archive.writable),
 *   unpackBackup(archive.readable, './unpacked'),
 * ]);
 * console.log(heads.length); // 1
 * await db.close();
 * ```
 * @since 0.1.0
 */
export async function unpackBackup(
  source: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>,
  directory: string,
  options?: VerifyBackupOptions,
): Promise<VerifyBackupReport> {
  return (await platform.backups()).unpackBackup(source as AsyncIterable<Uint8Array>, directory, options);
}
