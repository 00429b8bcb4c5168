/**
 * Where a document to load is parsed: what is plain and short ones in this thread, the rest of long ones in another, so that
 * both are at work.
 */
import { platform } from '#platform';
import type { AsyncParserOptions, AsyncRdfParser, FastParser, RdfFormat } from '@quadrille/formats';
import { openParser } from '@quadrille/formats';

/** Documents of at least `fromBytes` bytes are parsed in a thread. A thread takes about 50 ms to start. */
export const threads = { fromBytes: 512 * 1024 };

/** @param length bytes of the document, where they are known */
export async function openLoadParser(
  format: RdfFormat,
  options: AsyncParserOptions,
  length: number | undefined,
): Promise<AsyncRdfParser> {
  if (format.createFastParser === undefined) return openWholeParser(format, options, length);
  await format.load?.();
  const fast = format.createFastParser(options);
  return new FastFirst(fast, options.signal, () => {
    const { readSoFar } = fast;
    const left = length === undefined ? undefined : length - readSoFar.offset;
    return openWholeParser(format, { ...options, readSoFar }, left);
  });
}

async function openWholeParser(
  format: RdfFormat,
  options: AsyncParserOptions,
  length: number | undefined,
): Promise<AsyncRdfParser> {
  const isShort = length !== undefined && length < threads.fromBytes;
  const openInThread = format.module === undefined || isShort ? undefined : await platform.parseInThread(format);
  if (openInThread === undefined) return openParser(format, options);
  return length === undefined
    ? new GrowingDocument(
        () => openParser(format, options),
        () => openInThread(options),
      )
    : openInThread(options);
}

/** A document of which the start, and mostly all, is read by a parser that leaves what is not plain to another one. */
class FastFirst implements AsyncRdfParser {
  #other: AsyncRdfParser | undefined;

  constructor(
    private readonly fast: FastParser,
    private readonly signal: AbortSignal | undefined,
    private readonly openOther: () => Promise<AsyncRdfParser>,
  ) {}

  async push(chunk: Uint8Array): Promise<void> {
    if (this.#other !== undefined) return this.#other.push(chunk);
    this.signal?.throwIfAborted();
    await this.#leave(this.fast.push(chunk));
  }

  async end(): Promise<void> {
    if (this.#other === undefined) {
      this.signal?.throwIfAborted();
      await this.#leave(this.fast.end());
    }
    return this.#other?.end();
  }

  async #leave(rest: readonly Uint8Array[] | undefined): Promise<void> {
    if (rest === undefined) return;
    this.#other = await this.openOther();
    for (const bytes of rest) await this.#other.push(bytes);
  }
}

/** A document whose length is not known: its start is held until it is. */
class GrowingDocument implements AsyncRdfParser {
  #held: Uint8Array[] = [];
  #bytes = 0;
  #parser: AsyncRdfParser | undefined;

  constructor(
    private readonly openHere: () => Promise<AsyncRdfParser>,
    private readonly openInThread: () => AsyncRdfParser,
  ) {}

  async push(chunk: Uint8Array): Promise<void> {
    if (this.#parser !== undefined) return this.#parser.push(chunk);
    this.#held.push(chunk.slice());
    this.#bytes += chunk.length;
    if (this.#bytes >= threads.fromBytes) await this.#start(this.openInThread());
  }

  async end(): Promise<void> {
    if (this.#parser === undefined) await this.#start(await this.openHere());
    return this.#parser!.end();
  }

  async #start(parser: AsyncRdfParser): Promise<void> {
    this.#parser = parser;
    const held = this.#held;
    this.#held = [];
    for (const chunk of held) await parser.push(chunk);
  }
}
