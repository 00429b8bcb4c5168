/** `/health`, `/ready` and `/metrics`, for monitoring. */
import { METRICS_TYPE, MetricsDocument } from '../../documents/metrics-document.js';
import type { Handlers, Service } from '../../service.js';
import { Reply } from '../../message/reply.js';
import { healthReply, readinessOf, readinessReply } from './readiness.js';
import { type Resource, form } from '../resource.js';
import { JSON_TYPE } from '../media-types.js';

export const healthResource: Resource = {
  path: '/health',
  handlers: () => healthRoute(),
  methods: {
    GET: { access: 'public', ...form(), summary: 'Whether the server lives', shape: 'Health', gives: [JSON_TYPE] },
  },
};

export const readyResource: Resource = {
  path: '/ready',
  handlers: readyRoute,
  methods: {
    GET: {
      access: 'public',
      ...form(),
      summary: 'Whether the server takes requests; 503 if it does not',
      shape: 'Readiness',
      gives: [JSON_TYPE],
    },
  },
};

export const metricsResource: Resource = {
  path: '/metrics',
  handlers: metricsRoute,
  methods: {
    GET: { access: 'operator', ...form(), summary: 'Figures for Prometheus (operators)', gives: ['text/plain'] },
  },
};

const healthRoute = (): Handlers => ({ GET: () => Promise.resolve(healthReply()) });

/** 200, or 503 with the reason. */
function readyRoute({ hosted }: Service): Handlers {
  return { GET: async ({ request }) => readinessReply(await readinessOf(hosted, request)) };
}

function metricsRoute(service: Service): Handlers {
  const metrics = new MetricsDocument(service.hosted, service.observer);
  return {
    async GET() {
      return new Reply(await metrics.text(), {
        headers: { 'Content-Type': METRICS_TYPE, 'Cache-Control': 'no-store' },
      });
    },
  };
}
