/** The backends that answer queries. A process loads only the one that it measures. */
import { BSBM_QUADS, checkCount } from '../data-sets.js';
import type { PeerName } from '../peers/names.js';
import { lackOf } from '../peers/peers.js';
import { COMUNICA } from '../stores/comunica.js';
import { OXIGRAPH } from '../stores/oxigraph-store.js';
import { QUADSTORE } from '../stores/quadstore-store.js';
import { missingOf } from '../stores/missing.js';
import type { OpenStore, StoreKind } from '../stores/store.js';
import { VIRTUOSO } from '../stores/virtuoso/virtuoso-store.js';
import type { Context, Need } from '../workload.js';
import { pathOf } from '../workload.js';
import type { QueryBackend } from './backend.js';

export interface BackendEntry {
  readonly need: Need;
  /** Whether it is measured in the first run only. */
  readonly once: boolean;
  /** The native store that is measured only if it is named. */
  readonly peer?: PeerName;
  /** Describes what is missing to measure it; `undefined` if nothing is missing. */
  readonly lacks?: () => string | undefined;
  open(context: Context): Promise<QueryBackend>;
}

export const BACKENDS: Readonly<Record<string, BackendEntry>> = {
  quadrille: {
    need: 'store-1m',
    once: false,
    open: async (context) => (await import('./quadrille-backend.js')).openHead(context),
  },
  'quadrille-history': {
    need: 'store-1m-history',
    once: false,
    open: async (context) => (await import('./quadrille-backend.js')).openHistory(context),
  },
  oxigraph: {
    need: 'bsbm-1m',
    once: false,
    open: (context) => loaded(OXIGRAPH, context),
  },
  'quadstore-comunica': {
    need: 'quadstore-1m',
    once: true,
    open: async (context) => queryBackend(await QUADSTORE.open(pathOf(context, 'quadstore-1m'))),
  },
  'comunica-rdf-stores': {
    need: 'bsbm-1m',
    once: true,
    open: (context) => loaded(COMUNICA, context),
  },
  virtuoso: {
    need: 'virtuoso-1m',
    once: false,
    lacks: () => missingOf(VIRTUOSO),
    open: async (context) => queryBackend(await VIRTUOSO.open(pathOf(context, 'virtuoso-1m'))),
  },
  pyoxigraph: native('pyoxigraph'),
  jena: native('jena'),
  rdf4j: native('rdf4j'),
};

function native(peer: PeerName): BackendEntry {
  return {
    need: 'bsbm-1m',
    once: true,
    peer,
    lacks: () => lackOf(peer),
    open: async (context) =>
      (await import('../peers/peer-backend.js')).openPeerBackend(peer, pathOf(context, 'bsbm-1m'), context.scratch),
  };
}

/** Loads the data into a store in memory. Every process has to do that. */
async function loaded(kind: StoreKind, context: Context): Promise<QueryBackend> {
  const store = await kind.open(context.scratch);
  await store.load(pathOf(context, 'bsbm-1m'));
  checkCount(kind.name, await store.size(), BSBM_QUADS['bsbm-1m']);
  return queryBackend(store);
}

function queryBackend({ run, close }: OpenStore): QueryBackend {
  if (run === undefined) throw new Error('this store cannot answer queries');
  return { run, close };
}
