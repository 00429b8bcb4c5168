/** `/session`: who asks, and what it may do on this server. */
import { jsonReply } from '../../http/json-reply.js';
import type { Handlers } from '../../service.js';

/** `account` is `null` for an operator without an account of its own, and on a server without accounts. */
export function sessionRoute(): Handlers {
  return {
    async GET({ caller: { account = null, admin, readOnly } }) {
      return jsonReply({ account, admin, readOnly }, { 'Cache-Control': 'no-store' });
    },
  };
}
