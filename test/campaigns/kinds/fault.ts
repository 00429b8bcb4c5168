import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countCalls, driversIn, FAULTS, runWith } from '../../crash/faults.js';
import type { Kind } from '../kind.js';

export const kind: Kind = {
  runs: 'faults',
  promise:
    'Where a call of the storage fails, what was acknowledged stays. What failed is there as a whole or not at all. The store goes on or says that it cannot, and leaves nothing open.',
  how: 'A scenario takes every way through the engine. One call of the storage, of a journal or of blob files fails: once, for ever, after it was applied, with an unknown outcome, or half-way. Five storages: memory with and without reads at once, LMDB, behind a journal, behind blob files.',
  notPromised: 'Two independent faults at once.',
  goal: 1e5,
  async open() {
    const directory = mkdtempSync(join(tmpdir(), 'quadrille-campaign-'));
    const drivers = Object.entries(driversIn(directory));
    const counted = new Map<string, Awaited<ReturnType<typeof countCalls>>>();
    const unhandled: unknown[] = [];
    const collect = (reason: unknown): number => unhandled.push(reason);
    process.on('unhandledRejection', collect);
    return {
      async run(seed) {
        const random = seed.random();
        const [name, { makeDriver }] = drivers[seed.index % drivers.length]!;
        let calls = counted.get(name);
        if (calls === undefined) counted.set(name, (calls = await countCalls(makeDriver)));
        const sites = FAULTS.flatMap((fault) =>
          fault.calls.flatMap((operation) => (calls[operation] > 0 ? [{ ...fault, operation }] : [])),
        );
        const { effect, repeat, operation } = sites[Math.floor(random() * sites.length)]!;
        const at = 1 + Math.floor(random() * calls[operation]);
        const plan = `${name}: ${effect} ${repeat} at ${operation} ${at} of ${calls[operation]}`;
        await runWith(makeDriver, { effect, repeat, at, operation }, plan);
        if (unhandled.length > 0) throw new Error(`an unhandled rejection: ${String(unhandled.splice(0)[0])}`);
        return { plan };
      },
      async close() {
        process.off('unhandledRejection', collect);
        rmSync(directory, { recursive: true, force: true });
      },
    };
  },
};
