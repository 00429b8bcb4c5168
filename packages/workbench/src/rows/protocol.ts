/** Messages between the page and the worker that reads an answer. */
import type { PreparedRequest } from '../api/sparql.js';
import type { Problem } from '../api/errors.js';

export type ToWorker =
  | { readonly type: 'run'; readonly request: PreparedRequest }
  | { readonly type: 'cancel' }
  /** Rows `from` (included) to `to` (not included) of those that are shown. */
  | { readonly type: 'rows'; readonly id: number; readonly from: number; readonly to: number }
  /** What is shown, and in which order. */
  | { readonly type: 'arrange'; readonly filter: string; readonly column: number; readonly descending: boolean }
  | { readonly type: 'text'; readonly id: number; readonly bytes: number };

export interface Progress {
  /** Of the answer, its first line apart. */
  readonly rows: number;
  /** Of those, which the filter shows. */
  readonly shown: number;
  readonly bytes: number;
  /** Milliseconds since the request was sent. */
  readonly ms: number;
}

export type Ending = 'complete' | 'cancelled' | 'full';

export type FromWorker =
  | {
      readonly type: 'head';
      readonly columns: readonly string[];
      readonly revision: string | undefined;
      readonly boolean?: boolean;
    }
  | ({ readonly type: 'progress' } & Progress)
  | ({ readonly type: 'end'; readonly ending: Ending } & Progress)
  | { readonly type: 'failed'; readonly problem: Problem }
  | { readonly type: 'rows'; readonly id: number; readonly cells: readonly (readonly string[])[] }
  | { readonly type: 'text'; readonly id: number; readonly text: string };
