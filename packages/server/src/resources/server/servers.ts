/** `/servers`: the servers of a store that several of them serve, for operators. */
import { HttpError } from '../../http/index.js';
import { behind } from '../../host/index.js';
import { jsonListReply } from '../../message/json-reply.js';
import type { Handlers, Service } from '../../service.js';

/** Which one writes, and how far each one is. */
export function serversRoute({ hosted }: Service): Handlers {
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
