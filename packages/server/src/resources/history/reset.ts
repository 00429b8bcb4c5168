/** `/A/R/reset`: restores the content of a revision as a new revision. */
import { refuseParameter } from '../../http/index.js';
import { commitOptions } from '../../parameters/commit-options.js';
import { entityTag } from '../../message/conditional.js';
import { oneRef, refuseRevision } from '../../parameters/revision-ref.js';
import { type Handlers, openRepository, type Service } from '../../service.js';
import { Reply } from '../../message/reply.js';
import { type Resource, form, always, REPOSITORY_PATH as R } from '../resource.js';

export const resetResource: Resource = {
  path: `${R}/reset`,
  once: always,
  handlers: resetRoute,
  methods: {
    POST: {
      access: 'write',
      ...form('to', 'message'),
      summary: 'Bring back the content of a revision as a new one',
      needs: ['to'],
      bodyless: true,
    },
  },
};

function resetRoute(service: Service): Handlers {
  return {
    async POST(context) {
      const parameters = context.parameters;
      refuseRevision(parameters, context.request.headers);
      const ref = oneRef(parameters.get('to') ?? '');
      if (ref === undefined)
        throw refuseParameter('to')('the parameter to is missing: the revision whose content is to come back');
      const repository = await openRepository(service, context);
      const revision = await repository.branches.reset(ref, await commitOptions(service, context, repository));
      return new Reply(null, { status: 204, headers: { ETag: entityTag(revision) } });
    },
  };
}
