/** The options of the commits that requests make, and their previews: `dry-run=1`. */
import type { ChangePreview, ReadView, Repository } from 'quadrille';
import type { HostCommitOptions } from 'quadrille/host';
import type { Context } from '../context.js';
import { refuseParameter } from '../http/index.js';
import { commitConditions, entityTag } from '../message/conditional.js';
import { jsonReply } from '../message/json-reply.js';
import type { Reply } from '../message/reply.js';
import { flagOf } from './flag.js';
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
): Promise<HostCommitOptions> {
  await requireCommit(service, context, repository);
  const options = await commitConditions(context, repository, isThere);
  // A preview has nothing that could be done twice.
  return context.keyed === undefined || isDryRun(context) ? options : { ...options, ...context.keyed.commits() };
}

const NAME = 'dry-run';

export const isDryRun = ({ parameters }: Context): boolean => flagOf(parameters, NAME, true);

/** @param what why this request has no preview */
export function refuseDryRun(context: Context, what: string): void {
  if (isDryRun(context)) throw refuseParameter(NAME)(`${NAME}: ${what}`);
}

/** With the tag of the current revision: a change with it in `If-Match` does just what the preview tells. */
export async function previewReply(repository: Repository, preview: () => Promise<ChangePreview>): Promise<Reply> {
  // Before the preview: where a commit comes between, the tag is that of an older revision, and the change is refused.
  const head = await repository.revision();
  const { added, removed } = await preview();
  return jsonReply({ added, removed }, { ETag: entityTag(head), 'Cache-Control': 'no-store' });
}
