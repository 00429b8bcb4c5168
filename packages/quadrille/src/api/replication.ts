/** Copies of a repository that follow each other: clone, pull and push. */
import type { Revision } from '@quadrille/core';
import type { ExportHistoryOptions, HistoryProgress, ImportHistoryOptions } from './history.js';
import type { LoadSource } from './load.js';
import type { ReadOptions, Results } from './query.js';
import type { Repository } from './repository.js';

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
export interface PullOptions extends ReplicationOptions {
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
  /** Called about five times a second, and at the end. An error that it throws ends the pull. */
  readonly onProgress?: ((progress: HistoryProgress) => void) | undefined;
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
/**
 * Exchange of the history of a repository with other copies.
 * @throws StateError `STORE_NOT_OPEN`
 * @throws NotFoundError `REPOSITORY_DELETED`
 * @throws StorageError `STORAGE_IO`
 * @since 0.1.0
 */
export interface Sync {
  /** Addresses of other copies, by name. */
  readonly remotes: Remotes;
  /**
   * Appends the revisions that another copy has after our head, with their ids, times, authors and numbers. Labels of blank nodes
   * stay the same. Sets the namespaces and tags of the copy. An empty repository takes the whole history. A copy that is not
   * ahead changes nothing. After an error whole revisions before it stay, so the next pull goes on.
   * @param remote the name of a remote, the address of a repository at a server, or a repository of any database; default `origin`. At a
   *   server it is the branch of the same name; a repository is on the branch that it was taken from
   * @throws ConflictError `HISTORY_DIVERGED` if each copy has revisions of its own; `MERGE_CONFLICT` with `merge`
   * @throws InvalidArgumentError `INVALID_OPTION`, `INVALID_NAME`
   * @throws NotFoundError `REPOSITORY_NOT_FOUND`, `BRANCH_NOT_FOUND`
   * @throws AccessError `UNAUTHENTICATED`, `FORBIDDEN`
   * @throws FetchError `FETCH_FAILED` if the server cannot be reached, or breaks off
   * @throws CorruptionError `LOG_BROKEN` if what it sends is damaged, edited or cut
   * @throws EvaluationError `ABORTED`
   * @throws StateError `READ_ONLY`
   * @throws StorageError `STORAGE_FULL`, `STORAGE_LIMIT`
   */
  pull(remote?: string | Repository, options?: PullOptions): Promise<ReplicationReport>;
  /**
   * Sends the revisions that we have after the head of another copy, as {@link pull} gets them. A copy that is not behind stays as it is.
   * @param remote the name of a remote, the address of a repository at a server, or a repository of any database; default `origin`
   * @throws ConflictError `HISTORY_DIVERGED` if the other copy has revisions of its own, or gets some meanwhile
   * @throws InvalidArgumentError `INVALID_OPTION`, `INVALID_NAME`
   * @throws NotFoundError `REPOSITORY_NOT_FOUND`, `BRANCH_NOT_FOUND`
   * @throws AccessError `UNAUTHENTICATED`, `FORBIDDEN`
   * @throws FetchError `FETCH_FAILED`
   * @throws EvaluationError `ABORTED`
   * @throws StorageError `STORAGE_FULL` if the other copy has no room
   */
  push(remote?: string | Repository, options?: ReplicationOptions): Promise<ReplicationReport>;
  /**
   * Returns the history as the text of a file in RDF Patch. Each revision from the first one or after `from` is a transaction
   * with its id, time, author and message. The namespaces and tags of the repository follow. A chain of SHA-256 values and the
   * last rows show where a file was edited or cut. Pieces are whole rows of about 64 Ki characters together. Later commits do not
   * change the text. Its memory does not depend on the length of the history; reading it takes about as long as a dump of all
   * changes.
   * @throws NotFoundError `REVISION_NOT_FOUND`; `REVISION_TRIMMED` if two branches have kept no revision that they share
   * @throws InvalidArgumentError `INVALID_OPTION`, also if `from` is after `to`, or with either of them for all branches; `INVALID_REF`
   * @throws EvaluationError `ABORTED`
   */
  exportHistory(options?: ExportHistoryOptions): Results<string>;
  /**
   * Appends the revisions of a history file, with ids, times, authors, messages, numbers and labels of blank nodes, and sets its
   * namespaces and tags. The repository is empty, or its head is the revision before the first one of the file, or it has some of the
   * file already: those are compared and skipped, so an import that has ended early goes on if it is made again. Many revisions share a
   * write. Its memory does not depend on the length of the file; a transaction of any size is written aside. The source may be gzipped.
   * Resolves with the head. After an error whole transactions before the fault stay, nothing of the faulty one does.
   * @throws CorruptionError `LOG_BROKEN` with `details.line` if the file is damaged, edited or cut, if it adds what is there, or deletes
   *   what is not there; `FORMAT_VERSION` with `upgrade: false`
   * @throws ConflictError `HISTORY_DIVERGED` if its revisions cannot follow those of the repository
   * @throws EvaluationError `ABORTED`
   * @throws ParseError `RDF_SYNTAX`
   * @throws InvalidArgumentError `INVALID_OPTION`
   * @throws NotFoundError `INPUT_NOT_FOUND`
   * @throws StateError `READ_ONLY`
   * @throws StorageError `STORAGE_FULL`, `STORAGE_LIMIT`
   */
  importHistory(source: LoadSource, options?: ImportHistoryOptions): Promise<Revision>;
}
