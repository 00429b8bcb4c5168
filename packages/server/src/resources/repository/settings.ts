/** `/A/R/settings`: what the owner of a repository has set for its commits. */
import type { RepositorySettings, SettingsChange } from 'quadrille';
import { ifConditionsHold, stateTag, unlessKnown } from '../../message/conditional.js';
import { jsonReply } from '../../message/json-reply.js';
import { sentObject } from '../../parameters/sent-object.js';
import { type Handlers, openRoot, type Service } from '../../service.js';

export function settingsRoute(service: Service): Handlers {
  return {
    async GET(context) {
      const settings = await (await openRoot(service, context)).settings.get();
      return unlessKnown(context, tagOf(settings)) ?? jsonReply(settings, { ETag: tagOf(settings) });
    },
    async PATCH(context) {
      const sent = await sentObject(context.request);
      const { settings } = await openRoot(service, context);
      const state = async (): Promise<string> => stateTag(await settings.get());
      // The library checks the members.
      const change = () => settings.set(sent as SettingsChange);
      const changed = await ifConditionsHold(service, context, 'settings', state, change);
      return jsonReply(changed, { ETag: tagOf(changed) });
    },
  };
}

const tagOf = (settings: RepositorySettings): string => `"${stateTag(settings)}"`;
