/** What the process that gets killed does, told by a seed, so that its parent can follow it in the model. */
import { createHash } from 'node:crypto';
import { below, lineOf, pick, randomPattern, randomQuads, vocabulary } from '../model/operations.mjs';

export const REPOSITORY = 'crash/kill';

/** Everything happens all the time: flushes, merges, runs, checkpoints. */
export const TUNING = {
  memtableRows: 30,
  tailTerms: 40,
  tierRuns: 3,
  deltaBytes: 60,
  chunkRows: 40,
  loadTailTerms: 10,
  arenaBytes: 4000,
  checkpointRevisions: 5,
  wholeStatistics: 3,
};

// mulberry32, as in the storage package: this file is read by a process that has no test tools.
function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Operation `index` on a repository with this head. */
export function operationsOf(seed, index, head) {
  const words = vocabulary(seeded(seed), { long: seed % 3 === 0 });
  const random = seeded((seed ^ Math.imul(index + 1, 0x9e37_79b1)) >>> 0);
  const chance = random();
  if (chance < 0.3) return { kind: 'change', added: randomQuads(random, words, 6), removed: [] };
  if (chance < 0.42)
    return { kind: 'change', added: randomQuads(random, words, 3), removed: randomQuads(random, words, 12) };
  if (chance < 0.5) return { kind: 'removeMatches', pattern: randomPattern(random, words, 1 + below(random, 15)) };
  if (chance < 0.66) return { kind: 'load', lines: randomQuads(random, words, 60), replace: random() < 0.3 };
  if (chance < 0.76)
    return {
      kind: 'load',
      lines: manyQuads(random, words, index),
      replace: random() < 0.2,
      graph: pick(random, words.graphs),
    };
  if (chance < 0.88) return { kind: 'revert', number: 1 + below(random, head) };
  return random() < 0.7 ? { kind: 'compact' } : { kind: 'rebuild' };
}

// With many terms that are new.
function manyQuads(random, words, index) {
  return Array.from({ length: 100 + below(random, 200) }, (_, n) =>
    lineOf(
      `<a:i${index}/${n % 70}>`,
      pick(random, words.predicates),
      `"value ${below(random, 50)}"`,
      pick(random, words.graphs),
    ),
  );
}

export function digestOf(state) {
  return createHash('sha256')
    .update([...state].sort().join('\n'))
    .digest('hex')
    .slice(0, 16);
}
