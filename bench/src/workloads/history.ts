/** The 52 releases of schema.org, each replacing the one before: what the history costs to make, to read and to keep. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { open } from 'quadrille';
import type { ReadView } from 'quadrille';
import { checkCount, REPOSITORY } from '../data-sets.js';
import { bytesOnDisk, timed } from '../measure.js';
import type { Context, Figures, Workload } from '../workload.js';
import { figure, pathOf } from '../workload.js';

const HEAD = { number: 52, quads: 18_061 };
const OLD = { number: 5, quads: 8727 };
/** A pass takes milliseconds: enough of them to be sure. */
const PASSES = 30;

/** Nanoseconds a quad, warm. */
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

async function readFigures(path: string, suffix: string): Promise<Figures> {
  const db = await open(path);
  const repository = await db.repository(REPOSITORY);
  const head = await readCost(repository, HEAD.quads);
  const old = await readCost(repository.at(OLD.number), OLD.quads);
  await db.close();
  return {
    [`head${suffix}`]: figure(head, 'ns/quad'),
    [`revision 5${suffix}`]: figure(old, 'ns/quad'),
    [`revision 5 / head${suffix}`]: figure(old / head, 'ratio'),
  };
}

async function history(context: Context): Promise<Figures> {
  const path = join(context.scratch, 'store');
  const folder = pathOf(context, 'schemaorg');
  const files = (await readdir(folder)).filter((name) => name.endsWith('.nt.gz')).sort();
  const load = await timed(async () => {
    const db = await open(path);
    const repository = await db.repository(REPOSITORY, { create: true });
    for (const file of files) await repository.load(join(folder, file), { replace: true });
    const { number } = await repository.revision();
    if (number !== HEAD.number) throw new Error(`${number} revisions instead of ${HEAD.number}`);
    await db.close();
  });
  const loaded = await readFigures(path, '');
  const bytes = await bytesOnDisk(path);
  const db = await open(path);
  await (await db.repository(REPOSITORY)).compact();
  await db.close();
  return {
    wall: figure(load.seconds, 's'),
    ...loaded,
    bytes: figure(bytes, 'B'),
    ...(await readFigures(path, ', compacted')),
    'bytes, compacted': figure(await bytesOnDisk(path), 'B'),
  };
}

export const workload: Workload = {
  name: 'history',
  parts: { quadrille: { backend: 'quadrille', needs: ['schemaorg'], measure: history } },
};
