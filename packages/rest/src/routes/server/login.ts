/** `/rest/security/authenticated-user` and `/rest/login/<user>`: how clients of GraphDB find out whether their credentials hold. */
import type { Context } from '../../context.js';
import { jsonReply } from '../../http/json-reply.js';
import type { Handlers, Service } from '../../service.js';

const FRESH = { 'Cache-Control': 'no-store' };

export function authenticatedUserRoute({ hosted }: Service): Handlers {
  return { GET: async (context) => jsonReply(userOf(context, hosted.open), FRESH) };
}

/** Such a client goes on with the `Authorization` that it finds on the answer: its own token, which is the password that it sent. */
export function loginRoute({ hosted }: Service): Handlers {
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
