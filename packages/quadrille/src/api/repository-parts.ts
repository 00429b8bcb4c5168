/** Parts of a repository besides its quads: names, metadata and figures. */
import type * as RDF from '@rdfjs/types';
import type { Ref, Revision } from '@quadrille/core';

/** Unversioned prefixes. Queries on a repository also know the namespaces of its account. */
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
  /** The name as given by the caller. */
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
  /** Failing background work (flushes and merges), which is retried. Normally empty. */
  readonly failures: readonly BackgroundFailure[];
}

/** Failing background work. */
export interface BackgroundFailure {
  readonly job: string;
  /** Code of the last error, from `docs/reference/errors.md`. */
  readonly code: string;
  readonly message: string;
  /** Number of consecutive failures. */
  readonly count: number;
  /** Time of the first failure. */
  readonly since: Date;
}

export interface SpaceReport {
  readonly bytesBefore: number;
  readonly bytesAfter: number;
}
