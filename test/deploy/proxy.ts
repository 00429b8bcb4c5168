/** Starts nginx or Caddy with the configuration of deploy/ in front of a server, without certificates and on a free port. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const DEPLOY = resolve(import.meta.dirname, '../../deploy');

/** The program and its arguments for a folder. */
type Start = (folder: string, port: number, upstream: string) => Promise<[program: string, ...args: string[]]>;

const PROXIES = { nginx: startOfNginx, caddy: startOfCaddy } satisfies Readonly<Record<string, Start>>;
export type ProxyName = keyof typeof PROXIES;

const NGINX = ['nginx', '/usr/sbin/nginx'].find((path) => spawnSync(path, ['-v']).status === 0) ?? 'nginx';

/** Whether a proxy is installed. */
export const hasProxy = (name: ProxyName): boolean =>
  spawnSync(name === 'nginx' ? NGINX : name, [name === 'nginx' ? '-v' : 'version']).status === 0;

async function startOfNginx(folder: string, port: number, upstream: string): ReturnType<Start> {
  const site = (await readFile(join(DEPLOY, 'nginx.conf'), 'utf8'))
    .replace('listen 443 ssl;', `listen 127.0.0.1:${String(port)};`)
    .replace('server 127.0.0.1:8080;', `server ${new URL(upstream).host};`)
    .replaceAll(/^ *ssl_certificate.*\n/gm, '');
  await writeFile(join(folder, 'quadrille.conf'), site);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const main = `daemon off;
${process.getuid?.() === 0 ? 'user root;' : ''}
worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events {}
http {
  access_log off;
${temporary.map((name) => `  ${name}_temp_path ${folder}/${name};`).join('\n')}
  include ${folder}/quadrille.conf;
}
`;
  await writeFile(join(folder, 'nginx.conf'), main);
  return [NGINX, '-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')];
}

async function startOfCaddy(folder: string): ReturnType<Start> {
  const file = join(folder, 'Caddyfile');
  await writeFile(file, `{\n\tadmin off\n}\n${await readFile(join(DEPLOY, 'Caddyfile'), 'utf8')}`);
  return ['caddy', 'run', '--config', file, '--adapter', 'caddyfile'];
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

export class Proxy {
  readonly url: string;
  readonly #name: ProxyName;
  readonly #port: number;
  #folder = '';
  #child: ChildProcess | undefined;

  private constructor(name: ProxyName, port: number) {
    this.#name = name;
    this.#port = port;
    this.url = `http://127.0.0.1:${String(port)}`;
  }

  /** Its address is known before it begins, so that the server can be told. */
  static async at(name: ProxyName): Promise<Proxy> {
    return new Proxy(name, await freePort());
  }

  /** Resolves when the server answers through it. */
  async begin(upstream: string): Promise<void> {
    this.#folder = await mkdtemp(join(tmpdir(), `quadrille-${this.#name}-`));
    const [program, ...args] = await PROXIES[this.#name](this.#folder, this.#port, upstream);
    const env = { ...process.env, QUADRILLE_DOMAIN: this.url, QUADRILLE_UPSTREAM: new URL(upstream).host };
    // Caddy keeps its state in the home of its user.
    this.#child = spawn(program, args, { stdio: 'ignore', env: { ...env, HOME: this.#folder } });
    for (let tries = 0; tries < 200; tries++) {
      const ready = await fetch(`${this.url}/ready`).catch(() => undefined);
      if (ready?.ok === true) return;
      await new Promise((done) => setTimeout(done, 50));
    }
    await this.end();
    throw new Error(`${this.#name} does not pass requests on`);
  }

  async end(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child !== undefined && child.exitCode === null) {
      const closed = new Promise((done) => child.once('close', done));
      child.kill('SIGTERM');
      await closed;
    }
    await rm(this.#folder, { recursive: true, force: true });
  }
}
