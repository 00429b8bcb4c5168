/** `/A/R/digest`: the hashes of a revision, by which copies are compared. It waits for its turn like a query, and has its deadline. */
import { revisionIri } from '../../documents/revision-records.js';
import { entityTag, notModified } from '../../message/conditional.js';
import { jsonReply } from '../../message/json-reply.js';
import { type Handlers, openView, type Service } from '../../service.js';
import { inTurn } from '../../turns.js';

export function digestRoute(service: Service): Handlers {
  return {
    async GET(context) {
      const { parameters } = context;
      const { repository, revision } = await openView(service, context, parameters);
      const unchanged = notModified(context, revision);
      if (unchanged !== undefined) return unchanged;
      return inTurn(service, context, { kind: 'query', text: 'digest', parameters }, async ({ task }) => {
        const { signal } = task.control;
        const { id, number } = revision;
        const digest = await repository.digest(revision, { signal });
        const contentHash = await repository.contentHash(revision, { signal });
        const record = { uuid: id, uri: revisionIri(id), ordinal: number, digest, contentHash };
        return jsonReply(record, { ETag: entityTag(revision) });
      });
    },
  };
}
