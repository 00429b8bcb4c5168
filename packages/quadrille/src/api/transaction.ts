/** Transactions: staged changes that are invisible to other readers until the commit. */
import type * as RDF from '@rdfjs/types';
import type { Revision } from '@quadrille/core';
import type { CommitOptions } from './commit.js';
import type { Bindings, PrepareOptions, PreparedInTransaction } from './prepared.js';
import type { QuadPattern, Row, SparqlCall, SparqlText } from './query.js';
import type { ReadView } from './read-view.js';

/** Staged changes. Reads of the transaction see them; other readers see them after the commit. */
export interface Transaction extends Pick<
  ReadView,
  'size' | 'count' | 'quads' | 'contexts' | 'select' | 'construct' | 'describe' | 'ask' | 'query'
> {
  add(quads: RDF.Quad | Iterable<RDF.Quad> | AsyncIterable<RDF.Quad>): Promise<void>;
  remove(quads: RDF.Quad | Iterable<RDF.Quad> | AsyncIterable<RDF.Quad> | QuadPattern): Promise<void>;
  readonly update: SparqlCall<Promise<void>>;
  prepare<R extends object = Row, B extends object = Bindings>(
    text: SparqlText,
    options?: PrepareOptions,
  ): Promise<PreparedInTransaction<R, B>>;
}

/** A transaction that its holder must end. Until then it holds a snapshot. Closing the database rolls it back. */
export interface HeldTransaction extends Transaction, AsyncDisposable {
  /** Estimated memory of the staged changes, in bytes. */
  readonly memoryBytes: number;
  /** Commits all changes as one revision. Ends the transaction even if the commit fails. */
  commit(options?: CommitOptions): Promise<Revision>;
  /** Drops all changes. Does nothing after the end. */
  rollback(): Promise<void>;
}
