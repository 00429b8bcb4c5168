/** The protocol over a pair of streams: a message a line. A client that does not read its answers is not read either. */
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { Mutex } from '@quadrille/model';
import type { Door } from './door.js';
import { failure, INVALID_REQUEST, MESSAGE_BYTES, type Session } from './session.js';

/** Requests at the same time. */
const AT_ONCE = 64;

/** Where answers and notifications are written, one after the other. */
export class LineWriter {
  readonly #writes = new Mutex();

  constructor(private readonly output: Writable) {}

  /** Resolves when the line was taken, which a slow reader delays. */
  write(message: object): Promise<void> {
    return this.#writes.run(() => this.#write(`${JSON.stringify(message)}\n`));
  }

  async #write(line: string): Promise<void> {
    if (!this.output.write(line)) await once(this.output, 'drain');
  }
}

/** What answers lines: a session, or a server elsewhere. */
export interface LineAnswers {
  /** The answer to a message; `undefined` where there is none. Never rejects. */
  handleText(text: string): Promise<object | undefined>;
}

/** Serves a session until the input ends or the signal comes. Answers that are under way are still written. */
export async function serveLines(
  session: Session,
  door: Door,
  input: Readable,
  writer: LineWriter,
  signal: AbortSignal,
): Promise<void> {
  try {
    await answerLines({ handleText: (text) => session.handleText(text, door) }, input, writer, signal);
  } finally {
    session.close();
  }
}

/** Answers lines until the input ends or the signal comes. Answers that are under way are still written. */
export async function answerLines(
  answers: LineAnswers,
  input: Readable,
  writer: LineWriter,
  signal: AbortSignal,
): Promise<void> {
  const running = new Set<Promise<void>>();
  const answer = async (line: string): Promise<void> => {
    const message = await answers.handleText(line);
    if (message !== undefined) await writer.write(message);
  };
  for await (const line of linesOf(input, signal)) {
    if (line === TOO_LONG) {
      await writer.write(failure(null, INVALID_REQUEST, 'a message has at most 10 MB'));
      continue;
    }
    if (line.trim() === '') continue;
    const one = answer(line).finally(() => running.delete(one));
    running.add(one);
    if (running.size >= AT_ONCE) await Promise.race(running);
  }
  await Promise.all(running);
}

const TOO_LONG = Symbol('a line that is too long');

async function* linesOf(input: Readable, signal: AbortSignal): AsyncGenerator<string | typeof TOO_LONG> {
  const decoder = new StringDecoder('utf8');
  let kept = '';
  let isSkipping = false;
  for await (const chunk of chunksOf(input, signal)) {
    const parts = decoder.write(chunk).split('\n');
    for (const [i, part] of parts.entries()) {
      const isEnd = i < parts.length - 1;
      if (!isSkipping) kept += part;
      if (kept.length > MESSAGE_BYTES) {
        isSkipping = true;
        kept = '';
        yield TOO_LONG;
      }
      if (!isEnd) continue;
      if (!isSkipping) yield kept;
      isSkipping = false;
      kept = '';
    }
  }
  if (kept !== '' && !isSkipping) yield kept;
}

async function* chunksOf(input: Readable, signal: AbortSignal): AsyncGenerator<Buffer> {
  const end = (): void => void input.destroy();
  signal.addEventListener('abort', end, { once: true });
  try {
    if (!signal.aborted) for await (const chunk of input) yield chunk as Buffer;
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener('abort', end);
  }
}
