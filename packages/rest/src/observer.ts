/** What is seen of the requests: numbers for the metrics, and a line for each in the access log. */
import { randomUUID } from 'node:crypto';
import type { Logger } from 'quadrille';
import type { Reply } from './reply.js';
import type { HttpRequest } from './request.js';

/** Upper bounds of the classes of durations, in seconds. */
export const DURATION_BOUNDS = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10, 60] as const;

/** The requests of one route, method and status. */
export interface RequestCount {
  readonly route: string;
  readonly method: string;
  readonly status: number;
  count: number;
  seconds: number;
  /** How many took at most as long as the bound of the same place. */
  readonly buckets: number[];
}

export interface Exchange {
  readonly requestId: string;
  readonly request: HttpRequest;
  readonly startMs: number;
  /** The path pattern that answers; `none` where there is none. Paths themselves are too many to be counted. */
  route: string;
}

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

export class Observer {
  readonly #counts = new Map<string, RequestCount>();
  /** Requests whose answer has not begun. */
  running = 0;

  /** With a logger, every request is a line of it. */
  constructor(private readonly accessLog: Logger | undefined) {}

  get counts(): Iterable<RequestCount> {
    return this.#counts.values();
  }

  begin(request: HttpRequest): Exchange {
    this.running++;
    return { requestId: randomUUID(), request, startMs: performance.now(), route: 'none' };
  }

  /** Hands the answer on. */
  end({ requestId, request, startMs, route }: Exchange, response: Reply): Reply {
    this.running--;
    const durationMs = performance.now() - startMs;
    // A method is any word that a client sends; a label has few values.
    const method = METHODS.has(request.method) ? request.method : 'other';
    this.#count(route, method, response.status, durationMs / 1000);
    if (this.accessLog !== undefined) {
      // The query is left out: it may hold data and credentials.
      this.accessLog.info('request', {
        requestId,
        clientRequestId: response.headers.get('Client-Request-Id') ?? undefined,
        method,
        path: new URL(request.url).pathname,
        route,
        status: response.status,
        durationMs: Math.round(durationMs * 1000) / 1000,
      });
    }
    return response;
  }

  #count(route: string, method: string, status: number, seconds: number): void {
    const key = `${method} ${String(status)} ${route}`;
    let entry = this.#counts.get(key);
    if (entry === undefined) {
      entry = { route, method, status, count: 0, seconds: 0, buckets: DURATION_BOUNDS.map(() => 0) };
      this.#counts.set(key, entry);
    }
    entry.count++;
    entry.seconds += seconds;
    for (let i = 0; i < DURATION_BOUNDS.length; i++) if (seconds <= DURATION_BOUNDS[i]!) entry.buckets[i]!++;
  }
}
