import { rmSync } from 'node:fs';
import {
  countCalls,
  driversIn,
  type FaultAt,
  type Faulty,
  FAULTS,
  type Operation,
  runWith,
  SYSTEM_CODES,
} from '../../crash/faults.js';
import { randomSteps } from '../../crash/random-life.js';
import { tinyTuning } from '../../model/environment.js';
import { below, pick } from '../../model/operations.mjs';
import type { Random } from '../../model/operations.mjs';
import type { Kind, Outcome, RunSeed } from '../kind.js';
import { scratchFolder } from '../scratch.js';

/** One in so many runs takes the whole scenario. */
const WHOLE = 12;
/** Calls of a kind that a few steps make, about. Others are made where a store is opened or closed. */
const MOST_CALLS: Partial<Record<Operation, number>> = {
  write: 25,
  get: 20,
  getMany: 8,
  range: 6,
  'journal write': 15,
  'journal sync': 15,
  'blob create': 5,
  'blob write': 20,
  'blob sync': 20,
  'blob read': 20,
  'blob remove': 4,
};

type Driver = readonly [name: string, { readonly makeDriver: () => Faulty }];

/** A call of the scenario, and what happens there. */
type Site = readonly [driver: Driver, fault: Omit<FaultAt, 'code'>, of: number];

/** Every call of the scenario with every fault, for all storages: they are taken in turn. */
class Sites {
  readonly #sites: Site[] = [];

  static async of(drivers: readonly Driver[]): Promise<Sites> {
    const sites = new Sites();
    for (const driver of drivers) {
      const calls = await countCalls(driver[1].makeDriver);
      for (const { effect, repeat, calls: operations } of FAULTS)
        for (const operation of operations)
          for (let at = 1; at <= calls[operation]; at++)
            sites.#sites.push([driver, { effect, repeat, operation, at }, calls[operation]]);
    }
    return sites;
  }

  /** Neighbours in turn are far from each other: a short campaign sees something of all. */
  at(turn: number): Site {
    return this.#sites[(turn * STRIDE) % this.#sites.length]!;
  }
}

/** A prime number, so that each site has its turn. */
const STRIDE = 7919;

export const kind: Kind = {
  runs: 'lives of a store',
  operations: 'faults',
  promise:
    'Where a call of the storage fails, what was acknowledged stays. What failed is there as a whole or not at all. The store goes on or says that it cannot, and leaves nothing open.',
  how: `A random life of a store has several faults, one after the other. One run in ${WHOLE} has one fault in a scenario that takes every way through the engine: each call of the scenario has each fault in its turn. One call of the storage, of a journal or of blob files fails: once, for ever, after it was applied, with an unknown outcome, or half-way. The error is EIO, ENOSPC or EMFILE. Then the store goes on, is verified, opened again and compared, before the next fault comes. A fault that no call met is not counted. Five storages: memory with and without reads at once, LMDB, behind a journal, behind blob files.`,
  notPromised: 'Two independent faults at once.',
  goal: 1e5,
  async open() {
    const directory = scratchFolder();
    const drivers = Object.entries(driversIn(directory));
    let sites: Sites | undefined;
    const unhandled: unknown[] = [];
    const collect = (reason: unknown): number => unhandled.push(reason);
    process.on('unhandledRejection', collect);

    async function whole(random: Random, turn: number): Promise<[string, number]> {
      sites ??= await Sites.of(drivers);
      const [[name, { makeDriver }], fault, calls] = sites.at(turn);
      const code = pick(random, SYSTEM_CODES);
      const { effect, repeat, operation, at } = fault;
      const plan = `${name}: ${effect} ${repeat} ${code} at ${operation} ${at} of ${calls}`;
      return [plan, await runWith(makeDriver, { ...fault, code }, plan)];
    }

    async function short(random: Random, [name, { makeDriver }]: Driver): Promise<[string, number]> {
      const inFiles = name.startsWith('behind');
      const before = name.endsWith('journal') ? 'journal' : 'blob';
      const told: string[] = [];
      const next = (): FaultAt => {
        const { effect, repeat, calls } = pick(random, inFiles ? FAULTS : FAULTS.slice(0, -2));
        const reached = calls.filter((call) => !call.includes(' ') || call.startsWith(before));
        const operation = pick(random, reached);
        const at = 1 + below(random, MOST_CALLS[operation] ?? 1);
        const code = pick(random, SYSTEM_CODES);
        told.push(`${effect} ${repeat} ${code} at ${operation} ${at}`);
        return { effect, repeat, at, operation, code };
      };
      const steps = randomSteps(random);
      const tuning = tinyTuning(random);
      const plan = (): string => `${name}: ${steps.map((step) => step.name).join()}: ${told.join('; ')}`;
      try {
        const hits = await runWith(makeDriver, next(), name, { steps, tuning, next });
        return [plan(), hits];
      } catch (error) {
        const { message, stack } = error as Error;
        throw Object.assign(new Error(`${message} in ${plan()}`), { stack: `${stack}\nin ${plan()}` });
      }
    }

    return {
      async run(seed: RunSeed): Promise<Outcome> {
        const random = seed.random();
        // Those on a disk cost more.
        const quick = seed.index % 10 === 0 ? drivers : drivers.filter(([name]) => !name.includes('LMDB'));
        const [plan, operations] = await (seed.index % WHOLE === 0
          ? whole(random, seed.index / WHOLE)
          : short(random, pick(random, quick)));
        if (unhandled.length > 0) throw new Error(`an unhandled rejection: ${String(unhandled.splice(0)[0])}`);
        return { plan, operations };
      },
      async close() {
        process.off('unhandledRejection', collect);
        rmSync(directory, { recursive: true, force: true });
      },
    };
  },
};
