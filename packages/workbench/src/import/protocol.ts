/** Messages between the page and the worker that maps tables. */
import type { Problem } from '../api/errors.js';

export interface Table {
  readonly file: File;
  /** `csv`, `tsv`, `json` or `jsonl`. */
  readonly format: string;
}

export interface Mapped extends Table {
  readonly mapping: string;
  readonly prefixes: Readonly<Record<string, string>>;
}

/** The first statements of a table: subject, predicate and object as N-Triples. */
export interface Preview {
  readonly statements: readonly (readonly [string, string, string])[];
  /** Whether there are no others. */
  readonly isAll: boolean;
}

/** What can be asked: a mapping to begin with, the first statements, and all of them, as compressed N-Triples. */
export interface Asked {
  readonly draft: { readonly of: Table; readonly gives: string };
  readonly preview: { readonly of: Mapped; readonly gives: Preview };
  readonly map: { readonly of: Mapped; readonly gives: Blob };
}

/** One question a worker. */
export type ToTables = {
  readonly [Kind in keyof Asked]: { readonly kind: Kind; readonly of: Asked[Kind]['of'] };
}[keyof Asked];

export type FromTables =
  | { readonly type: 'progress'; readonly share: number }
  | { readonly type: 'value'; readonly value: unknown }
  | { readonly type: 'failed'; readonly problem: Problem };
