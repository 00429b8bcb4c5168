/**
 * Reads a document from chunks up to the first statement that its fast reader does not know. Another parser, in this thread or
 * another one, then continues at that statement.
 */
import { DEFAULT_LIMITS } from './parser.js';
import type { ParserLimits, FastParser, RdfParser, ReadSoFar } from './parser.js';

/** Reads whole statements from bytes, and stops at the first statement that it does not know. */
export interface FastReader extends Pick<ReadSoFar, 'line' | 'base' | 'head' | 'started' | 'blankNodes'> {
  /** Whether it stopped at a statement that it does not know. It is false if the statement may only be incomplete. */
  readonly stopped: boolean;
  /** Concatenates both arrays and appends the byte that {@link read} needs behind them. */
  joined(a: Uint8Array, b: Uint8Array): Uint8Array;
  /** Returns the start of the first statement that is incomplete or unknown. The last byte does not belong to the document. */
  read(bytes: Uint8Array, isLast: boolean): number;
  /** Whether a document may end with the bytes from `from` on, if everything before them was read. */
  canEnd(bytes: Uint8Array, from: number): boolean;
  /** Number of columns of a text, as the parser that continues counts them. */
  columns(text: string): number;
}

// Number of bytes that are read in one stretch.
const SLICE_BYTES = 256 * 1024;
/** The other parser takes over at a statement that is not complete within this many bytes: it need not read it again. */
const MAX_WAITING_BYTES = 256 * 1024;
/** The other parser takes over at a statement that is cut this often: each new chunk reads it again from its start. */
const MAX_LOOKS = 64;
const NO_BYTES = new Uint8Array(0);

export class FastDocument implements FastParser {
  readonly #maxWaiting: number;
  /** The bytes of the incomplete statement, its offset in the document, and its column. */
  #waiting: Uint8Array = NO_BYTES;
  #offset = 0;
  #column = 0;
  /** How often the statement was read and was not complete. */
  #looks = 0;

  constructor(
    private readonly reader: FastReader,
    limits: ParserLimits | undefined,
  ) {
    this.#maxWaiting = Math.min(MAX_WAITING_BYTES, (limits?.maxLineBytes ?? DEFAULT_LIMITS.maxLineBytes) / 2);
  }

  /** How far the reader has come, for the parser that goes on. */
  get readSoFar(): ReadSoFar {
    const { base, head, line, started, blankNodes } = this.reader;
    return { offset: this.#offset, line, column: this.#column, base, head, started, blankNodes };
  }

  push(chunk: Uint8Array): readonly Uint8Array[] | undefined {
    for (let at = 0; at < chunk.length; at += SLICE_BYTES) {
      const end = Math.min(chunk.length, at + SLICE_BYTES);
      const before = this.#waiting;
      const from = this.#read(this.reader.joined(before, chunk.subarray(at, end)));
      // In the two parts that were pushed: the other parser looks for tokens that are too long after each part.
      if (from !== undefined) return [before.subarray(from), chunk.slice(at + Math.max(0, from - before.length))];
    }
    return undefined;
  }

  /** Ends the document; the bytes that are left for another parser. */
  end(): readonly Uint8Array[] | undefined {
    const rest = this.#waiting;
    const end = this.reader.read(this.reader.joined(rest, NO_BYTES), true);
    if (!this.reader.stopped && this.reader.canEnd(rest, end)) return undefined;
    this.#moveOn(rest, end);
    return [rest.subarray(end)];
  }

  /** Returns where the other parser has to continue, or undefined if this reader can go on. */
  #read(bytes: Uint8Array): number | undefined {
    // A byte order mark does not belong to a statement.
    const isMarked = this.#offset === 0 && bytes[0] === 0xef;
    const end = isMarked ? 0 : this.reader.read(bytes, false);
    this.#moveOn(bytes, end);
    const waiting = bytes.length - 1 - end;
    this.#looks = end > 0 ? 0 : this.#looks + 1;
    const isDear = waiting > this.#maxWaiting || this.#looks > MAX_LOOKS;
    if (isMarked || this.reader.stopped || isDear) return end;
    this.#waiting = bytes.slice(end, bytes.length - 1);
    return undefined;
  }

  #moveOn(bytes: Uint8Array, end: number): void {
    this.#column = this.#columnOf(bytes, end);
    this.#offset += end;
  }

  #columnOf(bytes: Uint8Array, end: number): number {
    let start = end;
    while (start > 0 && bytes[start - 1] !== 0x0a && bytes[start - 1] !== 0x0d) start--;
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(start, end));
    return this.reader.columns(text) + (start === 0 ? this.#column : 0);
  }
}

/** A parser that reads the start of a document, mostly all of it, with one parser and the rest with another one. */
export function fastFirst(fast: FastParser, openOther: (readSoFar: ReadSoFar) => RdfParser): RdfParser {
  let other: RdfParser | undefined;
  const leave = (rest: readonly Uint8Array[] | undefined): void => {
    if (rest === undefined) return;
    other = openOther(fast.readSoFar);
    for (const bytes of rest) other.push(bytes);
  };
  return {
    push: (chunk) => (other === undefined ? leave(fast.push(chunk)) : other.push(chunk)),
    end: () => {
      if (other === undefined) leave(fast.end());
      other?.end();
    },
  };
}
