/** Who answers the queries. A process loads the one that it measures, and none of the others. */
import type { Context, Need } from '../workload.js';
import type { QueryBackend } from './backend.js';

export interface BackendEntry {
  readonly need: Need;
  /** Measured in the first run alone. */
  readonly once: boolean;
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
    open: async (context) => (await import('./oxigraph-backend.js')).openOxigraph(context),
  },
  'quadstore-comunica': {
    need: 'quadstore-1m',
    once: true,
    open: async (context) => (await import('./comunica-backends.js')).openQuadstoreComunica(context),
  },
  'comunica-rdf-stores': {
    need: 'bsbm-1m',
    once: true,
    open: async (context) => (await import('./comunica-backends.js')).openComunicaRdfStores(context),
  },
};
