/** Starts a Virtuoso server over a directory, sends SQL, and stops it. The server ends whenever this process ends. */
import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Meters } from '../../workload.js';
import { findPrograms } from './programs.js';
import type { Programs } from './programs.js';
import { configuration } from './configuration.js';

const HOST = '127.0.0.1';
const START_MS = 60_000;
const POLL_MS = 50;
/** User and password of a new database. */
const ACCOUNT = ['dba', 'dba'];
/**
 * The shell replaces itself by the server. A background process waits for the end of standard input, which is the end
 * of the parent, and kills it.
 */
const GUARDED = 'exec 3<&0; (cat <&3 >/dev/null; kill -9 $$) & exec "$@" </dev/null';

export class VirtuosoServer {
  readonly endpoint: string;

  private constructor(
    private readonly programs: Programs,
    private readonly process: ChildProcess,
    private readonly sqlPort: number,
    httpPort: number,
  ) {
    this.endpoint = `http://${HOST}:${httpPort}/sparql`;
  }

  /** Starts a server. Creates a database if the directory has none. The server may load files from the directory. */
  static async start(directory: string): Promise<VirtuosoServer> {
    const programs = findPrograms();
    if (programs === undefined) throw new Error('virtuoso-t is not installed, or has no isql beside it');
    await mkdir(directory, { recursive: true });
    const [sqlPort, httpPort] = [await freePort(), await freePort()];
    const file = join(directory, 'virtuoso.ini');
    await writeFile(file, configuration({ directory, sql: `${HOST}:${sqlPort}`, http: `${HOST}:${httpPort}` }));
    // Removes the lock file of a server that was killed.
    await rm(join(directory, 'virtuoso.lck'), { force: true });
    const command = [programs.server, '+foreground', '+configfile', file];
    const child = spawn('sh', ['-c', GUARDED, 'sh', ...command], {
      stdio: ['pipe', 'ignore', 'ignore'],
      cwd: directory,
    });
    child.stdin?.on('error', () => {});
    child.on('exit', () => child.stdin?.end());
    const server = new VirtuosoServer(programs, child, sqlPort, httpPort);
    await server.#answers(join(directory, 'virtuoso.log'));
    return server;
  }

  async #answers(log: string): Promise<void> {
    for (const end = performance.now() + START_MS; performance.now() < end; await sleep(POLL_MS)) {
      if (this.#ended) break;
      const up = await fetch(`${this.endpoint}?query=ASK%20%7B%7D`).then(
        async (response) => (await response.arrayBuffer()).byteLength > 0,
        () => false,
      );
      if (up) return;
    }
    this.process.kill('SIGKILL');
    const said = await readFile(log, 'utf8').catch(() => '');
    throw new Error(`virtuoso-t did not start: ${said.trim().split('\n').slice(-3).join(' ')}`);
  }

  get #ended(): boolean {
    return this.process.exitCode !== null || this.process.signalCode !== null;
  }

  /** Runs SQL statements one after the other. Returns their rows as text. */
  async sql(statements: string): Promise<string> {
    const options = ['ERRORS=STDOUT', 'BANNER=OFF', 'VERBOSE=OFF', `EXEC=${statements}`];
    const { stdout } = await promisify(execFile)(this.programs.client, [
      `${HOST}:${this.sqlPort}`,
      ...ACCOUNT,
      ...options,
    ]);
    const problem = /\*\*\* Error (.*)/.exec(stdout)?.[1];
    if (problem !== undefined) throw new Error(`virtuoso-t: ${problem}`);
    return stdout.trim();
  }

  /** CPU time and memory of the server so far. */
  meters(): Meters {
    try {
      const pid = this.process.pid!;
      const peak = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
      // After the name, which may contain anything: user and system time are fields 14 and 15, in hundredths of a
      // second.
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
      return { cpuSeconds: (Number(fields[11]) + Number(fields[12])) / 100, peakBytes: Number(peak ?? 0) * 1024 };
    } catch {
      return { cpuSeconds: 0, peakBytes: 0 };
    }
  }

  /** Stops the server after it has written everything to its files. */
  async stop(): Promise<void> {
    if (this.#ended) return;
    const exit = once(this.process, 'exit');
    // The connection may end before the answer arrives.
    await this.sql('shutdown').catch(() => '');
    const timer = setTimeout(() => this.process.kill('SIGKILL'), START_MS);
    await exit;
    clearTimeout(timer);
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, HOST);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
