/** `/A`: the record of an account, without its tokens. */
import { jsonReply } from '../../message/json-reply.js';
import { accountRecord } from '../../host/index.js';
import { type Handlers, type Service } from '../../service.js';
import { type Resource, form } from '../resource.js';
import { JSON_TYPE } from '../media-types.js';

export const accountResource: Resource = {
  path: '/:account',
  handlers: accountRoute,
  methods: {
    GET: {
      access: 'known',
      ...form(),
      summary: 'The record of an account',
      shape: 'AccountRecord',
      gives: [JSON_TYPE],
    },
  },
};

function accountRoute({ hosted }: Service): Handlers {
  return {
    async GET(context) {
      return jsonReply(await accountRecord(hosted, context.caller, context.param('account') ?? ''));
    },
  };
}
