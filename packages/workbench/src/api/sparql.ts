/** Requests of queries and updates. Answers are read by the worker of rows, which gets the request prepared here. */
import { parametersOf, prepared, request } from './client.js';
import { messageHeader, refOf, tagOf } from './revisions.js';

export interface QueryOptions {
  /** A revision; undefined for the current one. */
  readonly at?: string | undefined;
  /** Seconds. */
  readonly timeout?: number | undefined;
  readonly accept: string;
  /** Another revision: the answer has the rows that only one of both has. Of a SELECT alone. */
  readonly compare?: string | undefined;
}

const parametersFor = ({ at, timeout, compare }: QueryOptions): string =>
  parametersOf({
    'revision-id': at === undefined ? undefined : refOf(at),
    compare: compare === undefined ? undefined : refOf(compare),
    timeout,
  });

export interface PreparedRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A query as the worker sends it. */
export function queryRequest(repository: string, text: string, options: QueryOptions): PreparedRequest {
  const path = `${repository}/sparql${parametersFor(options)}`;
  const { url, init } = prepared(path, {
    headers: { Accept: options.accept, 'Content-Type': 'application/sparql-query' },
  });
  return { url, method: 'POST', headers: Object.fromEntries(init.headers as Headers), body: text };
}

/** The whole answer of a query, for small ones that the page itself asks. */
export async function ask(
  repository: string,
  text: string,
  options: QueryOptions,
  signal?: AbortSignal,
): Promise<Response> {
  const path = `${repository}/sparql${parametersFor(options)}`;
  const headers = { Accept: options.accept, 'Content-Type': 'application/sparql-query' };
  return request(path, { method: 'POST', headers, body: text, ...(signal && { signal }) }, 'always');
}

/** Whether the current revision has statements in a graph. @param graph in N-Triples syntax */
export async function hasGraph(repository: string, graph: string, signal: AbortSignal): Promise<boolean> {
  const options = { at: undefined, accept: 'application/sparql-results+json' };
  const response = await ask(repository, `ASK { GRAPH ${graph} { ?s ?p ?o } }`, options, signal);
  return ((await response.json()) as { boolean: boolean }).boolean;
}

/** @param branch default the one that is shown. @returns the UUID of its current revision afterwards */
export async function update(
  repository: string,
  text: string,
  message: string,
  branch?: string,
): Promise<string | undefined> {
  const headers = { 'Content-Type': 'application/sparql-update', ...messageHeader(message) };
  return tagOf(
    await request(`${repository}/sparql${parametersOf({ branch })}`, { method: 'POST', headers, body: text }),
  );
}

export interface Binding {
  readonly type: 'uri' | 'literal' | 'bnode' | 'triple';
  readonly value: string;
  readonly datatype?: string;
  readonly 'xml:lang'?: string;
}

/** The rows of a small SELECT. */
export async function select(
  repository: string,
  text: string,
  at: string | undefined,
  signal?: AbortSignal,
): Promise<Readonly<Record<string, Binding>>[]> {
  const response = await ask(repository, text, { at, accept: 'application/sparql-results+json' }, signal);
  const { results } = (await response.json()) as { results: { bindings: Readonly<Record<string, Binding>>[] } };
  return results.bindings;
}
