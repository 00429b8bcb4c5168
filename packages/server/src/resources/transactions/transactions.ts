/** `/A/R/transactions`: the transactions of the RDF4J protocol. Each commit makes one revision. */
import type { HeldTransaction } from 'quadrille/host';
import { narrowTo } from '../../parameters/closed-parameters.js';
import { refuseParameter } from '../../http/index.js';
import { type Holder, TRANSACTION_IDLE_MS } from '../../host/index.js';
import type { Context } from '../../context.js';
import { commitOptions } from '../../parameters/commit-options.js';
import { entityTag } from '../../message/conditional.js';
import { requireSameBranch } from '../../parameters/branch.js';
import { refuseRevision } from '../../parameters/revision-ref.js';
import { baseUrl, type Handlers, openRepository, repositoryName, type Service } from '../../service.js';
import {
  addStatements,
  answerQuery,
  readStatements,
  removeStatements,
  runUpdate,
  transactionSize,
} from './transaction-actions.js';
import { Reply } from '../../message/reply.js';
import { type Resource, form, typed, REPOSITORY_PATH as R } from '../resource.js';
import { ANY_ACTION, TRANSACTION } from '../../parameters/lists.js';
import { QUERY_TYPES, QUERY_ANSWERS } from '../media-types.js';
import { DOCUMENT_TYPES } from '../../documents/media-types.js';

export const transactionsResource: Resource = {
  path: `${R}/transactions`,
  features: ['transactions'],
  handlers: transactionsRoute,
  methods: {
    POST: {
      access: 'write',
      ...form('isolation-level', 'transaction-setting__'),
      summary: 'Begin a transaction (RDF4J)',
      bodyless: true,
      status: 201,
    },
  },
};

export const transactionResource: Resource = {
  path: `${R}/transactions/:id`,
  // Its other actions are no commits.
  once: (_, parameters) => parameters.get('action')?.trim().toUpperCase() === 'COMMIT',
  handlers: transactionRoute,
  methods: {
    // It uses a transaction, too, which only a client with the right to write can begin.
    GET: {
      access: 'write',
      ...form(...ANY_ACTION),
      summary: 'Read within a transaction',
      needs: ['action'],
      gives: QUERY_ANSWERS,
    },
    PUT: {
      access: 'write',
      ...typed(...ANY_ACTION),
      summary: 'Act within a transaction, commit it',
      needs: ['action'],
      also: [204],
      bodyless: true,
      takes: DOCUMENT_TYPES,
      gives: QUERY_ANSWERS,
    },
    POST: {
      access: 'write',
      ...typed(...ANY_ACTION),
      summary: 'Act within a transaction',
      needs: ['action'],
      also: [204],
      bodyless: true,
      takes: QUERY_TYPES,
      gives: QUERY_ANSWERS,
    },
    DELETE: { access: 'write', ...form(), summary: 'Roll a transaction back' },
  },
};

function transactionsRoute(service: Service): Handlers {
  return {
    async POST(context) {
      const repository = await openRepository(service, context);
      const id = await service.hosted.transactions.begin(repository, context.principal);
      const collection = new URL(context.request.url).pathname.replace(/\/+$/, '');
      return new Reply(null, {
        status: 201,
        headers: { Location: `${baseUrl(service, context)}${collection}/${id}` },
      });
    },
  };
}

function transactionRoute(service: Service): Handlers {
  const act = (context: Context): Promise<Reply> => runAction(service, context);
  return { GET: act, PUT: act, POST: act, DELETE: (context) => rollback(service, context) };
}

const idOf = (context: Context): string => context.param('id') ?? '';

function holderOf(context: Context): Holder {
  return { repository: repositoryName(context), account: context.principal };
}

/** A transaction stays on the branch on which it was begun. @throws HttpError 400 where the request names another one */
function enterTransaction({ hosted }: Service, context: Context): void {
  const repository = hosted.transactions.repositoryOf(idOf(context), holderOf(context));
  context.served = repository;
  requireSameBranch(context, repository.branch);
}

/** Clients send the action in upper or lower case, and with any method of the versions of the protocol. */
async function runAction(service: Service, context: Context): Promise<Reply> {
  const { transactions } = service.hosted;
  const parameters = context.parameters;
  enterTransaction(service, context);
  refuseRevision(parameters, context.request.headers);
  const action = parameters.get('action')?.trim().toUpperCase() ?? '';
  const list = TRANSACTION[action];
  if (list === undefined)
    throw refuseParameter('action')(`action is ${action === '' ? 'missing' : `none of ours: ${action.slice(0, 50)}`}`);
  narrowTo(context, list);
  const id = idOf(context);
  const holder = holderOf(context);
  if (context.request.method === 'GET' && !['GET', 'SIZE', 'QUERY', 'PING'].includes(action)) {
    throw refuseParameter('action')('a GET of a transaction reads: its action is GET, SIZE, QUERY or PING');
  }
  const use = <T>(step: (transaction: HeldTransaction) => Promise<T>): Promise<T> => transactions.use(id, holder, step);
  switch (action) {
    case 'ADD':
      await transactions.holding(id, holder, (hold) => addStatements(service, context, hold, use));
      return done();
    case 'DELETE':
      await transactions.holding(id, holder, (hold) => removeStatements(service, context, hold, use));
      return done();
    case 'UPDATE':
      return transactions.holding(id, holder, (hold) => runUpdate(service, context, hold, use));
    case 'GET':
      return readStatements(service, context, (step) => transactions.read(id, holder, step));
    case 'QUERY':
      return answerQuery(service, context, (step) => transactions.read(id, holder, step));
    case 'SIZE':
      return text(await transactions.use(id, holder, (transaction) => transactionSize(transaction, parameters)));
    case 'PING':
      await transactions.use(id, holder, () => Promise.resolve());
      return text(TRANSACTION_IDLE_MS);
    case 'COMMIT':
      return commit(service, context);
    default:
      return rollback(service, context);
  }
}

async function commit(service: Service, context: Context): Promise<Reply> {
  const repository = await openRepository(service, context);
  const options = await commitOptions(service, context, repository);
  const revision = await service.hosted.transactions.finish(idOf(context), holderOf(context), (transaction) =>
    transaction.commit(options),
  );
  return done({ ETag: entityTag(revision) });
}

async function rollback(service: Service, context: Context): Promise<Reply> {
  const { hosted } = service;
  enterTransaction(service, context);
  await hosted.transactions.finish(idOf(context), holderOf(context), (transaction) => transaction.rollback());
  return new Reply(null, { status: 204 });
}

/** 200, since some clients take a commit with another status for failed. */
const done = (headers: Readonly<Record<string, string>> = {}): Reply => new Reply(null, { status: 200, headers });

const text = (value: number): Reply =>
  new Reply(String(value), { headers: { 'Content-Type': 'text/plain; charset=utf-8' } });
