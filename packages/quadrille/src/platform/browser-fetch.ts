/**
 * Other hosts by the `fetch` of the browser, which has rules of its own (CORS, mixed content) in place of our guard: the page
 * reaches what its user could reach anyway.
 */
import type { FetchRequest, FetchResponse, GuardedFetch } from '@quadrille/fetch';
import type { FederationOptions } from '../api/index.js';
import { EvaluationError, FetchError, InvalidArgumentError } from '@quadrille/model';

const TOTAL_MS = 30 * 60_000;
const MAX_BYTES = 1024 ** 3;

/** @throws InvalidArgumentError `INVALID_OPTION` for `mode` and `allow`: which addresses are private, a page is not told */
export function createBrowserFetch({ mode, allow = [] }: Pick<FederationOptions, 'mode' | 'allow'>): GuardedFetch {
  if (allow.length > 0 || mode !== undefined) {
    throw new InvalidArgumentError(
      'INVALID_OPTION',
      'federation: mode and allow work in Node.js only; a browser applies its own rules',
    );
  }
  return ask;
}

async function ask(request: FetchRequest): Promise<FetchResponse> {
  const { url, method = 'GET', headers, body, mayVisit, maxBytes = MAX_BYTES } = request;
  if (!/^https?:$/.test(protocolOf(url)) || mayVisit?.(url) === false) {
    throw new FetchError('URL_NOT_ALLOWED', `${url} may not be asked`);
  }
  const over = new AbortController();
  const signals = [over.signal, AbortSignal.timeout(request.timeouts?.totalMs ?? TOTAL_MS)];
  if (request.signal !== undefined) signals.push(request.signal);
  const signal = AbortSignal.any(signals);
  try {
    const response = await fetch(url, {
      method,
      signal,
      // A page cannot look at a redirect before it is followed: under a rule none is.
      redirect: mayVisit === undefined ? 'follow' : 'error',
      credentials: 'omit',
      ...(headers && { headers: { ...headers } }),
      ...(body !== undefined && { body: body as BodyInit }),
    });
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      url: response.url,
      body: limited(response, maxBytes, (error) => toFetchError(url, error, request, signal)),
      close: () => over.abort(),
    };
  } catch (error) {
    throw toFetchError(url, error, request, signal);
  }
}

function protocolOf(url: string): string {
  return URL.canParse(url) ? new URL(url).protocol : '';
}

async function* limited(
  response: Response,
  maxBytes: number,
  toError: (error: unknown) => Error,
): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader();
  let bytes = 0;
  try {
    for (;;) {
      const { done, value } = (await reader?.read().catch((error: unknown) => Promise.reject(toError(error)))) ?? {
        done: true,
      };
      if (done) return;
      bytes += value!.length;
      if (bytes > maxBytes) {
        throw new FetchError('FETCH_TOO_LARGE', `${response.url} answers with more than ${maxBytes} bytes`);
      }
      yield value!;
    }
  } finally {
    await reader?.cancel().catch(() => undefined);
  }
}

function toFetchError(url: string, cause: unknown, request: FetchRequest, signal: AbortSignal): Error {
  if (request.signal?.aborted) return new EvaluationError('ABORTED', `asking ${url} was aborted`, { cause });
  if (signal.aborted) return new FetchError('FETCH_TIMEOUT', `${url} took too long`, { cause });
  return new FetchError('FETCH_FAILED', `${url} could not be asked: ${String(cause)}`, { cause });
}
