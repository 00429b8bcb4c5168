/** Read access to the content of one revision. */
import type * as RDF from '@rdfjs/types';
import type { Revision } from '@quadrille/core';
import type { JsonLdWriteOptions } from '@quadrille/formats';
import type { Explanation } from '@quadrille/sparql';
import type { UpdateOptions } from './commit.js';
import type { BlameEntry, BlameOptions } from './history.js';
import type { Bindings, PrepareOptions, PreparedQuery } from './prepared.js';
import type {
  ExplainOptions,
  QuadPattern,
  QueryAnswer,
  QueryOptions,
  ReadOptions,
  Results,
  Row,
  SelectCall,
  SparqlCall,
  SparqlText,
} from './query.js';

export interface DumpOptions extends ReadOptions {
  /** Only the quads of this graph. */
  readonly graph?: RDF.NamedNode | RDF.BlankNode | RDF.DefaultGraph | undefined;
  /** `'drop'` omits graph names and writes each triple once, even if several graphs contain it. */
  readonly graphs?: 'drop' | undefined;
  /**
   * Canonical N-Triples or N-Quads of RDF 1.2: language tags in lower case. Default false: in the case of BCP 47, `en-GB`.
   * Quads keep the order of the indexes.
   */
  readonly canonical?: boolean | undefined;
  /** How JSON-LD is written: `rdfDirection`. Other formats ignore it. */
  readonly jsonLd?: JsonLdWriteOptions | undefined;
}

/** The reading interfaces of RDF/JS: Source, and the query interfaces for strings. */
export interface RdfjsReads extends RDF.Source {
  /** A copy of the matching quads in memory. */
  toDataset(pattern?: QuadPattern): Promise<RDF.DatasetCore>;
  queryBindings(query: string, context?: RDF.QueryContext & QueryOptions): Promise<RDF.ResultStream<RDF.Bindings>>;
  queryQuads(query: string, context?: RDF.QueryContext & QueryOptions): Promise<RDF.ResultStream<RDF.Quad>>;
  queryBoolean(query: string, context?: RDF.QueryContext & QueryOptions): Promise<boolean>;
  /** Runs an update. On the view of a revision it is refused with `READ_ONLY`. */
  queryVoid(query: string, context?: RDF.QueryContext & UpdateOptions): Promise<void>;
}

/** The content of one revision. Each call reads one state. Calls of a repository read the head at the time of the call. */
export interface ReadView extends RdfjsReads {
  revision(): Promise<Revision>;
  size(): Promise<number>;
  count(pattern?: QuadPattern, options?: ReadOptions): Promise<number>;
  quads(pattern?: QuadPattern, options?: ReadOptions): Results<RDF.Quad>;
  /**
   * The matching quads, each with the revision that added it: one lookup each. With `removed` the quads that are gone too, which reads
   * their history.
   */
  blame(pattern?: QuadPattern, options?: BlameOptions): Results<BlameEntry>;
  /** The named graphs with at least one quad. */
  contexts(options?: ReadOptions): Results<RDF.NamedNode | RDF.BlankNode>;
  readonly select: SelectCall;
  readonly construct: SparqlCall<Results<RDF.Quad>>;
  readonly describe: SparqlCall<Results<RDF.Quad>>;
  readonly ask: SparqlCall<Promise<boolean>>;
  readonly query: SparqlCall<Promise<QueryAnswer>>;
  /**
   * Parses a query for repeated calls: `(await repo.prepare('SELECT … ?id …')).select({ bindings: { id } })`.
   * @throws ParseError `SPARQL_SYNTAX`
   */
  prepare<R extends object = Row, B extends object = Bindings>(
    text: SparqlText,
    options?: PrepareOptions,
  ): Promise<PreparedQuery<R, B>>;
  /** The plan of a query with the estimates of each step. With `analyze` it also has the actual rows and times. */
  explain(text: SparqlText, options?: ExplainOptions): Promise<Explanation>;
  /** The answer of a query as a document: SPARQL results (JSON, XML, CSV, TSV) or RDF, by media type. Text chunks. */
  serialize(text: SparqlText, mediaType: string, options?: QueryOptions): Results<string>;
  /**
   * The whole content as a document in chunks of text. `type` is an RDF media type or the name of a format; default N-Quads. If the
   * format has no named graphs and the content does, the call fails with `INVALID_OPTION`, unless `graph` or `graphs` is given.
   */
  dump(mediaType?: string, options?: DumpOptions): Results<string>;
}
