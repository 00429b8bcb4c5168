/** `/rest/security/authenticated-user` and `/rest/login/<user>`: GraphDB clients check their credentials here. */
import type { Context } from '../../context.js';
import { jsonReply } from '../../message/json-reply.js';
import type { Handlers, Service } from '../../service.js';
import { type Resource, form, raw } from '../resource.js';
import { JSON_TYPE } from '../media-types.js';

export const authenticatedUserResource: Resource = {
  path: '/rest/security/authenticated-user',
  handlers: authenticatedUserRoute,
  methods: {
    GET: { access: 'known', ...form(), summary: 'Who asks (GraphDB)', shape: 'User', gives: [JSON_TYPE] },
  },
};

export const loginResource: Resource = {
  path: '/rest/login/:user',
  handlers: loginRoute,
  methods: {
    POST: {
      access: 'known',
      ...raw(),
      summary: 'Log in with a token as password (GraphDB)',
      shape: 'User',
      bodyless: true,
      gives: [JSON_TYPE],
      status: 200,
    },
  },
};

const FRESH = { 'Cache-Control': 'no-store' };

function authenticatedUserRoute({ hosted }: Service): Handlers {
  return { GET: async (context) => jsonReply(userOf(context, hosted.open), FRESH) };
}

/** The client uses the `Authorization` of the answer for its next requests. It contains the token that was sent as the password. */
function loginRoute({ hosted }: Service): Handlers {
  return {
    async POST(context) {
      const authorization = `GDB ${context.header('X-GraphDB-Password') ?? ''}`;
      return jsonReply(userOf(context, hosted.open), { ...FRESH, Authorization: authorization });
    },
  };
}

/** A user as GraphDB shows it. */
function userOf(context: Context, isOpen: boolean): object {
  const { account, admin } = context.caller;
  return {
    username: account ?? (isOpen ? 'open' : 'admin'),
    password: '',
    grantedAuthorities: ['ROLE_USER', ...(admin ? ['ROLE_ADMIN'] : [])],
    appSettings: {},
  };
}
