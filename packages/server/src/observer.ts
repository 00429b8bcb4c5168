/** Counts requests for the metrics, and writes the access log. */
import { type AccessLog, roundedMs } from './http/index.js';
import { Durations, platform } from './host/index.js';
import { lengthOf, type Reply } from './message/reply.js';
import { type HttpRequest, pathOfUrl } from './message/request.js';

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
  /** The IP address of the client. */
  address: string;
  /** Whose token was shown. */
  account: string | undefined;
  readonly startMs: number;
  /** The pattern of the path; `none` if no route matches. Paths themselves would be too many labels. */
  route: string;
}

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

export class Observer {
  readonly #counts = new Map<string, RequestCount>();
  /** Requests that are not answered yet. */
  running = 0;

  /** With a log, every request is logged. */
  constructor(private readonly accessLog: AccessLog | undefined) {}

  get counts(): Iterable<RequestCount> {
    return this.#counts.values();
  }

  begin(request: HttpRequest, address = ''): Exchange {
    this.running++;
    const requestId = platform.randomUuid();
    return { requestId, request, address, account: undefined, startMs: performance.now(), route: 'none' };
  }

  /** To be called with the reply, before it is sent. */
  end(exchange: Exchange, reply: Reply): void {
    this.running--;
    const method = methodOf(exchange);
    this.#count(exchange.route, method, reply.status, (performance.now() - exchange.startMs) / 1000);
    if (this.accessLog === undefined) return;
    const bytes = lengthOf(reply.body);
    if (bytes === undefined) reply.onSent = (sent) => this.#log(exchange, reply, sent);
    else this.#log(exchange, reply, bytes);
  }

  /** Without the query, which may contain data and credentials. */
  #log({ requestId, request, address, account, route, startMs }: Exchange, reply: Reply, bytes: number): void {
    const clientRequestId = reply.headers.get('Client-Request-Id');
    this.accessLog?.({
      time: new Date().toISOString(),
      requestId,
      address,
      account: account ?? null,
      method: methodOf({ request }),
      route,
      status: reply.status,
      bytes,
      durationMs: roundedMs(performance.now() - startMs),
      path: pathOfUrl(request.url),
      ...(clientRequestId !== null && { clientRequestId }),
    });
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

/** Clients may send any word as a method, but a label needs few values. */
const methodOf = ({ request }: Pick<Exchange, 'request'>): string =>
  METHODS.has(request.method) ? request.method : 'other';
