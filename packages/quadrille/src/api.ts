/** The public types of the library: what open() and the objects behind it give. Implemented in the files beside this one. */
import type * as RDF from '@rdfjs/types';
import type { Ref, Revision, VerifyReport } from '@quadrille/core';
import type { DocumentLoader } from '@quadrille/formats';
import type { Explanation, RunningQuery, SparqlTemplate } from '@quadrille/sparql';

export type { Ref, Revision, VerifyProblem, VerifyReport } from '@quadrille/core';
export type { SparqlTemplate } from '@quadrille/sparql';
export type { Explanation, RunningQuery } from '@quadrille/sparql';

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
  /** Stops the query with `QUERY_TIMEOUT`. Milliseconds. */
  readonly timeoutMs?: number;
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
  /** Bytes that the evaluation may keep at once; more is `QUERY_MEMORY`. Default 256 MB. */
  readonly memoryBytes?: number;
  /** Rows that the result may have; more is `RESULT_TOO_LARGE`. Default: any number. */
  readonly maxRows?: number;
  /** Graphs that this query alone sees. Not in transactions. */
  readonly extraGraphs?: ExtraGraphs;
}
/**
 * Statements by the IRI of the graph that they are to be in, read when the query begins; a stored graph of that name is hidden.
 * `GRAPH <name>` and `FROM <name>` see them, `GRAPH ?g` does not.
 */
export type ExtraGraphs = Readonly<Record<string, Iterable<RDF.Quad> | AsyncIterable<RDF.Quad>>>;
export interface ExplainOptions extends QueryOptions {
  /** Runs the query as well, for the rows and times that its steps really have. Default false. */
  readonly analyze?: boolean;
}
export interface CommitOptions {
  readonly signal?: AbortSignal;
  readonly message?: string;
  readonly author?: string;
  /** Commit only if this is still the head; else `REVISION_CONFLICT` and nothing changed. */
  readonly ifRevision?: Ref;
  /**
   * For replicas: the UUID that the revision has elsewhere. It is taken where it can follow the others (version 7 or 1, later
   * than the head's, of no time to come), else passed over.
   */
  readonly id?: string;
}
export interface UpdateOptions extends CommitOptions, Omit<QueryOptions, 'signal' | 'extraGraphs'> {}
export interface TransactionOptions extends CommitOptions {
  /** How often a transaction that lost a race runs again. Default 0. */
  readonly retries?: number;
}

export type LoadPhase = 'reading' | 'indexing' | 'committing' | 'done';
/** What is known of a load under way. */
export interface LoadProgress {
  readonly phase: LoadPhase;
  /** Bytes of the source consumed so far (compressed ones where it is gzipped). */
  readonly bytesRead: number;
  /** Length of the source, where it is known. */
  readonly bytesTotal: number | undefined;
  /** Quads parsed so far. */
  readonly quads: number;
  /** How much of the work on those is done: their terms found, they themselves sorted and written. 0 … 1. */
  readonly indexedShare: number;
  /** 0 … 1, never falling; 1 only after the commit; `undefined` where the length is unknown and it is not done. */
  readonly fraction: number | undefined;
}
export interface LoadOptions extends CommitOptions {
  /** A media type, a format name or an extension. Default: by the file's name. */
  readonly format?: string;
  /** Load everything into this graph; graph names of the document are dropped. */
  readonly graph?: RDF.NamedNode | RDF.BlankNode | RDF.DefaultGraph;
  readonly baseIRI?: string;
  /** The document becomes the whole content (of `graph`, where one is given), in one revision. Default false. */
  readonly replace?: boolean;
  readonly onProgress?: (progress: LoadProgress) => void;
  /** Named in errors; default the path. */
  readonly sourceName?: string;
  /** Length of a stream, where the caller knows it, for `fraction`. */
  readonly bytesTotal?: number;
  /** How many of `bytesTotal` have come, where the stream is not what they count: it was unpacked on its way, or is a part. */
  readonly bytesRead?: () => number;
  /** A longer document is refused with `INPUT_TOO_LARGE`; counted after decompression. Default: any length. */
  readonly maxBytes?: number;
  /** Of decompressed to compressed bytes, looked at from 1 MB on; more is `INPUT_TOO_LARGE`. Default: any. */
  readonly maxRatio?: number;
  /** Brings the contexts that a JSON-LD document refers to. Without it such documents are refused. */
  readonly loadDocument?: DocumentLoader;
  /** For servers: {@link Database.records} that become true with the revision, written in one batch with it. */
  readonly records?: (revision: Revision) => readonly { readonly key: string; readonly value?: unknown }[];
}
/** A path, bytes, text, or a stream of bytes (web or Node, any async iterable). */
export type LoadSource =
  string | URL | Uint8Array | { readonly text: string } | AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>;

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

export interface PrepareOptions {
  /** Resolves relative IRIs in the text. */
  readonly baseIRI?: string;
}
/** Options of a prepared query; what differs from call to call comes as `bindings`. */
export type PreparedOptions = Omit<QueryOptions, 'baseIRI'>;
/**
 * A query that was parsed once, with the prefixes of that time. Its calls read what those of the same name read. One plan serves
 * all values of the same bindings.
 */
export interface PreparedQuery {
  /** What the text is. */
  readonly kind: 'select' | 'construct' | 'describe' | 'ask' | 'update';
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
/** A prepared query or update of a transaction; good as long as that is open. */
export interface PreparedInTransaction extends Omit<PreparedQuery, 'serialize'> {
  update(options?: PreparedOptions): Promise<void>;
}

/** The content of one revision. Every call reads one state; a repository's own calls read the head at the time of the call. */
export interface ReadView {
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
  /** The whole content as a document of an RDF media type or format name. Text chunks. */
  dump(mediaType?: string, options?: ReadOptions): Results<string>;
}

/** Prefixes, not versioned. `default` shows through a repository from its account. */
export interface Namespaces {
  get(prefix: string): Promise<string | undefined>;
  set(prefix: string, iri: string): Promise<void>;
  /** True if it was there. */
  delete(prefix: string): Promise<boolean>;
  list(): Promise<Readonly<Record<string, string>>>;
}
/** Names for revisions. */
export interface Tags {
  get(name: string): Promise<Revision | undefined>;
  set(name: string, ref: Ref): Promise<Revision>;
  delete(name: string): Promise<boolean>;
  list(): Promise<Readonly<Record<string, Revision>>>;
}
export interface RepositoryMetadata {
  /** The name as it was given. */
  readonly name: string;
  readonly summary: string | undefined;
  readonly description: string | undefined;
  readonly homepage: string | undefined;
  readonly created: Date;
}
export type MetadataChange = Partial<Record<'name' | 'summary' | 'description' | 'homepage', string | null>>;
export interface Metadata {
  get(): Promise<RepositoryMetadata>;
  /** `null` clears a field. */
  set(change: MetadataChange): Promise<RepositoryMetadata>;
}

export interface RepositoryStats {
  readonly quads: number;
  readonly revisions: number;
  readonly terms: number;
  readonly namedGraphs: number;
  readonly bytes: number;
  readonly predicates: readonly {
    readonly predicate: RDF.Term;
    readonly quads: number;
    /** Estimates, refreshed by merges. */
    readonly distinctSubjects: number;
    readonly distinctObjects: number;
  }[];
}

export interface SpaceReport {
  readonly bytesBefore: number;
  readonly bytesAfter: number;
}

export interface DiffEntry {
  readonly op: 'add' | 'remove';
  readonly quad: RDF.Quad;
}
/** A quad came with a revision, or went with it. */
export interface HistoryEvent extends DiffEntry {
  readonly revision: Revision;
}
export interface HistoryOptions extends ReadOptions {
  /** The first revision that counts; default the first of all. */
  readonly from?: Ref;
  /** The last revision that counts; default the head. */
  readonly to?: Ref;
}
export interface LogOptions extends ReadOptions {
  readonly limit?: number;
  /** Exclusive. */
  readonly before?: Ref;
}

/** Staged changes: reads see them, nobody else does before the commit. */
export interface Transaction extends Pick<
  ReadView,
  'size' | 'count' | 'quads' | 'contexts' | 'select' | 'construct' | 'describe' | 'ask' | 'query'
> {
  add(quads: RDF.Quad | Iterable<RDF.Quad> | AsyncIterable<RDF.Quad>): Promise<void>;
  remove(quads: RDF.Quad | Iterable<RDF.Quad> | AsyncIterable<RDF.Quad> | QuadPattern): Promise<void>;
  readonly update: SparqlCall<Promise<void>>;
  prepare(text: SparqlText, options?: PrepareOptions): Promise<PreparedInTransaction>;
}

/** A transaction that its holder ends. Until then it holds a snapshot; closing the database rolls it back. */
export interface HeldTransaction extends Transaction, AsyncDisposable {
  /** Makes one revision of all changes. It has ended then, also where this fails. */
  commit(options?: CommitOptions): Promise<Revision>;
  /** Drops all changes. Does nothing after the end. */
  rollback(): Promise<void>;
}

/** A named, versioned set of quads. */
export interface Repository extends ReadView, RDF.Store, AsyncDisposable {
  /** `account/repository`. */
  readonly name: string;
  load(source: LoadSource, options?: LoadOptions): Promise<Revision>;
  add(quads: RDF.Quad | Iterable<RDF.Quad> | AsyncIterable<RDF.Quad>, options?: CommitOptions): Promise<Revision>;
  /** With quads or a pattern ours; with a stream that of RDF/JS. */
  remove(quads: RDF.Quad | Iterable<RDF.Quad> | QuadPattern, options?: CommitOptions): Promise<Revision>;
  remove(stream: RDF.Stream<RDF.Quad>): ReturnType<RDF.Store['remove']>;
  readonly update: SparqlCall<Promise<Revision>, UpdateOptions>;
  /** Also takes an update. */
  prepare(text: SparqlText, options?: PrepareOptions): Promise<PreparedRequest>;
  transaction(run: (transaction: Transaction) => Promise<void> | void, options?: TransactionOptions): Promise<Revision>;
  /** As {@link transaction}, for those who cannot do all within one call. What others commit meanwhile is `REVISION_CONFLICT`. */
  begin(): Promise<HeldTransaction>;
  at(ref: Ref): ReadView;
  log(options?: LogOptions): Results<Revision>;
  diff(from: Ref, to?: Ref, options?: ReadOptions): Results<DiffEntry>;
  /** A new revision that undoes that one, as far as its changes still stand. */
  revert(ref: Ref, options?: CommitOptions): Promise<Revision>;
  /** Brings back the content of that revision, as a new one: history is never rewritten. */
  reset(ref: Ref, options?: CommitOptions): Promise<Revision>;
  /** When the quads that match came and went: quad after quad, those of one quad by revision. */
  history(pattern?: QuadPattern, options?: HistoryOptions): Results<HistoryEvent>;
  readonly namespaces: Namespaces;
  /** What holds in queries without being declared there: the namespaces of the account, and those of the repository, which win. */
  prefixes(): Promise<Readonly<Record<string, string>>>;
  readonly tags: Tags;
  readonly metadata: Metadata;
  stats(): Promise<RepositoryStats>;
  verify(): Promise<VerifyReport>;
  /** Makes the indexes anew from the log. */
  rebuild(): Promise<SpaceReport>;
  /** Merges, drops what nothing uses and gives space back. Never drops a revision. */
  compact(): Promise<SpaceReport>;
  toDataset(pattern?: QuadPattern): Promise<RDF.DatasetCore>;
  queryBindings(query: string, context?: RDF.QueryContext & QueryOptions): Promise<RDF.ResultStream<RDF.Bindings>>;
  queryQuads(query: string, context?: RDF.QueryContext & QueryOptions): Promise<RDF.ResultStream<RDF.Quad>>;
  queryBoolean(query: string, context?: RDF.QueryContext & QueryOptions): Promise<boolean>;
  queryVoid(query: string, context?: RDF.QueryContext & UpdateOptions): Promise<void>;
}

export interface Account {
  readonly name: string;
  readonly namespaces: Namespaces;
}
export interface RepositoryInfo {
  /** `account/repository`. */
  readonly name: string;
  readonly metadata: RepositoryMetadata;
}

/** What a server keeps in the store beside the repositories: JSON under text keys (at most 255 bytes), not versioned. */
export interface ServiceRecords {
  get(key: string): Promise<unknown>;
  /** All whose key begins with `prefix`, in the order of their keys. */
  list(prefix: string): Promise<ReadonlyMap<string, unknown>>;
  /** Makes all changes or none; a change without a value deletes. `durable` as in {@link OpenOptions.durability}. */
  write(
    changes: readonly { readonly key: string; readonly value?: unknown }[],
    options?: { readonly durable?: boolean },
  ): Promise<void>;
}

export type Durability = 'disk' | 'process';
/** What keeps a store on disk (docs/backends.md). */
export type Backend = 'leveldb' | 'lmdb';
export interface OpenOptions {
  /** What keeps a store that is made. Default `'leveldb'`; a store that is there knows its own. Not in browsers. */
  readonly backend?: Backend;
  /**
   * Nothing is written, and writes are refused with `READ_ONLY`. In LMDB also beside a process that writes: what is seen is
   * the state of when it was opened. LevelDB needs the store for itself all the same. Default false.
   */
  readonly readOnly?: boolean;
  /** `'disk'` (default) acknowledges after fsync; `'process'` survives the death of the process, not of the machine. */
  readonly durability?: Durability;
  /** Memory for cached blocks and terms. Default 64 MiB. */
  readonly cacheBytes?: number;
  /**
   * Memory for what is kept of open repositories beside that cache: recent changes, recent terms. Where they take more, those
   * that nothing uses are let go, the least recently used first; the next call on one reads it again. The four that were
   * used last always stay. Default 128 MiB.
   */
  readonly repositoryBytes?: number;
  /** How long to wait for another process (in a browser: another tab) to let go of the store. Default 0. */
  readonly lockTimeoutMs?: number;
  /** Make the store where there is none. Default true. */
  readonly create?: boolean;
  readonly logger?: Logger;
  /** Lets SPARQL reach other hosts. Default: it reaches none. */
  readonly federation?: FederationOptions;
}
/**
 * What SERVICE and LOAD may reach: public addresses over http and https, on the ports of HTTP, within limits of time and bytes.
 */
export interface FederationOptions {
  /** Endpoints that SERVICE may ask, or beginnings of their IRIs by whole segments. Default none. */
  readonly service?: readonly string[];
  /** Whether LOAD may read documents. Default false. */
  readonly load?: boolean;
  /** Hosts (`db.intern`), hosts with ports (`localhost:3030`) and beginnings of URLs that may be reached although they are private. */
  readonly allow?: readonly string[];
  /** For one SERVICE call or one LOAD. Default 30 minutes. */
  readonly timeoutMs?: number;
}
export interface Logger {
  info(message: string, details?: object): void;
  warn(message: string, details?: object): void;
  error(message: string, details?: object): void;
}

/** Figures since the database was opened, of the repositories that are open. */
export interface DatabaseMetrics {
  /** Those in memory. */
  readonly openRepositories: number;
  readonly commits: number;
  readonly runningQueries: number;
  /** Quads and removals that stand in memory, beside the log, until they are written as runs. */
  readonly memtableQuads: number;
  /** Sorted runs of all index orders. */
  readonly runs: number;
  readonly cacheBytes: number;
  readonly cacheHits: number;
  readonly cacheMisses: number;
}

export interface Database extends AsyncDisposable {
  /** Where it is: the path, or the driver's name. */
  readonly location: string;
  /** `failed`: a write failed; until one succeeds that follows, there is only reading. */
  readonly state: 'open' | 'failed' | 'closed';
  /** `account/repository`, or `repository` in the account `default`. */
  repository(
    name: string,
    options?: { readonly create?: boolean; readonly metadata?: MetadataChange },
  ): Promise<Repository>;
  repositories(account?: string): Promise<readonly RepositoryInfo[]>;
  /** Gives its space back. False if there was none. */
  deleteRepository(name: string): Promise<boolean>;
  account(name: string): Account;
  readonly accounts: {
    list(): Promise<readonly string[]>;
    /** When it was made; `undefined` if there is none. */
    created(name: string): Promise<Date | undefined>;
    create(name: string): Promise<void>;
    /** Refused while it has repositories. */
    delete(name: string): Promise<boolean>;
  };
  /** For servers. */
  readonly records: ServiceRecords;
  /** The SPARQL queries and updates that run at present; `cancel()` ends one with `ABORTED`. A query runs while its results are read. */
  queries(): readonly RunningQuery[];
  /** Costs nothing worth speaking of: to be asked every few seconds. */
  metrics(): DatabaseMetrics;
  verify(): Promise<VerifyReport>;
  /** Makes the indexes of a repository anew from its log, also where they are so damaged that it cannot be opened. */
  rebuild(name: string): Promise<SpaceReport>;
  close(): Promise<void>;
}
