/** Commands in one other process, which stays between them. */
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}
interface Answer {
  readonly id: number;
  readonly outcome: Outcome;
}

export class Commands {
  readonly #host: ChildProcess;
  readonly #waiting = new Map<number, { resolve: (outcome: Outcome) => void; reject: (error: Error) => void }>();
  #calls = 0;
  #log = '';

  /** @param env variables for all commands */
  constructor(env: Readonly<Record<string, string>>) {
    this.#host = fork(join(import.meta.dirname, 'command-host.mjs'), { env: { ...process.env, ...env }, silent: true });
    this.#host.stderr!.on('data', (chunk: Buffer) => (this.#log += chunk.toString()));
    this.#host.on('message', ({ id, outcome }: Answer) => {
      this.#waiting.get(id)?.resolve(outcome);
      this.#waiting.delete(id);
    });
    this.#host.once('exit', (code) => {
      const error = new Error(`the process of the commands ended with ${String(code)}: ${this.#log}`);
      for (const { reject } of this.#waiting.values()) reject(error);
    });
  }

  /** Runs one. @param env variables for this one */
  run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Outcome> {
    const id = ++this.#calls;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#host.send({ id, args, env });
    });
  }

  stop(): void {
    this.#host.removeAllListeners('exit');
    this.#host.kill();
  }
}
