import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { digestOf } from '../../crash/kill-operations.mjs';
import { BACKENDS, inspect, Model, type Told, VictimProcess } from '../../crash/kill.js';
import { type Kind, must, type RunSeed } from '../kind.js';
import { scratchFolder } from '../scratch.js';

/** Kills of one store, whose states grow. */
const KILLS = 8;
/** Stores at once. */
const STORES = 2;
/** How long a process may work: until a kill while it opens the store or works, and until it kills itself at a call. */
const MOST_MS = { opening: 40, working: 120, untilCall: 3000 };
/** Calls that write, of a process that opens a store, and of one that works. */
const CALLS = { opening: 25, working: 200 };

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

/** When a process is killed. */
interface Moment {
  readonly fromOpen: boolean;
  readonly delay: number;
  readonly atCall?: number;
}

function randomMoment(random: () => number): Moment {
  const fromOpen = random() < 0.3;
  const delay = Math.floor(random() * (fromOpen ? MOST_MS.opening : MOST_MS.working));
  if (random() < 1 / 3) return { fromOpen, delay };
  return { fromOpen, delay, atCall: 1 + Math.floor(random() * (random() < 0.4 ? CALLS.opening : CALLS.working)) };
}

async function oneStore(seed: RunSeed, nth: number): Promise<string> {
  const folder = scratchFolder();
  const random = seed.random(`store ${nth}`);
  const number = seed.number(`store ${nth}`);
  const [backend, openDriver] = Object.entries(BACKENDS)[(seed.index + nth) % 2]!;
  const durable = random() < 0.5;
  const directory = join(folder, 'store');
  const moments = Array.from({ length: KILLS }, () => randomMoment(random));
  const start = (n: number): VictimProcess =>
    new VictimProcess({
      backend,
      directory,
      sideFile: join(folder, `side${n}`),
      seed: number,
      durable,
      atCall: moments[n]!.atCall,
    });
  const model = new Model(number);
  let victim = start(0);
  try {
    for (const [n, { fromOpen, delay, atCall }] of moments.entries()) {
      const most = atCall === undefined ? delay : MOST_MS.untilCall;
      const told = await victim.kill(model.done, most, fromOpen);
      // It loads its modules while the store is inspected.
      if (n + 1 < KILLS) victim = start(n + 1);
      follow(model, told);
      await inspect(openDriver(directory), model, `${backend}, kill ${n + 1}`);
    }
    return `${backend} ${number} ${durable} ${JSON.stringify(moments)}`;
  } finally {
    await victim.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What it told are the operations that were due. */
function follow(model: Model, told: readonly Told[]): void {
  for (const { event, index, number: revision, digest } of told) {
    if (event !== 'done') continue;
    must(index === model.done, () => `operation ${index} was told, ${model.done} was due`);
    model.follow();
    must(revision === model.head, () => `revision ${revision} was told, ${model.head} was due`);
    must(digest === undefined || digest === digestOf(model.states.at(-1)!), () => `revision ${revision} differs`);
  }
}
