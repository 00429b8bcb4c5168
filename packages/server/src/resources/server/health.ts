/** `/health`, `/ready` and `/metrics`, for monitoring. */
import { METRICS_TYPE, MetricsDocument } from '../../documents/metrics-document.js';
import type { Handlers, Service } from '../../service.js';
import { Reply } from '../../message/reply.js';
import { healthReply, readinessOf, readinessReply } from './readiness.js';

export const healthRoute = (): Handlers => ({ GET: () => Promise.resolve(healthReply()) });

/** 200, or 503 with the reason. */
export function readyRoute({ hosted }: Service): Handlers {
  return { GET: async ({ request }) => readinessReply(await readinessOf(hosted, request)) };
}

export function metricsRoute(service: Service): Handlers {
  const metrics = new MetricsDocument(service.hosted, service.observer);
  return {
    async GET() {
      return new Reply(await metrics.text(), {
        headers: { 'Content-Type': METRICS_TYPE, 'Cache-Control': 'no-store' },
      });
    },
  };
}
