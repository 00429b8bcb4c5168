/** What the calls of the client take and give. */
import type * as RDF from '@rdfjs/types';

/**
 * A lazy sequence. Nothing is asked of the server before it is read. Iterate it once.
 * @since 0.1.0
 */
export interface Results<T> extends AsyncIterable<T> {
  /** All items. */
  toArray(): Promise<T[]>;
  /** The first item; `undefined` if there is none. The rest is not read. */
  first(): Promise<T | undefined>;
}

/**
 * Rows of a SELECT.
 * @since 0.1.0
 */
export interface Rows<R extends object> extends Results<R> {
  /** The names of the columns, in the order of the query. */
  readonly variables: Promise<readonly string[]>;
}

/**
 * The answer of a query of any kind. Its sequences are read once.
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
      /** Each triple once. */
      readonly quads: Results<RDF.Quad>;
    }
  | {
      /** The query was an ASK. */
      readonly type: 'boolean';
      /** Whether there is a solution. */
      readonly value: boolean;
    };

/**
 * Values by their names.
 * @since 0.1.0
 */
export type Named<T> = Readonly<Record<string, T>>;

/**
 * Names a revision: its number or id, a tag, a branch, `HEAD`, `HEAD~2`, or a time.
 * @since 0.1.0
 */
export type Ref = string | number | Date;

/**
 * A revision.
 * @since 0.1.0
 */
export interface Revision {
  /** Its number on its branch, from 1. */
  readonly number: number;
  /** Its id, a UUID. */
  readonly id: string;
  /** The id of the revision before it; `undefined` for the first one that is kept. */
  readonly parent: string | undefined;
  /** The ids of those that it comes from: of a merge, then that which was merged. */
  readonly parents: readonly string[];
  /** How it was made; a squash also stands for trimmed revisions before it. */
  readonly kind: 'commit' | 'merge' | 'erase' | 'squash';
  /** The id of the revision whose changes this one repeats. */
  readonly origin?: string;
  /** How often it violates the shapes of the repository, where these report. */
  readonly violations?: number;
  /** The branch that has made it, in a log of all branches. */
  readonly branch?: string;
  /** When it was made. */
  readonly time: Date;
  /** Who has made it. */
  readonly author: string | undefined;
  /** What it is about. */
  readonly message: string | undefined;
  /** Number of quads that it has added. */
  readonly added: number;
  /** Number of quads that it has removed. */
  readonly removed: number;
  /** Number of quads that there are. */
  readonly size: number;
}

/**
 * A solution by variable name. An unbound variable has no member.
 * @since 0.1.0
 */
export type Row = Readonly<Record<string, RDF.Term>>;

/**
 * Terms that quads have to have. An absent one, or a variable, stands for any.
 * @since 0.1.0
 */
export interface QuadPattern {
  /** An IRI or a blank node. */
  readonly subject?: RDF.Term | null | undefined;
  /** An IRI. */
  readonly predicate?: RDF.Term | null | undefined;
  /** Any term. */
  readonly object?: RDF.Term | null | undefined;
  /** An IRI, a blank node, or the default graph. */
  readonly graph?: RDF.Term | null | undefined;
}

/**
 * Options of every call.
 * @since 0.1.0
 */
export interface ReadOptions {
  /** Ends the call, or its results, with `ABORTED`. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Options of queries.
 * @since 0.1.0
 */
export interface QueryOptions extends ReadOptions {
  /**
   * Stops the query with `QUERY_TIMEOUT`, in milliseconds.
   * @defaultValue the limit of the server
   */
  readonly timeoutMs?: number | undefined;
  /** Values of variables that are bound before the query runs. */
  readonly bindings?: Readonly<Record<string, RDF.Term>> | undefined;
  /** IRIs of graphs that are merged into the default graph. Replaces FROM. */
  readonly defaultGraphUris?: readonly string[] | undefined;
  /** IRIs of graphs that GRAPH reads. Replaces FROM NAMED. */
  readonly namedGraphUris?: readonly string[] | undefined;
}

/**
 * Options of changes.
 * @since 0.1.0
 */
export interface ChangeOptions extends ReadOptions {
  /** What the change is about. */
  readonly message?: string | undefined;
  /** The head that the branch has to have, an id: otherwise the call fails and changes nothing. */
  readonly ifRevision?: string | undefined;
}

/**
 * Options of `update`.
 * @since 0.1.0
 */
export interface UpdateOptions extends ChangeOptions, Pick<QueryOptions, 'timeoutMs' | 'bindings'> {}

/**
 * Asks what a change would do, in place of making it.
 * @since 0.1.0
 */
export interface DryRun {
  /** The result is a {@link ChangePreview}. */
  readonly dryRun: true;
}

/**
 * What a change would do.
 * @since 0.1.0
 */
export interface ChangePreview {
  /** Number of quads that it would add. */
  readonly added: number;
  /** Number of quads that it would remove. */
  readonly removed: number;
}

/**
 * Opens a document at an offset in bytes. Where a connection breaks, it is opened again, and the load goes on.
 * @since 0.1.0
 */
export type ReopenedSource = (
  offset: number,
) =>
  | AsyncIterable<Uint8Array>
  | ReadableStream<Uint8Array>
  | Promise<AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>>;

/**
 * A document: its text, its bytes, or a function that opens it. The load of a function or of a `Blob` goes on across broken connections.
 * @since 0.1.0
 */
export type LoadSource = { readonly text: string } | Uint8Array | Blob | ReadableStream<Uint8Array> | ReopenedSource;

/**
 * A line or a term that `onError: 'skip'` has left out.
 * @since 0.1.0
 */
export interface SkippedLine {
  /** What it is. */
  readonly kind: 'skipped';
  /** Number of the line, from 1. */
  readonly line: number;
  /** In characters, from 1. */
  readonly column: number;
  /** The fault in the line. */
  readonly message: string;
}

/**
 * Options of `load`.
 * @since 0.1.0
 */
export interface LoadDocumentOptions extends ChangeOptions {
  /** The format: a name such as `ttl`, or a media type. */
  readonly format: string;
  /** The graph that triples go to. */
  readonly graph?: RDF.NamedNode | undefined;
  /** Resolves relative IRIs. */
  readonly baseIRI?: string | undefined;
  /**
   * Whether the document replaces what there is: of `graph`, or of the whole repository.
   * @defaultValue `false`
   */
  readonly replace?: boolean | undefined;
  /**
   * `'skip'` leaves out lines of N-Triples and N-Quads that are not well formed.
   * @defaultValue `'fail'`
   */
  readonly onError?: 'fail' | 'skip' | undefined;
  /**
   * Most lines that are left out.
   * @defaultValue 1,000
   */
  readonly maxErrors?: number | undefined;
  /** Called at the end for each line that was left out. */
  readonly onProblem?: ((problem: SkippedLine) => void) | undefined;
  /** How JSON-LD is read. */
  readonly jsonLd?:
    | {
        /** What a string with a base direction becomes. */
        readonly rdfDirection?: 'i18n-datatype' | 'compound-literal' | undefined;
        /** The version of JSON-LD. */
        readonly processingMode?: 'json-ld-1.0' | 'json-ld-1.1' | undefined;
      }
    | undefined;
  /** Length of the document in bytes, for the progress that the server tells. */
  readonly bytesTotal?: number | undefined;
  /** Called with the bytes that the server has, where a connection was lost and the load goes on. */
  readonly onResume?: ((bytes: number) => void) | undefined;
}

/**
 * Options of `log`. `from` and `to` are inclusive.
 * @since 0.1.0
 */
export interface LogOptions extends ReadOptions {
  /** Most revisions. */
  readonly limit?: number | undefined;
  /**
   * `'all'`: the revisions of all branches, each once and before its parents, with the `branch` that has made it. Then only `limit`,
   * `before`, `author` and `message` can be given.
   * @defaultValue `'this'`
   */
  readonly branches?: 'all' | 'this' | undefined;
  /** Only revisions of this author. */
  readonly author?: string | undefined;
  /** Only revisions whose message contains this text, in any case of letters. */
  readonly message?: string | undefined;
  /** Only revisions that have changed a matching quad. */
  readonly pattern?: QuadPattern | undefined;
  /** Only revisions before this one. */
  readonly before?: Ref | undefined;
  /** The first revision, or a time. */
  readonly from?: Ref | undefined;
  /** The last revision, or a time. */
  readonly to?: Ref | undefined;
}

/**
 * Options of `sync.exportHistory`.
 * @since 0.1.0
 */
export interface ExportHistoryOptions extends ReadOptions, Pick<LogOptions, 'branches'> {
  /** Begins after this revision. */
  readonly since?: Ref | undefined;
}

/**
 * Options of `dump`.
 * @since 0.1.0
 */
export interface DumpOptions extends ReadOptions {
  /**
   * Only the quads of this graph, without its name if the format has no graphs.
   * @defaultValue all graphs
   */
  readonly graph?: RDF.NamedNode | RDF.BlankNode | RDF.DefaultGraph | undefined;
  /** `'drop'` omits the names of graphs. */
  readonly graphs?: 'drop' | undefined;
}

/**
 * Options of `blame`.
 * @since 0.1.0
 */
export interface BlameOptions extends ReadOptions {
  /** Whether quads that are gone are told, too. */
  readonly removed?: boolean | undefined;
}

/**
 * A quad with the revision that it is from.
 * @since 0.1.0
 */
export interface BlameEntry {
  /** The quad, with its graph. */
  readonly quad: RDF.Quad;
  /** The revision that added the quad; if it was removed and added again, the last one that added it. */
  readonly revision: Revision;
  /** The merge that has brought the quad to this branch, if `revision` is on another one. */
  readonly merged?: Revision;
  /** The revision that removed it, for quads that are gone. */
  readonly removed?: Revision;
}

/**
 * A revision added or removed a quad.
 * @since 0.1.0
 */
export interface HistoryEvent extends DiffEntry {
  /** The revision that did so. */
  readonly revision: Revision;
}

/**
 * Options of `history`.
 * @since 0.1.0
 */
export interface HistoryOptions extends ReadOptions {
  /**
   * The first revision to include.
   * @defaultValue the first one
   */
  readonly from?: Ref | undefined;
  /**
   * The last revision to include.
   * @defaultValue the head
   */
  readonly to?: Ref | undefined;
}

/**
 * What a request says.
 * @since 0.1.0
 */
export interface PreparedQuery {
  /** The text. */
  readonly request: string;
  /** What it is. */
  readonly kind: 'select' | 'ask' | 'construct' | 'describe' | 'update';
  /** The rows of a SELECT. */
  select(options?: QueryOptions): Rows<Row>;
  /** The triples of a CONSTRUCT. */
  construct(options?: QueryOptions): Results<RDF.Quad>;
  /** The triples of a DESCRIBE. */
  describe(options?: QueryOptions): Results<RDF.Quad>;
  /** Whether an ASK has a solution. */
  ask(options?: QueryOptions): Promise<boolean>;
  /** The answer of a query of any kind. */
  query(options?: QueryOptions): Promise<QueryAnswer>;
  /** The answer as a document of a media type, in pieces of text. */
  serialize(mediaType: string, options?: QueryOptions): Results<string>;
}

/**
 * How a query runs.
 * @since 0.1.0
 */
export interface Explanation {
  /** What runs it. */
  readonly evaluator: string;
  /** Why another evaluator runs it. */
  readonly reason?: string | undefined;
  /** For a person. */
  readonly text: string;
  /** The plan as plain JSON. */
  readonly plan: unknown;
}

/**
 * Options of `validate`.
 * @since 0.1.0
 */
export interface ValidateOptions extends ReadOptions {
  /**
   * The revision.
   * @defaultValue the head
   */
  readonly at?: Ref | undefined;
  /**
   * IRI of the graph with the shapes, in the same revision; or the shapes themselves.
   * @defaultValue those of the settings
   */
  readonly shapes?: string | Iterable<RDF.Quad> | undefined;
  /** Validates only these nodes, against the shapes whose focus nodes they are. */
  readonly focus?: readonly RDF.Term[] | undefined;
  /** Validates only what the change of the revision can affect, as its commit does. */
  readonly change?: boolean | undefined;
  /**
   * Results that the report may have.
   * @defaultValue 10,000
   */
  readonly limit?: number | undefined;
  /** Adds to the report what the guard does for each constraint, and what that has cost. */
  readonly explain?: boolean | undefined;
  /** Refuses shapes that have statements without meaning. */
  readonly strict?: boolean | undefined;
  /**
   * Milliseconds for the queries of the shapes, all together.
   * @defaultValue the limit of the server
   */
  readonly timeoutMs?: number | undefined;
}

/**
 * One result of a validation.
 * @since 0.1.0
 */
export interface ShapesResult {
  /** The node that was validated. */
  readonly focusNode: RDF.Term;
  /** The path to the value, as SPARQL writes paths; `undefined` for node shapes. */
  readonly path: string | undefined;
  /** The value that violates the constraint, if it is one. */
  readonly value: RDF.Term | undefined;
  /** IRI of the constraint component. */
  readonly component: string;
  /** The node of the shape. */
  readonly shape: RDF.Term;
  /** IRI of the severity. */
  readonly severity: string;
  /** The first message of the shape, or what is wrong. */
  readonly message: string;
}

/**
 * Options of `search`.
 * @since 0.1.0
 */
export interface SearchOptions extends ReadOptions {
  /** The revision to search. Default: the one of the object that is asked. */
  readonly at?: Ref | undefined;
  /** Only values of this property. */
  readonly property?: RDF.NamedNode | undefined;
  /** Only quads of this graph. */
  readonly graph?: RDF.NamedNode | undefined;
  /** Only literals with this language tag, or one that begins with it. */
  readonly language?: string | undefined;
  /**
   * Number of hits.
   * @defaultValue 10
   */
  readonly limit?: number | undefined;
  /** Number of hits that are passed over. Default 0. */
  readonly offset?: number | undefined;
  /** Properties whose values are counted over the subjects of all hits. */
  readonly facets?: readonly RDF.NamedNode[] | undefined;
}

/**
 * A quad whose object has the words.
 * @since 0.1.0
 */
export interface SearchHit {
  /** The subject. */
  readonly subject: RDF.Quad_Subject;
  /** The property. */
  readonly property: RDF.NamedNode;
  /** The graph. */
  readonly graph: RDF.Quad_Graph;
  /** The text. */
  readonly literal: RDF.Literal;
  /** How well the literal fits. */
  readonly score: number;
}

/**
 * The answer of a search.
 * @since 0.1.0
 */
export interface SearchAnswer {
  /** The id of the revision that was searched. */
  readonly revision: string;
  /** Number of all hits. */
  readonly total: number;
  /** The best ones come first. */
  readonly hits: readonly SearchHit[];
  /** By the IRIs of the properties: values with the number of subjects that have them, the most frequent ones first. */
  readonly facets: Readonly<Record<string, readonly { readonly value: RDF.Term; readonly count: number }[]>>;
}

/**
 * What a validation has found.
 * @since 0.1.0
 */
export interface ShapesReport {
  /** Whether there are no results. */
  readonly conforms: boolean;
  /** In the order in which they were found. */
  readonly results: readonly ShapesResult[];
  /** The report as SHACL has it. The server validates again for it. */
  readonly report: Results<RDF.Quad>;
  /** Whether there are more results than `limit`. */
  readonly truncated: boolean;
  /** The statements without meaning of the shapes: nothing was checked by them. */
  readonly warnings: readonly { readonly shape: string; readonly statement: string; readonly reason: string }[];
  /** With `explain`: the constraints. Costs are those of the guard, for the shapes of the settings, since they were read. */
  readonly constraints?: readonly ExplainedConstraint[];
}

/**
 * What the guard does for one constraint.
 * @since 0.1.0
 */
export interface ExplainedConstraint {
  /** The node of the shape. */
  readonly shape: RDF.Term;
  /** The path of the shape; `undefined` for node shapes. */
  readonly path: string | undefined;
  /** IRI of the constraint component. */
  readonly component: string;
  /** The node of the constraint, if it has one of its own: that of `sh:sparql`. */
  readonly source: RDF.Term | undefined;
  /** Patterns that hang on no focus node: a change of a quad that fits one validates all focus nodes of the shape. */
  readonly all: readonly string[];
  /** The last commits that the constraint was checked for, a hundred at most. */
  readonly commits: number;
  /** Nodes that were checked for them. */
  readonly nodes: number;
  /** Milliseconds that it took, with the shapes that the constraint asks. */
  readonly milliseconds: number;
}

/**
 * A quad that was added or removed.
 * @since 0.1.0
 */
export interface DiffEntry {
  /** Whether the quad is in the later state alone, or in the earlier one alone. */
  readonly op: 'add' | 'remove';
  /** The quad, with its graph. */
  readonly quad: RDF.Quad;
}

/**
 * Options of `watch`.
 * @since 0.1.0
 */
export interface WatchOptions extends ReadOptions {
  /**
   * Begins after this revision.
   * @defaultValue the head at the time of the call
   */
  readonly since?: Ref | undefined;
  /** Leaves out revisions that change no matching quad, and the changes of other quads. */
  readonly pattern?: QuadPattern | undefined;
}

/**
 * A published revision, and what it has changed.
 * @since 0.1.0
 */
export interface Change {
  /** The revision. Its id is where a later `watch` resumes. */
  readonly revision: Revision;
  /** The quads that the revision has added and removed; with `pattern` only those that match. */
  quads(options?: ReadOptions): Results<DiffEntry>;
  /** The same as RDF Patch, in pieces of text. */
  patch(options?: ReadOptions): Results<string>;
}

/**
 * Options of `live`.
 * @since 0.1.0
 */
export interface LiveOptions extends QueryOptions {
  /**
   * Begins after this revision: the first update is the difference from its answer.
   * @defaultValue the first update is the whole answer of the head
   */
  readonly since?: Ref | undefined;
}

/**
 * A change of the answer of a followed query.
 * @since 0.1.0
 */
export interface LiveUpdate {
  /** The revision of the answer. */
  readonly revision: Revision;
  /** The names of the columns, in the order of the query. */
  readonly variables: readonly string[];
  /** Rows that came. */
  readonly added: readonly Row[];
  /** Rows that went. */
  readonly removed: readonly Row[];
  /** `initial`: the whole answer. Else how the difference was found. */
  readonly path: 'initial' | 'delta' | 'rerun';
}

/**
 * A branch.
 * @since 0.1.0
 */
export interface BranchInfo {
  /** Its name. */
  readonly name: string;
  /** Its newest revision. */
  readonly head: Revision;
  /** The revision with which it begins. Absent of `main`. */
  readonly fork?: Revision;
}

/**
 * A tag.
 * @since 0.1.0
 */
export interface TagInfo {
  /** Its name. */
  readonly name: string;
  /** The revision that it names. */
  readonly revision: Revision;
}

/**
 * Options of `branches.merge`.
 * @since 0.1.0
 */
export interface MergeOptions extends ReadOptions {
  /** What the merge is about. */
  readonly message?: string | undefined;
  /** The whole state of one side, or the changes of both. */
  readonly strategy?: 'three-way' | 'ours' | 'theirs' | undefined;
  /** Whether revisions that follow the head are taken over as they are. */
  readonly fastForward?: boolean | undefined;
  /** Decides conflicts. */
  readonly onConflict?: 'fail' | 'ours' | 'theirs' | undefined;
}

/**
 * A conflict of a merge: both branches have changed the one value of a predicate.
 * @since 0.1.0
 */
export interface Conflict {
  /** The subject. */
  readonly subject: RDF.Term;
  /** The predicate, which has one value. */
  readonly predicate: RDF.Term;
  /** The graph. */
  readonly graph: RDF.Term;
  /** The values before both. */
  readonly base: readonly RDF.Term[];
  /** The values on the branch that takes the merge. */
  readonly ours: readonly RDF.Term[];
  /** The values on the branch that is merged. */
  readonly theirs: readonly RDF.Term[];
}

/**
 * What a merge would do.
 * @since 0.1.0
 */
export interface MergePreview {
  /** The newest revision that both branches have. */
  readonly base: Revision;
  /** Number of quads that it would add. */
  readonly added: number;
  /** Number of quads that it would remove. */
  readonly removed: number;
  /** Number of conflicts. */
  readonly conflictCount: number;
  /** The first 100 conflicts. */
  readonly conflicts: readonly Conflict[];
}

/**
 * Options of `maintenance.trim`: a revision stays if one of them says so.
 * @since 0.1.0
 */
export interface TrimOptions extends ReadOptions {
  /** The first revision that stays, as all later ones do. */
  readonly from?: Ref | undefined;
  /** Number of the newest revisions of the branch that stay. */
  readonly last?: number | undefined;
  /** Number of the last revisions of each day (UTC) that stay. */
  readonly perDay?: number | undefined;
  /** `'delete-history'` also removes the quads that were there before the first revision that stays. */
  readonly mode?: 'project-history' | 'delete-history' | undefined;
  /** Only tells what would be removed. */
  readonly dryRun?: boolean | undefined;
}

/**
 * What `maintenance.trim` has removed.
 * @since 0.1.0
 */
export interface TrimReport {
  /** Number of revisions that were removed. */
  readonly trimmed: number;
  /** Number of revisions of the branch that are left. */
  readonly kept: number;
  /** Bytes by which the repository has become smaller, approximately. */
  readonly bytesFreed: number;
}

/**
 * What `maintenance.erase` erases: all quads with a term, all that match a pattern, or some quads.
 * @since 0.1.0
 */
export type EraseTarget =
  | { readonly term: RDF.Term }
  | { readonly pattern: QuadPattern }
  | { readonly quads: Iterable<RDF.Quad> };

/**
 * Options of `maintenance.erase`.
 * @since 0.1.0
 */
export interface EraseOptions extends ReadOptions {
  /** Why. It must not repeat what is erased. */
  readonly reason: string;
  /** Only counts what would be erased. */
  readonly dryRun?: boolean | undefined;
}

/**
 * What `maintenance.erase` has done, or would do.
 * @since 0.1.0
 */
export interface EraseReport {
  /** Number of different quads that were erased. */
  readonly quads: number;
  /** Number of terms that were removed because no revision uses them any more. */
  readonly terms: number;
  /** Number of revisions that had, added or removed such quads. */
  readonly revisions: number;
  /** Number of branches whose own revisions were changed. */
  readonly branches: number;
  /** Bytes that were written anew, approximately. */
  readonly bytesRewritten: number;
  /** Where copies of the data may still be, in sentences for people. */
  readonly copies: readonly string[];
}
