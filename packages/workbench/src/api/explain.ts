/** How the server runs a query, and what is wrong with a text. */
import { parametersOf, request } from './client.js';
import { refOf } from './revisions.js';

/** A step of a plan. Times are milliseconds. */
export interface PlanStep {
  readonly operator: string;
  readonly detail: string;
  readonly estimatedRows: number;
  readonly actualRows?: number;
  readonly actualMs?: number;
  readonly inputs: readonly PlanStep[];
}

export interface Explanation {
  readonly text: string;
  /** Undefined for requests without one, such as updates. */
  readonly plan?: PlanStep;
}

/** Runs a query to see how long each step takes. */
export async function explain(
  repository: string,
  query: string,
  at: string | undefined,
  signal: AbortSignal,
): Promise<Explanation> {
  const revision = at === undefined ? undefined : refOf(at);
  const path = `${repository}/sparql${parametersOf({ explain: 'analyze', 'revision-id': revision })}`;
  const headers = { Accept: 'application/json', 'Content-Type': 'application/sparql-query' };
  const response = await request(path, { method: 'POST', headers, body: query, signal }, 'always');
  return (await response.json()) as Explanation;
}

export interface SyntaxFault {
  /** Both begin with 1. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
  readonly suggestion: string | null;
}

/** All errors of a query or update, by the parser of the server. */
export async function parseOnServer(repository: string, text: string, isUpdate: boolean): Promise<SyntaxFault[]> {
  const type = `application/sparql-${isUpdate ? 'update' : 'query'}`;
  const headers = { Accept: 'application/json', 'Content-Type': type };
  const response = await request(`${repository}/parse`, { method: 'POST', headers, body: text }, 'never');
  return ((await response.json()) as { errors: SyntaxFault[] }).errors;
}
