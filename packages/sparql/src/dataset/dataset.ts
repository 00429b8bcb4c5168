/**
 * What the evaluator needs of a store, and all that it may know of one: `core` is seen only through these interfaces.
 * The wiring (package `quadrille`) supplies them over a snapshot or a transaction.
 */
import type * as RDF from '@rdfjs/types';
import type { IdDataset, WritableIdDataset } from './id-dataset.js';

/** One unchanging state of a repository. */
export interface QueryableDataset {
  /** Its terms and quads, by ids. */
  readonly ids: IdDataset;
}

/** A staged transaction: it reads its own changes, and nobody else sees them before it commits. */
export interface WritableDataset extends QueryableDataset {
  readonly ids: WritableIdDataset;
  /** The named graphs that hold at least one quad now. */
  namedGraphs(): Promise<readonly RDF.Quad_Graph[]>;
}
