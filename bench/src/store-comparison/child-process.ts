/** Starts processes for jobs. They end when the comparison is aborted. */
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { InvalidArgumentError, NotFoundError, ParseError } from '@quadrille/model';
import type { Job, JobReply } from './jobs.js';

// The file is next to this one, in the build and in the bundle of the command.
const CHILD = fileURLToPath(new URL('bench-child.js', import.meta.url));

export function startJob(job: Job, signal: AbortSignal): ChildProcess {
  signal.throwIfAborted();
  // Without the flags of this process. Standard output is for the report only, so the job must not write to it.
  const child = fork(CHILD, [JSON.stringify(job)], { execArgv: [], stdio: ['ignore', 2, 2, 'ipc'] });
  const kill = (): void => void child.kill('SIGKILL');
  signal.addEventListener('abort', kill, { once: true });
  child.once('exit', () => signal.removeEventListener('abort', kill));
  return child;
}

/** Runs a job in a process and waits for its end. */
export function runJob(job: Job, signal: AbortSignal): Promise<JobReply & { readonly type: 'done' }> {
  return new Promise((resolve, reject) => {
    const child = startJob(job, signal);
    let reply: JobReply | undefined;
    child.on('message', (message) => (reply = message as JobReply));
    child.on('error', reject);
    child.on('exit', (code, ended) => {
      if (reply?.type === 'done') resolve(reply);
      else if (signal.aborted) reject(signal.reason as Error);
      else reject(failureOf(reply) ?? new Error(`its process ended with ${ended ?? `code ${String(code)}`}`));
    });
  });
}

/** Keeps errors that the user caused: a document with an error, of an unknown format, or that cannot be read. */
function failureOf(reply: JobReply | undefined): Error | undefined {
  if (reply?.type !== 'failed') return undefined;
  const { code, message } = reply;
  if (code === 'RDF_SYNTAX') return new ParseError(code, message);
  if (code === 'INPUT_NOT_FOUND') return new NotFoundError(code, message);
  if (code === 'INVALID_OPTION') return new InvalidArgumentError(code, message);
  return new Error(message);
}
