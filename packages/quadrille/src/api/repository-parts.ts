/** What belongs to a repository beside its quads: names, metadata, figures. */
import type * as RDF from '@rdfjs/types';
import type { Ref, Revision } from '@quadrille/core';

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
  /** Work behind the commits (flushes and merges) that fails and is tried again; none where all is well. */
  readonly failures: readonly BackgroundFailure[];
}

/** Work behind the commits that fails. */
export interface BackgroundFailure {
  readonly job: string;
  /** Of the last error, as `docs/errors.md` lists them. */
  readonly code: string;
  readonly message: string;
  /** How often in a row. */
  readonly count: number;
  /** When it failed first. */
  readonly since: Date;
}

export interface SpaceReport {
  readonly bytesBefore: number;
  readonly bytesAfter: number;
}
