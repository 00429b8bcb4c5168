/** Blank node labels that have the same hash for the seed 0. */
import { join } from 'node:path';
import { open } from 'quadrille';
import { checkCount } from '../data-sets.js';
import type { Figures } from '../workload.js';
import { bounded } from '../workload.js';
import { watched } from './watched.js';

/** Pairs of texts. Both texts of a pair lead from the same state of the hash to the same next state. */
const COLLIDING = [
  ['tsvebekd', 'jmlhsbtj'],
  ['bowtgcao', 'bapmdaab'],
  ['ivnnpcwa', 'eyhdopan'],
  ['jbspkpzq', 'fyenpgdl'],
  ['enytczzi', 'aqwcxddv'],
  ['iydfbmaf', 'iebheaax'],
  ['pbcitkke', 'fjpxattx'],
  ['lafkrykf', 'bsozaatp'],
  ['owahaxdu', 'jpbdgcib'],
  ['kfjclxap', 'ajbeadjm'],
  ['fyusbvae', 'aviodhfh'],
  ['dxfabtaf', 'dddcehax'],
  ['pwmfbmaf', 'pckheaax'],
  ['krgeaaiq', 'avcblurn'],
  ['rlntldnp', 'deqlawam'],
] as const;
const LABEL_LENGTH = 120;
/**
 * Largest ratio between the times of a load of colliding labels and of a load of other labels. Without a random seed
 * it is 180.
 */
const MOST_TIMES_SLOWER = 3;

export const ALL_COLLIDING = 1 << COLLIDING.length;

export const collidingLabel = (n: number): string => COLLIDING.map((pair, bit) => pair[(n >>> bit) & 1]).join('');
const usualLabel = (n: number): string => String(n).padStart(LABEL_LENGTH, 'x');

/** Loads this many colliding labels, and as many others. */
export async function measureCollisions(scratch: string, count: number): Promise<Figures> {
  const db = await open(join(scratch, 'store'));
  const load = async (name: string, label: (n: number) => string): ReturnType<typeof watched> => {
    const repository = await db.repository(name, { create: true });
    const text = Array.from({ length: count }, (_, n) => `_:${label(n)} <http://example.org/p> "${n}" .\n`).join('');
    const done = await watched(name, () => repository.load({ text }, { format: 'application/n-triples' }));
    checkCount(name, await repository.size(), count);
    return done;
  };
  await load('warm-up', usualLabel);
  const usual = await load('usual', usualLabel);
  const colliding = await load('colliding', collidingLabel);
  await db.close();
  const times = bounded(colliding.seconds / usual.seconds, 'ratio', { most: MOST_TIMES_SLOWER });
  return { ...usual.figures, ...colliding.figures, 'colliding beside usual': times };
}
