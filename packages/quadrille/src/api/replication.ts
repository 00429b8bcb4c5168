/** Copies of a repository that follow each other: clone, pull and push. */
import type { Revision } from '@quadrille/core';
import type { ImportHistoryOptions } from './history.js';
import type { ReadOptions, Results } from './query.js';

/**
 * Where another copy of a repository is.
 * @since 0.1.0
 */
export interface Remote {
  /** The address of the repository at its server: `https://data.example.org/acme/people`. It has no credentials. */
  readonly url: string;
}
/**
 * A remote in a list.
 * @since 0.1.0
 */
export interface NamedRemote extends Remote {
  /** Its name. */
  readonly name: string;
}
/**
 * Names for addresses of other copies. `clone` sets `origin`.
 * @throws StateError `STORE_NOT_OPEN`
 * @throws StorageError `STORAGE_IO`
 * @since 0.1.0
 */
export interface Remotes {
  /** The remote of a name; `undefined` if there is none. */
  get(name: string): Promise<Remote | undefined>;
  /**
   * Sets a remote, in place of an earlier one. Nothing is asked of it.
   * @throws InvalidArgumentError `INVALID_NAME`; `INVALID_OPTION` for an address that is not http or https, or that has credentials
   * @throws StateError `READ_ONLY`
   * @throws StorageError `STORAGE_FULL`
   */
  set(name: string, remote: Remote): Promise<void>;
  /**
   * Deletes a remote. True if it was there.
   * @throws StateError `READ_ONLY`
   * @throws StorageError `STORAGE_FULL`
   */
  delete(name: string): Promise<boolean>;
  /** All remotes, by their names. */
  list(): Results<NamedRemote>;
}
/**
 * Options of `clone`, `pull` and `push`.
 * @since 0.1.0
 */
export interface ReplicationOptions extends ReadOptions {
  /** A token of the server. It is sent with each request, and never stored. To push it needs the rights `write` and `replicate`. */
  readonly token?: string | undefined;
}
/**
 * Options of `clone` and `pull`.
 * @since 0.1.0
 */
export interface PullOptions extends ReplicationOptions, Pick<ImportHistoryOptions, 'onProgress'> {
  /**
   * If each copy has revisions of its own: puts those of the other one on the branch `remote/NAME`, with their ids, times and numbers, and
   * merges it. With conflicts the branch stays, and `branches.merge` can decide them.
   * @defaultValue `false`: `HISTORY_DIVERGED`
   */
  readonly merge?: boolean | undefined;
  /**
   * `'all'`: all branches of the other copy. Those that this copy lacks are created. The whole history is sent again, and what both have
   * is compared. Only on `main`, and without `merge`. `'this'`: the branch of this name.
   * @defaultValue `'this'`
   */
  readonly branches?: 'all' | 'this' | undefined;
}
/**
 * What a pull or a push has done.
 * @since 0.1.0
 */
export interface ReplicationReport {
  /** Number of revisions that the other copy did not have. */
  readonly transferred: number;
  /** The head of the copy that got them. */
  readonly revision: Revision;
}
