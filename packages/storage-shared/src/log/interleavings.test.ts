/** Two writers, a taker, a collector and a reader over one log, in every order of their calls. */
import { seededRandom } from '@quadrille/storage/testing';
import { describe, expect, test } from 'vitest';
import { SharedMemory, SharedMemoryDriver } from '../memory-driver.js';
import { explore, type Course } from '../testing/explore.js';
import { checkTold, collector, MODEL_LOG, nothingTold, reader, writer, type ModelActor } from '../testing/log-model.js';

function course(bodies: readonly ModelActor[]): Course {
  const memory = new SharedMemory();
  const told = nothingTold();
  const check = async (): Promise<void> => {
    await checkTold(expect, new SharedMemoryDriver(memory), told);
    for (const { position, epoch } of told.takeOvers) {
      const later = memory.log(MODEL_LOG).entries.filter((entry) => entry.position > position && entry.epoch < epoch);
      expect(later, `behind the take-over of epoch ${epoch}`).toEqual([]);
    }
  };
  return { memory, actors: bodies.map((body) => (driver) => body(driver, told)), check };
}

/** Printed, so that a failure can be repeated. */
const SEED = Number(process.env['QUADRILLE_SEED'] ?? 1);
const ALL = process.env['QUADRILLE_SHARE'] === 'all';

describe('a shared log', () => {
  test.each([
    ['two writers', [writer('a', [10, 11]), writer('b', [20])], 2],
    ['a writer, a taker and a reader', [writer('a', [10]), writer('b', [20]), reader(2)], 1],
    ['a writer, a collector and a reader', [writer('a', [10, 11]), collector('c'), reader(2)], 1],
    ['two collectors and a writer', [collector('c'), collector('d'), writer('a', [10])], 0],
  ] as const)(
    `%s, in ${ALL ? 'every order' : `300 orders (QUADRILLE_SEED=${SEED}, QUADRILLE_SHARE=all: every order)`}`,
    { timeout: 300_000 },
    async (_, bodies, losses) => {
      const random = seededRandom(SEED);
      const some = { runs: 300, choose: (count: number) => Math.floor(random() * count) };
      const { states } = await explore({ course: () => course(bodies), losses, ...(ALL ? {} : some) });
      expect(states).toBeGreaterThan(100);
    },
  );

  test(`two writers, a taker, a collector and a reader, in 500 orders (QUADRILLE_SEED=${SEED})`, async () => {
    const bodies = [writer('a', [10, 11]), writer('b', [20, 21]), writer('d', [30]), collector('c'), reader(3)];
    const random = seededRandom(SEED);
    const choose = (count: number): number => Math.floor(random() * count);
    const { states } = await explore({ course: () => course(bodies), losses: 3, runs: ALL ? 50_000 : 500, choose });
    expect(states).toBeGreaterThan(1000);
  });
});
