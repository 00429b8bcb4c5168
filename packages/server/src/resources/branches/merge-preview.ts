/** What a merge would do, without doing it. */
import { conflictRecords } from '../../http/index.js';
import type { DiffEntry, MergeOptions, MergePreview, Ref, Repository } from 'quadrille';
import type { Context } from '../../context.js';
import { diffRecords } from '../../documents/diff-documents.js';
import { revisionRecord } from '../../documents/revision-records.js';
import { commitConditions, entityTag } from '../../message/conditional.js';
import { jsonReply } from '../../message/json-reply.js';
import { negotiate } from '../../message/negotiate.js';
import type { Reply } from '../../message/reply.js';
import { limitOf } from '../../parameters/revision-range.js';
import type { Service } from '../../service.js';
import { workInTurn } from '../turns.js';
import { DIFF_OFFERS, diffDocument } from '../history/diff.js';
import { pageOf } from '../history/diff-page.js';

const JSON_TYPE = 'application/json';
const OFFERS = [JSON_TYPE, ...DIFF_OFFERS.filter((type) => type !== JSON_TYPE)];
/** Most changes that the JSON tells. The other types tell all. */
const MOST_CHANGES = 1000;

/**
 * As JSON the numbers, the conflicts, and with `limit` the first changes; in the other formats of `/diff` all changes. With the tag of the
 * current revision: a merge with it in `If-Match` makes just these.
 * @throws ConflictError `PRECONDITION_FAILED` where the current revision is not that of `If-Match`
 */
export async function mergePreview(
  service: Service,
  context: Context,
  target: Repository,
  source: Ref,
  options: MergeOptions,
): Promise<Reply> {
  const mediaType = negotiate(context.header('Accept') ?? null, OFFERS);
  const limit = Math.min(limitOf(context.parameters) ?? 0, MOST_CHANGES);
  await commitConditions(context, target);
  // Before the preview: where a commit comes between, the tag is that of an older revision, and the merge is refused.
  const head = await target.revision();
  const { onConflict: _, message: __, ...how } = options;
  const work = { kind: 'query', text: 'preview of a merge' } as const;
  const preview = await workInTurn(service, context, work, ({ task }) =>
    target.branches.merge(source, { dryRun: true, ...how, signal: task.control.signal }),
  );
  const entries = (): AsyncIterable<DiffEntry> => preview.changes({ signal: context.request.signal });
  const reply =
    mediaType === JSON_TYPE
      ? jsonReply(await previewRecord(preview, entries, limit))
      : await diffDocument(service, context, mediaType, {
          from: head,
          to: await target.at(source).revision(),
          entries,
          isPart: true,
        });
  reply.headers.set('ETag', entityTag(head));
  reply.headers.set('Cache-Control', 'no-store');
  return reply;
}

async function previewRecord(
  { base, added, removed, conflictCount, conflicts }: MergePreview,
  entries: () => AsyncIterable<DiffEntry>,
  limit: number,
): Promise<object> {
  const record = { base: revisionRecord(base), added, removed, conflictCount, conflicts: conflictRecords(conflicts) };
  if (limit === 0) return record;
  const changes: object[] = [];
  const first = pageOf(entries(), { start: 0, length: limit });
  for await (const each of diffRecords({ entries: () => first })) changes.push(each);
  return { ...record, changes };
}
