/** Where the quads of a resource come from, and what became of those that it had. */
import { parametersOf, request } from './client.js';
import { refOf } from './revisions.js';
import type { Binding } from './sparql.js';

export type Row = Readonly<Record<string, Binding>>;

async function rowsOf(path: string, signal: AbortSignal | undefined): Promise<Row[]> {
  const headers = { Accept: 'application/sparql-results+json' };
  const response = await request(path, { headers, ...(signal && { signal }) });
  return ((await response.json()) as { results: { bindings: Row[] } }).results.bindings;
}

/** The quads of a subject, each with the revision that added it: `revision number datetime agent message`. */
export const getBlame = (
  repository: string,
  iri: string,
  at: string | undefined,
  signal?: AbortSignal,
): Promise<Row[]> =>
  rowsOf(
    `${repository}/blame${parametersOf({ subj: `<${iri}>`, 'revision-id': at === undefined ? undefined : refOf(at) })}`,
    signal,
  );

/** Every insertion and deletion of a quad of a subject, up to a number of them. */
export const getHistory = (repository: string, iri: string, limit: number, signal?: AbortSignal): Promise<Row[]> =>
  rowsOf(`${repository}/history${parametersOf({ subj: `<${iri}>`, limit })}`, signal);

/** A difference as a file. */
export const diffPath = (from: string, to: string): string =>
  `diff${parametersOf({ from: refOf(from), to: refOf(to) })}`;
