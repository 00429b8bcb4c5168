/** The options of the commits that requests make. */
import type { CommitOptions, ReadView, Repository } from 'quadrille';
import type { Context } from '../context.js';
import { commitConditions } from '../message/conditional.js';
import { requireCommit, type Service } from '../service.js';

/**
 * Message, author, id, and the revision of `If-Match`, for a client that may commit to the branch; and what keeps a request that is
 * to be done once. `isThere` says whether a revision has what the request changes.
 * @throws AccessError `FORBIDDEN` where the branch is protected; otherwise as {@link commitConditions}
 */
export async function commitOptions(
  service: Service,
  context: Context,
  repository: Repository,
  isThere?: (view: ReadView) => Promise<boolean>,
): Promise<CommitOptions> {
  await requireCommit(service, context, repository);
  const options = await commitConditions(context, repository, isThere);
  return context.keyed === undefined ? options : { ...options, ...context.keyed.commits() };
}
