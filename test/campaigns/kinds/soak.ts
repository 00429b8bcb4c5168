import { type Kind, must } from '../kind.js';
import { type Costs, Soak } from '../soak.js';

const PIECE_MS = 10_000;
/** Pieces after which the costs are those of the state that lasts. */
const WARM = 6;
/** One in so many pieces is as busy as it can be, and so are the first ones. In others each writer and reader waits up to so long before a request. */
const BUSY = 12;
const MOST_PAUSE_MS = 1000;
const MB = 1024 * 1024;
/** What each cost may come to beyond the most of the first pieces: memory and disk in bytes, times in milliseconds. */
const MORE: Readonly<Record<keyof Costs, (warm: number) => number>> = {
  residentBytes: (warm) => warm + 250 * MB,
  heapBytes: (warm) => warm + 60 * MB,
  descriptors: (warm) => warm + 8,
  diskBytes: (warm) => 2 * warm + 30 * MB,
  // Other work of the machine comes into these.
  writeMs: (warm) => 20 * warm + 2000,
  readMs: (warm) => 20 * warm + 2000,
};

export const kind: Kind = {
  runs: 'pieces of ten seconds',
  promise:
    'Under mixed load memory, descriptors, disk and latency stay flat for as long as it lasts, and nothing acknowledged is lost.',
  how: `There is one store of LevelDB. Two writers, two readers, an import that replaces a graph, a backup, a trim and a compaction work beside each other. Each read has to be of one revision. After each piece everything is compared and verified, and the costs are compared with those of the first minute. Every twentieth piece opens the store again. One piece in ${BUSY} is as busy as it can be; in others each writer and reader waits up to ${MOST_PAUSE_MS} ms before a request.`,
  notPromised: 'Flat costs of a history that is never trimmed.',
  goal: 2880,
  async open() {
    let soak: Soak | undefined;
    let pieces = 0;
    const warm: Costs[] = [];
    return {
      async run(seed) {
        soak ??= await Soak.start();
        pieces++;
        const isBusy = pieces <= WARM || pieces % BUSY === 0;
        const costs = await soak.work(PIECE_MS, seed.random(), isBusy ? 0 : MOST_PAUSE_MS);
        if (pieces <= WARM) warm.push(costs);
        else
          for (const [name, more] of Object.entries(MORE) as [keyof Costs, (warm: number) => number][]) {
            const most = more(Math.max(...warm.map((cost) => cost[name])));
            must(
              costs[name] <= most,
              () => `${name} is ${costs[name]} after ${pieces} pieces, at most ${most} is flat`,
            );
          }
        if (pieces % 6 === 0) console.log(`piece ${pieces}: ${JSON.stringify(costs)}`);
        if (pieces % 20 === 0) await soak.reopen();
        return { plan: `${seed.number()}` };
      },
      close: async () => soak?.stop(),
    };
  },
};
