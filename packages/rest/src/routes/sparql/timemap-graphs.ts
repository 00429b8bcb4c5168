/** The timemap as a graph that queries can name, `urn:quadrille:timemap` (interface, section 15). */
import type * as RDF from '@rdfjs/types';
import type { ExtraGraphs } from 'quadrille';
import { mementoUrls } from '../history/memento.js';
import type { OpenView } from '../../service.js';
import { timemapTriples } from '../../documents/timemap-documents.js';

const NAME = 'urn:quadrille:timemap';
const OLDER_NAME = 'urn:dydra:timemap';

/**
 * For a request that may name it in one of its texts; `undefined` for all others, which need not wait for it. It ends with the
 * revision that is read, so that the answer stays the same for ever.
 */
export function timemapGraphs(opened: OpenView, original: string, texts: readonly string[]): ExtraGraphs | undefined {
  // A prefix may stand for all but the end of the name.
  if (!texts.some((text) => text.includes('timemap'))) return undefined;
  const name = texts.some((text) => text.includes('dydra')) ? OLDER_NAME : NAME;
  return { [name]: triplesOf(opened, original) };
}

async function* triplesOf({ repository, revision }: OpenView, original: string): AsyncGenerator<RDF.Quad> {
  const tail = await repository.at('TAIL').revision();
  const range = { first: tail.number, last: revision.number };
  yield* timemapTriples(repository, range, mementoUrls(original), revision);
}
