/** `/audit` for operators, and `/A/R/audit` for owners: who has changed accounts, tokens and rights, and removed what cannot come back. */
import { refuseParameter } from '../../http/index.js';
import { isoTime } from '../../host/index.js';
import type { Context } from '../../context.js';
import { jsonListReply } from '../../message/json-reply.js';
import type { Reply } from '../../message/reply.js';
import { type Handlers, repositoryName, type Service } from '../../service.js';

const DEFAULT_LIMIT = 100;

/** The newest changes, the newest first. */
export const auditRoute = (service: Service): Handlers => ({ GET: (context) => audited(service, context) });

/** The newest changes of one repository. */
export const repositoryAuditRoute = (service: Service): Handlers => ({
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
