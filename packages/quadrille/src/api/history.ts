/** Revisions and their changes. */
import type * as RDF from '@rdfjs/types';
import type { Ref, Revision } from '@quadrille/core';
import type { ReadOptions } from './query.js';

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
  readonly from?: Ref;
  /** The last revision to include. Default: the head. */
  readonly to?: Ref;
}
export interface LogOptions extends ReadOptions {
  readonly limit?: number;
  /** Exclusive. */
  readonly before?: Ref;
}
