/**
 * What the evaluator needs of a store, and all that it may know of one: `core` is seen only through these interfaces.
 * The wiring (package `quadrille`) supplies them over a snapshot or a transaction.
 */
import type * as RDF from '@rdfjs/types';
import type { IdDataset, WritableIdDataset } from './id-dataset.js';

/** Terms that a quad must equal; an absent member matches anything. */
export interface TermPattern {
  /** The subject. */
  readonly subject?: RDF.Term | undefined;
  /** The predicate. */
  readonly predicate?: RDF.Term | undefined;
  /** The object. */
  readonly object?: RDF.Term | undefined;
  /** The graph; the default graph has a term of its own. */
  readonly graph?: RDF.Term | undefined;
}

/** One unchanging state of a repository, by terms. */
export interface TermDataset {
  /** The quads that match, in batches of at most some thousands. Leaving the loop frees what the scan holds. */
  match(pattern: TermPattern): AsyncIterable<readonly RDF.Quad[]>;
  /** How many quads match: exact, or an estimate where `estimate` is asked for and counting would cost a scan. */
  count(pattern: TermPattern, options?: { readonly estimate?: boolean }): Promise<number>;
}

/** One unchanging state of a repository. */
export interface QueryableDataset extends TermDataset {
  /** The same state by ids. */
  readonly ids: IdDataset;
}

/** A staged transaction: it reads its own changes, and nobody else sees them before it commits. */
export interface WritableDataset extends QueryableDataset {
  readonly ids: WritableIdDataset;
  /** Stages quads. What is there already stays. */
  add(quads: readonly RDF.Quad[]): Promise<void>;
  /** Stages the removal of quads. */
  remove(quads: readonly RDF.Quad[]): Promise<void>;
  /** Removes every quad that matches. */
  removeMatches(pattern: TermPattern): Promise<void>;
  /** The named graphs that hold at least one quad now. */
  namedGraphs(): Promise<readonly RDF.Quad_Graph[]>;
}
