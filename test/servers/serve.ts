/** Servers of one store, each a process of the built command. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { freePort } from '../postgres/server.js';

const PROGRAM = join(import.meta.dirname, '../../packages/cli/dist/bundle/main.js');

export interface Server {
  readonly url: string;
  readonly process: ChildProcess;
  readonly token: string | undefined;
  /** All that it has printed so far. */
  readonly printed: () => string;
}

export interface ServeOptions {
  readonly options?: readonly string[];
  /** Whether no other server can share its store, as with one in a directory. Default false. */
  readonly alone?: boolean;
  /** Default: a free one. */
  readonly port?: number | undefined;
  /** Options of Node.js. */
  readonly node?: readonly string[];
  /** Variables of its environment, besides those of this process. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Those that have not ended. */
const running = new Set<ChildProcess>();

/** Starts one of several servers, and waits until it answers. */
export async function serve(
  store: string,
  { options = [], alone = false, port, node = [], env = {} }: ServeOptions = {},
): Promise<Server> {
  const at = port ?? (await freePort());
  const url = `http://127.0.0.1:${at}`;
  const shared = alone ? [] : ['--advertise', url];
  const args = [...node, PROGRAM, 'serve', store, '--port', String(at), ...shared, '--json', ...options];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
  running.add(child);
  child.once('exit', () => running.delete(child));
  let output = '';
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors = (errors + chunk.toString()).slice(-20_000)));
  return new Promise<Server>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (!output.includes('\n')) return;
      const { token } = JSON.parse(output.slice(0, output.indexOf('\n'))) as { token?: string };
      resolve({ url, process: child, token, printed: () => output + errors });
    });
    child.once('exit', (code) => reject(new Error(`serve ended with ${code}: ${errors}`)));
  });
}

export async function stop({ process: child }: Server, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

/** Ends all servers that a test has left. */
export async function stopAll(): Promise<void> {
  for (const child of running) {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
}
