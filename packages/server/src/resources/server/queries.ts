/** `/queries`: lists and cancels queries and updates that wait or run. */
import { NotFoundError } from '@quadrille/model';
import type { Context } from '../../context.js';
import type { RunningQuery } from 'quadrille';
import { jsonListReply, jsonReply } from '../../message/json-reply.js';
import { type Handlers, mayAccess, type Service } from '../../service.js';
import { noteOfQuery } from './query-notes.js';
import { Reply } from '../../message/reply.js';
import { type Resource, form } from '../resource.js';
import { JSON_TYPE } from '../media-types.js';

export const queriesResource: Resource = {
  path: '/queries',
  features: ['queries', 'own-queries'],
  handlers: queriesRoute,
  methods: {
    GET: {
      access: 'known',
      ...form('client-request-id'),
      summary: 'Queries and updates that wait or run: those of the caller, and those in its repositories',
      shape: { list: 'Query' },
      gives: [JSON_TYPE],
    },
    DELETE: {
      access: 'known',
      ...form('client-request-id'),
      summary: 'Cancel the queries and updates that wait or run',
    },
  },
};

export const queryResource: Resource = {
  path: '/queries/:id',
  handlers: queryRoute,
  methods: {
    GET: { access: 'known', ...form(), summary: 'One running query', shape: 'Query', gives: [JSON_TYPE] },
    DELETE: { access: 'known', ...form(), summary: 'Cancel a query' },
  },
};

/**
 * A client sees its own queries, and those on the repositories that it owns. `client-request-id` names its own alone: another client may
 * have chosen the same.
 */
function queriesRoute(service: Service): Handlers {
  return {
    async GET(context) {
      return jsonListReply((await listed(service, context)).map(recordOf), { 'Cache-Control': 'no-store' });
    },
    async DELETE(context) {
      for (const query of await listed(service, context)) query.cancel();
      return new Reply(null, { status: 204 });
    },
  };
}

function queryRoute(service: Service): Handlers {
  return {
    async GET(context) {
      return jsonReply(recordOf(await theQuery(service, context)), { 'Cache-Control': 'no-store' });
    },
    async DELETE(context) {
      (await theQuery(service, context)).cancel();
      return new Reply(null, { status: 204 });
    },
  };
}

async function listed(service: Service, context: Context): Promise<readonly RunningQuery[]> {
  const queries = await visible(service, context);
  const id = context.parameters.get('client-request-id')?.trim();
  if (id === undefined) return queries;
  return queries.filter((query) => {
    const { clientRequestId, account } = noteOfQuery(query);
    return clientRequestId === id && account === context.caller.account;
  });
}

const isOwn = ({ caller: { account } }: Context, query: RunningQuery): boolean =>
  account !== undefined && noteOfQuery(query).account === account;

async function visible(service: Service, context: Context): Promise<RunningQuery[]> {
  const queries: RunningQuery[] = [];
  for (const query of service.database.queries()) {
    const isShown = isOwn(context, query) || (await mayAccess(service, context, 'owner', query.repository));
    if (isShown) queries.push(query);
  }
  return queries;
}

async function theQuery(service: Service, context: Context): Promise<RunningQuery> {
  const id = context.param('id') ?? '';
  const query = (await visible(service, context)).find((running) => String(running.id) === id);
  if (query !== undefined) return query;
  throw new NotFoundError('QUERY_NOT_FOUND', `no query ${id.slice(0, 50)} runs`);
}

function recordOf(query: RunningQuery): object {
  const { id, kind, repository, text, state, startedAt, rows, memoryBytes } = query;
  const { account, clientRequestId, revision } = noteOfQuery(query);
  return {
    id: String(id),
    kind,
    repository: repository ?? null,
    query: text,
    state,
    started: startedAt.toISOString().replace('Z', '+00:00'),
    elapsed_ms: Date.now() - startedAt.getTime(),
    rows,
    memory_bytes: memoryBytes,
    account: account ?? null,
    client_request_id: clientRequestId ?? null,
    revision: revision ?? null,
  };
}
