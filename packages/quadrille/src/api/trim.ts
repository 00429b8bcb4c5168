/** Removing old revisions. */
import type { Ref } from '@quadrille/core';
import type { ReadOptions } from './query.js';

/**
 * Options of `trim`. A revision stays if `before`, `last` or `perDay` says so; without any of them the setting `retention` says it.
 * @since 0.1.0
 */
export interface TrimOptions extends ReadOptions {
  /** Keeps this revision and all later ones. A time keeps the revision that was the newest one then. */
  readonly before?: Ref | undefined;
  /** Number of the newest revisions of the branch that stay. */
  readonly last?: number | undefined;
  /** Number of the last revisions of each day (UTC) that stay. */
  readonly perDay?: number | undefined;
  /**
   * `'delete-history'` first removes the quads that were there before the first revision that stays, and still are, as one more
   * revision. It needs `before` or `last` alone.
   * @defaultValue `'project-history'`, which changes no quad of a revision that stays
   */
  readonly mode?: 'project-history' | 'delete-history' | undefined;
  /** Only tells what would be removed. */
  readonly dryRun?: boolean | undefined;
  /** The author of the revision that `'delete-history'` makes. */
  readonly author?: string | undefined;
}

/**
 * What `trim` has removed.
 * @since 0.1.0
 */
export interface TrimReport {
  /** Number of revisions that were removed. */
  readonly trimmed: number;
  /** Number of revisions of the branch that are left, without those of the branch on which it begins. */
  readonly kept: number;
  /** Bytes by which the repository has become smaller, approximately. For a dry run, the bytes of the revision records. */
  readonly bytesFreed: number;
}
