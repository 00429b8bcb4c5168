/**
 * JSON that nobody vouches for, collected from chunks: its depth is checked byte by byte, before anything is parsed. The
 * elements of an array at the root are handed out in portions, so that such a document need not be held as a whole.
 */
import { ParseError } from '@quadrille/model';
import { findJsonFault } from './json-fault.js';

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

export interface JsonDocumentOptions {
  readonly source: string | undefined;
  readonly maxDepth: number;
  /** Longest document, or where portions are allowed longest element of the array at the root. */
  readonly maxBytes: number;
  /** Hand out an array at the root in portions of about so many bytes. */
  readonly portionBytes?: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const LF = 0x0a;
const isOpening = (byte: number): boolean => byte === 0x5b || byte === 0x7b;
const isClosing = (byte: number): boolean => byte === 0x5d || byte === 0x7d;
const isSpace = (byte: number): boolean => byte === 0x20 || byte === LF || byte === 0x0d || byte === 0x09;

export class JsonDocument {
  readonly #options: JsonDocumentOptions;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  /** What was not handed out yet. */
  #chunks: Uint8Array[] = [];
  #length = 0;
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** Whether the root is an array; undefined before its first byte. */
  #isArray: boolean | undefined;
  #portions = 0;
  #line = 1;
  /** The line on which the waiting bytes begin. */
  #firstLine = 1;

  constructor(options: JsonDocumentOptions) {
    this.#options = options;
  }

  /**
   * Takes a chunk, which is copied, and returns the portions that are complete now: arrays of elements of the root.
   * @throws ParseError `RDF_SYNTAX`
   */
  push(chunk: Uint8Array): Json[] {
    const portions: Json[] = [];
    let start = 0;
    for (let at = 0; at < chunk.length; at++) {
      const boundary = this.#step(chunk[at]!);
      if (boundary && this.#length + at - start >= (this.#options.portionBytes ?? Infinity)) {
        this.#keep(chunk.subarray(start, at));
        portions.push(this.#take('', ']'));
        this.#portions++;
        this.#chunks = [Uint8Array.of(0x5b)];
        this.#length = 1;
        start = at + 1;
      }
    }
    this.#keep(chunk.subarray(start));
    return portions;
  }

  /** The document, or the last portion of it. */
  end(): Json {
    if (this.#isArray === undefined) throw this.#error('an empty document is no JSON');
    if (this.#depth > 0 || this.#inString) throw this.#error('unexpected end of the document');
    // A comma behind the last element of a portion was already taken.
    const value = this.#take('', '');
    if (this.#portions > 0 && Array.isArray(value) && value.length === 0) {
      throw this.#error('a comma before the end of an array');
    }
    return value;
  }

  /** Whether the byte parts two elements of the array at the root. */
  #step(byte: number): boolean {
    if (byte === LF) this.#line++;
    if (this.#inString) {
      if (this.#escaped) this.#escaped = false;
      else if (byte === BACKSLASH) this.#escaped = true;
      else if (byte === QUOTE) this.#inString = false;
      return false;
    }
    this.#isArray ??= isSpace(byte) || byte >= 0x80 ? undefined : byte === 0x5b;
    if (byte === QUOTE) this.#inString = true;
    else if (isOpening(byte)) {
      if (++this.#depth > this.#options.maxDepth) throw this.#error(`nested deeper than ${this.#options.maxDepth}`);
    } else if (isClosing(byte)) this.#depth--;
    return byte === COMMA && this.#depth === 1 && this.#isArray === true;
  }

  #keep(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#length += bytes.length;
    if (this.#length > this.#options.maxBytes) throw this.#error(`longer than ${this.#options.maxBytes} bytes`);
    this.#chunks.push(bytes.slice());
  }

  #take(before: string, after: string): Json {
    const bytes = concat(this.#chunks, this.#length);
    let text: string;
    try {
      text = before + this.#decoder.decode(bytes) + after;
    } catch (error) {
      throw this.#error('not UTF-8', this.#firstLine, undefined, error);
    }
    try {
      return JSON.parse(text) as Json;
    } catch (error) {
      throw this.#syntaxError(text, error);
    } finally {
      this.#firstLine = this.#line;
    }
  }

  #syntaxError(text: string, cause: unknown): ParseError {
    const { offset, reason } = findJsonFault(text);
    const before = text.slice(0, offset).split('\n');
    // A portion begins somewhere in its line.
    const column = before.length === 1 && this.#portions > 0 ? undefined : before.at(-1)!.length + 1;
    return this.#error(`not JSON: ${reason}`, this.#firstLine + before.length - 1, column, cause);
  }

  #error(reason: string, line = this.#line, column?: number, cause?: unknown): ParseError {
    return new ParseError('RDF_SYNTAX', reason, { source: this.#options.source, line, column }, { cause });
  }
}

function concat(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const [only] = chunks;
  if (only !== undefined && chunks.length === 1) return only;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
