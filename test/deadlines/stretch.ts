/** How long the event loop had to wait for its turn. */
import { existsSync, readFileSync } from 'node:fs';

/** What Linux says of the thread that reads it: the time on a processor, in nanoseconds, comes first. */
const THREAD = '/proc/thread-self/schedstat';
const NANOSECONDS = 1e6;

function timeOfThread(): number {
  const [onProcessor] = readFileSync(THREAD, 'latin1').split(' ');
  return Number(onProcessor) / NANOSECONDS;
}

function timeOfProcess(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Milliseconds of a processor: of this thread where the system tells, else of the process, whose other threads count too. */
const processorMs = existsSync(THREAD) ? timeOfThread : timeOfProcess;

/**
 * Runs something, and gives the longest stretch without a turn of the event loop, in milliseconds. Only the time on a processor counts: on
 * a busy machine the thread waits for one, and that says nothing of what it does.
 */
export async function longestStretch(run: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = processorMs();
  let isOver = false;
  const look = (): void => {
    const now = processorMs();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isOver) setImmediate(look);
  };
  look();
  await new Promise((resolve) => setImmediate(resolve));
  try {
    await run();
  } finally {
    isOver = true;
    look();
  }
  return longest;
}
