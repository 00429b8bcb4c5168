/** Loads the contexts that JSON-LD documents refer to, with the fetcher of imports. */
import { platform } from '#host-platform';
import { FetchError } from '@quadrille/model';
import type { LoadOptions } from 'quadrille';
import type { Fetcher } from './fetcher.js';

const MAX_CONTEXT_BYTES = 1024 * 1024;
const ACCEPT = 'application/ld+json, application/json;q=0.9';

/** Rejects with a FetchError. */
export function documentLoader(fetch: Fetcher): NonNullable<LoadOptions['loadDocument']> {
  return async (url, signal) => {
    const document = await fetch({
      url,
      headers: { accept: ACCEPT },
      maxBytes: MAX_CONTEXT_BYTES,
      ...(signal === undefined ? {} : { signal }),
    });
    try {
      if (document.status < 200 || document.status > 299) {
        throw new FetchError('FETCH_FAILED', `a context was answered with status ${String(document.status)}`);
      }
      const chunks: Uint8Array[] = [];
      for await (const chunk of document.body) chunks.push(chunk.slice());
      return platform.concat(chunks);
    } finally {
      document.close();
    }
  };
}
