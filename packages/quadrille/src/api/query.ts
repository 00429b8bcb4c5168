/** Types of queries: patterns, rows and options. */
import type * as RDF from '@rdfjs/types';
import type { ExtensionFunctions, JsValue, SparqlTemplate } from '@quadrille/sparql';

/**
 * RDF/JS terms that a quad must equal. An absent member, `null`, `undefined` and a variable match anything.
 * @since 0.1.0
 */
export interface QuadPattern {
  /** An IRI or a blank node. */
  readonly subject?: RDF.Term | null | undefined;
  /** An IRI. */
  readonly predicate?: RDF.Term | null | undefined;
  /** An IRI, a blank node, a literal or a triple term. */
  readonly object?: RDF.Term | null | undefined;
  /** An IRI, a blank node, or the default graph. Absent: all graphs, the default graph included. */
  readonly graph?: RDF.Term | null | undefined;
}

/**
 * A solution by variable name, without the question mark. An unbound variable has no member.
 * @since 0.1.0
 */
export type Row = Readonly<Record<string, RDF.Term>>;

/**
 * A row of JavaScript values by variable name (`{ values: 'js' }`). An unbound variable has no member.
 * @since 0.1.0
 */
export type JsRow = Readonly<Record<string, JsValue>>;

/**
 * A lazy sequence of the state at the time of the call. Nothing is read before it is iterated, and no more than the reader asks for.
 * A started sequence holds a snapshot, and a query its memory, until its end, an error, or until the loop is left. Iterate it once.
 * A sequence that is never iterated holds nothing.
 * @throws StateError `SNAPSHOT_CLOSED` if it is iterated twice, or after its transaction has ended; `STORE_NOT_OPEN`
 * @throws NotFoundError `REPOSITORY_DELETED`
 * @throws EvaluationError `ABORTED`
 * @since 0.1.0
 */
export interface Results<T> extends AsyncIterable<T> {
  /** All items as an array, in the order of the sequence. They are in memory at the same time. */
  toArray(): Promise<T[]>;
  /** The first item; `undefined` if there is none. Frees everything that the sequence holds. */
  first(): Promise<T | undefined>;
}
/**
 * Rows of a SELECT, in the order of its ORDER BY. Without ORDER BY the order is not defined.
 * @since 0.1.0
 */
export interface Rows<R extends object = Row> extends Results<R> {
  /** The names of the columns, in the order of the query. The promise parses and plans the query, and begins it. */
  readonly variables: Promise<readonly string[]>;
}

/**
 * Options of every reading call.
 * @since 0.1.0
 */
export interface ReadOptions {
  /** Ends the call, or its results, with `ABORTED`. */
  readonly signal?: AbortSignal | undefined;
}
/**
 * Options of synchronous reads.
 * @since 0.1.0
 */
export interface SyncReadOptions {
  /**
   * Largest number of quads: no more are read.
   * @defaultValue all that match
   */
  readonly limit?: number | undefined;
}
/**
 * Options of queries.
 * @since 0.1.0
 */
export interface QueryOptions extends ReadOptions {
  /**
   * Stops the query with `QUERY_TIMEOUT`. Milliseconds of parsing, planning and running, from 0 to 2^31 - 1. The time between two
   * reads of the results does not count.
   * @defaultValue `queries.timeoutMs` of `open`; else no limit
   */
  readonly timeoutMs?: number | undefined;
  /** Values of variables that are bound before the query runs. A name that is not in the text is `INVALID_OPTION`. */
  readonly bindings?: Readonly<Record<string, RDF.Term>> | undefined;
  /**
   * Resolves relative IRIs in the text.
   * @defaultValue none: a relative IRI without BASE is `SPARQL_SYNTAX`
   */
  readonly baseIRI?: string | undefined;
  /** IRIs of graphs that are merged into the default graph. Replaces FROM. */
  readonly defaultGraphUris?: readonly string[] | undefined;
  /** IRIs of graphs that GRAPH reads. Replaces FROM NAMED. */
  readonly namedGraphUris?: readonly string[] | undefined;
  /**
   * Whether the default graph of a query without FROM is the union of all graphs, without duplicates.
   * @defaultValue `false`
   */
  readonly unionDefaultGraph?: boolean | undefined;
  /**
   * Memory limit of the evaluation in bytes. Exceeding it is `QUERY_MEMORY`.
   * @defaultValue `queries.memoryBytes` of `open`; else 256 MB, less with a small heap
   */
  readonly memoryBytes?: number | undefined;
  /**
   * Largest number of rows of the result. More are `RESULT_TOO_LARGE`.
   * @defaultValue no limit
   */
  readonly maxRows?: number | undefined;
  /** Functions by IRI for this call, in addition to those of `open`. One with the same IRI takes precedence. */
  readonly extensionFunctions?: ExtensionFunctions | undefined;
  /** Graphs that only this query reads. Not in transactions. */
  readonly extraGraphs?: ExtraGraphs | undefined;
}
/**
 * Options of SELECT.
 * @since 0.1.0
 */
export interface SelectOptions extends QueryOptions {
  /**
   * What rows contain. `'terms'`: RDF/JS terms. `'js'`: values of JavaScript. IRIs and strings are strings, a blank node is
   * `_:label`, booleans are booleans. Integers are numbers, and bigints beyond ±2^53. Doubles and floats are numbers. An `xsd:dateTime`
   * with a time zone is a Date, cut to milliseconds. Anything else, decimals too, is its lexical form. Triple terms are N-Triples.
   * @defaultValue `'terms'`
   */
  readonly values?: 'terms' | 'js' | undefined;
}
/**
 * Statements by the IRIs of their graphs. They are read when the query begins, and hide stored graphs of the same name. Such a graph
 * is read only where it is named: by `GRAPH <name>`, by `FROM <name>` (merged with stored graphs), and by `FROM NAMED <name>`, with
 * which `GRAPH ?g` includes it. `GRAPH ?g` without `FROM NAMED`, and the union of all graphs, do not include it.
 * @since 0.1.0
 */
export type ExtraGraphs = Readonly<Record<string, Iterable<RDF.Quad> | AsyncIterable<RDF.Quad>>>;
/**
 * Options of `explain`.
 * @since 0.1.0
 */
export interface ExplainOptions extends QueryOptions {
  /**
   * Whether to run the query, to report the actual rows and times of its steps.
   * @defaultValue `false`
   */
  readonly analyze?: boolean | undefined;
}

/**
 * The answer of a query of any kind. A program reads each sequence once. A program that does not read a sequence to its end calls `first()`, or leaves the loop, to free it.
 * @since 0.1.0
 */
export type QueryAnswer =
  | {
      /** The query was a SELECT. */
      readonly type: 'bindings';
      /** The names of the columns, in the order of the query. */
      readonly variables: readonly string[];
      /** The solutions. */
      readonly rows: Results<Row>;
    }
  | {
      /** The query was a CONSTRUCT or a DESCRIBE. */
      readonly type: 'quads';
      /** Each triple once, in no defined order. */
      readonly quads: Results<RDF.Quad>;
    }
  | {
      /** The query was an ASK. */
      readonly type: 'boolean';
      /** Whether there is a solution. */
      readonly value: boolean;
    };

/**
 * A query text, or a template whose values were bound as terms (`sparql` tag).
 * @since 0.1.0
 */
export type SparqlText = string | SparqlTemplate;

/**
 * Called as a tagged template, or with a text and options. Values of a template become terms and never text.
 * @since 0.1.0
 */
export interface SparqlCall<Result, Options = QueryOptions> {
  (text: SparqlText, options?: Options): Result;
  (strings: TemplateStringsArray, ...values: readonly unknown[]): Result;
}

/**
 * A call for SELECT. Its type parameter is the type of a row: `select<{ name: Literal }>(…)`, and with `{ values: 'js' }`
 * `select<{ name: string }>(…, { values: 'js' })`. TypeScript believes it: rows are not checked.
 * @since 0.1.0
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
