/**
 * Collects untrusted JSON from chunks. Checks its depth, and the length of strings that are IRIs or labels, byte by byte before
 * anything is parsed. Returns the elements of an array at the root in portions, so that such a document is not held as a whole.
 */
import { MAX_IRI_BYTES, ParseError } from '@quadrille/model';
import { HeldBytes } from './held-bytes.js';
import { findJsonFault } from './json-fault.js';
import { JsonStructure } from './json-structure.js';
import type { StringPlace } from './json-structure.js';

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

/** The limit of a string. */
export interface StringLimit {
  readonly maxBytes: number;
  /** Reason of the error for a longer string. */
  readonly reason: string;
}

export interface JsonDocumentOptions {
  readonly source: string | undefined;
  readonly maxDepth: number;
  /** Longest document, or longest element of an array at the root that is read in portions. */
  readonly maxBytes: number;
  /** Approximate size in bytes of the portions of an array at the root. Default: no portions. */
  readonly portionBytes?: number;
  /** The limit of a string, if it has one. Called only for incomplete strings of more than {@link MAX_IRI_BYTES}. */
  readonly limitOf?: (place: StringPlace) => StringLimit | undefined;
  /** Parses the text. Default: JSON.parse. */
  readonly parse?: (text: string) => Json;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const LETTER_U = 0x75;
const LF = 0x0a;
/** Whether a byte continues a character of UTF-8. */
const isContinuation = (byte: number): boolean => (byte & 0xc0) === 0x80;
const isOpening = (byte: number): boolean => byte === 0x5b || byte === 0x7b;
const isClosing = (byte: number): boolean => byte === 0x5d || byte === 0x7d;
const isSpace = (byte: number): boolean => byte === 0x20 || byte === LF || byte === 0x0d || byte === 0x09;
/** Number of bytes behind the backslash of `\uXXXX`. */
const ESCAPE_BYTES = 5;

export class JsonDocument {
  readonly #options: JsonDocumentOptions;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  /** The bytes that were not returned yet. */
  readonly #held = new HeldBytes();
  readonly #structure = new JsonStructure();
  #inString = false;
  #escaped = false;
  /** Limit and start of the incomplete string. */
  #limit: StringLimit | undefined;
  #limitedString = -1;
  /** Whether the root is an array; undefined before its first byte. */
  #isArray: boolean | undefined;
  #portions = 0;
  #line = 1;
  /** Line of the first held byte, and number of characters before it in that line. */
  #firstLine = 1;
  #firstColumn = 0;

  constructor(options: JsonDocumentOptions) {
    this.#options = options;
  }

  /**
   * Copies a chunk. Returns the portions that are now complete: arrays of elements of the root.
   * @throws ParseError `RDF_SYNTAX`
   */
  push(chunk: Uint8Array): Json[] {
    const portions: Json[] = [];
    const portionBytes = this.#options.portionBytes ?? Infinity;
    let start = 0;
    // Offset of the chunk in the held bytes.
    let base = this.#held.length;
    for (let at = 0; at < chunk.length; at++) {
      if (this.#inString) {
        at = this.#readString(chunk, at, base);
        continue;
      }
      const boundary = this.#step(chunk[at]!, base + at);
      if (boundary && base + at >= portionBytes) {
        this.#keep(chunk.subarray(start, at));
        portions.push(this.#take(']'));
        this.#portions++;
        this.#held.clear();
        this.#held.add(Uint8Array.of(0x5b));
        this.#structure.restart();
        this.#limitedString = -1;
        start = at + 1;
        base = this.#held.length - start;
      }
    }
    this.#keep(chunk.subarray(start));
    if (this.#inString) this.#checkString();
    return portions;
  }

  /** The document, or the last portion of it. */
  end(): Json {
    if (this.#isArray === undefined) throw this.#error('an empty document is no JSON');
    if (this.#structure.depth > 0 || this.#inString) throw this.#error('unexpected end of the document');
    // The last portion ended with a comma, so another element must follow.
    const value = this.#take('');
    if (this.#portions > 0 && Array.isArray(value) && value.length === 0) {
      throw this.#error('a comma before the end of an array');
    }
    return value;
  }

  /** Moves to the closing quote of a string, or behind the chunk. */
  #readString(chunk: Uint8Array, from: number, base: number): number {
    let escaped = this.#escaped;
    let at = from;
    for (; at < chunk.length; at++) {
      const byte = chunk[at];
      if (escaped) escaped = false;
      else if (byte === BACKSLASH) escaped = true;
      else if (byte === QUOTE) {
        this.#inString = false;
        this.#structure.endString(base + at);
        break;
      }
      // A line feed is illegal in a string. JSON.parse reports it.
      if (byte === LF) this.#line++;
    }
    this.#escaped = escaped;
    return at;
  }

  /** Whether the byte at an offset of the held bytes separates two elements of the array at the root. */
  #step(byte: number, place: number): boolean {
    if (byte === LF) this.#line++;
    this.#isArray ??= isSpace(byte) || byte >= 0x80 ? undefined : byte === 0x5b;
    const structure = this.#structure;
    if (byte === QUOTE) {
      this.#inString = true;
      structure.beginString(place);
    } else if (isOpening(byte)) {
      structure.open(byte === 0x7b, place);
      if (structure.depth > this.#options.maxDepth) throw this.#error(`nested deeper than ${this.#options.maxDepth}`);
    } else if (isClosing(byte)) structure.close();
    else if (byte === COLON) structure.endKey();
    else if (byte === COMMA) {
      structure.nextMember();
      return structure.depth === 1 && this.#isArray === true;
    }
    return false;
  }

  #keep(bytes: Uint8Array): void {
    if (this.#held.length + bytes.length > this.#options.maxBytes) {
      throw this.#error(`longer than ${this.#options.maxBytes} bytes`);
    }
    this.#held.add(bytes);
  }

  /** Refuses an incomplete string that is already too long. */
  #checkString(): void {
    const { stringStart: start } = this.#structure;
    const end = this.#held.length;
    if (end - start <= MAX_IRI_BYTES) return;
    if (start !== this.#limitedString) {
      this.#limitedString = start;
      const textOf = (from: number, to: number): string => new TextDecoder().decode(this.#held.bytes(from, to));
      this.#limit = this.#options.limitOf?.(this.#structure.stringPlace(textOf, end));
    }
    const limit = this.#limit;
    if (limit === undefined || end - start <= limit.maxBytes) return;
    const bytes = this.#held.bytes(start);
    if (!isLonger(bytes, limit.maxBytes)) return;
    const { line, column } = this.#placeOf(start - 1);
    throw this.#error(limit.reason, line, column);
  }

  /** The line and the column of a byte that is held. */
  #placeOf(at: number): { line: number; column: number } {
    let line = this.#firstLine;
    let column = this.#firstColumn;
    // The bracket at the start of a portion does not belong to the document.
    for (const byte of this.#held.bytes(this.#portions > 0 ? 1 : 0, at)) {
      if (byte === LF) {
        line++;
        column = 0;
      } else if (!isContinuation(byte)) column++;
    }
    return { line, column: column + 1 };
  }

  #take(after: string): Json {
    let text: string;
    try {
      text = this.#decoder.decode(this.#held.bytes()) + after;
    } catch (error) {
      throw this.#error('not UTF-8', this.#firstLine, undefined, error);
    }
    try {
      return (this.#options.parse ?? parseJson)(text);
    } catch (error) {
      throw this.#syntaxError(text, error);
    } finally {
      this.#firstLine = this.#line;
      if (after !== '') this.#firstColumn = this.#columnBehind(text);
    }
  }

  /** Number of characters before the end of a portion and its comma in their line. The portion has an added bracket at each end. */
  #columnBehind(portion: string): number {
    const lastLine = portion.slice(portion.lastIndexOf('\n') + 1);
    const characters = lastLine.replaceAll(/[\uDC00-\uDFFF]/g, '').length;
    if (lastLine.length < portion.length) return characters;
    return this.#firstColumn + characters - (this.#portions > 0 ? 1 : 0);
  }

  #syntaxError(text: string, cause: unknown): ParseError {
    const { offset, reason } = findJsonFault(text);
    const before = text.slice(0, offset).split('\n');
    const last = before.at(-1)!.length + 1;
    // The bracket at the start of a portion does not belong to the document.
    const column = before.length === 1 && this.#portions > 0 ? this.#firstColumn + last - 1 : last;
    return this.#error(`not JSON: ${reason}`, this.#firstLine + before.length - 1, column, cause);
  }

  #error(reason: string, line = this.#line, column?: number, cause?: unknown): ParseError {
    return new ParseError('RDF_SYNTAX', reason, { source: this.#options.source, line, column }, { cause });
  }
}

const parseJson = (text: string): Json => JSON.parse(text) as Json;

/** Whether a string has more than `maxBytes` bytes. An escape counts as one byte. */
function isLonger(bytes: Uint8Array, maxBytes: number): boolean {
  let length = 0;
  for (let at = 0; at < bytes.length && length <= maxBytes; length++) {
    if (bytes[at] !== BACKSLASH) at++;
    else at += bytes[at + 1] === LETTER_U ? ESCAPE_BYTES + 1 : 2;
  }
  return length > maxBytes;
}
