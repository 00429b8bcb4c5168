/** `/A/R/settings`: what the owner of a repository has set for its commits. */
import type { RepositorySettings, SettingsChange } from 'quadrille';
import { ifConditionsHold, stateTag, unlessKnown } from '../../message/conditional.js';
import { jsonReply } from '../../message/json-reply.js';
import { sentObject } from '../../parameters/sent-object.js';
import { type Handlers, openRoot, type Service } from '../../service.js';
import { type Resource, form, raw, common, REPOSITORY_PATH as R } from '../resource.js';
import { JSON_TYPE } from '../media-types.js';

export const settingsResource: Resource = {
  path: `${R}/settings`,
  isTagged: true,
  handlers: settingsRoute,
  methods: {
    GET: {
      access: 'owner',
      ...form(),
      summary: 'What the owner has set for commits',
      shape: 'Settings',
      gives: [JSON_TYPE],
    },
    PATCH: {
      access: 'owner',
      ...common(raw()),
      summary: 'Change some settings; null resets one',
      sends: 'SettingsChange',
      shape: 'Settings',
      takes: [JSON_TYPE],
      gives: [JSON_TYPE],
    },
  },
};

function settingsRoute(service: Service): Handlers {
  return {
    async GET(context) {
      const settings = await (await openRoot(service, context)).settings.get();
      return unlessKnown(context, tagOf(settings)) ?? jsonReply(settings, { ETag: tagOf(settings) });
    },
    async PATCH(context) {
      // The library knows the members.
      const sent = await sentObject({ request: context.request, takes: undefined });
      const { settings } = await openRoot(service, context);
      const state = async (): Promise<string> => stateTag(withoutProgress(await settings.get()));
      const change = () => settings.set(sent as SettingsChange);
      const changed = await ifConditionsHold(service, context, 'settings', state, change);
      return jsonReply(changed, { ETag: tagOf(changed) });
    },
  };
}

const tagOf = (settings: RepositorySettings): string => `"${stateTag(withoutProgress(settings))}"`;

/** What somebody has set: how far an index is changes by itself. */
const withoutProgress = ({ search, ...settings }: RepositorySettings): object => ({
  ...settings,
  search: search?.text,
});
