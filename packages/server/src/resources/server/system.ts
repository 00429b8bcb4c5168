/** `/system`: what the server is, what it can do, and which limits it sets, and its query threads. */
import { absentFeatures } from '#server-platform';
import { isKnown } from '../../host/index.js';
import { VERSION } from '../../documents/version.js';
import { jsonReply } from '../../message/json-reply.js';
import type { Handlers, Service } from '../../service.js';
import { type Resource, form } from '../resource.js';
import { JSON_TYPE } from '../media-types.js';

export const systemResource: Resource = {
  path: '/system',
  handlers: systemRoute,
  methods: {
    GET: {
      access: 'public',
      ...form(),
      summary: 'Version, features and limits of the server',
      shape: 'System',
      gives: [JSON_TYPE],
    },
  },
};

/** Public, but for limits and threads: they are for those who have an account. */
function systemRoute({ hosted }: Service, all: readonly Resource[]): Handlers {
  const features = all.flatMap((resource) => resource.features ?? []).filter((feature) => !absentFeatures.has(feature));
  return {
    async GET({ caller }) {
      return jsonReply(
        {
          version: VERSION,
          features: [...features, ...(hosted.servers === undefined ? [] : ['servers'])],
          ...(isKnown(caller)
            ? {
                limits: { ...hosted.limits, queries: await hosted.gate.allLimits() },
                workers: hosted.database.metrics().workers,
              }
            : {}),
          open: hosted.open,
        },
        { 'Cache-Control': 'no-store' },
      );
    },
  };
}
