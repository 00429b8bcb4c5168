/**
 * The 52 releases of schema.org, each of which replaces the one before: the costs of writing, reading and storing the
 * history.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database, ReadView } from 'quadrille';
import { checkCount, REPOSITORY } from '../../data-sets.js';
import { openEngine, reopened } from '../../engine-store.js';
import { bytesOnDisk, timed } from '../../measure.js';
import type { Context, Figures, Workload } from '../../workload.js';
import { figure, pathOf, STORAGES } from '../../workload.js';

const HEAD = { number: 52, quads: 18_061 };
const OLD = { number: 5, quads: 8727 };
/** Number of passes. A pass takes only milliseconds. */
const PASSES = 30;

/** Nanoseconds per quad, after a warm-up. */
async function readCost(view: ReadView, expected: number): Promise<number> {
  const pass = async (): Promise<number> => {
    let quads = 0;
    for await (const quad of view.quads()) quads += quad.subject === undefined ? 0 : 1;
    return quads;
  };
  for (let n = 0; n < PASSES; n++) checkCount('read', await pass(), expected);
  const { seconds } = await timed(async () => {
    for (let n = 0; n < PASSES; n++) await pass();
  });
  return (seconds * 1e9) / (PASSES * expected);
}

async function readFigures(db: Database, suffix: string): Promise<Figures> {
  const repository = await db.repository(REPOSITORY);
  const head = await readCost(repository, HEAD.quads);
  const old = await readCost(repository.at(OLD.number), OLD.quads);
  return {
    [`head${suffix}`]: figure(head, 'ns/quad'),
    [`revision 5${suffix}`]: figure(old, 'ns/quad'),
    [`revision 5 / head${suffix}`]: figure(old / head, 'ratio'),
  };
}

const bytesFigure = async (path: string, suffix: string): Promise<Figures> => ({
  [`bytes${suffix}`]: figure(await bytesOnDisk(path), 'B'),
});

async function history(context: Context): Promise<Figures> {
  const path = join(context.scratch, 'store');
  const folder = pathOf(context, 'schemaorg');
  const files = (await readdir(folder)).filter((name) => name.endsWith('.nt.gz')).sort();
  const { storage } = context;
  const load = await timed(async () => {
    const db = await openEngine(storage, path);
    const repository = await db.repository(REPOSITORY, { create: true });
    for (const file of files) await repository.load(join(folder, file), { replace: true });
    const { number } = await repository.revision();
    if (number !== HEAD.number) throw new Error(`${number} revisions instead of ${HEAD.number}`);
    return reopened(db, storage, path);
  });
  let db = load.result;
  const figuresOf = async (suffix: string): Promise<Figures> => {
    const read = await readFigures(db, suffix);
    let bytes: Figures = {};
    db = await reopened(db, storage, path, async () => void (bytes = await bytesFigure(path, suffix)));
    return { ...read, ...bytes };
  };
  const loaded = await figuresOf('');
  await (await db.repository(REPOSITORY)).maintenance.compact();
  db = await reopened(db, storage, path);
  const compacted = await figuresOf(', compacted');
  await db.close();
  return { wall: figure(load.seconds, 's'), ...loaded, ...compacted };
}

export const workload: Workload = {
  name: 'history',
  parts: { quadrille: { backend: 'quadrille', needs: ['schemaorg'], storages: STORAGES, measure: history } },
};
