/** `/A/R/digest`: the hashes of a revision, by which copies are compared. It waits for its turn like a query, and has its deadline. */
import { revisionIri } from '../../documents/revision-records.js';
import { entityTag, notModified } from '../../message/conditional.js';
import { jsonReply } from '../../message/json-reply.js';
import { type Handlers, openView, type Service } from '../../service.js';
import { inTurn } from '../turns.js';
import { type Resource, form, REPOSITORY_PATH as R } from '../resource.js';
import { JSON_TYPE } from '../media-types.js';

export const digestResource: Resource = {
  path: `${R}/digest`,
  features: ['digest'],
  handlers: digestRoute,
  methods: {
    GET: {
      access: 'read',
      ...form('revision-id', 'timeout'),
      summary: 'The digest of the history up to a revision, and the hash of its content',
      shape: 'Digest',
      gives: [JSON_TYPE],
    },
  },
};

function digestRoute(service: Service): Handlers {
  return {
    async GET(context) {
      const { parameters } = context;
      const { repository, revision } = await openView(service, context, parameters);
      const unchanged = notModified(context, revision);
      if (unchanged !== undefined) return unchanged;
      return inTurn(service, context, { kind: 'query', text: 'digest', parameters }, async ({ task }) => {
        const { signal } = task.control;
        const { id, number } = revision;
        const digest = await repository.proof.digest(revision, { signal });
        const contentHash = await repository.proof.contentHash(revision, { signal });
        const record = { uuid: id, uri: revisionIri(id), ordinal: number, digest, contentHash };
        return jsonReply(record, { ETag: entityTag(revision) });
      });
    },
  };
}
