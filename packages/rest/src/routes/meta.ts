/** `/A/R/meta`: the descriptive record of a repository. */
import { callerOf } from '../authentication.js';
import { jsonResponse } from '../json.js';
import { sentFields } from '../record.js';
import { type Handlers, repositoryName, type Service } from '../service.js';

export function metaRoute({ hosted }: Service): Handlers {
  return {
    async GET(context) {
      return jsonResponse(await hosted.repositories.record(callerOf(context), repositoryName(context)));
    },
    async PUT(context) {
      await hosted.repositories.update(callerOf(context), repositoryName(context), await sentFields(context.req.raw));
      return new Response(null, { status: 200 });
    },
  };
}
