/** `/A/R/meta`: the descriptive record of a repository. */
import { jsonResponse } from '../json.js';
import { sentFields } from '../record.js';
import { type Handlers, repositoryName, type Service } from '../service.js';
import { Reply } from '../reply.js';

export function metaRoute({ hosted }: Service): Handlers {
  return {
    async GET(context) {
      return jsonResponse(await hosted.repositories.record(context.caller, repositoryName(context)));
    },
    async PUT(context) {
      await hosted.repositories.update(context.caller, repositoryName(context), await sentFields(context.request));
      return new Reply(null, { status: 200 });
    },
  };
}
