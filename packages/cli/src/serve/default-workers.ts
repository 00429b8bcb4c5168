/** How many threads for queries a server has where nobody says. */
import { availableParallelism } from 'node:os';
import { getHeapStatistics } from 'node:v8';

const FEWEST_CORES = 4;
const MOST_WORKERS = 4;
const LEAST_HEAP_BYTES = 1024 ** 3;

/**
 * One core is left for the main thread. With few cores, threads would take the time that short queries need. With a
 * small heap there are none: whoever limits the heap wants a small process.
 */
export const defaultWorkers = (
  cores = availableParallelism(),
  heapBytes = getHeapStatistics().heap_size_limit,
): number => (cores < FEWEST_CORES || heapBytes < LEAST_HEAP_BYTES ? 0 : Math.min(MOST_WORKERS, cores - 1));
