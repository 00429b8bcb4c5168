/** What is seen of the requests: numbers for the metrics, and a line for each in the access log. */
import { randomUUID } from 'node:crypto';
import { Durations } from '@quadrille/service';
import type { Logger } from 'quadrille';
import type { Reply } from './http/reply.js';
import type { HttpRequest } from './http/request.js';

/** The requests of one route, method and status. */
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
      entry = { route, method, status, durations: new Durations() };
      this.#counts.set(key, entry);
    }
    entry.durations.add(seconds);
  }
}
