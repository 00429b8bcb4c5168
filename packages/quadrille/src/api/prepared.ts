/** Prepared queries and updates. */
import type * as RDF from '@rdfjs/types';
import type { Revision } from '@quadrille/core';
import type { UpdateOptions } from './commit.js';
import type { SparqlTemplate, Task } from '@quadrille/sparql';
import type { JsRow, QueryAnswer, QueryOptions, Results, Row, Rows, SelectOptions } from './query.js';

export interface PrepareOptions {
  /** Resolves relative IRIs in the text. */
  readonly baseIRI?: string | undefined;
  /** The request to which the text belongs. */
  readonly task?: Task | undefined;
}
/** The terms of variables by name: the default type of the `bindings` of a prepared query. */
export type Bindings = Readonly<Record<string, RDF.Term>>;
/** Options of a prepared query. Values that differ between calls are `bindings`. */
export interface PreparedOptions<B extends object = Bindings> extends Omit<QueryOptions, 'baseIRI' | 'bindings'> {
  /** Values of variables that are bound before the query runs. Only variables of the text are possible. */
  readonly bindings?: B | undefined;
}
/** Options of a prepared SELECT. */
export interface PreparedSelectOptions<B extends object = Bindings>
  extends PreparedOptions<B>, Pick<SelectOptions, 'values'> {}
/** Options of a prepared update. */
export interface PreparedUpdateOptions<B extends object = Bindings> extends Omit<
  UpdateOptions,
  'baseIRI' | 'bindings'
> {
  /** Values of variables that are bound before the update runs. Only variables of the text are possible. */
  readonly bindings?: B | undefined;
}
/**
 * A query that was parsed once, with the prefixes at that time. Its methods read the same state as those of the repository or
 * transaction. All values of the same bindings share one plan. `R` is the type of a row, and `B` the type of `bindings`.
 */
export interface PreparedQuery<R extends object = Row, B extends object = Bindings> {
  /** The parsed request, for calls of other views. */
  readonly request: SparqlTemplate;
  /** The kind of the text. */
  readonly kind: 'select' | 'construct' | 'describe' | 'ask' | 'update';
  /** The names of the variables of the text, in its order: the names that `bindings` may have. */
  readonly bindings: readonly string[];
  /** The graphs of FROM and FROM NAMED, of USING, USING NAMED and WITH; `undefined` where the text has none of these. */
  readonly dataset: { readonly default: readonly string[]; readonly named: readonly string[] } | undefined;
  /** The IRIs of all graphs that the text names. */
  readonly graphs: readonly string[];
  /** The prefixes that the text uses, and their namespaces. */
  readonly prefixes: Readonly<Record<string, string>>;
  /** Whether a query reads more than the repository that it is for: by SERVICE, or by `repo:` in FROM and FROM NAMED. */
  readonly readsOthers: boolean;
  select<J extends object = JsRow>(options: PreparedSelectOptions<B> & { readonly values: 'js' }): Rows<J>;
  select(options?: PreparedSelectOptions<B> & { readonly values?: 'terms' | undefined }): Rows<R>;
  construct(options?: PreparedOptions<B>): Results<RDF.Quad>;
  describe(options?: PreparedOptions<B>): Results<RDF.Quad>;
  ask(options?: PreparedOptions<B>): Promise<boolean>;
  query(options?: PreparedOptions<B>): Promise<QueryAnswer>;
  serialize(mediaType: string, options?: PreparedOptions<B>): Results<string>;
}
/** A prepared query or update of a repository. */
export interface PreparedRequest<R extends object = Row, B extends object = Bindings> extends PreparedQuery<R, B> {
  update(options?: PreparedUpdateOptions<B>): Promise<Revision>;
}
/** A prepared query or update of a transaction. It is valid while the transaction is open. */
export interface PreparedInTransaction<R extends object = Row, B extends object = Bindings> extends Omit<
  PreparedQuery<R, B>,
  'serialize'
> {
  update(options?: PreparedOptions<B>): Promise<void>;
}
