/** Starts a worker for one part of a workload and waits for its result. */
import { fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Outcome } from './worker.js';
import type { Context, Demand, Storage } from './workload.js';

const WORKER = fileURLToPath(new URL('./worker.js', import.meta.url));

export async function runPart(
  workload: string,
  part: string,
  paths: Context['paths'],
  storage: Storage,
  scratchParent: string,
  { queries, megabytes, sizes, seed }: Demand,
): Promise<Outcome> {
  const scratch = await mkdtemp(join(scratchParent, 'part-'));
  try {
    return await inWorker(workload, part, { paths, storage, scratch, queries, megabytes, sizes, seed });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

function inWorker(workload: string, part: string, context: Context): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    // Without the flags of this process, so that a worker runs like a user's program.
    const child = fork(WORKER, [JSON.stringify({ workload, part, context })], { execArgv: [] });
    let outcome: Outcome | undefined;
    child.on('message', (message) => (outcome = message as Outcome));
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      if (outcome !== undefined && code === 0) resolve(outcome);
      else reject(new Error(`${workload}, ${part}: the worker ended with ${signal ?? `code ${String(code)}`}`));
    });
  });
}
