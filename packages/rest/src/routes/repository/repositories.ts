/** `/A/repositories`: lists the repositories of an account and creates new ones. */
import type { ResultRow } from '@quadrille/formats';
import type { RepositoryRecord } from '@quadrille/service';
import type { Context } from '../../context.js';
import { iri, literal } from 'quadrille';
import { acceptable } from '../../http/acceptable.js';
import { jsonListReply, jsonReply } from '../../http/json-reply.js';
import { ROW_OFFERS } from '../../documents/media-types.js';
import { sentFields } from '../../parameters/repository-fields.js';
import { baseUrl, type Handlers, type Service } from '../../service.js';
import { boolean, rowsReply } from '../../documents/rows-reply.js';
import { Reply } from '../../http/reply.js';

const OFFERS = ['application/json', ...ROW_OFFERS];

export function repositoriesRoute(service: Service): Handlers {
  return {
    GET: (context) => listOf(service, context, [accountOf(context)]),
    async POST(context) {
      const account = accountOf(context);
      const fields = await sentFields(context.request);
      const { record } = await service.hosted.repositories.create(context.caller, account, fields);
      return jsonReply(record, { Location: `${baseUrl(service, context)}/${record.repository_id}` });
    },
  };
}

/** `/repositories`: the repositories of the client's account. For the operator, those of all accounts. */
export function ownRepositoriesRoute(service: Service): Handlers {
  return {
    async GET(context) {
      const { account } = context.caller;
      return listOf(service, context, account === undefined ? await service.database.accounts.list() : [account]);
    },
  };
}

/** JSON records, or rows as RDF4J clients read them. */
async function listOf(service: Service, context: Context, accounts: readonly string[]): Promise<Reply> {
  const mediaType = acceptable(context, context.parameters, OFFERS);
  if (mediaType !== 'application/json') return asTable(service, context, mediaType, accounts);
  return jsonListReply(records(service, context, accounts));
}

async function* records(
  { hosted }: Service,
  context: Context,
  accounts: readonly string[],
): AsyncGenerator<RepositoryRecord> {
  for (const account of accounts) {
    for await (const record of hosted.repositories.records(context.caller, account)) {
      yield { ...record, summary: record.summary ?? '' };
    }
  }
}

async function asTable(
  service: Service,
  context: Context,
  mediaType: string,
  accounts: readonly string[],
): Promise<Reply> {
  const rows: ResultRow[] = [];
  for (const account of accounts) {
    for (const { name, metadata, access } of await service.hosted.repositories.list(context.caller, account)) {
      const id = name.slice(account.length + 1);
      rows.push({
        uri: iri(`${baseUrl(service, context)}/${account}/repositories/${id}`),
        id: literal(id),
        title: literal(metadata.name),
        readable: boolean(true),
        writable: boolean(access === 'write'),
      });
    }
  }
  return rowsReply(mediaType, ['uri', 'id', 'title', 'readable', 'writable'], rows);
}

const accountOf = (context: Context): string => context.param('account') ?? '';
