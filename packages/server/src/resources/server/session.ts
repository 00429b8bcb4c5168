/** `/session`: who asks, and what it may do on this server; and a token for the code of a sign-in link. */
import { InvalidRecordError } from '@quadrille/model';
import { jsonReply } from '../../message/json-reply.js';
import { sentObject, textOf } from '../../parameters/sent-object.js';
import type { Handlers, Service } from '../../service.js';
import { type Resource, form, raw } from '../resource.js';
import { JSON_TYPE } from '../media-types.js';

export const sessionResource: Resource = {
  path: '/session',
  features: ['session'],
  handlers: sessionRoute,
  methods: {
    GET: { access: 'known', ...form(), summary: 'Who asks, and what it may do', shape: 'Session', gives: [JSON_TYPE] },
    POST: {
      access: 'public',
      ...raw(),
      summary: 'Exchange the code of a sign-in link for a token',
      sends: 'SignInCode',
      shape: 'SignedIn',
      takes: [JSON_TYPE],
      gives: [JSON_TYPE],
    },
  },
};

/** `account` is `null` for an operator without an account of its own, and on a server without accounts. */
function sessionRoute({ hosted }: Service): Handlers {
  return {
    async GET({ caller: { account = null, admin, readOnly } }) {
      return jsonReply({ account, admin, readOnly }, { 'Cache-Control': 'no-store' });
    },
    async POST(context) {
      const code = textOf(await sentObject(context), 'code');
      if (code === undefined) throw new InvalidRecordError({ code: ['is missing'] });
      const { text } = await hosted.signIn.exchange(code, context.address);
      return jsonReply({ token: text }, { 'Cache-Control': 'no-store' });
    },
  };
}
