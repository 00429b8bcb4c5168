/** Prepared queries and updates. */
import type * as RDF from '@rdfjs/types';
import type { Revision } from '@quadrille/core';
import type { UpdateOptions } from './commit.js';
import type { SparqlTemplate, Task } from '@quadrille/sparql';
import type { QueryAnswer, QueryOptions, Results, Rows } from './query.js';

export interface PrepareOptions {
  /** Resolves relative IRIs in the text. */
  readonly baseIRI?: string;
  /** The request to which the text belongs. */
  readonly task?: Task;
}
/** Options of a prepared query. Values that differ between calls are `bindings`. */
export type PreparedOptions = Omit<QueryOptions, 'baseIRI'>;
/**
 * A query that was parsed once, with the prefixes at that time. Its methods read the same state as those of the repository or
 * transaction. All values of the same bindings share one plan.
 */
export interface PreparedQuery {
  /** The parsed request, for calls of other views. */
  readonly request: SparqlTemplate;
  /** The kind of the text. */
  readonly kind: 'select' | 'construct' | 'describe' | 'ask' | 'update';
  /** The graphs of FROM and FROM NAMED, of USING, USING NAMED and WITH; `undefined` where the text has none of these. */
  readonly dataset: { readonly default: readonly string[]; readonly named: readonly string[] } | undefined;
  /** The IRIs of all graphs that the text names. */
  readonly graphs: readonly string[];
  /** The prefixes that the text uses, and their namespaces. */
  readonly prefixes: Readonly<Record<string, string>>;
  /** Whether a query reads more than the repository that it is for: by SERVICE, or by `repo:` in FROM and FROM NAMED. */
  readonly readsOthers: boolean;
  select(options?: PreparedOptions): Rows;
  construct(options?: PreparedOptions): Results<RDF.Quad>;
  describe(options?: PreparedOptions): Results<RDF.Quad>;
  ask(options?: PreparedOptions): Promise<boolean>;
  query(options?: PreparedOptions): Promise<QueryAnswer>;
  serialize(mediaType: string, options?: PreparedOptions): Results<string>;
}
/** A prepared query or update of a repository. */
export interface PreparedRequest extends PreparedQuery {
  update(options?: Omit<UpdateOptions, 'baseIRI'>): Promise<Revision>;
}
/** A prepared query or update of a transaction. It is valid while the transaction is open. */
export interface PreparedInTransaction extends Omit<PreparedQuery, 'serialize'> {
  update(options?: PreparedOptions): Promise<void>;
}
