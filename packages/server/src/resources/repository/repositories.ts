/** `/A/repositories`: lists the repositories of an account and creates new ones. */
import type { ResultRow } from '@quadrille/formats';
import { NotFoundError } from '@quadrille/model';
import type { ListedRepository, RepositoryRecord } from '../../host/index.js';
import type { Context } from '../../context.js';
import { iri, literal } from 'quadrille';
import { acceptable } from '../../message/acceptable.js';
import { jsonListReply, jsonReply } from '../../message/json-reply.js';
import { ROW_OFFERS } from '../../documents/media-types.js';
import { flagOf } from '../../parameters/flag.js';
import { sentFields } from '../../parameters/repository-fields.js';
import { baseUrl, type Handlers, mayAccess, requireAccess, type Service } from '../../service.js';
import { boolean, rowsReply } from '../../documents/rows-reply.js';
import { Reply } from '../../message/reply.js';
import { type Resource, form, typed } from '../resource.js';
import { ANSWER } from '../../parameters/lists.js';
import { FIELD_NAMES } from '../../parameters/known-parameters.js';
import { JSON_TYPE, FORM, LISTS } from '../media-types.js';

export const ownRepositoriesResource: Resource = {
  path: '/repositories',
  features: ['all-repositories'],
  handlers: ownRepositoriesRoute,
  methods: {
    GET: {
      access: 'public',
      ...form('all', ...ANSWER),
      summary: 'List the repositories of the caller, or all that it may read',
      shape: { list: 'Repository' },
      gives: LISTS,
    },
  },
};

export const repositoriesResource: Resource = {
  path: '/:account/repositories',
  handlers: repositoriesRoute,
  methods: {
    GET: {
      access: 'public',
      ...form(...ANSWER),
      summary: 'List the repositories of an account',
      shape: { list: 'Repository' },
      gives: LISTS,
    },
    POST: {
      access: 'owner',
      ...typed(...FIELD_NAMES),
      summary: 'Create a repository',
      sends: 'NewRepository',
      shape: 'Repository',
      takes: [FORM, JSON_TYPE],
      gives: [JSON_TYPE],
    },
  },
};

const OFFERS = ['application/json', ...ROW_OFFERS];

function repositoriesRoute(service: Service): Handlers {
  return {
    GET: (context) => listOf(service, context, [accountOf(context)]),
    async POST(context) {
      const account = accountOf(context);
      const fields = await sentFields(context);
      const { record } = await service.hosted.repositories.create(context.caller, account, fields);
      return jsonReply(record, { Location: `${baseUrl(service, context)}/${record.repository_id}` });
    },
  };
}

/**
 * `/repositories`: the repositories of the client's account; for the operator, those of all accounts. With `all`, every repository that
 * the client may read: those of others that are public or shared with it, too.
 */
function ownRepositoriesRoute(service: Service): Handlers {
  return {
    async GET(context) {
      const { account } = context.caller;
      const all = flagOf(context.parameters, 'all', true);
      if (!all) await requireAccess(service, context, 'known');
      if (!all && account !== undefined) return listOf(service, context, [account]);
      return listOf(service, context, await service.database.accounts.list().toArray(), true);
    },
  };
}

/** JSON records, or rows as RDF4J clients read them. `several`: the accounts are not named by the request. */
async function listOf(
  service: Service,
  context: Context,
  accounts: readonly string[],
  several = false,
): Promise<Reply> {
  const mediaType = acceptable(context, context.parameters, OFFERS);
  const listed: Listed = { service, context, accounts, several };
  return mediaType === 'application/json' ? jsonListReply(records(listed)) : asTable(mediaType, listed);
}

interface Listed {
  readonly service: Service;
  readonly context: Context;
  readonly accounts: readonly string[];
  readonly several: boolean;
}

async function* records({ service, context, accounts, several }: Listed): AsyncGenerator<RepositoryRecord> {
  for (const account of accounts) {
    try {
      for await (const record of service.hosted.repositories.records(context.caller, account)) {
        if (several && !(await mayAccess(service, context, 'read', record.repository_id))) continue;
        yield { ...record, summary: record.summary ?? '' };
      }
    } catch (error) {
      if (!several || !isGoneAccount(error)) throw error;
    }
  }
}

async function asTable(mediaType: string, listed: Listed): Promise<Reply> {
  const base = baseUrl(listed.service, listed.context);
  return rowsReply(mediaType, ['uri', 'id', 'title', 'readable', 'writable'], rowsOf(listed, base));
}

async function* rowsOf({ service, context, accounts, several }: Listed, base: string): AsyncGenerator<ResultRow> {
  for (const account of accounts) {
    for (const { name, metadata, access } of await namesOf(service, context, account, several)) {
      if (several && !(await mayAccess(service, context, 'read', name))) continue;
      const id = name.slice(account.length + 1);
      yield {
        uri: iri(`${base}/${account}/repositories/${id}`),
        id: literal(id),
        title: literal(metadata.name),
        readable: boolean(true),
        writable: boolean(access === 'write'),
      };
    }
  }
}

async function namesOf(
  { hosted }: Service,
  { caller }: Context,
  account: string,
  several: boolean,
): Promise<readonly ListedRepository[]> {
  try {
    return await hosted.repositories.list(caller, account);
  } catch (error) {
    if (several && isGoneAccount(error)) return [];
    throw error;
  }
}

/** An account that was removed after the list of accounts was read. */
const isGoneAccount = (error: unknown): boolean => error instanceof NotFoundError && error.code === 'ACCOUNT_NOT_FOUND';

const accountOf = (context: Context): string => context.param('account') ?? '';
