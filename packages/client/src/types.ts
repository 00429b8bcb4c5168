/** What the calls of the client take and give. */
import type * as RDF from '@rdfjs/types';

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
  /** When it was made. */
  readonly time: Date;
  /** Number of quads that it has added. */
  readonly added: number;
  /** Number of quads that it has removed. */
  readonly removed: number;
  /** Number of quads that there are. */
  readonly size: number;
  /** Who has made it. */
  readonly author?: string;
  /** What it is about. */
  readonly message?: string;
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
 * A document: its text, or its bytes.
 * @since 0.1.0
 */
export type LoadSource = { readonly text: string } | Uint8Array | Blob | ReadableStream<Uint8Array>;

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
}

/**
 * Options of `log`. `from` and `to` are inclusive.
 * @since 0.1.0
 */
export interface LogOptions extends ReadOptions {
  /** Most revisions. */
  readonly limit?: number | undefined;
  /** Only revisions before this one. */
  readonly before?: Ref | undefined;
  /** The first revision, or a time. */
  readonly from?: Ref | undefined;
  /** The last revision, or a time. */
  readonly to?: Ref | undefined;
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
 * What a merge would do.
 * @since 0.1.0
 */
export interface MergePreview {
  /** Number of quads that it would add. */
  readonly added: number;
  /** Number of quads that it would remove. */
  readonly removed: number;
  /** Number of conflicts. */
  readonly conflictCount: number;
}
