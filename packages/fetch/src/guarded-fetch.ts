/**
 * Fetches from other hosts without letting whoever chose the URL reach what only this machine can: every hop is checked by
 * its text, by all addresses of its host, and by the address of the connection.
 */
import type { IncomingMessage } from 'node:http';
import { FetchError, InvalidArgumentError } from '@quadrille/model';
import { fetchFailed, openBody, readBody } from './body.js';
import { connectTo } from './connect.js';
import { Deadline } from './deadline.js';
import { exchange, headersOf } from './exchange.js';
import { firstHop, type Hop, redirectOf } from './hop.js';
import { type FetchLimits, type FetchSettings, type GuardedFetchOptions, readOptions, withLimits } from './options.js';
import { checkUrl, type Target } from './policy.js';
import type { FetchRequest, FetchResponse, GuardedFetch } from './port.js';

/**
 * A fetcher. By default it reaches public addresses on the ports of HTTP, for at most 30 minutes and 2 GiB, and follows 5
 * redirects. It keeps no connections and no cookies, and knows no proxy.
 * @throws InvalidArgumentError `INVALID_OPTION`
 * @example
 * const fetch = createGuardedFetch({ allow: ['localhost:3030'] });
 * const { status, body } = await fetch({ url: 'http://localhost:3030/data.ttl', headers: { accept: 'text/turtle' } });
 * for await (const chunk of body) process.stdout.write(chunk);
 */
export function createGuardedFetch(options: GuardedFetchOptions = {}): GuardedFetch {
  const settings = readOptions(options);
  return (request) => guardedFetch(request, settings);
}

/**
 * The rules for URLs alone, to check a URL before a request.
 * @throws FetchError `URL_NOT_ALLOWED`, `BLOCKED_ADDRESS`; an address that a name leads to is looked at with each fetch
 */
export function createUrlCheck(options: GuardedFetchOptions = {}): (url: string) => void {
  const settings = readOptions(options);
  return (url) => void checkUrl(url, settings);
}

async function guardedFetch(request: FetchRequest, settings: FetchSettings): Promise<FetchResponse> {
  const { maxBytes, timeouts = {}, signal, mayVisit } = request;
  const limits = withLimits(settings.limits, { ...timeouts, maxBytes });
  let hop = firstHop(request);
  let target = check(hop, settings, mayVisit);
  const deadline = new Deadline(target.host, limits.totalMs, signal);
  try {
    for (let redirects = 0; ; redirects++) {
      const message = await visit(hop, target, settings, limits, deadline);
      const next = redirectOf(hop, message.statusCode ?? 0, message.headers.location);
      if (next === undefined) return responseOf(message, target, limits, deadline);
      message.destroy();
      if (redirects >= limits.maxRedirects) throw tooManyRedirects(target.host, limits.maxRedirects);
      hop = next;
      target = check(hop, settings, mayVisit);
    }
  } catch (error) {
    const reason = deadline.reasonFor(error, (cause) => fetchFailed(target.host, cause));
    deadline.end();
    throw reason;
  }
}

function check(hop: Hop, settings: FetchSettings, mayVisit: FetchRequest['mayVisit']): Target {
  const target = checkUrl(hop.url, settings);
  if (mayVisit === undefined || mayVisit(target.url.href)) return target;
  const { host } = target;
  throw new FetchError('URL_NOT_ALLOWED', `the URL of host ${host} may not be requested`, {
    details: { host },
  });
}

async function visit(
  hop: Hop,
  target: Target,
  settings: FetchSettings,
  limits: FetchLimits,
  deadline: Deadline,
): Promise<IncomingMessage> {
  const connecting = connectTo(target, settings, deadline.signal);
  const socket = await deadline.within(connecting, limits.connectMs, 'connecting for an answer');
  return deadline.within(exchange(socket, target.url, hop), limits.idleMs, 'the head of an answer');
}

function responseOf(message: IncomingMessage, target: Target, limits: FetchLimits, deadline: Deadline): FetchResponse {
  const { host, url } = target;
  const body = openBody(message, host, limits);
  // Node.js reports an error of a body that is not being read as unhandled; its reader gets it from the iteration.
  body.stream.on('error', () => undefined);
  url.hash = '';
  return {
    status: message.statusCode ?? 0,
    headers: headersOf(message),
    url: url.href,
    body: once(readBody(body, host, limits, deadline)),
    close: () => {
      body.stream.destroy();
      deadline.end();
    },
  };
}

// A generator that was never started does not run its `finally`; then close() is what frees the connection.
function once(chunks: AsyncGenerator<Uint8Array>): AsyncIterable<Uint8Array> {
  let taken = false;
  return {
    [Symbol.asyncIterator]() {
      if (taken) throw new InvalidArgumentError('INVALID_OPTION', 'the body of an answer can be read once');
      taken = true;
      return chunks;
    },
  };
}

function tooManyRedirects(host: string, most: number): FetchError {
  return new FetchError('FETCH_FAILED', `more than ${most} redirects, the last one at ${host}`, { details: { host } });
}
