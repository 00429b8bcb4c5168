/** `/A/repositories`: the repositories of an account, and the way to a new one. */
import type { ResultRow } from '@quadrille/formats';
import { NotFoundError } from '@quadrille/model';
import { isSlug, slugOf } from '@quadrille/service';
import { iri, literal } from 'quadrille';
import { acceptable } from '../acceptable.js';
import { HttpError } from '../http-error.js';
import { jsonResponse } from '../json.js';
import { ROW_OFFERS } from '../media-types.js';
import { invalidRecord, recordOf, type RepositoryRecord, sentFields } from '../record.js';
import { baseUrl, type Handlers, mayAccess, queryParameters, type Service } from '../service.js';
import { boolean, tableResponse } from '../table.js';
import type { Context } from 'hono';

export function repositoriesRoute(service: Service): Handlers {
  // Creating looks first and then makes: one after the other, so that two requests for one name cannot both succeed.
  let turn: Promise<unknown> = Promise.resolve();
  return {
    async GET(context) {
      const account = accountOf(context);
      if (!(await service.database.accounts.list()).includes(account)) {
        throw new NotFoundError('ACCOUNT_NOT_FOUND', `there is no account ${account}`);
      }
      const mediaType = acceptable(context, queryParameters(context), ['application/json', ...ROW_OFFERS]);
      const records: RepositoryRecord[] = [];
      for (const { name } of await service.database.repositories(account)) {
        const record = await recordOf(await service.database.repository(name));
        records.push({ ...record, summary: record.summary ?? '' });
      }
      if (mediaType !== 'application/json') return asTable(service, context, mediaType, records);
      return jsonResponse(records, { Vary: 'Accept' });
    },
    async POST(context) {
      const fields = await sentFields(context.req.raw);
      const created = turn.then(() => create(service, accountOf(context), fields));
      turn = created.catch(() => undefined);
      const record = await created;
      return jsonResponse(record, { Location: `${baseUrl(service, context)}/${record.repository_id}` });
    },
  };
}

/** As RDF4J clients list repositories. */
async function asTable(
  service: Service,
  context: Context,
  mediaType: string,
  records: readonly RepositoryRecord[],
): Promise<Response> {
  const rows: ResultRow[] = [];
  for (const { repository_id: name, name: title } of records) {
    const [account = '', id = ''] = name.split('/');
    rows.push({
      uri: iri(`${baseUrl(service, context)}/${account}/repositories/${id}`),
      id: literal(id),
      title: literal(title),
      readable: boolean(await mayAccess(service, context, 'read', name)),
      writable: boolean(await mayAccess(service, context, 'write', name)),
    });
  }
  return tableResponse(mediaType, ['uri', 'id', 'title', 'readable', 'writable'], rows);
}

function accountOf(context: Context): string {
  const account = context.req.param('account') ?? '';
  if (!isSlug(account)) throw new HttpError('NOT_FOUND', `there is no account ${account.slice(0, 100)}`);
  return account;
}

/** The account comes into being with its first repository, as long as there is no one to own it. */
async function create(
  service: Service,
  account: string,
  fields: Awaited<ReturnType<typeof sentFields>>,
): Promise<RepositoryRecord> {
  const name = fields.name?.trim() ?? '';
  if (name === '') throw invalidRecord('name', "can't be blank");
  const slug = slugOf(name);
  if (!isSlug(slug)) throw invalidRecord('name', `is reserved: ${slug}`);
  const id = `${account}/${slug}`;
  const { database } = service;
  if ((await database.accounts.list()).includes(account)) {
    const taken = (await database.repositories(account)).some((repository) => repository.name === id);
    if (taken) throw invalidRecord('name', `already exists: ${id}`);
  } else {
    await database.accounts.create(account);
  }
  return recordOf(await database.repository(id, { create: true, metadata: { ...fields, name } }));
}
