/** How many threads for queries a server has where nobody says. */
import { availableParallelism } from 'node:os';

const FEWEST_CORES = 4;
const MOST_WORKERS = 4;

/** One core is left for the main thread. With few cores, threads would take the time that short queries need. */
export const defaultWorkers = (cores = availableParallelism()): number =>
  cores < FEWEST_CORES ? 0 : Math.min(MOST_WORKERS, cores - 1);
