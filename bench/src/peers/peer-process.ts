/**
 * A store that answers queries in a child process of its own.
 *
 * The child gets the directory of its store, and the file to load at its first start; at each start, if it keeps its data in
 * memory. It writes a line `{"quads": N, "version": "…"}` when it is ready. Then each line `{"query": "…"}` is answered by a line
 * `{"rows": N, "ns": N}` or `{"error": "…"}`. The time is that of parsing, planning, running and reading each term's text.
 * With `"answer": "FILE"`, the child also writes the answer into that file (peer-answer.ts), or adds its digest to the
 * line. It ends when its standard input ends.
 */
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AnswerDigest } from '../sparql/answer.js';
import { addAnswer } from './peer-answer.js';

/** How a peer's program is started. The directory, and the file if it has to be loaded, are added to the arguments. */
export interface PeerCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Whether it keeps its data in memory only, and so has to load the file again at each start. Default false. */
  readonly inMemory?: boolean;
}

export interface PeerLimits {
  /** Longest time of one query, in milliseconds. */
  readonly runMs: number;
  /** Longest time of one query whose answer is written into a file. */
  readonly answerMs: number;
}
/** An answer that is written and read takes longer than one whose time is measured. */
export const PEER_LIMITS: PeerLimits = { runMs: 60_000, answerMs: 600_000 };
/** Longest time of a load with the start, and of a stop, in milliseconds. */
const LOAD_MS = 30 * 60_000;
const STOP_MS = 60_000;
/** Number of attempts to open a store that may still be locked, and the time between them. */
const STARTS = 4;
const BETWEEN_STARTS_MS = 1000;
/** Length of the last errors that are kept. */
const ERRORS_LENGTH = 2000;

export interface PeerRun {
  readonly rows: number;
  /** Milliseconds, measured by the peer itself. */
  readonly ms: number;
}

/** The peer refused a query, or ended. It can be used again, as it starts again with the next query. */
export class PeerError extends Error {
  override readonly name: string = 'PeerError';
}

/** A query took longer than its limit, so the peer was killed. */
export class PeerTimeout extends PeerError {
  override readonly name = 'PeerTimeout';
  constructor(readonly limitMs: number) {
    super(`over ${limitMs / 1000} s`);
  }
}

export interface PeerRequest {
  readonly query: string;
  /** A file for the answer. */
  readonly answer?: string;
}
export interface PeerReply {
  readonly rows?: number;
  readonly ns?: number;
  /** The digest of the answer, if the peer has not written it. */
  readonly digest?: number;
  readonly quads?: number;
  readonly version?: string;
  readonly error?: string;
}

export class Peer {
  #child: Child | undefined;
  #quads = 0;
  #version = '';

  private constructor(
    private readonly program: PeerCommand,
    private readonly directory: string,
    private readonly file: string,
    readonly limits: PeerLimits,
  ) {}

  /**
   * Opens the store in a directory. Loads the file, unless an earlier process has loaded it there. A store in memory loads it always.
   * The caller closes the peer.
   * @throws Error if the program does not start, or cannot load the file
   */
  static async open(program: PeerCommand, directory: string, file: string, limits: PeerLimits): Promise<Peer> {
    const peer = new Peer(program, directory, file, limits);
    if (program.inMemory === true) {
      await peer.#start([file]);
      return peer;
    }
    const loaded = `${directory}.loaded`;
    if (existsSync(loaded)) {
      await peer.#startAgain();
      return peer;
    }
    // An interrupted load leaves a part of the data.
    await rm(directory, { recursive: true, force: true });
    await mkdir(directory, { recursive: true });
    await peer.#start([file]);
    await writeFile(loaded, '');
    return peer;
  }

  /** Number of loaded quads. */
  get quads(): number {
    return this.#quads;
  }

  /** Name and version of the program. */
  get version(): string {
    return this.#version;
  }

  /**
   * Runs a query. With a digest, also reads the whole answer, so the time means nothing.
   * @throws PeerTimeout if it takes too long
   * @throws PeerError if the peer refuses the query, or ends
   */
  async run(text: string, digest?: AnswerDigest): Promise<PeerRun> {
    if (this.#child === undefined) await this.#startAgain();
    const { rows = 0, ns = 0 } = await (digest === undefined
      ? this.#ask({ query: text }, this.limits.runMs)
      : this.#read(text, digest));
    return { rows, ms: ns / 1e6 };
  }

  async #read(text: string, digest: AnswerDigest): Promise<PeerReply> {
    const file = `${this.directory}.answer`;
    // A peer that was killed may have left a part of an answer.
    await rm(file, { force: true });
    const reply = await this.#ask({ query: text, answer: file }, this.limits.answerMs);
    if (reply.digest !== undefined) digest.addRows(reply.digest);
    else if (existsSync(file)) await addAnswer(file, digest);
    await rm(file, { force: true });
    return reply;
  }

  /** Ends the process. */
  async close(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    await child?.stop();
  }

  /** Waits for the lock of a process whose parent was killed: it ends a moment later. */
  async #startAgain(): Promise<void> {
    // Nothing in memory is locked.
    if (this.program.inMemory === true) return this.#start([this.file]);
    for (let left = STARTS - 1; left > 0; left--) {
      const started = await this.#start([]).then(
        () => true,
        () => false,
      );
      if (started) return;
      await sleep(BETWEEN_STARTS_MS);
    }
    await this.#start([]);
  }

  async #start(args: readonly string[]): Promise<void> {
    const { command, args: first, env } = this.program;
    this.#child = new Child(command, [...first, this.directory, ...args], env);
    const { quads = 0, version = '' } = await this.#reply(this.#child, LOAD_MS);
    this.#quads = quads;
    this.#version = version;
  }

  #ask(request: PeerRequest, limitMs: number): Promise<PeerReply> {
    const child = this.#child!;
    child.write(`${JSON.stringify(request)}\n`);
    return this.#reply(child, limitMs);
  }

  async #reply(child: Child, limitMs: number): Promise<PeerReply> {
    const line = await child.line(limitMs);
    if (line === undefined || line === 'late') {
      this.#child = undefined;
      await child.kill();
      throw line === 'late' ? new PeerTimeout(limitMs) : new PeerError(`its process ended: ${child.errors}`);
    }
    const reply = JSON.parse(line) as PeerReply;
    if (reply.error !== undefined) throw new PeerError(reply.error);
    return reply;
  }
}

/** A child process that writes lines. */
class Child {
  readonly #process: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #lines: AsyncIterator<string>;
  readonly #ended: Promise<void>;
  #errors = '';

  constructor(command: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
    this.#process = spawn(command, args, { stdio: 'pipe', env: { ...process.env, ...env } });
    this.#lines = createInterface({ input: this.#process.stdout, crlfDelay: Infinity })[Symbol.asyncIterator]();
    this.#ended = new Promise((resolve) => {
      this.#process.once('close', () => resolve());
      this.#process.once('error', (error) => {
        this.#note(error.message);
        resolve();
      });
    });
    // A process that ends while it is written to is noticed by the end of its output.
    this.#process.stdin.on('error', () => {});
    this.#process.stderr.setEncoding('utf8').on('data', (text: string) => this.#note(text));
  }

  /** The last lines of its standard error. */
  get errors(): string {
    return this.#errors.trim();
  }

  write(text: string): void {
    this.#process.stdin.write(text);
  }

  /** The next line; `undefined` if the output ends first, `late` if the time ends first. */
  async line(limitMs: number): Promise<string | 'late' | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<'late'>((resolve) => (timer = setTimeout(() => resolve('late'), limitMs)));
    try {
      return await Promise.race([this.#lines.next().then(({ value }) => value as string | undefined), late]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Ends its input, and waits until it has ended. */
  async stop(): Promise<void> {
    this.#process.stdin.end();
    const timer = setTimeout(() => this.#process.kill('SIGKILL'), STOP_MS);
    await this.#ended;
    clearTimeout(timer);
  }

  async kill(): Promise<void> {
    this.#process.kill('SIGKILL');
    await this.#ended;
  }

  #note(text: string): void {
    this.#errors = (this.#errors + text).slice(-ERRORS_LENGTH);
  }
}
