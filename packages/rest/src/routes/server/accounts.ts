/** `/accounts`: operators list, create and delete accounts. */
import { badRequest } from '@quadrille/http';
import { InvalidRecordError } from '@quadrille/model';
import { type Account, accountRecord, isoTime } from '@quadrille/service';
import { jsonListReply, jsonReply } from '../../http/json-reply.js';
import { Reply } from '../../http/reply.js';
import { sentObject, switchOf, textOf } from '../../parameters/sent-object.js';
import { baseUrl, type Handlers, type Service } from '../../service.js';

const FRESH = { 'Cache-Control': 'no-store' };
/** Characters of a name for people, or of an e-mail address. */
const LONGEST = 1000;

export function accountsRoute(service: Service): Handlers {
  const { administration } = service.hosted;
  return {
    async GET() {
      return jsonListReply((await administration.accounts()).map(recordOf), FRESH);
    },
    async POST(context) {
      const sent = await sentObject(context.request, ['name', 'fullname', 'email', 'admin']);
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

export function accountOfServerRoute({ hosted }: Service): Handlers {
  return {
    async GET(context) {
      return jsonReply(await accountRecord(hosted, context.caller, context.param('account') ?? ''), FRESH);
    },
    async DELETE(context) {
      const force = forced(context.parameters.get('force'));
      await hosted.administration.removeAccount(context.caller, context.param('account') ?? '', force);
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

function forced(value: string | null): boolean {
  if (value === null || value === '' || value === '0' || value === 'false') return false;
  if (value === '1' || value === 'true') return true;
  throw badRequest('force is 1 or 0');
}
