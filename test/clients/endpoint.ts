/** A bundled server with an account, its token and a repository of people, for one client to work with. */
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve } from '../rest/curl.js';

export const EX = 'http://example.org/';
export const GRAPH = `${EX}graph`;
export const PEOPLE = `@prefix ex: <${EX}> .
@prefix foaf: <http://xmlns.com/foaf/0.1/> .
ex:ada a foaf:Person ; foaf:name "Ada Lovelace" ; foaf:knows ex:charles ; ex:age 36 .
ex:charles a foaf:Person ; foaf:name "Charles Babbage" ; foaf:title "Gründer"@de ; ex:age 79 .
`;
/** Statements in PEOPLE. */
export const SIZE = 8;
export const PREFIXES = `PREFIX ex: <${EX}> PREFIX foaf: <http://xmlns.com/foaf/0.1/> `;

export interface Endpoint {
  /** Of the server. */
  readonly url: string;
  readonly pid: number;
  readonly account: string;
  readonly token: string;
  /** The repository: SPARQL at `/sparql`, graphs at `/service`, statements at `/statements`. */
  readonly repository: string;
  /** The value of the Authorization header that Basic with the token as user name makes. */
  readonly basic: string;
  /** Puts PEOPLE in the place of all that the repository holds. */
  readonly reset: () => Promise<void>;
  /** Lets everybody read the repository. */
  readonly publish: () => Promise<void>;
  /** Statements in the repository, as the server tells them. */
  readonly size: () => Promise<number>;
  readonly stop: () => Promise<void>;
}

/** @param options of `quadrille serve` */
export async function endpoint(...options: readonly string[]): Promise<Endpoint> {
  const directory = await mkdtemp(join(tmpdir(), 'quadrille-clients-'));
  const { url, account, token, child } = await serve(join(directory, 'store'), '--no-rate-limit', ...options);
  const repository = `${url}/${account}/default`;
  const headers = { Authorization: `Bearer ${token}` };
  const answer = async (path: string, init: RequestInit): Promise<string> => {
    const response = await fetch(repository + path, init);
    if (!response.ok) throw new Error(`${path}: ${String(response.status)} ${await response.text()}`);
    return response.text();
  };
  const body = { method: 'PUT', body: PEOPLE, headers: { ...headers, 'Content-Type': 'text/turtle' } };
  return {
    url,
    pid: child.pid!,
    account,
    token,
    repository,
    basic: `Basic ${Buffer.from(`${token}:`).toString('base64')}`,
    reset: async () => void (await answer('/statements', body)),
    publish: async () => {
      const form = new URLSearchParams({ 'repository[privacy]': 'public' });
      await answer('/meta', { method: 'PUT', body: form, headers });
    },
    size: async () => Number(await answer('/size', { headers })),
    stop: async () => {
      const ended = new Promise((done) => child.once('close', done));
      child.kill('SIGTERM');
      await ended;
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Whether a tool is there; one that is missing is told, and its tests are skipped. */
export function has(tool: string, ...args: readonly string[]): boolean {
  const there = spawnSync(tool, args, { stdio: 'ignore' }).status === 0;
  if (!there) console.log(`not installed, its tests are skipped: ${[tool, ...args].join(' ')}`);
  return there;
}

export interface Output {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export function run(
  tool: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Output> {
  return new Promise((done) => {
    const options = { timeout: 25_000, env: { ...process.env, ...env } };
    execFile(tool, [...args], options, (error, stdout, stderr) => {
      done({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr });
    });
  });
}

/** Runs a script of steps (a path from here) with Debian's Python and gives what each step gave. */
export async function steps(
  script: string,
  { repository, account, token }: Endpoint,
  more: Readonly<Record<string, string>> = {},
): Promise<Record<string, unknown>> {
  const env = { PYTHONPATH: import.meta.dirname, REPOSITORY: repository, ACCOUNT: account, TOKEN: token, ...more };
  const { code, stdout, stderr } = await run('/usr/bin/python3', ['-B', join(import.meta.dirname, script)], env);
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as Record<string, unknown>;
}
