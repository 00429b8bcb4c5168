/** Whether the server takes requests: for load balancers, which stop sending them where it does not. */
import type { Service as HostedService } from '../../host/index.js';
import type { HttpRequest } from '../../message/request.js';
import { jsonReply } from '../../message/json-reply.js';
import type { Reply } from '../../message/reply.js';

export interface Readiness {
  readonly status: 'ready' | 'opening' | 'draining' | 'failed';
  /** For people. */
  readonly reason?: string;
}

const OPENING: Readiness = { status: 'opening', reason: 'the store is being opened' };
const DRAINING: Readiness = { status: 'draining', reason: 'the server is shutting down' };

/** `hosted` is `undefined` while the store is being opened. */
export async function readinessOf(
  hosted: Pick<HostedService, 'state'> | undefined,
  { closing }: Pick<HttpRequest, 'closing'>,
): Promise<Readiness> {
  if (closing?.aborted === true) return DRAINING;
  if (hosted === undefined) return OPENING;
  const { status } = await hosted.state();
  if (status === 'nominal') return { status: 'ready' };
  const reason = status === 'read-only' ? 'the last write to the storage failed' : 'the storage cannot be read';
  return { status: 'failed', reason };
}

export const readinessReply = (readiness: Readiness): Reply =>
  jsonReply(readiness, { 'Cache-Control': 'no-store' }, readiness.status === 'ready' ? 200 : 503);

/** The event loop turns, and that is all that it says: it does not look at the store, so that nothing makes it wait. */
export const healthReply = (): Reply => jsonReply({ status: 'nominal' }, { 'Cache-Control': 'no-store' });

/** The paths of monitoring. They are answered at all times, and not counted as requests of a client. */
export const isProbe = (path: string): boolean => path === '/health' || path === '/ready';
