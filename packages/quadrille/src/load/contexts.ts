/** The contexts of JSON-LD documents: those that a caller gives by their addresses, and those of other hosts. */
import { platform } from '#platform';
import type { FetchResponse, GuardedFetch } from '@quadrille/fetch';
import type { DocumentLoader } from '@quadrille/formats';
import { FetchError } from '@quadrille/model';
import type { JsonLdContexts } from '../api/index.js';
import { wholeBytes } from '../documents/whole-bytes.js';

const MAX_CONTEXT_BYTES = 5 * 1024 * 1024;
const TIMEOUT_MS = 10_000;
const JSON_LD = 'application/ld+json';
const ACCEPT = `${JSON_LD}, application/json;q=0.9`;
const IS_JSON = /^application\/([\w.-]+\+)?json\s*(;|$)/i;

/** An address without what makes no difference: the scheme http or https, and a slash at its end. */
const keyOf = (address: string): string => address.replace(/^https?:/i, '').replace(/\/$/, '');

/**
 * A loader that answers from given contexts.
 * @param other loads the contexts that are not given
 */
export function givenContexts(contexts: JsonLdContexts, other: DocumentLoader | undefined): DocumentLoader {
  const given = new Map(Object.entries(contexts).map(([address, context]) => [keyOf(address), context]));
  return async (address, signal) => {
    const context = given.get(keyOf(address));
    if (typeof context === 'string') return wholeFile(context);
    if (context !== undefined) return JSON.stringify('@context' in context ? context : { '@context': context });
    if (other !== undefined) return other(address, signal);
    throw new FetchError('URL_NOT_ALLOWED', 'it is not among the given ones', { details: { address } });
  };
}

async function wholeFile(path: string): Promise<Uint8Array> {
  return wholeBytes((await platform.openFile(path)).chunks);
}

/**
 * Fetches a context: JSON, or the JSON-LD that a page names in a header `Link`, as that of schema.org does.
 * @throws FetchError
 */
export async function fetchContext(
  fetch: GuardedFetch,
  address: string,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  const get = (url: string): Promise<FetchResponse> =>
    fetch({ url, headers: { accept: ACCEPT }, maxBytes: MAX_CONTEXT_BYTES, timeouts: { totalMs: TIMEOUT_MS }, signal });
  let response = await get(address);
  try {
    checkStatus(response);
    const alternate = alternateOf(response);
    if (alternate !== undefined) {
      response.close();
      response = await get(alternate);
      checkStatus(response);
    }
    return await wholeBytes(response.body);
  } finally {
    response.close();
  }
}

function checkStatus({ status }: FetchResponse): void {
  if (status < 200 || status > 299) {
    throw new FetchError('FETCH_FAILED', `it was answered with status ${String(status)}`, { details: { status } });
  }
}

/** The address of the JSON-LD that a page names in its header `Link`, such as that of schema.org (JSON-LD 1.1, 6.1). */
function alternateOf({ url, headers }: FetchResponse): string | undefined {
  if (IS_JSON.test(headers['content-type'] ?? '')) return undefined;
  for (const [, target = '', parameters = ''] of (headers['link'] ?? '').matchAll(/<([^>]*)>([^<]*)/g)) {
    const isAlternate = /;\s*rel="?([^";]*\s)?alternate[\s";,]/i.test(`${parameters};`);
    if (isAlternate && parameters.includes(JSON_LD)) return new URL(target, url).href;
  }
  return undefined;
}
