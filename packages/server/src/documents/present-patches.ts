/** The revisions after one that there are, as RDF Patch. */
import type { QuadPattern, Repository, Revision } from 'quadrille';
import { changePatch } from './change-patch.js';

/** The answer for a client that follows a repository without a stream. */
export interface ChangesAfter {
  /** The repository whose changes are told. */
  readonly repository: Repository;
  /** The revision before the first one. */
  readonly since: Revision;
  /** Most revisions. */
  readonly limit: number;
  /** Leaves out revisions that change no matching quad, and the changes of other quads. */
  readonly pattern: QuadPattern | undefined;
}

/** The number of the newest revision that is told; `undefined` if there is none yet. */
export async function lastChange({ repository, since, pattern }: ChangesAfter): Promise<number | undefined> {
  const head = await repository.revision();
  if (head.number <= since.number) return undefined;
  if (pattern === undefined) return head.number;
  const range = { from: since.number + 1, to: head.number };
  const [newest] = await repository.log({ ...range, pattern, limit: 1 }).toArray();
  return newest?.number;
}

/** The transactions of the revisions up to that with the number `last`, in pieces that end with a row. `last` is of {@link lastChange}. */
export async function* patchesUntil(
  last: number,
  { repository, since, limit, pattern }: ChangesAfter,
  signal: AbortSignal,
): AsyncGenerator<string> {
  let left = limit;
  for await (const change of repository.watch({ since, signal, ...(pattern && { pattern }) })) {
    yield* changePatch(change, signal);
    if (--left === 0 || change.revision.number >= last) return;
  }
}
