/** Builds the command as one file into a folder, and runs it from there, as on a machine without npm. */
import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, '../..');
export const SERVER_FILE = 'quadrille-server.mjs';

export const buildServerFile = (folder: string): Promise<unknown> =>
  run(process.execPath, [join(ROOT, 'packages/cli/single-file/build.mjs'), folder]);

/** What a command prints. @throws Error with its standard error, if it fails */
export async function command(folder: string, ...args: string[]): Promise<string> {
  const { stdout } = await run(process.execPath, [join(folder, SERVER_FILE), ...args], { cwd: folder });
  return stdout;
}

export interface StartedServer {
  readonly url: string;
  readonly process: ChildProcessWithoutNullStreams;
  /** Sends a signal and waits for the exit code. */
  readonly end: (signal?: NodeJS.Signals) => Promise<number | null>;
}

/** Serves a store for everybody on a free port. */
export async function startServer(folder: string, ...args: string[]): Promise<StartedServer> {
  const all = [join(folder, SERVER_FILE), 'serve', ...args, '--port', '0', '--open', '--json'];
  const child = spawn(process.execPath, all, { cwd: folder, stdio: 'pipe' });
  let errors = '';
  child.stderr.on('data', (text: Buffer) => (errors += text.toString()));
  const closed = once(child, 'close').then(([code]) => code as number | null);
  const line = await Promise.race([
    once(child.stdout, 'data').then(([text]) => (text as Buffer).toString()),
    closed.then((code) => Promise.reject(new Error(`ended with ${String(code)}: ${errors}`))),
  ]);
  const { url } = JSON.parse(line) as { url: string };
  return {
    url,
    process: child,
    async end(signal = 'SIGTERM') {
      child.kill(signal);
      return closed;
    },
  };
}
