/** `/A/R/contexts`: the named graphs, at any revision. */
import type { ResultRow } from '@quadrille/formats';
import type { ReadView } from 'quadrille';
import { acceptable } from '../../message/acceptable.js';
import { entityTag, notModified } from '../../message/conditional.js';
import { SELECT_OFFERS } from '../../documents/media-types.js';
import { type Handlers, openView, type Service } from '../../service.js';
import { rowsReply } from '../../documents/rows-reply.js';
import { type Resource, form, REPOSITORY_PATH as R } from '../resource.js';
import { ANSWER } from '../../parameters/lists.js';

export const contextsResource: Resource = {
  path: `${R}/contexts`,
  handlers: contextsRoute,
  methods: {
    GET: {
      access: 'read',
      ...form('revision-id', ...ANSWER),
      summary: 'List the named graphs',
      shape: { list: 'Row' },
      gives: SELECT_OFFERS,
    },
  },
};

function contextsRoute(service: Service): Handlers {
  return {
    async GET(context) {
      const parameters = context.parameters;
      const mediaType = acceptable(context, parameters, SELECT_OFFERS);
      const { view, revision } = await openView(service, context, parameters);
      const unchanged = notModified(context, revision);
      if (unchanged !== undefined) return unchanged;
      const rows = rowsOf(view, context.request.signal);
      return rowsReply(mediaType, ['contextID'], rows, { ETag: entityTag(revision) });
    },
  };
}

async function* rowsOf(view: ReadView, signal: AbortSignal): AsyncGenerator<ResultRow> {
  for await (const graph of view.graphs({ signal })) yield { contextID: graph };
}
