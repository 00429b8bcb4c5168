/** `/A/R/changes`: the revisions after one, and a posted RDF Patch, which is one revision. With `history=1` it is a history file. */
import { HttpError } from '../../http/index.js';
import type { Context } from '../../context.js';
import { heldBytes, mediaTypeOf } from '../../message/body.js';
import { commitOptions } from '../../parameters/commit-options.js';
import { entityTag } from '../../message/conditional.js';
import { Reply } from '../../message/reply.js';
import { refuseRevision } from '../../parameters/revision-ref.js';
import { flagOf } from '../../parameters/flag.js';
import { changeFeed } from './change-feed.js';
import { sendHistory, takeHistory } from './history-transfer.js';
import { type Handlers, openRepository, type Service } from '../../service.js';
import { platform } from '../../host/index.js';
import { type Resource, form, raw, always, REPOSITORY_PATH as R } from '../resource.js';
import { CHANGED } from '../../parameters/lists.js';

export const changesResource: Resource = {
  path: `${R}/changes`,
  once: always,
  features: ['changes', 'replication'],
  handlers: changesRoute,
  methods: {
    GET: {
      access: 'read',
      ...form(...CHANGED, 'since', 'limit', 'wait', 'history', 'branches'),
      summary:
        'The revisions after one, with their changes: a feed that goes on, those that there are, or a history file',
      also: [204],
      gives: ['text/event-stream', 'application/rdf-patch'],
    },
    POST: {
      access: 'write',
      ...raw('history', 'message'),
      summary: 'Apply a patch as one revision, or append the revisions of a history file',
      also: [200],
      takes: ['application/rdf-patch'],
    },
  },
};

const RDF_PATCH = 'application/rdf-patch';

function changesRoute(service: Service): Handlers {
  return {
    GET: (context) => (isHistory(context) ? sendHistory : changeFeed)(service, context),
    POST: (context) => applyPatch(service, context),
  };
}

const isHistory = ({ parameters }: Context): boolean => flagOf(parameters, 'history');

async function applyPatch(service: Service, context: Context): Promise<Reply> {
  const { request, parameters } = context;
  refuseRevision(parameters, request.headers);
  if (mediaTypeOf(request) !== RDF_PATCH) {
    throw new HttpError('UNSUPPORTED_MEDIA_TYPE', `changes are sent as ${RDF_PATCH}; name it in Content-Type`);
  }
  if (isHistory(context)) return takeHistory(service, context);
  const repository = await openRepository(service, context);
  const options = await commitOptions(service, context, repository);
  const chunks: Uint8Array[] = [];
  for await (const chunk of heldBytes(service, context)) chunks.push(chunk.slice());
  // Held as a whole, so that it can be applied anew where another commit comes first.
  const revision = await repository.patch(platform.concat(chunks), { ...options, sourceName: 'request body' });
  return new Reply(null, { status: 204, headers: { ETag: entityTag(revision) } });
}
