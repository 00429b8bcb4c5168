import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countCalls, driversIn, type FaultAt, FAULTS, runWith, SYSTEM_CODES } from '../../crash/faults.js';
import { randomSteps } from '../../crash/random-life.js';
import { tinyTuning } from '../../model/environment.js';
import { below, pick } from '../../model/operations.mjs';
import type { Random } from '../../model/operations.mjs';
import type { Kind, Outcome, RunSeed } from '../kind.js';

/** One in so many runs takes the whole scenario. */
const WHOLE = 12;
/** Calls of a kind that a short life has at most, about. */
const MOST_CALLS = { write: 40, range: 60, other: 25 };

export const kind: Kind = {
  runs: 'lives of a store',
  operations: 'faults',
  promise:
    'Where a call of the storage fails, what was acknowledged stays. What failed is there as a whole or not at all. The store goes on or says that it cannot, and leaves nothing open.',
  how: `A short random life of a store, and one time in ${WHOLE} a scenario that takes every way through the engine. One call of the storage, of a journal or of blob files fails: once, for ever, after it was applied, with an unknown outcome, or half-way. The error is EIO, ENOSPC or EMFILE. Then the store goes on, is verified, opened again and compared. A life without that call is not counted. Five storages: memory with and without reads at once, LMDB, behind a journal, behind blob files.`,
  notPromised: 'Two independent faults at once.',
  goal: 1e5,
  async open() {
    const directory = mkdtempSync(join(tmpdir(), 'quadrille-campaign-'));
    const drivers = Object.entries(driversIn(directory));
    const counted = new Map<string, Awaited<ReturnType<typeof countCalls>>>();
    const unhandled: unknown[] = [];
    const collect = (reason: unknown): number => unhandled.push(reason);
    process.on('unhandledRejection', collect);

    async function whole(random: Random, [name, { makeDriver }]: (typeof drivers)[number]): Promise<[string, boolean]> {
      let calls = counted.get(name);
      if (calls === undefined) counted.set(name, (calls = await countCalls(makeDriver)));
      const sites = FAULTS.flatMap((fault) =>
        fault.calls.flatMap((operation) => (calls[operation] > 0 ? [{ ...fault, operation }] : [])),
      );
      const { effect, repeat, operation } = pick(random, sites);
      const at = 1 + below(random, calls[operation]);
      const code = pick(random, SYSTEM_CODES);
      const plan = `${name}: ${effect} ${repeat} ${code} at ${operation} ${at} of ${calls[operation]}`;
      return [plan, await runWith(makeDriver, { effect, repeat, at, operation, code }, plan)];
    }

    async function short(random: Random, [name, { makeDriver }]: (typeof drivers)[number]): Promise<[string, boolean]> {
      const inFiles = name.startsWith('behind');
      const { effect, repeat, calls } = pick(random, inFiles ? FAULTS : FAULTS.slice(0, -2));
      const before = name.endsWith('journal') ? 'journal' : 'blob';
      const reached = calls.filter((call) => !call.includes(' ') || call.startsWith(before));
      const operation = pick(random, reached);
      const most = operation in MOST_CALLS ? MOST_CALLS[operation as 'write'] : MOST_CALLS.other;
      const fault: FaultAt = {
        effect,
        repeat,
        at: 1 + below(random, most),
        operation,
        code: pick(random, SYSTEM_CODES),
      };
      const steps = randomSteps(random);
      const plan = `${name}: ${JSON.stringify(fault)} in ${steps.map((step) => step.name).join()}`;
      return [plan, await runWith(makeDriver, fault, plan, { steps, tuning: tinyTuning(random) })];
    }

    return {
      async run(seed: RunSeed): Promise<Outcome> {
        const random = seed.random();
        // Those on a disk cost more.
        const quick = seed.index % 10 === 0 ? drivers : drivers.filter(([name]) => !name.includes('LMDB'));
        const driver = pick(random, quick);
        const [plan, hit] = await (seed.index % WHOLE === 0 ? whole(random, driver) : short(random, driver));
        if (unhandled.length > 0) throw new Error(`an unhandled rejection: ${String(unhandled.splice(0)[0])}`);
        return { plan, operations: hit ? 1 : 0 };
      },
      async close() {
        process.off('unhandledRejection', collect);
        rmSync(directory, { recursive: true, force: true });
      },
    };
  },
};
