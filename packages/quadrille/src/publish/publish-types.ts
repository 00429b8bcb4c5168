import type { PublishedRepository } from '@quadrille/storage-published';
import type { ReadOptions } from '../api/query.js';

/**
 * Options of `publish`.
 * @since 0.1.0
 */
export interface PublishOptions extends Pick<ReadOptions, 'signal'> {
  /** Names of repositories. A store with one repository needs none. */
  readonly repositories?: readonly string[] | undefined;
  /** Publishes all repositories. Default false. */
  readonly all?: boolean | undefined;
  /**
   * What is published beside the head of `main`: nothing; this many of its last revisions; or all revisions of all branches. A history
   * has what the head has lost.
   * @defaultValue `'none'`
   */
  readonly history?: 'none' | 'all' | number | undefined;
  /** Whether the host can give parts of files. Without, all files are small. Default true. */
  readonly ranges?: boolean | undefined;
  /** Takes the place of a publication of another store, or of one from before an erasure: its data files are removed. Default false. */
  readonly replace?: boolean | undefined;
}

/**
 * What `publish` has written.
 * @since 0.1.0
 */
export interface PublishReport {
  /** The folder. */
  readonly location: string;
  /** What is published. */
  readonly repositories: readonly PublishedRepository[];
  /** Bytes of all data files that belong to the publication. */
  readonly bytes: number;
  /** Data files that were written now. Others are as they were. */
  readonly writtenFiles: number;
  /** Their bytes. */
  readonly writtenBytes: number;
  /** Names of data files that nobody needs any more who opens the store from now on. */
  readonly superfluous: readonly string[];
}
