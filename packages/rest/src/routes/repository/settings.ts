/** `/A/R/settings`: what the owner of a repository has set for its commits. */
import type { SettingsChange } from 'quadrille';
import { jsonReply } from '../../http/json-reply.js';
import { sentObject } from '../../parameters/sent-object.js';
import { type Handlers, openRoot, type Service } from '../../service.js';

export function settingsRoute(service: Service): Handlers {
  return {
    async GET(context) {
      return jsonReply(await (await openRoot(service, context)).settings.get());
    },
    async PATCH(context) {
      const sent = await sentObject(context.request);
      // The library checks the members.
      return jsonReply(await (await openRoot(service, context)).settings.set(sent as SettingsChange));
    },
  };
}
