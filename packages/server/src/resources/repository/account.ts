/** `/A`: the record of an account, without its tokens. */
import { jsonReply } from '../../http/json-reply.js';
import { accountRecord } from '@quadrille/service';
import { type Handlers, type Service } from '../../service.js';

export function accountRoute({ hosted }: Service): Handlers {
  return {
    async GET(context) {
      return jsonReply(await accountRecord(hosted, context.caller, context.param('account') ?? ''));
    },
  };
}
