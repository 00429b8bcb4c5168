/** Backups of a store and how a store is made of one. */
import type { Ref } from '@quadrille/core';
import type { Backend } from './open-options.js';
import type { ReadOptions } from './query.js';

/**
 * How far a backup has come.
 * @since 0.1.0
 */
export interface BackupProgress {
  /** Entries of the storage that the backup has so far. */
  readonly entries: number;
  /** Bytes that were written. */
  readonly bytesWritten: number;
  /** Bytes of entries that an earlier backup in the same place has already. */
  readonly bytesReused: number;
}

/**
 * Options of {@link Database.backup}.
 * @since 0.1.0
 */
export interface BackupOptions {
  /** Called after each portion of the store. */
  readonly onProgress?: ((progress: BackupProgress) => void) | undefined;
  /** Ends the backup with `ABORTED`. The earlier backup stays valid, and the next one uses what was written. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * A repository in a backup.
 * @since 0.1.0
 */
export interface BackupHead {
  /** `account/repository`. */
  readonly name: string;
  /** Number of its newest revision. */
  readonly number: number;
  /** UUID of that revision. Missing if the repository was deleted during the backup. */
  readonly revision?: string;
  /** Time of that revision. Missing if the repository was deleted during the backup. */
  readonly time?: Date;
}

/**
 * What a backup has.
 * @since 0.1.0
 */
export interface BackupReport extends BackupProgress {
  /** The repositories, sorted by name. */
  readonly heads: readonly BackupHead[];
  /** Time at which the state was taken. */
  readonly created: Date;
  /** Whether nothing of an earlier backup was used. */
  readonly full: boolean;
}

/**
 * A directory of a backup, or a file of a streamed one, by path or file URL; or the bytes of a streamed one.
 * @since 0.1.0
 */
export type BackupSource = string | URL | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/**
 * A time, a revision if the backup has one repository, or revisions by the names of repositories.
 * @since 0.1.0
 */
export type RestorePoint = Ref | Readonly<Record<string, Ref>>;

/**
 * How far the reading of a backup has come.
 * @since 0.1.0
 */
export interface ReadBackupProgress {
  /** Bytes of segments that were read. */
  readonly bytesRead: number;
}

/**
 * Options of {@link verifyBackup} and {@link unpackBackup}.
 * @since 0.1.0
 */
export interface VerifyBackupOptions extends ReadOptions {
  /** Called while segments are read. An error that it throws ends the call. */
  readonly onProgress?: ((progress: ReadBackupProgress) => void) | undefined;
}

/**
 * Options of {@link restore}.
 * @since 0.1.0
 */
export interface RestoreOptions extends VerifyBackupOptions {
  /**
   * A time sets each repository back to its last revision at or before it, and leaves out repositories that did not exist. Repositories that are not named stay as they are in the backup. Accounts, prefixes, metadata and tokens have no
   * revisions: they are always those of the backup.
   * Not for a database or a bucket.
   * @defaultValue the newest revisions
   */
  readonly to?: RestorePoint | undefined;
  /**
   * The backend of the new store.
   * @defaultValue `'leveldb'`
   */
  readonly backend?: Backend | undefined;
}

/**
 * The store that was made of a backup.
 * @since 0.1.0
 */
export interface RestoreReport {
  /** Path of the new store; or its URL, without a password. */
  readonly location: string;
  /** The repositories as the backup has them, before `to` sets them back. Sorted by name. */
  readonly heads: readonly BackupHead[];
  /** Names of the repositories that did not exist at the time `to`. */
  readonly omitted: readonly string[];
}

/**
 * What a backup has, and how much was read of it.
 * @since 0.1.0
 */
export interface VerifyBackupReport {
  /** The repositories, sorted by name. */
  readonly heads: readonly BackupHead[];
  /** Time at which the state was taken. */
  readonly created: Date;
  /** UUID of the store, if it has one. */
  readonly store?: string;
  /** Number of segments, the files of a backup. */
  readonly segments: number;
  /** Bytes of the segments. */
  readonly bytes: number;
  /** Entries of the storage that the backup has. */
  readonly entries: number;
}
