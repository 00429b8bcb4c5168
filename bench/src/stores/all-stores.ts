/** All stores that can be measured, in the order of the report. */
import { InvalidArgumentError } from '@quadrille/model';
import { COMUNICA } from './comunica.js';
import { N3_STORE } from './n3-store.js';
import { OXIGRAPH } from './oxigraph-store.js';
import { LEVEL_STORE, LMDB_STORE, MEMORY_STORE, moduleStore } from './quadrille-store.js';
import { QUADSTORE } from './quadstore-store.js';
import { RDF_STORES } from './rdf-stores-store.js';
import type { StoreKind } from './store.js';
import { VIRTUOSO } from './virtuoso/virtuoso-store.js';

/** The backends of Quadrille. */
export const BACKENDS: readonly StoreKind[] = [LEVEL_STORE, LMDB_STORE, MEMORY_STORE];
/** The other stores that can be measured. */
export const PEERS: readonly StoreKind[] = [QUADSTORE, OXIGRAPH, N3_STORE, RDF_STORES, COMUNICA, VIRTUOSO];

/** Finds a store by its name, or by the path of a module with a backend of the user. */
export function storeNamed(name: string): StoreKind {
  const known = [...BACKENDS, ...PEERS].find((store) => store.name === name);
  if (known !== undefined) return known;
  if (/\.[cm]?js$/.test(name)) return moduleStore(name);
  throw new InvalidArgumentError(
    'INVALID_OPTION',
    `no store ${name}: known stores are ${[...BACKENDS, ...PEERS].map((store) => store.name).join(', ')}, or a module (./name.js)`,
  );
}
