/** Quadrille over LevelDB: its head, or an old revision below later ones. */
import { open } from 'quadrille';
import { REPOSITORY } from '../data-sets.js';
import { runQuery } from '../stores/open-quadrille.js';
import type { Context, Need } from '../workload.js';
import { pathOf } from '../workload.js';
import type { QueryBackend } from './backend.js';
import { DATA_REVISION } from './history-store.js';

export const openHead = (context: Context): Promise<QueryBackend> => openBackend(context, 'store-1m');
export const openHistory = (context: Context): Promise<QueryBackend> =>
  openBackend(context, 'store-1m-history', DATA_REVISION);

async function openBackend(context: Context, store: Need, revision?: number): Promise<QueryBackend> {
  const db = await open(pathOf(context, store), { create: false });
  const repository = await db.repository(REPOSITORY);
  const view = revision === undefined ? repository : repository.at(revision);
  return { run: (text, digest) => runQuery(view, text, digest), close: () => db.close() };
}
