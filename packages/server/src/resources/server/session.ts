/** `/session`: who asks, and what it may do on this server; and a token for the code of a sign-in link. */
import { InvalidRecordError } from '@quadrille/model';
import { jsonReply } from '../../message/json-reply.js';
import { sentObject, textOf } from '../../parameters/sent-object.js';
import type { Handlers, Service } from '../../service.js';

/** `account` is `null` for an operator without an account of its own, and on a server without accounts. */
export function sessionRoute({ hosted }: Service): Handlers {
  return {
    async GET({ caller: { account = null, admin, readOnly } }) {
      return jsonReply({ account, admin, readOnly }, { 'Cache-Control': 'no-store' });
    },
    async POST({ request, address }) {
      const code = textOf(await sentObject(request, ['code']), 'code');
      if (code === undefined) throw new InvalidRecordError({ code: ['is missing'] });
      const { text } = await hosted.signIn.exchange(code, address);
      return jsonReply({ token: text }, { 'Cache-Control': 'no-store' });
    },
  };
}
