/** Revisions and what they changed, to read. */
import type * as RDF from '@rdfjs/types';
import type { Ref, Revision } from '@quadrille/core';
import type { ReadOptions } from './query.js';

export interface DiffEntry {
  readonly op: 'add' | 'remove';
  readonly quad: RDF.Quad;
}
/** A quad came with a revision, or went with it. */
export interface HistoryEvent extends DiffEntry {
  readonly revision: Revision;
}
export interface HistoryOptions extends ReadOptions {
  /** The first revision that counts; default the first of all. */
  readonly from?: Ref;
  /** The last revision that counts; default the head. */
  readonly to?: Ref;
}
export interface LogOptions extends ReadOptions {
  readonly limit?: number;
  /** Exclusive. */
  readonly before?: Ref;
}
