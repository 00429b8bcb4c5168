/** Figures and checks of a repository, and what makes it smaller. */
import type * as RDF from '@rdfjs/types';
import type { Ref, VerifyReport } from '@quadrille/core';
import type { QuadPattern, ReadOptions } from './query.js';
import type { RepositoryStats, SpaceReport } from './repository-parts.js';

/**
 * Options of `maintenance.trim`. A revision stays if `from`, `to`, `last` or `perDay` says so; without any of them the setting `retention` says it.
 * @since 0.1.0
 */
export interface TrimOptions extends ReadOptions {
  /** The first revision that stays, as all later ones do. A time stands for the revision that was the newest one then. */
  readonly from?: Ref | undefined;
  /** The last revision that goes, as all earlier ones do. A time stands for the revision that was the newest one then. The head stays. */
  readonly to?: Ref | undefined;
  /** Number of the newest revisions of the branch that stay. */
  readonly last?: number | undefined;
  /** Number of the last revisions of each day (UTC) that stay. */
  readonly perDay?: number | undefined;
  /**
   * `'delete-history'` first removes the quads that were there before the first revision that stays, and still are, as one more
   * revision. It needs `from`, `to` or `last` alone.
   * @defaultValue `'project-history'`, which changes no quad of a revision that stays
   */
  readonly mode?: 'project-history' | 'delete-history' | undefined;
  /** Only tells what would be removed. */
  readonly dryRun?: boolean | undefined;
  /** The author of the revision that `'delete-history'` makes. */
  readonly author?: string | undefined;
}

/**
 * What `maintenance.trim` has removed.
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

/**
 * What `maintenance.erase` erases: all quads with a term at any place, also inside of triple terms; all quads that match a pattern; or some quads.
 * @since 0.1.0
 */
export type EraseTarget =
  | {
      /** An IRI, a blank node, a literal or a triple term. */
      readonly term: RDF.Term;
    }
  | {
      /** At least one member is a term. */
      readonly pattern: QuadPattern;
    }
  | {
      /** At most 1,000,000 quads. Those that no revision has do not matter. */
      readonly quads: Iterable<RDF.Quad>;
    };

/**
 * Options of `maintenance.erase`.
 * @since 0.1.0
 */
export interface EraseOptions extends ReadOptions {
  /** Why. It becomes the message of the revisions that the erasure makes, so it must not repeat what is erased. */
  readonly reason: string;
  /** The author of these revisions. */
  readonly author?: string | undefined;
  /** Only counts what would be erased. `terms` and `bytesRewritten` of the report are 0 then. Default false. */
  readonly dryRun?: boolean | undefined;
}

/**
 * What `maintenance.erase` has done, or would do with `dryRun`.
 * @since 0.1.0
 */
export interface EraseReport {
  /** Number of different quads that were erased. */
  readonly quads: number;
  /** Number of terms that were removed because no revision uses them any more. */
  readonly terms: number;
  /** Number of revisions that had, added or removed such quads. */
  readonly revisions: number;
  /** Number of branches, also deleted ones, whose own revisions were changed. */
  readonly branches: number;
  /** Bytes that were written anew, approximately. */
  readonly bytesRewritten: number;
  /** Where copies of the data may still be, in sentences for people. */
  readonly copies: readonly string[];
}

/**
 * The care of a repository.
 * @throws StateError `STORE_NOT_OPEN`
 * @throws NotFoundError `REPOSITORY_DELETED`
 * @throws StorageError `STORAGE_IO`
 * @since 0.1.0
 */
export interface Maintenance {
  /** Figures at the head. It reads statistics and no quads. */
  stats(): Promise<RepositoryStats>;
  /**
   * Checks the indexes against the log while the repository is in use. It reads all data once for each index. Damage is in the report, and no
   * error.
   */
  verify(): Promise<VerifyReport>;
  /**
   * Rebuilds the indexes from the log. It takes about as long as loading the quads.
   * @throws StateError `READ_ONLY`
   * @throws StorageError `STORAGE_FULL`
   */
  rebuild(): Promise<SpaceReport>;
  /**
   * Merges runs, removes unused data and frees space. It removes revisions only if the setting `retention` says so. It rewrites the
   * indexes and needs space meanwhile.
   * @throws StateError `READ_ONLY`
   * @throws StorageError `STORAGE_FULL`
   */
  compact(): Promise<SpaceReport>;
  /**
   * Removes old revisions of this branch. The next revision that stays also has their changes (kind `'squash'`), so the content of what
   * stays is the same. The head, branch heads, beginnings of branches, merges, what was merged, and tagged revisions stay in any case.
   * A removed revision is `REVISION_TRIMMED` from then on. Signatures of the others still verify.
   * @throws InvalidArgumentError `INVALID_OPTION` also if nothing says what is kept; `INVALID_REF`
   * @throws NotFoundError `REVISION_NOT_FOUND`
   * @throws ConflictError `REPOSITORY_BUSY` while a transaction or a load is under way for longer than 5 s
   * @throws EvaluationError `ABORTED`
   * @throws StateError `READ_ONLY`
   * @throws StorageError `STORAGE_FULL`
   */
  trim(options?: TrimOptions): Promise<TrimReport>;
  /**
   * Erases quads from every revision of every branch, and from the files of the store. Terms that no revision uses any more go too. Each
   * branch with such quads gets one more revision of the kind `'erase'`, with the reason and the number of quads. Numbers, ids and
   * signatures of the others stay. This cannot be undone. Writers wait meanwhile; results of snapshots that are older than 5 s
   * end with `SNAPSHOT_CLOSED`. An erasure that a crash or a full disk has cut off is finished when the repository is opened.
   * @throws InvalidArgumentError `INVALID_OPTION` also without a reason; `INVALID_TERM`, `INVALID_PATTERN`
   * @throws NotFoundError `NOTHING_TO_ERASE` if no revision has such a quad
   * @throws ConflictError `REPOSITORY_BUSY` while a transaction or a load is under way for longer than 5 s
   * @throws EvaluationError `ABORTED`; then nothing was erased
   * @throws StateError `READ_ONLY`
   * @throws StorageError `STORAGE_FULL`
   */
  erase(target: EraseTarget, options: EraseOptions): Promise<EraseReport>;
}
