/** Messages between the page and the worker that reads an answer. */
import type { PreparedRequest } from '../api/sparql.js';
import type { Problem } from '../api/errors.js';
import type { NetworkChoice } from './network.js';
import type { ChartChoice } from './points.js';

export type ToWorker =
  | {
      readonly type: 'run';
      readonly request: PreparedRequest;
      /** Where no server is: who answers. */
      readonly port?: MessagePort;
    }
  | { readonly type: 'cancel' }
  /** Rows `from` (included) to `to` (not included) of those that are shown. */
  | { readonly type: 'rows'; readonly id: number; readonly from: number; readonly to: number }
  /** What is shown, and in which order. */
  | { readonly type: 'arrange'; readonly filter: string; readonly column: number; readonly descending: boolean }
  | { readonly type: 'text'; readonly id: number; readonly bytes: number }
  /** What a chart or a graph shows of the rows. */
  | { readonly type: 'chart'; readonly id: number; readonly choice: ChartChoice }
  | { readonly type: 'network'; readonly id: number; readonly choice: NetworkChoice };

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
  /** What was asked for under this number. */
  | { readonly type: 'value'; readonly id: number; readonly value: unknown };
