/** `/accounts`: operators list, create and delete accounts. */
import { flagOf } from '../../parameters/flag.js';
import { InvalidRecordError } from '@quadrille/model';
import { type Account, accountRecord, isoTime } from '../../host/index.js';
import { ifConditionsHold } from '../../message/conditional.js';
import { jsonListReply, jsonReply } from '../../message/json-reply.js';
import { Reply } from '../../message/reply.js';
import { sentObject, switchOf, textOf } from '../../parameters/sent-object.js';
import { baseUrl, type Handlers, type Service } from '../../service.js';
import { type Resource, form, raw } from '../resource.js';
import { JSON_TYPE } from '../media-types.js';

export const accountsResource: Resource = {
  path: '/accounts',
  features: ['accounts'],
  handlers: accountsRoute,
  methods: {
    GET: {
      access: 'operator',
      ...form(),
      summary: 'List the accounts (operators)',
      shape: { list: 'Account' },
      gives: [JSON_TYPE],
    },
    POST: {
      access: 'operator',
      ...raw(),
      summary: 'Create an account (operators)',
      sends: 'NewAccount',
      shape: 'Account',
      takes: [JSON_TYPE],
      gives: [JSON_TYPE],
      status: 201,
    },
  },
};

export const accountOfServerResource: Resource = {
  path: '/accounts/:account',
  isTagged: true,
  handlers: accountOfServerRoute,
  methods: {
    GET: {
      access: 'known',
      ...form(),
      summary: 'The record of an account',
      shape: 'AccountRecord',
      gives: [JSON_TYPE],
    },
    DELETE: {
      access: 'operator',
      ...form('force'),
      summary: 'Delete an account and its tokens (operators)',
      fails: [409],
    },
  },
};

const FRESH = { 'Cache-Control': 'no-store' };
/** Characters of a name for people, or of an e-mail address. */
const LONGEST = 1000;

function accountsRoute(service: Service): Handlers {
  const { administration } = service.hosted;
  return {
    async GET() {
      return jsonListReply((await administration.accounts()).map(recordOf), FRESH);
    },
    async POST(context) {
      const sent = await sentObject(context);
      const name = textOf(sent, 'name');
      if (name === undefined) throw new InvalidRecordError({ name: ['is missing'] });
      const fields = { fullName: shortText(sent, 'fullname'), email: shortText(sent, 'email') };
      const admin = switchOf(sent, 'admin');
      const account = await administration.createAccount(context.caller, name, { ...fields, admin });
      const headers = { ...FRESH, Location: `${baseUrl(service, context)}/accounts/${name}` };
      return jsonReply(recordOf(account), headers, 201);
    },
  };
}

function accountOfServerRoute(service: Service): Handlers {
  const { hosted } = service;
  return {
    async GET(context) {
      return jsonReply(await accountRecord(hosted, context.caller, context.param('account') ?? ''), FRESH);
    },
    async DELETE(context) {
      const force = flagOf(context.parameters, 'force');
      const name = context.param('account') ?? '';
      const state = async (): Promise<string | undefined> =>
        (await hosted.accounts.get(name)) === undefined ? undefined : '';
      await ifConditionsHold(service, context, 'account', state, () =>
        hosted.administration.removeAccount(context.caller, name, force),
      );
      return new Reply(null, { status: 204 });
    },
  };
}

const recordOf = ({ name, admin, created }: Account): object => ({ name, admin, created: isoTime(created) });

function shortText(sent: Parameters<typeof textOf>[0], name: string): string | undefined {
  const text = textOf(sent, name);
  if (text === undefined || (text.length <= LONGEST && !/\p{C}/u.test(text))) return text;
  throw new InvalidRecordError({ [name]: [`must be a line of at most ${String(LONGEST)} characters`] });
}
