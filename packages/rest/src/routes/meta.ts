/** `/A/R/meta`: the descriptive record of a repository. */
import { jsonResponse } from '../json.js';
import { invalidRecord, recordOf, sentFields } from '../record.js';
import { type Handlers, openRepository, type Service } from '../service.js';

export function metaRoute(service: Service): Handlers {
  return {
    async GET(context) {
      return jsonResponse(await recordOf(await openRepository(service, context)));
    },
    async PUT(context) {
      const repository = await openRepository(service, context);
      const change = await sentFields(context.req.raw);
      if (change.name === null) throw invalidRecord('name', "can't be blank");
      await repository.metadata.set(change);
      return new Response(null, { status: 200 });
    },
  };
}
