/** Asks damaged stores in another process, which is started again where one of them ends it. */
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { State } from '../model/operations.mjs';
import type { Question, Said } from './damaged-child.js';
import type { Backend } from './damaged-files.js';

const TYPESCRIPT = new URL('../campaigns/typescript.mjs', import.meta.url).href;
/** A question takes no longer. */
const MOST_MS = 30_000;

export type Told = Said | { readonly died: string };

export class DamagedProcess {
  #child: ChildProcess | undefined;
  /** What the present process was told, with numbers. */
  #known = new Map<readonly State[], number>();

  /** One question at a time. */
  async ask(backend: Backend, path: string, states: readonly State[], mayEndEarly: boolean): Promise<Told> {
    if (this.#child === undefined) this.#known = new Map();
    const child = (this.#child ??= fork(join(import.meta.dirname, 'damaged-child.ts'), {
      execArgv: ['--import', TYPESCRIPT],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    }));
    const before = this.#known.get(states);
    const number = before ?? this.#known.size;
    this.#known.set(states, number);
    const question: Question = {
      backend,
      path,
      states: number,
      mayEndEarly,
      ...(before === undefined ? { lines: states.map((state) => [...state]) } : {}),
    };
    const told = await new Promise<Told>((resolve) => {
      const timer = setTimeout(() => {
        child.kill('SIGKILL');
        resolve({ wrong: `no answer after ${MOST_MS} ms` });
      }, MOST_MS);
      const done = (answer: Told): void => {
        clearTimeout(timer);
        child.removeAllListeners();
        resolve(answer);
      };
      child.once('message', (said: Said) => done(said));
      child.once('exit', (code, signal) => done({ died: signal ?? `exit code ${code}` }));
      child.send(question);
    });
    if ('died' in told || child.exitCode !== null || child.killed) this.#child = undefined;
    return told;
  }

  close(): void {
    this.#child?.kill();
    this.#child = undefined;
  }
}
