/** Gives back the memory of a query that has ended. A thread without work collects no garbage by itself. */
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Less than this is kept for the next query. */
const KEPT_BYTES = 32 * 1024 * 1024;

// The function exists only in contexts that are made after the flag was set.
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Bytes of the thread's heap, and of the arrays outside of it. */
function bytesInUse(): number {
  const { total_heap_size: heap, external_memory: external } = getHeapStatistics();
  return heap + external;
}

let kept = bytesInUse();

/** Call it when the thread is idle. */
export function freeMemory(): void {
  if (bytesInUse() <= kept + KEPT_BYTES) return;
  collectGarbage();
  kept = bytesInUse();
}
