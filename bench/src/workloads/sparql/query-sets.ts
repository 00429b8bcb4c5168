/**
 * Published query sets: how many times faster than Oxigraph they are, and than native stores that the user names, for
 * texts never seen and for repeated ones.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PEER_NAMES, type PeerName } from '../../peers/names.js';
import { lackOf } from '../../peers/peers.js';
import { compareWithOxigraph, openBoth } from '../../sparql/compare-with-oxigraph.js';
import { compareWithPeer, openWithPeer } from '../../sparql/compare-with-peer.js';
import { type QueryCase, withOtherNames } from '../../sparql/ratios.js';
import { pathOf, type Context, type Need, type Part, type Workload } from '../../workload.js';

interface QuerySet {
  readonly data: Need;
  /** The need, and the folder in it, of the files `NAME.rq`. */
  readonly queries: readonly [Need, string];
}

const SETS: Readonly<Record<string, QuerySet>> = {
  watdiv: { data: 'watdiv-10', queries: ['watdiv', 'queries'] },
  'sparqloscope over FIBO': { data: 'fibo-2026q2', queries: ['sparqloscope', 'fibo-2026q2'] },
  'sparqloscope over BSBM': { data: 'bsbm-1m', queries: ['sparqloscope', 'bsbm-1m'] },
};
const NEW_TEXTS = 4;
/** Virtual machines of native peers compile while they run, so they get more texts. */
const NEW_TEXTS_OF_PEERS = 13;

function* casesIn(folder: string, wanted: readonly string[], length = NEW_TEXTS): Generator<QueryCase> {
  for (const file of readdirSync(folder).sort()) {
    const name = file.replace(/\.rq$/, '');
    if (name === file || (wanted.length > 0 && !wanted.includes(name))) continue;
    const text = readFileSync(join(folder, file), 'utf8');
    yield { name, texts: Array.from({ length }, (_, i) => withOtherNames(text, i)) };
  }
}

function partOf(name: string, { data, queries: [need, folder] }: QuerySet): Part {
  return {
    backend: 'quadrille',
    needs: [data, need],
    once: true,
    measure: async (context: Context) => {
      await mkdir(context.scratch, { recursive: true });
      const stores = await openBoth(pathOf(context, data), context.scratch);
      const cases = casesIn(join(pathOf(context, need), folder), context.queries);
      const figures = await compareWithOxigraph(name, cases, stores);
      await stores.close();
      return figures;
    },
  };
}

function partWith(peer: PeerName, name: string, { data, queries: [need, folder] }: QuerySet): Part {
  return {
    backend: peer,
    peer,
    needs: [data, need],
    once: true,
    lacks: () => lackOf(peer),
    measure: async (context: Context) => {
      await mkdir(context.scratch, { recursive: true });
      const stores = await openWithPeer(peer, pathOf(context, data), context.scratch);
      const cases = casesIn(join(pathOf(context, need), folder), context.queries, NEW_TEXTS_OF_PEERS);
      try {
        return await compareWithPeer(name, cases, stores);
      } finally {
        await stores.close();
      }
    },
  };
}

const partsOf = ([name, set]: [string, QuerySet]): [string, Part][] => [
  [name, partOf(name, set)],
  ...PEER_NAMES.map((peer): [string, Part] => [`${name}, ${peer}`, partWith(peer, name, set)]),
];

export const workload: Workload = {
  name: 'query-sets',
  parts: Object.fromEntries(Object.entries(SETS).flatMap(partsOf)),
};
