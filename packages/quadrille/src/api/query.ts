/** Types of queries: patterns, rows and options. */
import type * as RDF from '@rdfjs/types';
import type { ExtensionFunctions, JsValue, SparqlTemplate, Task } from '@quadrille/sparql';

/** RDF/JS terms that a quad must equal; an absent member matches anything. */
export interface QuadPattern {
  readonly subject?: RDF.Term | null | undefined;
  readonly predicate?: RDF.Term | null | undefined;
  readonly object?: RDF.Term | null | undefined;
  readonly graph?: RDF.Term | null | undefined;
}

/** A solution by variable name; an unbound variable has no member. */
export type Row = Readonly<Record<string, RDF.Term>>;

/** A row of JavaScript values by variable name (`{ values: 'js' }`); an unbound variable has no member. */
export type JsRow = Readonly<Record<string, JsValue>>;

/** A lazy sequence: nothing is read before it is iterated, and leaving the loop frees its snapshot. Iterate it once. */
export interface Results<T> extends AsyncIterable<T> {
  toArray(): Promise<T[]>;
  first(): Promise<T | undefined>;
}
/** Rows of a SELECT. */
export interface Rows<R extends object = Row> extends Results<R> {
  /** The columns, in order. */
  readonly variables: Promise<readonly string[]>;
}

export interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
}
export interface QueryOptions extends ReadOptions {
  /**
   * Stops the query with `QUERY_TIMEOUT`. Milliseconds of parsing, planning and running. The time between two reads of the results
   * does not count.
   */
  readonly timeoutMs?: number | undefined;
  /** The request to which this call belongs. Its signal and its deadline replace those here. */
  readonly task?: Task | undefined;
  /** Values of variables that are bound before the query runs. */
  readonly bindings?: Readonly<Record<string, RDF.Term>> | undefined;
  /** Resolves relative IRIs in the text. */
  readonly baseIRI?: string | undefined;
  /** Graphs that are merged into the default graph. Replaces FROM. */
  readonly defaultGraphUris?: readonly string[] | undefined;
  /** Graphs that GRAPH reads. Replaces FROM NAMED. */
  readonly namedGraphUris?: readonly string[] | undefined;
  /** Whether the default graph of a query without FROM is the union of all graphs, without duplicates. Default false. */
  readonly unionDefaultGraph?: boolean | undefined;
  /** Memory limit of the evaluation in bytes. Exceeding it is `QUERY_MEMORY`. Default 256 MB, less with a small heap. */
  readonly memoryBytes?: number | undefined;
  /** Largest number of rows of the result. More are `RESULT_TOO_LARGE`. Default: no limit. */
  readonly maxRows?: number | undefined;
  /** Functions by IRI for this call, in addition to those of `open`. One with the same IRI takes precedence. */
  readonly extensionFunctions?: ExtensionFunctions | undefined;
  /** Graphs that only this query reads. Not in transactions. */
  readonly extraGraphs?: ExtraGraphs | undefined;
}
/** Options of SELECT. */
export interface SelectOptions extends QueryOptions {
  /**
   * What rows contain. `'terms'` (default): RDF/JS terms. `'js'`: values of JavaScript. IRIs and strings are strings, a blank node is
   * `_:label`, booleans are booleans. Integers are numbers, and bigints beyond ±2^53. Doubles and floats are numbers. An `xsd:dateTime`
   * with a time zone is a Date, cut to milliseconds. Anything else, decimals too, is its lexical form. Triple terms are N-Triples.
   */
  readonly values?: 'terms' | 'js' | undefined;
}
/**
 * Statements by the IRIs of their graphs. They are read when the query begins, and hide stored graphs of the same name. Such a graph
 * is read only where it is named: by `GRAPH <name>`, by `FROM <name>` (merged with stored graphs), and by `FROM NAMED <name>`, with
 * which `GRAPH ?g` includes it. `GRAPH ?g` without `FROM NAMED`, and the union of all graphs, do not include it.
 */
export type ExtraGraphs = Readonly<Record<string, Iterable<RDF.Quad> | AsyncIterable<RDF.Quad>>>;
export interface ExplainOptions extends QueryOptions {
  /** Whether to run the query, to report the actual rows and times of its steps. Default false. */
  readonly analyze?: boolean | undefined;
}

export type QueryAnswer =
  | { readonly type: 'bindings'; readonly variables: readonly string[]; readonly rows: Results<Row> }
  | { readonly type: 'quads'; readonly quads: Results<RDF.Quad> }
  | { readonly type: 'boolean'; readonly value: boolean };

/** A query text, or a template whose values were bound as terms (`sparql` tag). */
export type SparqlText = string | SparqlTemplate;

/** Called as a tagged template, or with a text and options. */
export interface SparqlCall<Result, Options = QueryOptions> {
  (text: SparqlText, options?: Options): Result;
  (strings: TemplateStringsArray, ...values: readonly unknown[]): Result;
}

/**
 * A call for SELECT. Its type parameter is the type of a row: `select<{ name: Literal }>(…)`, and with `{ values: 'js' }`
 * `select<{ name: string }>(…, { values: 'js' })`. TypeScript believes it: rows are not checked.
 */
export interface SelectCall {
  <R extends object = JsRow>(text: SparqlText, options: SelectOptions & { readonly values: 'js' }): Rows<R>;
  <R extends object = Row>(
    text: SparqlText,
    options?: SelectOptions & { readonly values?: 'terms' | undefined },
  ): Rows<R>;
  <R extends object = Row | JsRow>(text: SparqlText, options?: SelectOptions): Rows<R>;
  <R extends object = Row>(strings: TemplateStringsArray, ...values: readonly unknown[]): Rows<R>;
}
