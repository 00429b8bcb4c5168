/** Backups of a store and how a store is made of one. */
import type { Ref } from '@quadrille/core';
import type { Backend } from './open-options.js';

/** How far a backup has come. */
export interface BackupProgress {
  /** Entries of the storage that the backup has so far. */
  readonly entries: number;
  /** Bytes that were written. */
  readonly bytesWritten: number;
  /** Bytes of entries that an earlier backup in the same place has already. */
  readonly bytesReused: number;
}

export interface BackupOptions {
  /** Called after each portion of the store. */
  readonly onProgress?: ((progress: BackupProgress) => void) | undefined;
  /** Ends the backup with `ABORTED`. The earlier backup stays valid, and the next one uses what was written. */
  readonly signal?: AbortSignal | undefined;
}

/** A repository in a backup. */
export interface BackupHead {
  /** `account/repository`. */
  readonly name: string;
  /** Number of its newest revision. */
  readonly number: number;
  /** UUID of that revision, and its time (ISO 8601). Missing if the repository was deleted during the backup. */
  readonly revision?: string;
  readonly time?: string;
}

export interface BackupReport extends BackupProgress {
  /** Sorted by name. */
  readonly heads: readonly BackupHead[];
  /** Time at which the state was taken, ISO 8601. */
  readonly created: string;
  /** Whether nothing of an earlier backup was used. */
  readonly full: boolean;
}

/** A directory of a backup, or a file of a streamed one, by path or file URL; or the bytes of a streamed one. */
export type BackupSource = string | URL | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/** A time, a revision if the backup has one repository, or revisions by the names of repositories. */
export type RestorePoint = Ref | Readonly<Record<string, Ref>>;

/** How far the reading of a backup has come. */
export interface ReadBackupProgress {
  /** Bytes of segments that were read. */
  readonly bytesRead: number;
}

export interface VerifyBackupOptions {
  readonly onProgress?: ((progress: ReadBackupProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface RestoreOptions extends VerifyBackupOptions {
  /**
   * Default: the newest revisions. A time sets each repository back to its last revision at or before it, and leaves out repositories
   * that did not exist. Repositories that are not named stay as they are in the backup. Accounts, prefixes, metadata and tokens have no
   * revisions: they are always those of the backup.
   */
  readonly to?: RestorePoint | undefined;
  /** The backend of the new store. Default `leveldb`. */
  readonly backend?: Backend | undefined;
}

export interface RestoreReport {
  /** Path of the new store. */
  readonly location: string;
  /** The repositories as the backup has them, before `to` sets them back. Sorted by name. */
  readonly heads: readonly BackupHead[];
  /** Names of the repositories that did not exist at the time `to`. */
  readonly omitted: readonly string[];
}

export interface VerifyBackupReport {
  /** Sorted by name. */
  readonly heads: readonly BackupHead[];
  /** Time at which the state was taken, ISO 8601. */
  readonly created: string;
  /** UUID of the store, if it has one. */
  readonly store?: string;
  readonly segments: number;
  /** Bytes of the segments. */
  readonly bytes: number;
  /** Entries of the storage that the backup has. */
  readonly entries: number;
}
