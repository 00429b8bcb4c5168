/** What a repository is about: classes, properties and graphs with exact counts, and terms that begin with a text. */
import { getJson, parametersOf } from './client.js';
import { refOf } from './revisions.js';

export interface CountedTerm {
  /** In N-Triples syntax. */
  readonly term: string;
  readonly count: number;
}

export interface Schema {
  readonly classes: readonly CountedTerm[];
  readonly properties: readonly CountedTerm[];
  readonly graphs: readonly CountedTerm[];
}

const revisionOf = (at: string | undefined): Record<string, string | undefined> => ({
  'revision-id': at === undefined ? undefined : refOf(at),
});

export const getSchema = (repository: string, at: string | undefined, signal?: AbortSignal): Promise<Schema> =>
  getJson(`${repository}/schema${parametersOf(revisionOf(at))}`, signal);

export type TermPosition = 'subject' | 'predicate' | 'object' | 'graph' | 'class';

export interface TermRequest {
  readonly repository: string;
  readonly position: TermPosition;
  /** What the terms begin with. */
  readonly prefix: string;
  readonly at: string | undefined;
  readonly limit: number;
  /** Seconds. */
  readonly timeout?: number;
  readonly signal?: AbortSignal;
}

/** The most used terms at a position. */
export const getTerms = ({ repository, at, signal, ...parameters }: TermRequest): Promise<CountedTerm[]> =>
  getJson(`${repository}/terms${parametersOf({ ...parameters, ...revisionOf(at) })}`, signal);
