/** Runs curl as a person does, and the bundled server beside it. */
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { hasProxy, Proxy, type ProxyName } from '../deploy/proxy.js';

/** The bundle, unless another build of the command is to be tried. */
export const BIN =
  process.env['QUADRILLE_BIN'] ?? resolve(import.meta.dirname, '../../packages/quadrille/bin/quadrille.js');

/** What stands in front of each server: the suites are run behind each proxy of which deploy/ has the configuration. */
const PROXY = process.env['QUADRILLE_PROXY'] as ProxyName | undefined;
if (PROXY !== undefined && !hasProxy(PROXY)) throw new Error(`QUADRILLE_PROXY: ${PROXY} is not installed`);

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

/** Runs the bundled command; its standard output. */
export function quadrille(...args: readonly string[]): Promise<string> {
  return new Promise((done, fail) => {
    execFile(process.execPath, [BIN, ...args], (error, stdout, stderr) =>
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
  const child = spawn(process.execPath, [...node, BIN, 'serve', store, '--port', '0', '--json', ...behind, ...args]);
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text));
  const line = await new Promise<string>((done, fail) => {
    child.stdout.setEncoding('utf8').once('data', done);
    child.once('close', () => fail(new Error(`the server ended: ${log}`)));
  });
  const served = { ...(JSON.parse(line) as Omit<Served, 'child'>), child };
  if (proxy === undefined) return served;
  await proxy.begin(`http://127.0.0.1:${String(served.port)}`);
  child.once('close', () => void proxy.end());
  return { ...served, url: proxy.url };
}
