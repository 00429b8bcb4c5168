/** One random request of updates in a transaction over a stored repository, and over the same quads in an array. */
import type { Repository } from '@quadrille/core';
import { Engine } from '@quadrille/sparql';
import type * as RDF from '@rdfjs/types';
import { TransactionDataset } from '../../packages/quadrille/src/sparql/datasets.js';
import { Chance } from './chance.js';
import { TOO_LARGE, type Outcome } from './check-query.js';
import {
  afterUpdate,
  arrayTarget,
  difference,
  print,
  same,
  type After,
  type UpdateCase,
  writeUpdates,
} from './check-update.js';
import { toQuads } from './data.js';
import { StoredScene } from './stored-scene.js';

export interface StoredUpdateCase extends UpdateCase {
  /** Decides the history. */
  readonly choice: number;
}

const engine = new Engine();
const MOST_QUADS = 150;

export async function checkStoredUpdate({ data, updates, choice }: StoredUpdateCase): Promise<Outcome> {
  const text = writeUpdates(updates);
  const scene = await StoredScene.make(data, new Chance(choice));
  try {
    const { repository, quads } = scene.head();
    const before = toQuads(quads);
    const wanted = await afterUpdate(engine, text, arrayTarget(before));
    const rows = 'quads' in wanted ? difference(before, wanted.quads) : 0;
    if ('code' in wanted && TOO_LARGE.has(wanted.code)) return { rows, left: 'large result' };
    if ('quads' in wanted && wanted.quads.length > MOST_QUADS) return { rows, left: 'large result' };
    const after = await stored(repository, text);
    if (!same(wanted, after.told)) return failed(rows, 'answer', print(wanted, 'the repository', after.told));
    const kept: After = 'code' in wanted ? { quads: before } : wanted;
    const now = { quads: await quadsOf(repository) };
    return same(kept, now) ? { rows } : failed(rows, 'quads', print(kept, 'the repository', now));
  } finally {
    await scene.close();
  }
}

const failed = (rows: number, kind: string, message: string): Outcome => ({
  rows,
  failure: { kind: `stored ${kind} differs`, message },
});

/** Commits what a request changes, unless it fails. */
async function stored(repository: Repository, text: string): Promise<{ readonly told: After }> {
  const transaction = await repository.begin();
  const dataset = new TransactionDataset(transaction, repository);
  const quads = async (): Promise<readonly RDF.Quad[]> => {
    const staged: RDF.Quad[] = [];
    for await (const batch of dataset.match({})) staged.push(...batch);
    await repository.commitTransaction(transaction, {});
    return staged;
  };
  try {
    return { told: await afterUpdate(engine, text, { dataset, quads, openScans: () => 0 }) };
  } finally {
    transaction.close();
  }
}

async function quadsOf(repository: Repository): Promise<readonly RDF.Quad[]> {
  const snapshot = await repository.snapshotAt('HEAD');
  try {
    const quads: RDF.Quad[] = [];
    const ids = await snapshot.ids({});
    const reader = ids && snapshot.read(ids);
    for (let batch = await reader?.next(); batch !== undefined; batch = await reader?.next()) quads.push(...batch);
    reader?.close();
    return quads;
  } finally {
    snapshot.close();
  }
}
