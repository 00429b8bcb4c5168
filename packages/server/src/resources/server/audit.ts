/** `/audit` for operators, and `/A/R/audit` for owners: who has changed accounts, tokens and rights, and removed what cannot come back. */
import { refuseParameter } from '../../http/index.js';
import { isoTime } from '../../host/index.js';
import type { Context } from '../../context.js';
import { jsonListReply } from '../../message/json-reply.js';
import type { Reply } from '../../message/reply.js';
import { type Handlers, repositoryName, type Service } from '../../service.js';
import { type Resource, form, REPOSITORY_PATH as R } from '../resource.js';
import { JSON_TYPE } from '../media-types.js';

export const auditResource: Resource = {
  path: '/audit',
  handlers: (service) => auditRoute(service),
  methods: {
    GET: {
      access: 'operator',
      ...form('limit'),
      summary: 'Who has changed accounts, tokens and rights (operators)',
      shape: { list: 'AuditEntry' },
      gives: [JSON_TYPE],
    },
  },
};

export const repositoryAuditResource: Resource = {
  path: `${R}/audit`,
  handlers: (service) => repositoryAuditRoute(service),
  methods: {
    GET: {
      access: 'owner',
      ...form('limit'),
      summary: 'Who has changed the rights of the repository, and removed what cannot come back (owners)',
      shape: { list: 'AuditEntry' },
      gives: [JSON_TYPE],
    },
  },
};

const DEFAULT_LIMIT = 100;

/** The newest changes, the newest first. */
const auditRoute = (service: Service): Handlers => ({ GET: (context) => audited(service, context) });

/** The newest changes of one repository. */
const repositoryAuditRoute = (service: Service): Handlers => ({
  GET: (context) => audited(service, context, repositoryName(context)),
});

async function audited({ hosted }: Service, { parameters }: Context, subject?: string): Promise<Reply> {
  const entries = await hosted.administration.audited(limitOf(parameters.get('limit')), subject);
  const records = entries.map(({ time, ...entry }) => ({ time: isoTime(new Date(time)), ...entry }));
  return jsonListReply(records, { 'Cache-Control': 'no-store' });
}

function limitOf(text: string | null): number {
  const limit = Number(text ?? DEFAULT_LIMIT);
  if (Number.isSafeInteger(limit) && limit > 0) return limit;
  throw refuseParameter('limit')('limit is a whole number from 1 up');
}
