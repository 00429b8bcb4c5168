/**
 * A document from chunks, as far as it is plain. What is read so far can be told to another parser, which goes on behind it,
 * here or in a thread.
 */
import { DEFAULT_LIMITS } from './parser.js';
import type { ParserLimits, FastParser, RdfParser, ReadSoFar } from './parser.js';

/** Takes whole statements from bytes, and stops at what is not plain. */
export interface FastReader extends Pick<ReadSoFar, 'line' | 'base' | 'head' | 'started' | 'blankNodes'> {
  /** Whether what stopped it is not plain, and not only cut. */
  readonly stopped: boolean;
  /** Both, and one byte behind them: what {@link read} takes. */
  joined(a: Uint8Array, b: Uint8Array): Uint8Array;
  /** Returns where the first statement begins that is not whole, or not plain. The last byte is none of the document's. */
  read(bytes: Uint8Array, isLast: boolean): number;
  /** Whether a document may end with these bytes, from a place on, once all before was read. */
  canEnd(bytes: Uint8Array, from: number): boolean;
  /** So many columns has a text for the parser that goes on. */
  columns(text: string): number;
}

// So much is read in one stretch.
const SLICE_BYTES = 256 * 1024;
/** A statement that is not whole within so many bytes is left to the other parser, which keeps its place. */
const MAX_WAITING_BYTES = 256 * 1024;
/** As often it may come in a new chunk: each time it is read from its start. */
const MAX_LOOKS = 64;
const NO_BYTES = new Uint8Array(0);

export class FastDocument implements FastParser {
  readonly #maxWaiting: number;
  /** The statement that is not whole, where in the document it begins, and in its line. */
  #waiting: Uint8Array = NO_BYTES;
  #offset = 0;
  #column = 0;
  /** How often the statement was looked at and was not whole. */
  #looks = 0;

  constructor(
    private readonly reader: FastReader,
    limits: ParserLimits | undefined,
  ) {
    this.#maxWaiting = Math.min(MAX_WAITING_BYTES, (limits?.maxLineBytes ?? DEFAULT_LIMITS.maxLineBytes) / 2);
  }

  get readSoFar(): ReadSoFar {
    const { base, head, line, started, blankNodes } = this.reader;
    return { offset: this.#offset, line, column: this.#column, base, head, started, blankNodes };
  }

  push(chunk: Uint8Array): readonly Uint8Array[] | undefined {
    for (let at = 0; at < chunk.length; at += SLICE_BYTES) {
      const end = Math.min(chunk.length, at + SLICE_BYTES);
      const before = this.#waiting;
      const from = this.#read(this.reader.joined(before, chunk.subarray(at, end)));
      // In two parts, as they came: a token that is too long shows where it goes on.
      if (from !== undefined) return [before.subarray(from), chunk.slice(at + Math.max(0, from - before.length))];
    }
    return undefined;
  }

  end(): readonly Uint8Array[] | undefined {
    const rest = this.#waiting;
    const end = this.reader.read(this.reader.joined(rest, NO_BYTES), true);
    if (!this.reader.stopped && this.reader.canEnd(rest, end)) return undefined;
    this.#moveOn(rest, end);
    return [rest.subarray(end)];
  }

  /** Returns where the other parser has to go on; undefined: nowhere yet. */
  #read(bytes: Uint8Array): number | undefined {
    // A mark at the start of the text is none of a statement.
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

/** A parser that has the start, and mostly all, of a document read by one, and what is not plain by another one. */
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
