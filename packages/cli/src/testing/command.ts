/** Runs the built command as a process of its own, as a shell does. */
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

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

export const start = (args: readonly string[], options: RunOptions = {}) =>
  spawn(process.execPath, [BIN, ...args], {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });

export function quadrille(args: readonly string[], options: RunOptions = {}): Promise<Outcome> {
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

/** The JSON objects of an output, one a line. */
export const jsonLines = (text: string): Record<string, unknown>[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

export interface Workspace {
  readonly directory: string;
  readonly store: string;
  readonly file: (name: string, content: string | Uint8Array) => Promise<string>;
  readonly remove: () => Promise<void>;
}

export async function workspace(): Promise<Workspace> {
  const directory = await mkdtemp(join(tmpdir(), 'quadrille-cli-'));
  return {
    directory,
    store: join(directory, 'store'),
    async file(name, content) {
      const path = join(directory, name);
      await writeFile(path, content);
      return path;
    },
    remove: () => rm(directory, { recursive: true, force: true }),
  };
}
