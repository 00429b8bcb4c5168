/** The facts about a running query, apart from its text: its sender, its id, and the revision that it reads. */
import type { RunningQuery, Task } from 'quadrille';

export interface QueryNote {
  /** The account that has sent it; `undefined` for anonymous clients and the operator. */
  readonly account?: string | undefined;
  /** `Client-Request-Id` of its request. */
  readonly clientRequestId?: string | undefined;
  /** The id of the revision that it reads. */
  readonly revision?: string | undefined;
}

const notes = new WeakMap<RunningQuery, QueryNote>();

/** Adds to what is known of a query. */
export function noteQuery(task: Task, note: QueryNote): void {
  notes.set(task, { ...notes.get(task), ...note });
}

export const noteOfQuery = (query: RunningQuery): QueryNote => notes.get(query) ?? {};
