/** Contexts of JSON-LD from other hosts, for the option `loadDocument`. */
import type { GuardedFetch } from '@quadrille/fetch';
import type { DocumentLoader } from '@quadrille/formats';
import type { JsonLdContexts } from '../api/index.js';

/**
 * A loader of contexts from other hosts, for the option `loadDocument` of a load: at most 5 MB in ten seconds each, under the rules of `fetch`.
 * Contexts of `contexts` are answered without it, and without `fetch` no others.
 * A page that names its JSON-LD in a header `Link`, such as that of schema.org, is followed to it. The loader rejects with a FetchError.
 * @example
 * ```ts
 * import { fetchedContexts, open } from 'quadrille';
 *
 * async function* body() {
 *   yield new TextEncoder().encode('{"@context": {"name": "http://schema.org/name"}}');
 * }
 * const headers = { 'content-type': 'application/ld+json' };
 * const loadDocument = fetchedContexts(async ({ url }) => ({ status: 200, url, headers, body: body(), close() {} }));
 *
 * const db = await open(':memory:');
 * const repo = await db.repository('events', { create: true });
 * const text = '{"@context": "https://schema.org", "@id": "urn:fair", "name": "Fair"}';
 * const { added } = await repo.load({ text }, { format: 'jsonld', loadDocument });
 * console.log(added); // 1
 * await db.close();
 * ```
 * @since 0.1.0
 */
export function fetchedContexts(fetch: GuardedFetch | undefined, contexts?: JsonLdContexts): DocumentLoader {
  const fetched: DocumentLoader | undefined =
    fetch && (async (address, signal) => (await import('./contexts.js')).fetchContext(fetch, address, signal));
  if (contexts === undefined && fetched !== undefined) return fetched;
  let given: DocumentLoader | undefined;
  return async (address, signal) => {
    given ??= (await import('./contexts.js')).givenContexts(contexts ?? {}, fetched);
    return given(address, signal);
  };
}
