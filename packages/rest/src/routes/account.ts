/** `/A`: an account. Tokens are never shown. */
import { callerOf } from '../authentication.js';
import { jsonResponse } from '../json.js';
import { isoTime } from '@quadrille/service';
import { type Handlers, type Service } from '../service.js';

/** The address for mail is the account's own business; repositories are counted as far as the client may see them. */
export function accountRoute({ hosted }: Service): Handlers {
  return {
    async GET(context) {
      const caller = callerOf(context);
      const { name, fullName, email, created } = await hosted.accounts.need(context.req.param('account') ?? '');
      const isOwn = caller.admin || caller.account === name;
      const repositories = await hosted.repositories.list(caller, name);
      return jsonResponse({
        name,
        fullname: fullName ?? null,
        ...(isOwn ? { email: email ?? null } : {}),
        created: isoTime(created),
        repository_count: repositories.length,
      });
    },
  };
}
