/** `/A`: the record of an account, without its tokens. */
import { jsonReply } from '../../message/json-reply.js';
import { accountRecord } from '../../host/index.js';
import { type Handlers, type Service } from '../../service.js';

export function accountRoute({ hosted }: Service): Handlers {
  return {
    async GET(context) {
      return jsonReply(await accountRecord(hosted, context.caller, context.param('account') ?? ''));
    },
  };
}
