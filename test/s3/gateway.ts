/** A real object store for tests: versitygw over a temporary folder. `QUADRILLE_VERSITYGW` names its binary. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KEYS } from './server.js';

const BINARY = process.env['QUADRILLE_VERSITYGW'];
/** For names of tests: why they are skipped; empty if the program is there. */
export const WITHOUT_GATEWAY =
  BINARY === undefined || BINARY === ''
    ? ' (skipped: QUADRILLE_VERSITYGW does not name a binary, made by go install github.com/versity/versitygw/cmd/versitygw@v1.8.0)'
    : '';

export class Gateway {
  readonly #folder: string;
  readonly #port: number;
  #process: ChildProcess | undefined;

  private constructor(folder: string, port: number) {
    this.#folder = folder;
    this.#port = port;
  }

  static async start(): Promise<Gateway> {
    const folder = await mkdtemp(join(tmpdir(), 'quadrille-s3-'));
    for (const name of ['data/store', 'state']) await mkdir(join(folder, name), { recursive: true });
    const gateway = new Gateway(folder, await freePort());
    await gateway.resume();
    return gateway;
  }

  /** The URL of a store. */
  url(prefix: string): string {
    return `s3://store/${prefix}?endpoint=http://127.0.0.1:${this.#port}&region=us-east-1`;
  }

  /** Starts it, also after {@link kill}. */
  async resume(): Promise<void> {
    const { accessKeyId, secretAccessKey } = KEYS;
    const [data, state] = [join(this.#folder, 'data'), join(this.#folder, 'state')];
    const args = ['--port', `127.0.0.1:${this.#port}`, '--access', accessKeyId, '--secret', secretAccessKey];
    const child = spawn(BINARY!, [...args, '--quiet', 'posix', '--sidecar', state, data], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { PATH: '/usr/bin:/bin', HOME: this.#folder },
    });
    this.#process = child;
    let log = '';
    child.stderr!.on('data', (chunk: Buffer) => (log = (log + chunk.toString()).slice(-5000)));
    const ended = new Promise<never>((_, reject) => {
      child.once('error', reject);
      child.once('exit', (code) => reject(new Error(`versitygw ended with ${code}: ${log}`)));
    });
    ended.catch(() => undefined);
    await Promise.race([this.#answers(), ended]);
  }

  /** Ends it at once. */
  async kill(): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (child === undefined || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  }

  async stop(): Promise<void> {
    await this.kill();
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #answers(): Promise<void> {
    for (;;) {
      const answer = await fetch(`http://127.0.0.1:${this.#port}/`).catch(() => undefined);
      if (answer !== undefined) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
