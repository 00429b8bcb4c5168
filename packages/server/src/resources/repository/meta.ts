/** `/A/R/meta`: the descriptive record of a repository. */
import { jsonReply } from '../../message/json-reply.js';
import { sentFields } from '../../parameters/repository-fields.js';
import { type Handlers, repositoryName, type Service } from '../../service.js';
import { Reply } from '../../message/reply.js';
import { type Resource, form, typed, common, REPOSITORY_PATH as R } from '../resource.js';
import { FIELD_NAMES } from '../../parameters/known-parameters.js';
import { JSON_TYPE, FORM } from '../media-types.js';

export const metaResource: Resource = {
  path: `${R}/meta`,
  handlers: metaRoute,
  methods: {
    GET: {
      access: 'read',
      ...form(),
      summary: 'The record of the repository',
      shape: 'Repository',
      gives: [JSON_TYPE],
    },
    PUT: {
      access: 'owner',
      ...common(typed(...FIELD_NAMES)),
      summary: 'Change the record',
      sends: 'RepositoryChange',
      takes: [FORM, JSON_TYPE],
      status: 200,
    },
  },
};

function metaRoute({ hosted }: Service): Handlers {
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
