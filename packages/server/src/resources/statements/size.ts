/** `/A/R/size`: the number of statements, in decimal. */
import { acceptable } from '../../message/acceptable.js';
import { entityTag, notModified } from '../../message/conditional.js';
import { graphsToRead } from '../../parameters/selected-graphs.js';
import { sizeOf } from './graph-size.js';
import { ROW_OFFERS } from '../../documents/media-types.js';
import { type Handlers, openView, type Service } from '../../service.js';
import { integer, rowsReply } from '../../documents/rows-reply.js';
import { Reply } from '../../message/reply.js';
import { type Resource, form, REPOSITORY_PATH as R } from '../resource.js';
import { ANSWER } from '../../parameters/lists.js';

export const sizeResource: Resource = {
  path: `${R}/size`,
  handlers: sizeRoute,
  methods: {
    GET: {
      access: 'read',
      ...form('context', 'revision-id', ...ANSWER),
      summary: 'How many statements there are',
      gives: ['text/plain'],
    },
  },
};

const OFFERS = ['text/plain', ...ROW_OFFERS];

function sizeRoute(service: Service): Handlers {
  return {
    async GET(context) {
      const parameters = context.parameters;
      const mediaType = acceptable(context, parameters, OFFERS);
      const graphs = graphsToRead(parameters);
      const { view, revision } = await openView(service, context, parameters);
      const unchanged = notModified(context, revision);
      if (unchanged !== undefined) return unchanged;
      const size = await sizeOf(view, graphs);
      if (mediaType !== 'text/plain') {
        return rowsReply(mediaType, ['SIZE'], [{ SIZE: integer(size) }], { ETag: entityTag(revision) });
      }
      return new Reply(String(size), {
        headers: { 'Content-Type': 'text/plain; charset=utf-8', ETag: entityTag(revision) },
      });
    },
  };
}
