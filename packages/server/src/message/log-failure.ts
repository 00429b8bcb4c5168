/** Writes failed requests to the log, at the level that they deserve. */
import { HttpError, knownError, statusOf } from '../http/index.js';
import { EvaluationError, FetchError, StateError } from '@quadrille/model';
import type { Logger } from 'quadrille';

/**
 * An error with its stack is a failure of the server. Another host that fails, and a store that is closed, are warnings. That a query takes too
 * much, that too many come at once, and what a client does wrong, are no failures: /metrics and the access log count them.
 */
export function logFailure(
  logger: Logger | undefined,
  error: unknown,
  request: Readonly<Record<string, string>>,
): void {
  if (logger === undefined || statusOf(error) < 500) return;
  const known = knownError(error);
  if (known instanceof EvaluationError || (known instanceof HttpError && known.code !== 'INTERNAL')) return;
  if (known instanceof FetchError || known instanceof StateError) {
    logger.warn('request failed', { ...request, code: known.code, detail: known.message });
    return;
  }
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  logger.error('request failed', { ...request, detail });
}
