/** The content of one revision, to read. */
import type * as RDF from '@rdfjs/types';
import type { Revision } from '@quadrille/core';
import type { JsonLdWriteOptions } from '@quadrille/formats';
import type { Explanation } from '@quadrille/sparql';
import type { UpdateOptions } from './commit.js';
import type { PrepareOptions, PreparedQuery } from './prepared.js';
import type {
  ExplainOptions,
  QuadPattern,
  QueryAnswer,
  QueryOptions,
  ReadOptions,
  Results,
  Rows,
  SparqlCall,
  SparqlText,
} from './query.js';

export interface DumpOptions extends ReadOptions {
  /** Only the quads of this graph. */
  readonly graph?: RDF.NamedNode | RDF.BlankNode | RDF.DefaultGraph;
  /** `'drop'` leaves the names of graphs out and writes each triple once, whatever graphs it is in. */
  readonly graphs?: 'drop';
  /**
   * Canonical N-Triples or N-Quads of RDF 1.2: language tags in lower case. Default false: in the case of BCP 47, `en-GB`.
   * Quads keep the order of the indexes.
   */
  readonly canonical?: boolean;
  /** How JSON-LD is written: `rdfDirection`. Other formats ignore it. */
  readonly jsonLd?: JsonLdWriteOptions;
}

/** Reading as the interfaces of RDF/JS have it: Source, and the query interfaces over strings. */
export interface RdfjsReads extends RDF.Source {
  /** A copy of the quads that match, in memory. */
  toDataset(pattern?: QuadPattern): Promise<RDF.DatasetCore>;
  queryBindings(query: string, context?: RDF.QueryContext & QueryOptions): Promise<RDF.ResultStream<RDF.Bindings>>;
  queryQuads(query: string, context?: RDF.QueryContext & QueryOptions): Promise<RDF.ResultStream<RDF.Quad>>;
  queryBoolean(query: string, context?: RDF.QueryContext & QueryOptions): Promise<boolean>;
  /** An update. Of a revision that is not the repository itself: `READ_ONLY`. */
  queryVoid(query: string, context?: RDF.QueryContext & UpdateOptions): Promise<void>;
}

/** The content of one revision. Every call reads one state; a repository's own calls read the head at the time of the call. */
export interface ReadView extends RdfjsReads {
  revision(): Promise<Revision>;
  size(): Promise<number>;
  count(pattern?: QuadPattern, options?: ReadOptions): Promise<number>;
  quads(pattern?: QuadPattern, options?: ReadOptions): Results<RDF.Quad>;
  /** The named graphs that hold at least one quad. */
  contexts(options?: ReadOptions): Results<RDF.NamedNode | RDF.BlankNode>;
  readonly select: SparqlCall<Rows>;
  readonly construct: SparqlCall<Results<RDF.Quad>>;
  readonly describe: SparqlCall<Results<RDF.Quad>>;
  readonly ask: SparqlCall<Promise<boolean>>;
  readonly query: SparqlCall<Promise<QueryAnswer>>;
  /**
   * Parses a query for many calls, `(await repo.prepare('SELECT … ?id …')).select({ bindings: { id } })`.
   * @throws ParseError `SPARQL_SYNTAX`
   */
  prepare(text: SparqlText, options?: PrepareOptions): Promise<PreparedQuery>;
  /** How a query would run: its plan, with what is expected of each step, and with `analyze` what it really did. */
  explain(text: SparqlText, options?: ExplainOptions): Promise<Explanation>;
  /** The answer of a query as a document: SPARQL results (JSON, XML, CSV, TSV) or RDF, by media type. Text chunks. */
  serialize(text: SparqlText, mediaType: string, options?: QueryOptions): Results<string>;
  /**
   * The whole content as a document of an RDF media type or format name; default N-Quads. Text chunks. Named graphs in a format that
   * has none are `INVALID_OPTION`, unless the options say what becomes of them.
   */
  dump(mediaType?: string, options?: DumpOptions): Results<string>;
}
