/** What a query takes and answers: patterns, rows and options. */
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
  /** The request that this call belongs to. Its signal and its deadline hold in place of those here. */
  readonly task?: Task;
  /** Variables bound before the query runs, as terms. */
  readonly bindings?: Readonly<Record<string, RDF.Term>>;
  /** Resolves relative IRIs in the text. */
  readonly baseIRI?: string;
  /** Graphs merged into the default graph, in place of FROM. */
  readonly defaultGraphUris?: readonly string[];
  /** Graphs that GRAPH sees, in place of FROM NAMED. */
  readonly namedGraphUris?: readonly string[];
  /** Where the query names no graphs: its default graph is every graph, merged without duplicates. Default false. */
  readonly unionDefaultGraph?: boolean;
  /** Bytes that the evaluation may keep at once; more is `QUERY_MEMORY`. Default 256 MB, less with a small heap. */
  readonly memoryBytes?: number;
  /** Rows that the result may have; more is `RESULT_TOO_LARGE`. Default: any number. */
  readonly maxRows?: number;
  /** Functions by IRI that this call may use, beside those of `open`. One of the same IRI wins. */
  readonly extensionFunctions?: ExtensionFunctions;
  /** Graphs that this query alone sees. Not in transactions. */
  readonly extraGraphs?: ExtraGraphs;
}
/**
 * Statements by the IRI of the graph that they are to be in, read when the query begins; a stored graph of that name is hidden.
 * What names such a graph sees it: `GRAPH <name>`, `FROM <name>` (merged with stored graphs), `FROM NAMED <name>` (then `GRAPH ?g`
 * goes through it too). `GRAPH ?g` without `FROM NAMED`, and the union of all graphs, do not see it.
 */
export type ExtraGraphs = Readonly<Record<string, Iterable<RDF.Quad> | AsyncIterable<RDF.Quad>>>;
export interface ExplainOptions extends QueryOptions {
  /** Runs the query as well, for the rows and times that its steps really have. Default false. */
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
