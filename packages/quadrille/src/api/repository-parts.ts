/** Parts of a repository besides its quads: names, metadata and figures. */
import type * as RDF from '@rdfjs/types';
import type { Ref, Revision } from '@quadrille/core';
import type { Results } from './query.js';
import type { ShapesWarning } from '@quadrille/shacl';

/**
 * Unversioned prefixes. Queries on a repository also know the namespaces of its account.
 * @throws StateError `STORE_NOT_OPEN`
 * @throws NotFoundError `REPOSITORY_DELETED`
 * @throws StorageError `STORAGE_IO`
 * @since 0.1.0
 */
export interface Namespaces {
  /** The namespace of a prefix (without its colon); `undefined` if there is none. */
  get(prefix: string): Promise<string | undefined>;
  /**
   * Declares a prefix, in place of an earlier declaration. Durable when the promise resolves, and no revision.
   * @param iri an absolute IRI of at most 8 KiB
   * @throws InvalidArgumentError `INVALID_NAME` for the prefix, `INVALID_TERM` for the IRI
   * @throws StateError `READ_ONLY`
   * @throws StorageError `STORAGE_FULL`
   */
  set(prefix: string, iri: string): Promise<void>;
  /**
   * Deletes a prefix. True if it was there.
   * @throws StateError `READ_ONLY`
   * @throws StorageError `STORAGE_FULL`
   */
  delete(prefix: string): Promise<boolean>;
  /** All prefixes and their namespaces. Kept in memory until the next change. */
  list(): Promise<Readonly<Record<string, string>>>;
}
/**
 * The prefixes of a repository, without those of its account.
 * @since 0.1.0
 */
export interface RepositoryNamespaces extends Namespaces {
  /** The prefixes that queries need not declare: namespaces of the account and of the repository. The repository takes precedence. */
  effective(): Promise<Readonly<Record<string, string>>>;
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
 * Names for revisions. They have no versions themselves.
 * @throws StateError `STORE_NOT_OPEN`
 * @throws NotFoundError `REPOSITORY_DELETED`
 * @throws StorageError `STORAGE_IO`
 * @since 0.1.0
 */
export interface Tags {
  /** The revision of a tag; `undefined` if there is no such tag. */
  get(name: string): Promise<Revision | undefined>;
  /**
   * Names a revision, and moves the tag if there is one of this name. Returns the revision.
   * @param name 1 to 100 letters, digits, `_`, `.`, `-` and `/`; no form of a ref, such as a number or `HEAD`
   * @throws InvalidArgumentError `INVALID_NAME`, `INVALID_REF`
   * @throws NotFoundError `REVISION_NOT_FOUND`
   * @throws StateError `READ_ONLY`
   * @throws StorageError `STORAGE_FULL`
   */
  set(name: string, ref: Ref): Promise<Revision>;
  /**
   * Deletes a tag, and not its revision. True if it was there.
   * @throws StateError `READ_ONLY`
   * @throws StorageError `STORAGE_FULL`
   */
  delete(name: string): Promise<boolean>;
  /** All tags, by their names. Reads one record for each tag. */
  list(): Results<TagInfo>;
}
/**
 * What a store says of a repository beside its data.
 * @since 0.1.0
 */
export interface RepositoryMetadata {
  /** The name as given by the caller. */
  readonly name: string;
  /** A line about it. */
  readonly summary: string | undefined;
  /** A longer text about it. */
  readonly description: string | undefined;
  /** The address of a page about it. */
  readonly homepage: string | undefined;
  /** When the repository was created. */
  readonly created: Date;
  /** Where it is being moved to. Until that has ended it takes no changes. Missing for others. */
  readonly moving?: string;
}
/**
 * New values of metadata, at most 64 KiB of UTF-8 each. `null` clears a member, and an absent one stays as it is.
 * @since 0.1.0
 */
export type MetadataChange = Partial<
  Record<'name' | 'summary' | 'description' | 'homepage', string | null | undefined>
>;
/**
 * Access to the metadata of a repository. They have no versions.
 * @throws StateError `STORE_NOT_OPEN`
 * @throws NotFoundError `REPOSITORY_DELETED`
 * @throws StorageError `STORAGE_IO`
 * @since 0.1.0
 */
export interface Metadata {
  /** The present values. */
  get(): Promise<RepositoryMetadata>;
  /**
   * Changes some members. Returns all values after the change.
   * @throws InvalidArgumentError `INVALID_OPTION`
   * @throws StateError `READ_ONLY`
   * @throws StorageError `STORAGE_FULL`
   */
  set(change: MetadataChange): Promise<RepositoryMetadata>;
}

export type { ExplainedConstraint, ShapesWarning } from '@quadrille/shacl';

/**
 * What the owner of a repository has set for its commits.
 * @since 0.1.0
 */
export interface RepositorySettings {
  /** IRIs of predicates that have one value for each subject and graph. A merge of two different values is a conflict. */
  readonly functional: readonly string[];
  /**
   * IRI of the graph with the shapes (SHACL) that each later revision obeys; `undefined` if nothing is checked. A change that breaks them is
   * refused with `SHAPES_VIOLATED`, unless `shapesMode` is `report`.
   */
  readonly shapes: string | undefined;
  /** Whether shapes are refused that have statements without meaning, or refer to themselves. */
  readonly shapesStrict: boolean;
  /**
   * `report`: a change that breaks the shapes is committed, and its revision has the number of its `violations`. Then the present state need
   * not obey the shapes.
   */
  readonly shapesMode: 'refuse' | 'report';
  /** `now`: results that were there before a change do not refuse it. Then the present state need not obey the shapes. */
  readonly shapesSince: 'always' | 'now';
  /** The statements without meaning of the present shapes: nothing is checked by them. */
  readonly shapesWarnings: readonly ShapesWarning[];
  /** The branch that servers use for requests that name none; `main` unless it is set. It cannot be deleted or renamed. */
  readonly defaultBranch: string;
  /**
   * Names of branches that only owners of the repository may commit to, delete and rename by a server. The library itself knows no owners,
   * and does not look at it.
   */
  readonly protected: readonly string[];
  /** Which revisions `compact` keeps; `undefined` if it keeps all. */
  readonly retention: Retention | undefined;
  /** The indexes that `search`, `text:query` and `vec:nearest` read; `undefined` if there is none. */
  readonly search: SearchSettings | undefined;
}
/**
 * Which literals searches for words find. Absent members: all.
 * @since 0.1.0
 */
export interface TextIndexSettings {
  /** IRIs of the properties whose values are found. */
  readonly properties?: readonly string[] | undefined;
  /** IRIs of the graphs whose quads are found. Quads of the default graph are not found then. */
  readonly graphs?: readonly string[] | undefined;
  /** Language tags, or their beginnings: `en` stands for `en-GB` too. Literals without a language are not found then. */
  readonly languages?: readonly string[] | undefined;
  /**
   * `diacritics`: letters with and without accents are the same. Another value makes the index anew.
   * @defaultValue `'case'`
   */
  readonly fold?: 'case' | 'diacritics' | undefined;
  /** Words are not reduced to their stems. */
  readonly stem?: false | undefined;
}
/**
 * Vectors that `vec:nearest` finds: literals of the datatype `urn:quadrille:vector#float32`, or those of texts.
 * @since 0.1.0
 */
export interface VectorIndexSettings {
  /** IRI of the property whose values are found. A change that gives it other vectors is refused. */
  readonly property: string;
  /** How many numbers a vector has: up to 4,096. */
  readonly dimension: number;
  /** Whether the values are texts, of which `embed` of {@link OpenOptions} makes the vectors. */
  readonly embed?: true | undefined;
}
/**
 * The indexes of words and of vectors, and how far they are.
 * @since 0.1.0
 */
export interface SearchSettings {
  /** Which literals are found by their words; `undefined` if there is no index of words. */
  readonly text: TextIndexSettings | undefined;
  /** Vectors by their names; `undefined` if there are none. */
  readonly vectors: Readonly<Record<string, VectorIndexSettings>> | undefined;
  /**
   * The share of all terms that the indexes have, from 0 to 1. A search waits until they have all, but for vectors of texts: it finds those
   * that there are.
   */
  readonly progress: number;
}
/**
 * Which revisions stay. A revision stays if any member says so. The head, branch heads, beginnings of branches, merges and tagged
 * revisions stay anyway.
 * @since 0.1.0
 */
export interface Retention {
  /** Number of the newest revisions of each branch. */
  readonly last?: number | undefined;
  /** Revisions of this number of days, up to now. */
  readonly days?: number | undefined;
  /** Number of the last revisions of each day (UTC). */
  readonly perDay?: number | undefined;
}
/**
 * New settings. `null` resets a member, and an absent one stays as it is.
 * @since 0.1.0
 */
export interface SettingsChange {
  /** Takes the place of the whole list: at most 1,000 absolute IRIs. */
  readonly functional?: readonly string[] | null | undefined;
  /** The present state has to obey the shapes of the graph. */
  readonly shapes?: string | null | undefined;
  /** Makes errors of the warnings of shapes. */
  readonly shapesStrict?: boolean | null | undefined;
  /** With `refuse` the present state has to obey the shapes. */
  readonly shapesMode?: 'refuse' | 'report' | null | undefined;
  /** With `always` the present state has to obey the shapes. */
  readonly shapesSince?: 'always' | 'now' | null | undefined;
  /** A branch that is there. */
  readonly defaultBranch?: string | null | undefined;
  /** Takes the place of the whole list: at most 100 names. The branches need not be there. */
  readonly protected?: readonly string[] | null | undefined;
  /** Takes the place of the whole setting. */
  readonly retention?: Retention | null | undefined;
  /** Takes the place of the whole setting. One of both at least. The indexes are made in the background. */
  readonly search?:
    | {
        /** Which literals are found by their words. `true`: all plain and language-tagged strings. */
        readonly text?: true | TextIndexSettings | undefined;
        /** Vectors by their names: at most 16. */
        readonly vectors?: Readonly<Record<string, VectorIndexSettings>> | undefined;
      }
    | null
    | undefined;
}
/**
 * Access to the settings of a repository. They have no versions, and a change makes no revision.
 * @throws StateError `STORE_NOT_OPEN`
 * @throws NotFoundError `REPOSITORY_DELETED`
 * @throws StorageError `STORAGE_IO`
 * @since 0.1.0
 */
export interface Settings {
  /** The present values. */
  get(): Promise<RepositorySettings>;
  /**
   * Changes some members, between two commits. Returns all values after the change.
   * @throws InvalidArgumentError `INVALID_OPTION` for an unknown member, a wrong value, or more than 60,000 bytes in all
   * @throws NotFoundError `BRANCH_NOT_FOUND` for `defaultBranch`
   * @throws ShapesError `SHAPES_VIOLATED` with a report, `SHAPES_INVALID`
   * @throws StateError `READ_ONLY`
   * @throws StorageError `STORAGE_FULL`
   * @throws CorruptionError `FORMAT_VERSION` with `upgrade: false`
   */
  set(change: SettingsChange): Promise<RepositorySettings>;
  /** Name, summary, description and homepage, which describe the repository to readers. */
  readonly metadata: Metadata;
}

/**
 * How often a predicate is used.
 * @since 0.1.0
 */
export interface PredicateStats {
  /** The predicate, an IRI. */
  readonly predicate: RDF.Term;
  /** Exact number of quads with it. */
  readonly quads: number;
  /** Estimated number of different subjects. Merges refresh it. */
  readonly distinctSubjects: number;
  /** Estimated number of different objects. Merges refresh it. */
  readonly distinctObjects: number;
}

/**
 * Figures of a repository at its head.
 * @since 0.1.0
 */
export interface RepositoryStats {
  /** Number of quads in all graphs. */
  readonly quads: number;
  /** Number of revisions, revision 1 included. */
  readonly revisions: number;
  /** Number of different terms of all revisions. */
  readonly terms: number;
  /** Number of named graphs with at least one quad. */
  readonly namedGraphs: number;
  /** Approximate size in the storage, in bytes. */
  readonly bytes: number;
  /** One entry for each predicate, the most frequent first. */
  readonly predicates: readonly PredicateStats[];
  /** Failing background work: flushes and merges, and collections of the whole storage. It is retried. Normally empty. */
  readonly failures: readonly BackgroundFailure[];
}

/**
 * Failing background work. It is retried, and no acknowledged write is at risk.
 * @since 0.1.0
 */
export interface BackgroundFailure {
  /** The kind of work, such as a flush or a merge. */
  readonly job: string;
  /** Code of the last error, from `docs/reference/errors.md`; `INTERNAL` for a fault of Quadrille. */
  readonly code: string;
  /** Message of the last error. */
  readonly message: string;
  /** Number of consecutive failures. */
  readonly count: number;
  /** Time of the first failure. */
  readonly since: Date;
}

/**
 * The size of a repository in the storage, before and after a call.
 * @since 0.1.0
 */
export interface SpaceReport {
  /** Approximate size before, in bytes. */
  readonly bytesBefore: number;
  /** Approximate size after, in bytes. */
  readonly bytesAfter: number;
}
