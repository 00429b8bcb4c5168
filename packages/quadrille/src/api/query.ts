/** Types of queries: patterns, rows and options. */
import type * as RDF from '@rdfjs/types';
import type { ExtensionFunctions, SparqlTemplate, Task } from '@quadrille/sparql';

/** RDF/JS terms that a quad must equal; an absent member matches anything. */
export interface QuadPattern {
  readonly subject?: RDF.Term | null | undefined;
  readonly predicate?: RDF.Term | null | undefined;
  readonly object?: RDF.Term | null | undefined;
  readonly graph?: RDF.Term | null | undefined;
}

/** A solution by variable name; an unbound variable has no member. */
export type Row = Readonly<Record<string, RDF.Term>>;

/** A lazy sequence: nothing is read before it is iterated, and leaving the loop frees its snapshot. Iterate it once. */
export interface Results<T> extends AsyncIterable<T> {
  toArray(): Promise<T[]>;
  first(): Promise<T | undefined>;
}
/** Rows of a SELECT. */
export interface Rows extends Results<Row> {
  /** The columns, in order. */
  readonly variables: Promise<readonly string[]>;
}

export interface ReadOptions {
  readonly signal?: AbortSignal;
}
export interface QueryOptions extends ReadOptions {
  /**
   * Stops the query with `QUERY_TIMEOUT`. Milliseconds of parsing, planning and running. The time between two reads of the results
   * does not count.
   */
  readonly timeoutMs?: number;
  /** The request to which this call belongs. Its signal and its deadline replace those here. */
  readonly task?: Task;
  /** Values of variables that are bound before the query runs. */
  readonly bindings?: Readonly<Record<string, RDF.Term>>;
  /** Resolves relative IRIs in the text. */
  readonly baseIRI?: string;
  /** Graphs that are merged into the default graph. Replaces FROM. */
  readonly defaultGraphUris?: readonly string[];
  /** Graphs that GRAPH reads. Replaces FROM NAMED. */
  readonly namedGraphUris?: readonly string[];
  /** Whether the default graph of a query without FROM is the union of all graphs, without duplicates. Default false. */
  readonly unionDefaultGraph?: boolean;
  /** Memory limit of the evaluation in bytes. Exceeding it is `QUERY_MEMORY`. Default 256 MB, less with a small heap. */
  readonly memoryBytes?: number;
  /** Largest number of rows of the result. More are `RESULT_TOO_LARGE`. Default: no limit. */
  readonly maxRows?: number;
  /** Functions by IRI for this call, in addition to those of `open`. One with the same IRI takes precedence. */
  readonly extensionFunctions?: ExtensionFunctions;
  /** Graphs that only this query reads. Not in transactions. */
  readonly extraGraphs?: ExtraGraphs;
}
/**
 * Statements by the IRIs of their graphs. They are read when the query begins, and hide stored graphs of the same name. Such a graph
 * is read only where it is named: by `GRAPH <name>`, by `FROM <name>` (merged with stored graphs), and by `FROM NAMED <name>`, with
 * which `GRAPH ?g` includes it. `GRAPH ?g` without `FROM NAMED`, and the union of all graphs, do not include it.
 */
export type ExtraGraphs = Readonly<Record<string, Iterable<RDF.Quad> | AsyncIterable<RDF.Quad>>>;
export interface ExplainOptions extends QueryOptions {
  /** Whether to run the query, to report the actual rows and times of its steps. Default false. */
  readonly analyze?: boolean;
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
