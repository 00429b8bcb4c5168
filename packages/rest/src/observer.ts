/** Counts requests for the metrics, and writes the access log. */
import { randomUUID } from 'node:crypto';
import { Durations } from '@quadrille/service';
import type { Logger } from 'quadrille';
import type { Reply } from './http/reply.js';
import type { HttpRequest } from './http/request.js';

/** Counts of the requests of one route, method and status. */
export interface RequestCount {
  readonly route: string;
  readonly method: string;
  readonly status: number;
  readonly durations: Durations;
}

export interface Exchange {
  readonly requestId: string;
  readonly request: HttpRequest;
  readonly startMs: number;
  /** The pattern of the path; `none` if no route matches. Paths themselves would be too many labels. */
  route: string;
}

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

export class Observer {
  readonly #counts = new Map<string, RequestCount>();
  /** Requests that are not answered yet. */
  running = 0;

  /** With a logger, every request is logged. */
  constructor(private readonly accessLog: Logger | undefined) {}

  get counts(): Iterable<RequestCount> {
    return this.#counts.values();
  }

  begin(request: HttpRequest): Exchange {
    this.running++;
    return { requestId: randomUUID(), request, startMs: performance.now(), route: 'none' };
  }

  /** Returns the reply. */
  end({ requestId, request, startMs, route }: Exchange, response: Reply): Reply {
    this.running--;
    const durationMs = performance.now() - startMs;
    // Clients may send any word as a method, but a label needs few values.
    const method = METHODS.has(request.method) ? request.method : 'other';
    this.#count(route, method, response.status, durationMs / 1000);
    if (this.accessLog !== undefined) {
      // Without the query, which may contain data and credentials.
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
      entry = { route, method, status, durations: new Durations() };
      this.#counts.set(key, entry);
    }
    entry.durations.add(seconds);
  }
}
