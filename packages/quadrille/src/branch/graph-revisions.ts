/** The revisions of all branches. Loaded with the first call. It imports no value that a page starts with. */
import type { Repository as CoreRepository } from '@quadrille/core';
import { InvalidArgumentError } from '@quadrille/model';
import type { LogOptions, Revision } from '../api/index.js';

/** @throws InvalidArgumentError `INVALID_OPTION` for a filter that is only for one branch */
export async function* graphRevisions(
  core: CoreRepository,
  { before, limit = Number.POSITIVE_INFINITY, author, message, signal, from, to, pattern }: LogOptions,
): AsyncGenerator<Revision> {
  for (const [option, value] of Object.entries({ from, to, pattern })) {
    if (value === undefined) continue;
    throw new InvalidArgumentError('INVALID_OPTION', `log: ${option} is for the revisions of one branch, not of all`, {
      details: { option },
    });
  }
  let left = limit;
  if (left <= 0) return;
  for await (const revision of core.graphLog(before, { author, message }, signal)) {
    yield revision;
    if (--left <= 0) return;
  }
}
