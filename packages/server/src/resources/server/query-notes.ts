/** The facts about a running query, apart from its text: its sender, its id, and the revision that it reads. */
import type { RunningQuery } from 'quadrille';
import type { Task } from 'quadrille/host';

export interface QueryNote {
  /** The account that has sent it; `undefined` for anonymous clients and the operator. */
  readonly account: string | undefined;
  /** `Client-Request-Id` of its request. */
  readonly clientRequestId: string | undefined;
  /** The id of the revision that it reads, once that is known. */
  revision?: string;
}

const notes = new WeakMap<RunningQuery, QueryNote>();

/** Keeps what is known of a query when it begins. */
export const noteQuery = (task: Task, note: QueryNote): void => void notes.set(task, note);

/** Adds the revision that a query reads. */
export function noteRevision(task: Task, id: string): void {
  const note = notes.get(task);
  if (note !== undefined) note.revision = id;
}

export const noteOfQuery = (query: RunningQuery): Partial<QueryNote> => notes.get(query) ?? {};
