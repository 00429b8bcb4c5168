import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { digestOf } from '../../crash/kill-operations.mjs';
import { BACKENDS, cycle, inspect, Model } from '../../crash/kill.js';
import { type Kind, must } from '../kind.js';

/** Kills of one store, whose states grow. */
const KILLS = 5;

export const kind: Kind = {
  runs: 'stores',
  operations: 'kills',
  promise:
    'What a process was told is there after the process was killed. Nothing is there in part, and nothing comes from nowhere.',
  how: 'A process with a LevelDB or LMDB store commits, loads, reverts, compacts and rebuilds. It gets SIGKILL at a random moment, also while it opens what the kill before has left. The store is verified, and each revision is compared with the model. Half of the stores sync each commit.',
  notPromised:
    'The moments depend on the machine: a repetition has the same operations and waits, not the same moment.',
  goal: 10_000,
  async open() {
    return {
      async run(seed) {
        const directory = mkdtempSync(join(tmpdir(), 'quadrille-campaign-'));
        try {
          const random = seed.random();
          const number = seed.number();
          const [backend, openDriver] = Object.entries(BACKENDS)[seed.index % 2]!;
          const model = new Model(number);
          const durable = random() < 0.5;
          const plan = [`${backend} ${number} ${durable}`];
          for (let n = 1; n <= KILLS; n++) {
            const fromOpen = random() < 0.3;
            const delay = Math.floor(random() * (fromOpen ? 40 : 250));
            plan.push(`${fromOpen} ${delay}`);
            const path = join(directory, 'store');
            const told = await cycle(
              backend,
              path,
              join(directory, 'side'),
              number,
              model.done,
              durable,
              delay,
              fromOpen,
            );
            for (const { event, index, number: revision, digest } of told) {
              if (event !== 'done') continue;
              must(index === model.done, () => `operation ${index} was told, ${model.done} was due`);
              model.follow();
              must(revision === model.head, () => `revision ${revision} was told, ${model.head} was due`);
              must(
                digest === undefined || digest === digestOf(model.states.at(-1)!),
                () => `revision ${revision} differs`,
              );
            }
            await inspect(openDriver(path), model, `${backend}, kill ${n}`);
          }
          return { plan: plan.join('\n'), operations: KILLS };
        } finally {
          rmSync(directory, { recursive: true, force: true });
        }
      },
    };
  },
};
