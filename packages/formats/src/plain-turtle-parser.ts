/**
 * Turtle and TriG from chunks, as far as the documents are plain. What is read so far can be told to another parser, which
 * goes on behind it: n3, here or in a thread.
 */
import { DEFAULT_LIMITS } from './parser.js';
import type { ParserOptions, PlainParser, ReadSoFar } from './parser.js';
import { PlainTurtle } from './plain-turtle.js';

// So much is read in one stretch.
const SLICE_BYTES = 256 * 1024;
/** A statement that is not whole within so many bytes is left to n3, which keeps its place. */
const MAX_WAITING_BYTES = 256 * 1024;
/** As often it may come in a new chunk: each time it is read from its start. */
const MAX_LOOKS = 64;
const NO_BYTES = new Uint8Array(0);

export class PlainTurtleParser implements PlainParser {
  readonly #plain: PlainTurtle;
  readonly #maxWaiting: number;
  /** The statement that is not whole, where in the document it begins, and in its line. */
  #waiting: Uint8Array = NO_BYTES;
  #offset = 0;
  #column = 0;
  /** How often the statement was looked at and was not whole. */
  #looks = 0;

  constructor({ sink, limits, trig }: ParserOptions & { readonly trig: boolean }) {
    const allLimits = { ...DEFAULT_LIMITS, ...limits };
    this.#plain = new PlainTurtle(sink, trig, allLimits);
    this.#maxWaiting = Math.min(MAX_WAITING_BYTES, allLimits.maxLineBytes / 2);
  }

  get readSoFar(): ReadSoFar {
    const { base, head, line, started } = this.#plain;
    return { offset: this.#offset, line, column: this.#column, base, head, started };
  }

  push(chunk: Uint8Array): Uint8Array | undefined {
    for (let at = 0; at < chunk.length; at += SLICE_BYTES) {
      const end = Math.min(chunk.length, at + SLICE_BYTES);
      const left = this.#read(this.#plain.joined(this.#waiting, chunk.subarray(at, end)));
      if (left !== undefined) return joined(left, chunk.subarray(end));
    }
    return undefined;
  }

  end(): Uint8Array | undefined {
    const rest = this.#waiting;
    const end = this.#plain.read(this.#plain.joined(rest, NO_BYTES), true);
    if (!this.#plain.stopped && this.#plain.graphText === undefined && isSpace(rest, end)) return undefined;
    this.#moveOn(rest, end);
    return rest.subarray(end);
  }

  #read(bytes: Uint8Array): Uint8Array | undefined {
    // A mark at the start of the text is none of a statement.
    const isMarked = this.#offset === 0 && bytes[0] === 0xef;
    const end = isMarked ? 0 : this.#plain.read(bytes, false);
    this.#moveOn(bytes, end);
    const rest = bytes.slice(end, bytes.length - 1);
    this.#looks = end > 0 ? 0 : this.#looks + 1;
    const isDear = rest.length > this.#maxWaiting || this.#looks > MAX_LOOKS;
    if (isMarked || this.#plain.stopped || isDear) return rest;
    this.#waiting = rest;
    return undefined;
  }

  #moveOn(bytes: Uint8Array, end: number): void {
    this.#column = columnOf(bytes, end, this.#column);
    this.#offset += end;
  }
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  if (b.length === 0) return a;
  const whole = new Uint8Array(a.length + b.length);
  whole.set(a);
  whole.set(b, a.length);
  return whole;
}

/** The column of a place, as n3 counts; `first` is that of the first byte. */
function columnOf(bytes: Uint8Array, end: number, first: number): number {
  let start = end;
  while (start > 0 && bytes[start - 1] !== 0x0a && bytes[start - 1] !== 0x0d) start--;
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(start, end));
  return text.length + (start === 0 ? first : 0);
}

/** Whether nothing is left but space; comments are left to n3. */
function isSpace(bytes: Uint8Array, from: number): boolean {
  for (let i = from; i < bytes.length; i++) {
    if (bytes[i] !== 0x20 && bytes[i] !== 0x0a && bytes[i] !== 0x0d && bytes[i] !== 0x09) return false;
  }
  return true;
}
