/** Revisions and their changes. */
import type * as RDF from '@rdfjs/types';
import type { Ref, Revision } from '@quadrille/core';
import type { QuadPattern, ReadOptions, Results } from './query.js';

export interface DiffEntry {
  readonly op: 'add' | 'remove';
  readonly quad: RDF.Quad;
}
/** A revision added or removed a quad. */
export interface HistoryEvent extends DiffEntry {
  readonly revision: Revision;
}
export interface HistoryOptions extends ReadOptions {
  /** The first revision to include. Default: the first one. */
  readonly from?: Ref | undefined;
  /** The last revision to include. Default: the head. */
  readonly to?: Ref | undefined;
}
/** Which revision a quad is from. */
export interface BlameEntry {
  readonly quad: RDF.Quad;
  /** The revision that added the quad; if it was removed and added again, the last one that added it. */
  readonly revision: Revision;
  /** The revision that removed it, for quads that are gone. */
  readonly removed?: Revision;
}
export interface BlameOptions extends ReadOptions {
  /** The revision whose quads are told. Default: that of the view, or the head. */
  readonly at?: Ref | undefined;
  /** Whether quads that are gone are told too. Default false. */
  readonly removed?: boolean | undefined;
}
export interface WatchOptions {
  /** Begins after this revision. Default: the head at the time of the call. */
  readonly since?: Ref | undefined;
  /** Leaves out revisions that change no matching quad, and the changes of other quads. */
  readonly pattern?: QuadPattern | undefined;
  /** Ends the iteration, without an error. */
  readonly signal?: AbortSignal | undefined;
}
/** A published revision, and what it has changed. */
export interface Change {
  readonly revision: Revision;
  /** The 16 random bytes of the revision, for its copies; `undefined` for one of an earlier format. They must not be changed. */
  readonly nonce: Uint8Array | undefined;
  /** The quads that the revision has added and removed, in no particular order. With `pattern` only those that match. */
  quads(options?: ReadOptions): Results<DiffEntry>;
}
export interface LogOptions extends ReadOptions {
  /** Most revisions. Default: all. */
  readonly limit?: number | undefined;
  /** Only revisions before this one, for the next page. */
  readonly before?: Ref | undefined;
  /** Only revisions of this author. */
  readonly author?: string | undefined;
  /** Only revisions whose message contains this text, in any case of letters. */
  readonly message?: string | undefined;
  /** The first revision: a ref, or a time, at or after which it is. A day begins at midnight UTC. */
  readonly from?: Ref | undefined;
  /** The last revision: a ref, or a time, at or before which it is. A day ends at midnight UTC. */
  readonly until?: Ref | undefined;
  /** Only revisions that have changed a matching quad. */
  readonly pattern?: QuadPattern | undefined;
}
export interface ExportHistoryOptions extends ReadOptions {
  /** Begins after this revision. Default: with revision 1. */
  readonly from?: Ref | undefined;
  /** The last revision. Default: the head at the time of the call. */
  readonly to?: Ref | undefined;
}
/** The progress of an import of history. */
export interface HistoryProgress {
  /** Bytes of the source that were read (compressed ones where it is gzipped). */
  readonly bytesRead: number;
  /** Length of the source, if it is known. */
  readonly bytesTotal: number | undefined;
  /** Revisions that the import has appended, and those of the file that the repository had already. */
  readonly imported: number;
  readonly skipped: number;
}
export interface ImportHistoryOptions extends ReadOptions {
  /** Called about five times a second, and at the end. An error that it throws ends the import. */
  readonly onProgress?: ((progress: HistoryProgress) => void) | undefined;
  /** Named in errors; default the path. */
  readonly sourceName?: string | undefined;
  /** Length of a stream, for the progress, if the caller knows it. */
  readonly bytesTotal?: number | undefined;
}
