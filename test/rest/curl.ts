/** Runs curl as a person does, and the bundled server beside it. */
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { hasProxy, Proxy, type ProxyName } from '../deploy/proxy.js';
import { freePort } from '../postgres/server.js';
import { STORE_KIND, StoreUrls } from '../servers/stores.js';

/** The bundle, unless another build of the command is to be tried. */
export const BIN =
  process.env['QUADRILLE_BIN'] ?? resolve(import.meta.dirname, '../../packages/quadrille/bin/quadrille.js');

/** What stands in front of each server: the suites are run behind each proxy of which deploy/ has the configuration. */
const PROXY = process.env['QUADRILLE_PROXY'] as ProxyName | undefined;
if (PROXY !== undefined && !hasProxy(PROXY)) throw new Error(`QUADRILLE_PROXY: ${PROXY} is not installed`);

/** With `QUADRILLE_STORE` each directory of a store becomes a URL, and two servers serve it. */
let urls: Promise<StoreUrls> | undefined;
const placeOf = async (store: string): Promise<{ readonly store: string; readonly env: NodeJS.ProcessEnv }> => {
  if (STORE_KIND === undefined) return { store, env: process.env };
  const { env } = await (urls ??= StoreUrls.start(STORE_KIND));
  return { store: await (await urls).of(store), env: { ...process.env, ...env } };
};

/** Ends what `QUADRILLE_STORE` has started. */
export async function stopStores(): Promise<void> {
  await (await urls)?.stop();
  urls = undefined;
}

export const hasCurl = spawnSync('curl', ['--version']).status === 0;

export interface Answer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** Runs curl with these arguments. Rejects where it cannot do its work, not for a status. */
export function curl(...args: readonly string[]): Promise<Answer> {
  return new Promise((done, fail) => {
    execFile('curl', ['-sS', '-i', '-H', 'Expect:', '--max-time', '20', ...args], (error, stdout, stderr) => {
      if (error !== null) return fail(new Error(`curl: ${stderr}`));
      const end = stdout.indexOf('\r\n\r\n');
      const [first = '', ...lines] = stdout.slice(0, end).split('\r\n');
      const headers = new Map(lines.map((line) => [nameOf(line), line.slice(line.indexOf(':') + 1).trim()]));
      done({ status: Number(first.split(' ')[1]), headers, body: stdout.slice(end + 4) });
    });
  });
}

const nameOf = (line: string): string => line.slice(0, line.indexOf(':')).toLowerCase();

/** Runs the bundled command; its standard output. A directory of a store is its URL with `QUADRILLE_STORE`. */
export async function quadrille(...given: readonly string[]): Promise<string> {
  const isStore = (arg: string): boolean => STORE_KIND !== undefined && arg.endsWith('/store');
  const args = await Promise.all(given.map(async (arg) => (isStore(arg) ? (await placeOf(arg)).store : arg)));
  const { env } = await placeOf('');
  return new Promise((done, fail) => {
    execFile(process.execPath, [BIN, ...args], { env }, (error, stdout, stderr) =>
      error === null ? done(stdout) : fail(new Error(stderr)),
    );
  });
}

export interface Served {
  readonly url: string;
  readonly port: number;
  readonly account: string;
  readonly token: string;
  readonly child: ChildProcess;
}

/** The bundled server over a new store, when it is ready. */
export const serve = (store: string, ...args: readonly string[]): Promise<Served> => serveWith([], store, ...args);

/** The same with options for Node.js. */
export async function serveWith(node: readonly string[], store: string, ...args: readonly string[]): Promise<Served> {
  const proxy = PROXY === undefined ? undefined : await Proxy.at(PROXY);
  const behind = proxy === undefined ? [] : ['--public-base', proxy.url, '--trust-proxy'];
  const place = await placeOf(store);
  const holder = await started(node, place, [...behind, ...args]);
  if (STORE_KIND !== undefined) {
    // Requests go to a server that follows, and forwards what is not for it.
    const follower = await started(node, place, [...args, '--trust-proxy', '--follow']);
    holder.child.once('close', () => follower.child.kill('SIGTERM'));
    return { ...holder, url: follower.url, port: follower.port };
  }
  if (proxy === undefined) return holder;
  await proxy.begin(`http://127.0.0.1:${String(holder.port)}`);
  holder.child.once('close', () => void proxy.end());
  return { ...holder, url: proxy.url };
}

async function started(
  node: readonly string[],
  { store, env }: Awaited<ReturnType<typeof placeOf>>,
  args: readonly string[],
): Promise<Served> {
  const port = STORE_KIND === undefined ? 0 : await freePort();
  const one = port === 0 ? [] : ['--advertise', `http://127.0.0.1:${port}`];
  const child = spawn(
    process.execPath,
    [...node, BIN, 'serve', store, '--port', String(port), '--json', ...one, ...args],
    { env },
  );
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text));
  const line = await new Promise<string>((done, fail) => {
    child.stdout.setEncoding('utf8').once('data', done);
    child.once('close', () => fail(new Error(`the server ended: ${log}`)));
  });
  return { ...(JSON.parse(line) as Omit<Served, 'child'>), child };
}
