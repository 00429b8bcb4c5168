/** `/audit`: who has changed accounts, tokens and rights, for operators. */
import { badRequest } from '@quadrille/http';
import { isoTime } from '@quadrille/service';
import { jsonListReply } from '../../http/json-reply.js';
import type { Handlers, Service } from '../../service.js';

const DEFAULT_LIMIT = 100;

/** The newest changes, the newest first. */
export function auditRoute({ hosted }: Service): Handlers {
  return {
    async GET(context) {
      const entries = await hosted.administration.audited(limitOf(context.parameters.get('limit')));
      const records = entries.map(({ time, ...entry }) => ({ time: isoTime(new Date(time)), ...entry }));
      return jsonListReply(records, { 'Cache-Control': 'no-store' });
    },
  };
}

function limitOf(text: string | null): number {
  const limit = Number(text ?? DEFAULT_LIMIT);
  if (Number.isSafeInteger(limit) && limit > 0) return limit;
  throw badRequest('limit is a whole number from 1 up');
}
