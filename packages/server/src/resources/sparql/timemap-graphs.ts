/** The timemap as a graph that queries can name, `urn:quadrille:timemap`. */
import type * as RDF from '@rdfjs/types';
import type { ExtraGraphs, PreparedQuery, QueryOptions } from 'quadrille';
import type { MementoUrls } from '../memento/memento.js';
import type { OpenView } from '../../service.js';
import { timemapTriples } from '../../documents/timemap-documents.js';

/** The name, and the one that older clients use. */
const NAMES = ['urn:quadrille:timemap', 'urn:dydra:timemap'];

/**
 * For a query that names it, in its text or in its options; `undefined` for all others, which need not wait for it. It ends with
 * the revision that is read, so that the answer stays the same for ever.
 */
export function timemapGraphs(
  opened: OpenView,
  urls: MementoUrls,
  query: Pick<PreparedQuery, 'graphs'>,
  options: QueryOptions,
): ExtraGraphs | undefined {
  const names = timemapNames(query, options);
  if (names.length === 0) return undefined;
  return Object.fromEntries(names.map((name) => [name, triplesOf(opened, urls)]));
}

/** By which of its names a query reads the timemap. */
export function timemapNames(
  { graphs }: Pick<PreparedQuery, 'graphs'>,
  { defaultGraphUris = [], namedGraphUris = [], bindings = {} }: QueryOptions,
): string[] {
  const bound = Object.values(bindings).map(({ value }) => value);
  const named = [...graphs, ...defaultGraphUris, ...namedGraphUris, ...bound];
  return NAMES.filter((name) => named.includes(name));
}

async function* triplesOf({ repository, revision }: OpenView, urls: MementoUrls): AsyncGenerator<RDF.Quad> {
  const tail = await repository.at('TAIL').revision();
  const range = { first: tail.number, last: revision.number };
  yield* timemapTriples(repository, range, urls, revision);
}
