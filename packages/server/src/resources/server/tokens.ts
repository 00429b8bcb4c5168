/** `/A/tokens`: the owner of an account lists, creates and revokes its tokens. A token itself is in the answer to POST alone. */
import { NotFoundError } from '@quadrille/model';
import { checkedExpiry, checkedRights, isoTime, type Right, type Token, type TokenFields } from '../../host/index.js';
import type { Context } from '../../context.js';
import { jsonListReply, jsonReply } from '../../message/json-reply.js';
import { Reply } from '../../message/reply.js';
import { type SentObject, sentObject, textOf } from '../../parameters/sent-object.js';
import { baseUrl, type Handlers, type Service } from '../../service.js';
import { type Resource, form, raw } from '../resource.js';
import { JSON_TYPE } from '../media-types.js';

export const tokensResource: Resource = {
  path: '/:account/tokens',
  handlers: tokensRoute,
  methods: {
    GET: {
      access: 'owner',
      ...form(),
      summary: 'List the tokens of an account',
      shape: { list: 'Token' },
      gives: [JSON_TYPE],
    },
    POST: {
      access: 'owner',
      ...raw(),
      summary: 'Create a token, which is shown in this answer alone',
      sends: 'NewToken',
      shape: 'MadeToken',
      takes: [JSON_TYPE],
      gives: [JSON_TYPE],
      status: 201,
    },
  },
};

export const tokenResource: Resource = {
  path: '/:account/tokens/:id',
  handlers: tokenRoute,
  methods: {
    GET: { access: 'owner', ...form(), summary: 'One token, without its text', shape: 'Token', gives: [JSON_TYPE] },
    DELETE: { access: 'owner', ...form(), summary: 'Revoke a token' },
  },
};

const FRESH = { 'Cache-Control': 'no-store' };

function tokensRoute(service: Service): Handlers {
  const { administration } = service.hosted;
  return {
    async GET(context) {
      return jsonListReply((await administration.tokens(accountOf(context))).map(recordOf), FRESH);
    },
    async POST(context) {
      const account = accountOf(context);
      const fields = fieldsOf(await sentObject(context));
      const { token, text } = await administration.createToken(context.caller, account, fields);
      const headers = { ...FRESH, Location: `${baseUrl(service, context)}/${account}/tokens/${token.id}` };
      return jsonReply({ ...recordOf(token), token: text }, headers, 201);
    },
  };
}

function tokenRoute({ hosted: { administration } }: Service): Handlers {
  return {
    async GET(context) {
      const [account, id] = [accountOf(context), idOf(context)];
      const token = (await administration.tokens(account)).find((each) => each.id === id);
      if (token !== undefined) return jsonReply(recordOf(token), FRESH);
      throw new NotFoundError('TOKEN_NOT_FOUND', `account ${account} has no token ${id.slice(0, 100)}`);
    },
    async DELETE(context) {
      await administration.revokeToken(context.caller, accountOf(context), idOf(context));
      return new Reply(null, { status: 204 });
    },
  };
}

const accountOf = (context: Context): string => context.param('account') ?? '';
const idOf = (context: Context): string => context.param('id') ?? '';

const recordOf = ({ id, name, rights, created, expires }: Token): object => ({
  id,
  label: name ?? null,
  rights,
  created: isoTime(created),
  expires: expires === undefined ? null : isoTime(expires),
});

function fieldsOf(sent: SentObject): TokenFields {
  return { label: textOf(sent, 'label'), rights: rightsOf(sent), expires: expiryOf(sent) };
}

function rightsOf({ rights }: SentObject): readonly Right[] | 'all' | undefined {
  if (rights === 'all') return rights;
  if (rights === undefined || rights === null) return undefined;
  return checkedRights(Array.isArray(rights) ? rights : []);
}

function expiryOf(sent: SentObject): Date | undefined {
  const text = textOf(sent, 'expires');
  return text === undefined ? undefined : checkedExpiry(text);
}
