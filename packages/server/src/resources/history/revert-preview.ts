/** The changes that a revert of a revision would make now. */
import type { DiffEntry, ReadView, Repository, Revision } from 'quadrille';
import type { Context } from '../../context.js';
import { commitConditions, entityTag } from '../../message/conditional.js';
import type { Reply } from '../../message/reply.js';
import type { Service } from '../../service.js';
import { diffDocument, diffType } from './diff.js';

/**
 * The changes in the formats of `/diff`, with the tag of the current revision: a revert with it in `If-Match` makes just these.
 * @throws ConflictError `PRECONDITION_FAILED` where the current revision is not that of `If-Match`
 */
export async function revertPreview(
  service: Service,
  context: Context,
  repository: Repository,
  undone: Revision,
): Promise<Reply> {
  const mediaType = diffType(context);
  await commitConditions(context, repository);
  const head = await repository.revision();
  const entries = (): AsyncIterable<DiffEntry> => changes(repository, undone, head, context.request.signal);
  const reply = await diffDocument(service, context, mediaType, { from: head, to: undone, entries, isPart: true });
  reply.headers.set('ETag', entityTag(head));
  reply.headers.set('Cache-Control', 'no-store');
  return reply;
}

/** Additions that are still there go, and removals that are still missing come back. */
async function* changes(
  repository: Repository,
  undone: Revision,
  head: Revision,
  signal: AbortSignal,
): AsyncGenerator<DiffEntry> {
  if (undone.parent === undefined) return;
  const now = repository.at(head);
  for await (const { op, quad } of repository.diff(undone.parent, undone, {}, { signal })) {
    const isThere = await holds(now, quad);
    if (op === 'add' && isThere) yield { op: 'remove', quad };
    if (op === 'remove' && !isThere) yield { op: 'add', quad };
  }
}

async function holds(view: ReadView, { subject, predicate, object, graph }: DiffEntry['quad']): Promise<boolean> {
  return (await view.count({ subject, predicate, object, graph })) > 0;
}
