/** `/A/R/meta`: the descriptive record of a repository. */
import { jsonReply } from '../../message/json-reply.js';
import { sentFields } from '../../parameters/repository-fields.js';
import { type Handlers, repositoryName, type Service } from '../../service.js';
import { Reply } from '../../message/reply.js';

export function metaRoute({ hosted }: Service): Handlers {
  return {
    async GET(context) {
      return jsonReply(await hosted.repositories.record(context.caller, repositoryName(context), context.branch));
    },
    async PUT(context) {
      await hosted.repositories.update(context.caller, repositoryName(context), await sentFields(context));
      return new Reply(null, { status: 200 });
    },
  };
}
