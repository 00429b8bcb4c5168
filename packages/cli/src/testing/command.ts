/** Runs the command: in the process of the test, or built and as a process of its own, as a shell does. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Writable } from 'node:stream';
import { expect } from 'vitest';
import { run } from '../run.js';

const BIN = resolve(import.meta.dirname, '../../../quadrille/bin/quadrille.js');

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly input?: string;
  readonly env?: Record<string, string>;
  readonly cwd?: string;
}

/** Another runtime than that of the tests, as JSON: `["deno","run","-A"]`. `test/runtimes` sets it. */
const [PROGRAM, ...FIRST] = JSON.parse(process.env['QUADRILLE_RUNTIME'] ?? JSON.stringify([process.execPath])) as [
  string,
  ...string[],
];

export const start = (args: readonly string[], options: RunOptions = {}) =>
  spawn(PROGRAM, [...FIRST, BIN, ...args], {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });

/**
 * Runs a command to its end. To start a process takes ten times as long as most commands, so only those get one that read the standard input or have an
 * environment or folder of their own, and all of them on another runtime.
 */
export function quadrille(args: readonly string[], options?: RunOptions): Promise<Outcome> {
  const needsProcess = options !== undefined || args.includes('-') || process.env['QUADRILLE_RUNTIME'] !== undefined;
  return needsProcess ? asProcess(args, options) : inThisProcess(args);
}

async function inThisProcess(args: readonly string[]): Promise<Outcome> {
  const printed = { stdout: '', stderr: '' };
  const into = (name: keyof typeof printed): Writable =>
    new Writable({
      decodeStrings: false,
      write(text: string | Uint8Array, _, done) {
        printed[name] += typeof text === 'string' ? text : Buffer.from(text).toString();
        done();
      },
    });
  const code = await run(args, { stdout: into('stdout'), stderr: into('stderr') });
  return { code, ...printed };
}

/** Runs a command as a process of its own. */
export function asProcess(args: readonly string[], options: RunOptions = {}): Promise<Outcome> {
  const child = start(args, options);
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  child.stdin.end(options.input ?? '');
  return new Promise((done, fail) => {
    child.on('error', fail);
    child.on('close', (code) => done({ code, stdout, stderr }));
  });
}

/** What a command prints that has to succeed without a word on its standard error. */
export async function ok(...args: string[]): Promise<string> {
  const outcome = await quadrille(args);
  expect(outcome, args.join(' ')).toMatchObject({ code: 0, stderr: '' });
  return outcome.stdout;
}

/** The JSON objects of an output, one a line. */
export const jsonLines = (text: string): Record<string, unknown>[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

/** A server of the workspace's store, on a free port. */
export interface Served {
  /** What it printed first. */
  readonly text: string;
  readonly url: string;
  /** Empty where it printed none. */
  readonly token: string;
  readonly child: ChildProcessWithoutNullStreams;
  /** Its exit code. */
  readonly ended: Promise<number | null>;
  /** What it has written to its standard error so far. */
  readonly log: () => string;
}

async function listening(child: ChildProcessWithoutNullStreams): Promise<Served> {
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  const printed = once(child.stdout.setEncoding('utf8'), 'data').then(([text]) => text as string);
  const text = await Promise.race([
    printed,
    ended.then((code) => Promise.reject(new Error(`ended with ${String(code)}: ${log}`))),
  ]);
  const url = /https?:\/\/[\d.[\]:]+:\d+(?:\/\w+)*/.exec(text)?.[0] ?? '';
  const token = /"token":"([^"]+)"/.exec(text)?.[1] ?? '';
  return { text, url, token, child, ended, log: () => log };
}

export interface Workspace {
  readonly directory: string;
  readonly store: string;
  readonly file: (name: string, content: string | Uint8Array) => Promise<string>;
  /** `quadrille serve` of the store. */
  readonly serve: (args?: readonly string[], options?: RunOptions) => Promise<Served>;
  /** Ends the servers and deletes the directory. */
  readonly remove: () => Promise<void>;
}

export async function workspace(): Promise<Workspace> {
  const directory = await mkdtemp(join(tmpdir(), 'quadrille-cli-'));
  const store = join(directory, 'store');
  const servers: ChildProcessWithoutNullStreams[] = [];
  return {
    directory,
    store,
    async file(name, content) {
      const path = join(directory, name);
      await writeFile(path, content);
      return path;
    },
    serve(args = [], options = {}) {
      const child = start(['serve', store, '--port', '0', ...args], options);
      servers.push(child);
      return listening(child);
    },
    async remove() {
      await Promise.all(servers.map(end));
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function end(child: ChildProcessWithoutNullStreams): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'close');
  child.kill('SIGKILL');
  await ended;
}
