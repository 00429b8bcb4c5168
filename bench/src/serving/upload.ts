/** Starts an upload in its own process, on the core of the clients. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { CLIENT_CORE, pinned } from './server-process.js';
import type { UploadJob, UploadOutcome } from './upload-process.js';

const PROCESS = fileURLToPath(new URL('./upload-process.js', import.meta.url));

export function upload(job: UploadJob): Promise<UploadOutcome> {
  const [command, args] = pinned(CLIENT_CORE, process.execPath, [PROCESS, JSON.stringify(job)]);
  const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  return new Promise((resolve, reject) => {
    let outcome: UploadOutcome | undefined;
    child.on('message', (message) => (outcome = message as UploadOutcome));
    child.on('error', reject);
    child.on('exit', (code) => {
      if (outcome !== undefined && code === 0) resolve(outcome);
      else reject(new Error(`the upload ended with code ${String(code)}`));
    });
  });
}
