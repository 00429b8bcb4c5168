/** The revisions of a repository, as its log tells them. */
import { toRevision } from '@quadrille/core';
import { lazySequence } from '@quadrille/model';
import type { LogOptions, Ref, Results, Revision } from '../api/index.js';
import { LOG_OPTIONS } from '../options/calls.js';
import { checkOptions } from '../options/check-options.js';
import { bound, checkPattern } from './quads.js';
import { LazyResults, oneByOne } from './results.js';
import { settled } from './snapshot-source.js';
import { endsFor, type ViewContext } from './view.js';

/** @param at the revision of a view, the newest one that is told; default the head */
export function loggedRevisions({ core, check }: ViewContext, options: LogOptions, at?: Ref): Results<Revision> {
  checkOptions(options, LOG_OPTIONS, 'log');
  const { limit, before, signal, pattern, branches, ...filter } = options;
  const results = (source: () => AsyncIterable<Revision> | Promise<AsyncIterable<Revision>>): Results<Revision> =>
    new LazyResults(() => oneByOne(lazySequence(source)), endsFor({ check }, options));
  if (branches === 'all')
    return results(async () => (await import('../branch/graph-revisions.js')).graphRevisions(core, options));
  if (pattern !== undefined) checkPattern(pattern);
  const newest = at === undefined ? core.head : settled(core.tryResolve(at) ?? core.locate(at));
  if (pattern !== undefined || Object.values(filter).some((value) => value !== undefined)) {
    const { author, message, from, to } = filter;
    const wanted = { author, message, pattern: pattern && bound(pattern) };
    return results(async () => {
      const record = await newest;
      const { history } = core.ownerOf(record);
      return history.select(record.number, { from, until: to, before }, wanted, { limit, signal });
    });
  }
  const first = before === undefined ? newest : settled(core.resolve(before));
  return results(async function* () {
    const record = await first;
    const { history } = core.ownerOf(record);
    if (before !== undefined) yield* history.log({ limit, before: record.number });
    else if (limit !== 0) {
      yield toRevision(record);
      yield* history.log({ limit: limit === undefined ? limit : limit - 1, before: record.number });
    }
  });
}
