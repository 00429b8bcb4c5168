import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { digestOf } from '../../crash/kill-operations.mjs';
import { BACKENDS, cycle, inspect, Model } from '../../crash/kill.js';
import { type Kind, must, type RunSeed } from '../kind.js';

/** Kills of one store, whose states grow. */
const KILLS = 6;
/** Stores at once. */
const STORES = 2;
/** How long a process that is to kill itself at a call may take until then. */
const MOST_MS = 3000;

export const kind: Kind = {
  runs: 'runs',
  operations: 'kills',
  promise:
    'What a process was told is there after the process was killed. Nothing is there in part, and nothing comes from nowhere.',
  how: `Processes with a LevelDB or LMDB store commit, load, revert, compact and rebuild. A run has ${STORES} stores at once, and ${KILLS} kills of each. A third of the kills comes at a random moment, also while the store is opened which the kill before has left. The others come at a random call of the process that changes or syncs a file, or hands a batch to the backend: before it, after it, or after half of its bytes. The store is verified, and each revision is compared with the model. Half of the stores sync each commit.`,
  notPromised:
    'The moments depend on the machine: a repetition has the same operations, waits and calls, not the same moment.',
  goal: 10_000,
  async open() {
    return {
      async run(seed) {
        const plans = await Promise.all(Array.from({ length: STORES }, (_, n) => oneStore(seed, n)));
        return { plan: plans.join('\n'), operations: KILLS * STORES };
      },
    };
  },
};

async function oneStore(seed: RunSeed, nth: number): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'quadrille-campaign-'));
  try {
    const random = seed.random(`store ${nth}`);
    const number = seed.number(`store ${nth}`);
    const [backend, openDriver] = Object.entries(BACKENDS)[(seed.index + nth) % 2]!;
    const model = new Model(number);
    const durable = random() < 0.5;
    const plan = [`${backend} ${number} ${durable}`];
    for (let n = 1; n <= KILLS; n++) {
      const fromOpen = random() < 0.3;
      const delay = Math.floor(random() * (fromOpen ? 40 : 250));
      const atCall = random() < 1 / 3 ? 0 : 1 + Math.floor(random() * (random() < 0.4 ? 25 : 300));
      plan.push(`${fromOpen} ${delay} ${atCall}`);
      const path = join(directory, 'store');
      const side = join(directory, 'side');
      const most = atCall === 0 ? delay : MOST_MS;
      const told = await cycle(backend, path, side, number, model.done, durable, most, fromOpen, atCall);
      for (const { event, index, number: revision, digest } of told) {
        if (event !== 'done') continue;
        must(index === model.done, () => `operation ${index} was told, ${model.done} was due`);
        model.follow();
        must(revision === model.head, () => `revision ${revision} was told, ${model.head} was due`);
        must(digest === undefined || digest === digestOf(model.states.at(-1)!), () => `revision ${revision} differs`);
      }
      await inspect(openDriver(path), model, `${backend}, kill ${n}`);
    }
    return plan.join('\n');
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
