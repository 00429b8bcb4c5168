/**
 * The share of the suite: `node --import ./test/campaigns/typescript.mjs test/simulation/share.ts COUNT`. It is a process of its own,
 * because a schedule replaces the timers and clocks of its process, and because a test runner loads modules at its own pace.
 */
import { RunSeed } from '../campaigns/kind.js';
import { check } from '../model/check.js';
import { runSchedule } from './run.js';

const SEED = 'suite';
let [steps, calls, failed, taken, refused] = [0, 0, 0, 0, 0];
let first: readonly string[] = [];
const count = Number(process.argv[2]);
// What it loads late takes real time, which is another one each time.
await runSchedule(new RunSeed('stack', SEED, 1).number());
for (let index = 1; index <= count; index++) {
  const seed = new RunSeed('stack', SEED, index);
  try {
    const ran = await runSchedule(seed.number());
    steps += ran.steps;
    calls += ran.calls;
    failed += ran.failed;
    taken += ran.guarded.taken;
    refused += ran.guarded.refused;
    if (index === 1) first = ran.journal;
  } catch (error) {
    throw new Error(`npm run campaign -- stack --repeat ${seed}: ${(error as Error).message}`, { cause: error });
  }
}
const { journal } = await runSchedule(new RunSeed('stack', SEED, 1).number());
check(journal.join() === first.join(), () => 'the first schedule is another one when it is repeated');
console.log(JSON.stringify({ schedules: count, steps, calls, failed, taken, refused }));
