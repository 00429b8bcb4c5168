/** Revisions and their changes. */
import type * as RDF from '@rdfjs/types';
import type { Ref, Revision } from '@quadrille/core';
import type { LoadOptions } from './load.js';
import type { QuadPattern, QueryOptions, ReadOptions, Results, Row } from './query.js';

/**
 * A quad that was added or removed.
 * @since 0.1.0
 */
export interface DiffEntry {
  /** Whether the quad is in the later state alone, or in the earlier one alone. */
  readonly op: 'add' | 'remove';
  /** The quad, with its graph. */
  readonly quad: RDF.Quad;
}
/**
 * A revision added or removed a quad.
 * @since 0.1.0
 */
export interface HistoryEvent extends DiffEntry {
  /** The revision that did so. */
  readonly revision: Revision;
}
/**
 * Options of `history`.
 * @since 0.1.0
 */
export interface HistoryOptions extends ReadOptions {
  /**
   * The first revision to include.
   * @defaultValue the first one
   */
  readonly from?: Ref | undefined;
  /**
   * The last revision to include.
   * @defaultValue the head
   */
  readonly to?: Ref | undefined;
}
/**
 * Which revision a quad is from.
 * @since 0.1.0
 */
export interface BlameEntry {
  /** The quad, with its graph. */
  readonly quad: RDF.Quad;
  /** The revision that added the quad; if it was removed and added again, the last one that added it. */
  readonly revision: Revision;
  /** The merge that has brought the quad to this branch, if `revision` is on another one. */
  readonly merged?: Revision;
  /** The revision that removed it, for quads that are gone. */
  readonly removed?: Revision;
}
/**
 * Options of `blame`.
 * @since 0.1.0
 */
export interface BlameOptions extends ReadOptions {
  /**
   * The revision whose quads are told.
   * @defaultValue that of the view, or the head
   */
  readonly at?: Ref | undefined;
  /**
   * Whether quads that are gone are told too.
   * @defaultValue `false`
   */
  readonly removed?: boolean | undefined;
}
/**
 * Options of `watch`.
 * @since 0.1.0
 */
export interface WatchOptions extends ReadOptions {
  /**
   * Begins after this revision.
   * @defaultValue the head at the time of the call
   */
  readonly since?: Ref | undefined;
  /** Leaves out revisions that change no matching quad, and the changes of other quads. */
  readonly pattern?: QuadPattern | undefined;
}
/**
 * A published revision, and what it has changed.
 * @since 0.1.0
 */
export interface Change {
  /** The revision. Its id is where a later `watch` resumes. */
  readonly revision: Revision;
  /** The 16 random bytes of the revision, for its copies; `undefined` for one of an earlier format. They must not be changed. */
  readonly nonce: Uint8Array | undefined;
  /**
   * The quads that the revision has added and removed, as a lazy sequence in no defined order. With `pattern` only those that match.
   * @throws InvalidArgumentError `INVALID_OPTION`
   * @throws EvaluationError `ABORTED`
   * @throws NotFoundError `REPOSITORY_DELETED`
   */
  quads(options?: ReadOptions): Results<DiffEntry>;
}
/**
 * How the answer of a SELECT differs between two revisions. Rows are counted, and their order does not matter.
 * @since 0.1.0
 */
export interface AnswerDiff {
  /** The names of the columns, in the order of the query. */
  readonly variables: readonly string[];
  /** Rows that the later answer has beyond those of the earlier one. */
  readonly added: readonly Row[];
  /** Rows that the earlier answer has beyond those of the later one. */
  readonly removed: readonly Row[];
  /** How it was found. `delta`: from the changed quads and what joins with them. `rerun`: by comparing two whole answers. */
  readonly path: 'delta' | 'rerun';
}
/**
 * Options of `live`. The limits of a query hold for each evaluation, of which an update has one.
 * @since 0.1.0
 */
export interface LiveOptions extends QueryOptions {
  /**
   * Begins after this revision: the first update is the difference from its answer.
   * @defaultValue the first update is the whole answer of the head
   */
  readonly since?: Ref | undefined;
}
/**
 * A change of the answer of a followed query.
 * @since 0.1.0
 */
export interface LiveUpdate extends Omit<AnswerDiff, 'path'> {
  /** The revision of the answer. */
  readonly revision: Revision;
  /** `initial`: the whole answer. Else the difference from the update before, as {@link AnswerDiff.path} says. */
  readonly path: 'initial' | AnswerDiff['path'];
}
/**
 * Options of `log`.
 * @since 0.1.0
 */
export interface LogOptions extends ReadOptions {
  /**
   * Most revisions.
   * @defaultValue all
   */
  readonly limit?: number | undefined;
  /** Only revisions before this one, for the next page. */
  readonly before?: Ref | undefined;
  /**
   * `'all'`: the revisions of all branches, each once and before its parents, with the `branch` that has made it. Then only `limit`,
   * `before`, `author` and `message` can be given. `'this'`: those of this branch.
   * @defaultValue `'this'`
   */
  readonly branches?: 'all' | 'this' | undefined;
  /** Only revisions of this author. */
  readonly author?: string | undefined;
  /** Only revisions whose message contains this text, in any case of letters. */
  readonly message?: string | undefined;
  /** The first revision: a ref, or a time, at or after which it is. A day begins at midnight UTC. */
  readonly from?: Ref | undefined;
  /** The last revision: a ref, or a time, at or before which it is. A day ends at midnight UTC. */
  readonly to?: Ref | undefined;
  /** Only revisions that have changed a matching quad. */
  readonly pattern?: QuadPattern | undefined;
}
/**
 * Options of `sync.exportHistory`.
 * @since 0.1.0
 */
export interface ExportHistoryOptions extends ReadOptions {
  /**
   * Begins after this revision.
   * @defaultValue begins with revision 1
   */
  readonly since?: Ref | undefined;
  /**
   * The last revision.
   * @defaultValue the head at the time of the call
   */
  readonly to?: Ref | undefined;
  /**
   * `'all'`: first `main`, then the revisions of every other branch that `main` does not have. `since` and `to` are refused then. `'this'`: the
   * history of this branch.
   * @defaultValue `'this'`
   */
  readonly branches?: 'all' | 'this' | undefined;
}
/**
 * The progress of an import of history.
 * @since 0.1.0
 */
export interface HistoryProgress {
  /** Bytes of the source that were read (compressed ones where it is gzipped). */
  readonly bytesRead: number;
  /** Length of the source in bytes, if it is known. */
  readonly bytesTotal: number | undefined;
  /** Revisions that the import has appended. */
  readonly imported: number;
  /** Revisions of the file that the repository had already. */
  readonly skipped: number;
}
/**
 * Options of `sync.importHistory`.
 * @since 0.1.0
 */
export interface ImportHistoryOptions extends ReadOptions, Pick<LoadOptions, 'sourceName' | 'bytesTotal'> {
  /** Called about five times a second, and at the end. An error that it throws ends the call. */
  readonly onProgress?: ((progress: HistoryProgress) => void) | undefined;
}
