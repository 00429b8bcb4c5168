/** `/A/R/jobs`: starts the upkeep of a repository as a job, which `/jobs/ID` shows. */
import { InvalidRecordError } from '@quadrille/model';
import { Reply } from '../../message/reply.js';
import { sentObject, textOf } from '../../parameters/sent-object.js';
import { baseUrl, type Handlers, repositoryName, type Service } from '../../service.js';
import { type Resource, raw, common, REPOSITORY_PATH as R } from '../resource.js';
import { JSON_TYPE } from '../media-types.js';

export const maintenanceResource: Resource = {
  path: `${R}/jobs`,
  features: ['maintenance'],
  handlers: maintenanceRoute,
  methods: {
    POST: {
      access: 'owner',
      ...common(raw()),
      summary: 'Start a check or a compaction as a job (owners)',
      sends: 'Maintenance',
      takes: [JSON_TYPE],
      status: 202,
    },
  },
};

function maintenanceRoute(service: Service): Handlers {
  const { maintenance } = service.hosted;
  return {
    async POST(context) {
      const operation = textOf(await sentObject(context), 'operation');
      if (operation !== 'verify' && operation !== 'compact')
        throw new InvalidRecordError({ operation: ['must be verify or compact'] });
      const uuid = await maintenance.start(context.caller, repositoryName(context), operation);
      return new Reply(null, { status: 202, headers: { Location: `${baseUrl(service, context)}/jobs/${uuid}` } });
    },
  };
}
