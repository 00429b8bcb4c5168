/** Generated data of many millions of quads and of one million: costs of loads and reads, and their growth. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { open } from 'quadrille';
import { checkCount, REPOSITORY } from '../../data-sets.js';
import { shapeFor } from '../../generate/shape.js';
import { bytesOnDisk, ownPeakBytes, peakBytes, timed } from '../../measure.js';
import { growingReads } from '../../scale/growing-reads.js';
import type { Comparison, Context, Figures, Workload } from '../../workload.js';
import { figure } from '../../workload.js';

const MAIN = fileURLToPath(new URL('../../main.js', import.meta.url));
const BASE = 'quadrille-1m';
const BASE_QUADS = 1_000_000;

/** The data come through a pipe, so the generator's CPU time does not count and no file must fit on the disk. */
async function load(path: string, quads: number): Promise<void> {
  const generator = spawn(process.execPath, [MAIN, 'generate', '--quads', String(quads)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const db = await open(path);
  const repository = await db.repository(REPOSITORY, { create: true });
  await repository.load(generator.stdout, { format: 'application/n-quads' });
  checkCount('load', await repository.size(), quads);
  await db.close();
}

async function grow({ scratch }: Context, quads: number): Promise<Figures> {
  const path = join(scratch, 'store');
  const loaded = await timed(() => ownPeakBytes(() => load(path, quads)));
  const peak = peakBytes();
  const disk = await bytesOnDisk(path);
  const reads = await growingReads(path, shapeFor(quads));
  return {
    rate: figure(quads / loaded.cpuSeconds, 'quads/CPU-s'),
    'load, CPU': figure(loaded.cpuSeconds, 's'),
    'load, wall': figure(loaded.seconds, 's'),
    peak: figure(peak / 1e6, 'MB'),
    'peak, own': figure(loaded.result / 1e6, 'MB'),
    disk: figure(disk / quads, 'B/quad'),
    ...reads,
    'peak after reads': figure(peakBytes() / 1e6, 'MB'),
  };
}

const FIGURES = [
  'rate',
  'load, CPU',
  'load, wall',
  'peak',
  'peak, own',
  'disk',
  'open',
  'lookups, first',
  'lookups, again',
  'query, product',
  'query, offers',
  'query, reviews',
  'analytical, predicates',
  'analytical, delivery by country',
  'analytical, best rated',
  'peak after reads',
];

export const workload: Workload = {
  name: 'scale-load',
  parts: {
    base: { backend: BASE, needs: [], measure: (context) => grow(context, BASE_QUADS) },
    large: { backend: 'quadrille', needs: [], measure: (context) => grow(context, context.sizes.quads) },
  },
  comparisons: FIGURES.map((figure): Comparison => ({ figure, backend: BASE, how: 'ratio' })),
};
