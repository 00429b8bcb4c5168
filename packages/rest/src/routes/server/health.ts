/** `/health` and `/metrics`, for monitoring. */
import { jsonReply } from '../../http/json-reply.js';
import { METRICS_TYPE, MetricsDocument } from '../../documents/metrics-document.js';
import type { Handlers, Service } from '../../service.js';
import { Reply } from '../../http/reply.js';

/** 200 if the store can be read, else 503. */
export function healthRoute(service: Service): Handlers {
  return {
    async GET() {
      // Rejects if the store is closed or its storage has failed.
      await service.database.accounts.list();
      return jsonReply({ status: 'nominal' }, { 'Cache-Control': 'no-store' });
    },
  };
}

export function metricsRoute(service: Service): Handlers {
  const metrics = new MetricsDocument(service.hosted, service.observer);
  return {
    async GET() {
      return new Reply(metrics.text(), { headers: { 'Content-Type': METRICS_TYPE, 'Cache-Control': 'no-store' } });
    },
  };
}
