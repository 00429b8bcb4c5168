/** `/servers`: the servers of a store that several of them serve, for operators. */
import { HttpError } from '../../http/index.js';
import { behind } from '../../host/index.js';
import { jsonListReply } from '../../message/json-reply.js';
import type { Handlers, Service } from '../../service.js';
import { type Resource, form } from '../resource.js';
import { JSON_TYPE } from '../media-types.js';

export const serversResource: Resource = {
  path: '/servers',
  handlers: serversRoute,
  methods: {
    GET: {
      access: 'operator',
      ...form(),
      summary: 'The servers of a shared store: which one writes, and how far each one is',
      shape: { list: 'Server' },
      gives: [JSON_TYPE],
      fails: [404],
    },
  },
};

/** Which one writes, and how far each one is. */
function serversRoute({ hosted }: Service): Handlers {
  return {
    async GET() {
      const servers = hosted.servers?.();
      if (servers === undefined) throw new HttpError('NOT_FOUND', 'the store has no other servers');
      const left = behind(servers);
      const records = servers.map(({ id, label, url, role, self, leaving, silentMs, position }) => ({
        id,
        label,
        url: url ?? null,
        role,
        self,
        leaving,
        silent_ms: Math.round(silentMs),
        position: position ?? null,
        behind: left.get(id) ?? null,
      }));
      return jsonListReply(records, { 'Cache-Control': 'no-store' });
    },
  };
}
