/** Quadrille over LevelDB: the head, or an old revision under later ones. */
import { open } from 'quadrille';
import type { ReadView } from 'quadrille';
import { REPOSITORY } from '../data-sets.js';
import type { Context, Need } from '../workload.js';
import { pathOf } from '../workload.js';
import type { AnswerDigest } from './answer.js';
import { quadValues } from './answer.js';
import type { QueryBackend } from './backend.js';
import { DATA_REVISION } from './history-store.js';

export const openHead = (context: Context): Promise<QueryBackend> => openBackend(context, 'store-1m');
export const openHistory = (context: Context): Promise<QueryBackend> =>
  openBackend(context, 'store-1m-history', DATA_REVISION);

async function openBackend(context: Context, store: Need, revision?: number): Promise<QueryBackend> {
  const db = await open(pathOf(context, store), { create: false });
  const repository = await db.repository(REPOSITORY);
  const view = revision === undefined ? repository : repository.at(revision);
  return { run: (text, digest) => run(view, text, digest), close: () => db.close() };
}

async function run(view: ReadView, text: string, digest?: AnswerDigest): Promise<number> {
  const answer = await view.query(text);
  let rows = 0;
  if (answer.type === 'bindings') {
    for await (const row of answer.rows) {
      rows++;
      digest?.add(Object.entries(row).map(([name, term]) => [name, term.value]));
    }
  } else if (answer.type === 'quads') {
    for await (const quad of answer.quads) {
      rows++;
      digest?.add(quadValues(quad));
    }
  }
  return rows;
}
