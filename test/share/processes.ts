/** Processes that share a store, and are killed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const WRITER = join(import.meta.dirname, 'writer.mjs');

/** A process that writes, and is started again where it was killed. */
export class Writer {
  /** The number of writes that it was told are done. */
  written = 0;
  /** Milliseconds that each of them took. */
  readonly times: number[] = [];
  readonly errors: string[] = [];
  role = '';
  #process: ChildProcess | undefined;
  #ended: Promise<void> | undefined;
  #done = (): void => undefined;
  #failed: (error: Error) => void = () => undefined;
  /** All writes are done. */
  readonly done = new Promise<void>((resolve, reject) => ([this.#done, this.#failed] = [resolve, reject]));

  /** Fails where the process ends with an error. */
  get failed(): Promise<never> {
    return this.done.then(() => new Promise<never>(() => undefined));
  }

  constructor(
    private readonly directory: string,
    readonly name: string,
    private readonly count: number,
    private readonly onWritten: (writer: Writer) => void = () => undefined,
  ) {}

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** Starts it, after its last write. Resolves when it has opened the store. */
  start(): Promise<void> {
    const args = [WRITER, this.directory, this.name, String(this.written), String(this.count)];
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    this.#process = child;
    let problems = '';
    child.stderr.on('data', (text: Buffer) => (problems += text.toString()));
    this.#ended = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        if (signal === null && code !== 0) {
          this.errors.push(`ended with ${String(code)}: ${problems}`);
          this.#failed(new Error(problems));
        }
        resolve();
      });
    });
    return new Promise((resolve) => {
      createInterface({ input: child.stdout }).on('line', (line) => {
        const [word, first = '', second = ''] = line.split(' ');
        if (word === 'open' || word === 'role') this.role = first;
        if (word === 'open') resolve();
        if (word === 'error') this.errors.push(second);
        if (word === 'written') {
          this.written = Number(first) + 1;
          this.times.push(Number(second));
          this.onWritten(this);
        }
        if (word === 'done') this.#done();
      });
      child.once('exit', () => resolve());
    });
  }

  signal(signal: NodeJS.Signals): void {
    this.#process?.kill(signal);
  }

  async kill(): Promise<void> {
    this.signal('SIGKILL');
    await this.#ended;
  }

  /** Lets it close its database. */
  async end(): Promise<void> {
    this.#process?.stdin?.end();
    await this.#ended;
  }
}

/** The process that holds a store. */
export async function holderOf(directory: string): Promise<number | undefined> {
  const text = await readFile(join(directory, 'quadrille.pid'), 'utf8').catch(() => '{}');
  return (JSON.parse(text) as { pid?: number }).pid;
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
