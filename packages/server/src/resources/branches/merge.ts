/** `/A/R/branches/NAME/merge` and `/A/R/revisions/REF/cherry-pick`: take changes of one branch over to another. */
import { foundBranch } from '../../host/index.js';
import type { MergeOptions, Revision } from 'quadrille';
import { commitOptions } from '../../parameters/commit-options.js';
import type { Context } from '../../context.js';
import { revisionRecord } from '../../documents/revision-records.js';
import { entityTag } from '../../message/conditional.js';
import { jsonReply } from '../../message/json-reply.js';
import type { Reply } from '../../message/reply.js';
import { flagOf } from '../../parameters/flag.js';
import { refuseRevision } from '../../parameters/revision-ref.js';
import { type Handlers, openRepository, type Service } from '../../service.js';
import { inTurn } from '../turns.js';
import { pathRevision } from '../history/revisions.js';
import { branchOf } from './branches.js';
import { sentMerge, sentPick } from './merge-options.js';
import { mergePreview } from './merge-preview.js';
import { type Resource, raw, always, REPOSITORY_PATH as R } from '../resource.js';
import { JSON_TYPE, DIFFS } from '../media-types.js';

export const cherryPickResource: Resource = {
  path: `${R}/revisions/:ref/cherry-pick`,
  once: always,
  handlers: cherryPickRoute,
  methods: {
    POST: {
      access: 'write',
      ...raw('message', 'timeout'),
      summary: 'Repeat the changes of a revision of another branch',
      sends: 'CherryPick',
      shape: 'Revision',
      takes: [JSON_TYPE],
      bodyless: true,
      gives: [JSON_TYPE],
    },
  },
};

export const mergeResource: Resource = {
  path: `${R}/branches/:name/merge`,
  once: always,
  handlers: mergeRoute,
  methods: {
    POST: {
      access: 'write',
      ...raw('preview', 'limit', 'message', 'timeout'),
      summary: 'Merge the branch of the path into that of the request, or tell what that would change',
      sends: 'Merge',
      shape: 'RevisionOrPreview',
      takes: [JSON_TYPE],
      bodyless: true,
      gives: [...new Set([JSON_TYPE, ...DIFFS])],
    },
  },
};

/** Merges into the branch of `branch`, else into the default branch. It waits for its turn, like an update. */
function mergeRoute(service: Service): Handlers {
  return {
    async POST(context) {
      refuseRevision(context.parameters, context.request.headers);
      const target = await openRepository(service, context);
      const name = branchOf(context);
      const { head } = await foundBranch(target, name);
      const sent = await sentMerge(context);
      // The library has the error for a branch that is merged into itself.
      const source = name === target.branch ? name : head;
      if (flagOf(context.parameters, 'preview', true)) return mergePreview(service, context, target, source, sent);
      const options = { ...(await commitOptions(service, context, target)), ...sent };
      return changing(service, context, `merge ${name}`, (signal) =>
        target.branches.merge(source, { ...options, signal }),
      );
    },
  };
}

/** Repeats the changes of a revision on the branch of `branch`, else on the default branch. */
function cherryPickRoute(service: Service): Handlers {
  return {
    async POST(context) {
      refuseRevision(context.parameters, context.request.headers);
      const target = await openRepository(service, context);
      const picked = await pathRevision(target, context);
      const sent: MergeOptions = await sentPick(context);
      const options = { ...(await commitOptions(service, context, target)), ...sent };
      const what = `cherry-pick ${picked.id}`;
      return changing(service, context, what, (signal) => target.branches.cherryPick(picked, { ...options, signal }));
    },
  };
}

function changing(
  service: Service,
  context: Context,
  text: string,
  change: (signal: AbortSignal) => Promise<Revision>,
): Promise<Reply> {
  const { parameters } = context;
  return inTurn(service, context, { kind: 'update', text, parameters }, async ({ task }) => {
    const revision = await change(task.control.signal);
    return jsonReply(revisionRecord(revision), { ETag: entityTag(revision) });
  });
}
