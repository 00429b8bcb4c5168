/**
 * Parses Turtle and TriG (RDF 1.2) from chunks of bytes. WebAssembly (turtle-scanner.ts) finds ordinary statements;
 * turtle-statements.ts reads all others. Only a token that is cut is kept for the next chunk.
 */
import { MAX_IRI_BYTES, ParseError } from '@quadrille/model';
import { DEFAULT_LIMITS } from '../parser.js';
import type { ParserLimits, ParserOptions, RdfParser } from '../parser.js';
import { TermFault } from '../terms/term-fault.js';
import { CR, isLineEnd, LF } from '../text/bytes.js';
import { TurtleScanner } from './turtle-scanner.js';
import { TurtleStatements } from './turtle-statements.js';
import { TurtleText } from './turtle-text.js';

export interface TurtleParserOptions extends ParserOptions {
  /** Whether the document may name graphs (TriG). */
  readonly trig: boolean;
  /** Whether to use WebAssembly. Default: true. */
  readonly scanner?: boolean;
}

/** A parser for Turtle, or with `trig` for TriG. */
export function createTurtleParser(options: TurtleParserOptions): RdfParser {
  return new TurtleParser(options);
}

// Number of bytes that are read in one stretch.
const SLICE_BYTES = 256 * 1024;
/** Smallest chunk, in bytes, for which the scanner is worth setting up. */
const SCANNED_BYTES = 32 * 1024;
/** A longer token that is cut is read again only when half as many bytes have been added. */
const LONG_TOKEN_BYTES = 1024;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
const NO_BYTES = new Uint8Array(0);

class TurtleParser implements RdfParser {
  readonly #options: TurtleParserOptions;
  readonly #limits: Required<ParserLimits>;
  readonly #text = new TurtleText();
  readonly #statements: TurtleStatements;
  /** `null` if the platform has none. */
  #scanner: TurtleScanner | null | undefined;
  /** The unread bytes are at its start. */
  #rest = new Uint8Array(4096);
  #restLength = 0;
  /** Number of unread bytes from which on they are read. */
  #enough = 0;
  /** The end of the part that is read: bytes before it, and characters before it in its line. */
  #offset = 0;
  #column = 0;
  #started = false;

  constructor(options: TurtleParserOptions) {
    const limits = { ...DEFAULT_LIMITS, ...options.limits };
    this.#options = options;
    this.#limits = limits;
    this.#statements = new TurtleStatements(this.#text, {
      sink: options.sink,
      trig: options.trig,
      baseIRI: options.baseIRI,
      limits,
      onPrefix: (name, namespace) => this.#scanner?.declare(name, namespace),
    });
    if (options.scanner === false) this.#scanner = null;
  }

  push(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length; at += SLICE_BYTES) {
      const slice = chunk.subarray(at, at + SLICE_BYTES);
      if (this.#restLength + slice.length < this.#enough) this.#keep(slice);
      else this.#read(slice, false);
    }
  }

  end(): void {
    this.#read(NO_BYTES, true);
  }

  /** Appends bytes to the unread ones. */
  #keep(bytes: Uint8Array): void {
    const length = this.#restLength + bytes.length;
    // One more byte, for the line end behind them.
    if (length + 1 > this.#rest.length) {
      const larger = new Uint8Array(Math.max(this.#rest.length * 2, length + 1));
      larger.set(this.#rest.subarray(0, this.#restLength));
      this.#rest = larger;
    }
    this.#rest.set(bytes, this.#restLength);
    this.#restLength = length;
  }

  /** Reads the unread bytes and these. */
  #read(bytes: Uint8Array, isLast: boolean): void {
    const length = this.#restLength + bytes.length;
    const scanner = length < SCANNED_BYTES ? undefined : this.#openScanner();
    const memory = scanner?.statements;
    const text = this.#text;
    let start = 0;
    if (memory !== undefined && length < memory.capacity) {
      ({ start } = memory);
      memory.bytes.set(this.#rest.subarray(0, this.#restLength), start);
      memory.bytes.set(bytes, start + this.#restLength);
      memory.bytes[start + length] = LF;
      text.open(memory.bytes, start, start + length, isLast);
    } else {
      this.#keep(bytes);
      this.#rest[length] = LF;
      text.open(this.#rest, 0, length, isLast);
    }
    try {
      if (this.#skipByteOrderMark()) this.#readStatements(start > 0 ? scanner : undefined);
      if (isLast) this.#statements.end();
    } catch (error) {
      throw error instanceof TermFault ? this.#errorOf(error, start) : error;
    }
    this.#keepRest(start);
  }

  #readStatements(scanner: TurtleScanner | undefined): void {
    const statements = this.#statements;
    const text = this.#text;
    statements.tokenStart = text.at;
    statements.tokenLine = text.line;
    do if (scanner !== undefined && statements.isBetween) this.#scan(scanner);
    while (statements.read());
  }

  /** Reads the statements that the scanner knows. */
  #scan(scanner: TurtleScanner): void {
    const text = this.#text;
    while (scanner.scan(text.at, text.end, this.#statements.graph) > 0) {
      text.at = scanner.stopped;
      text.line += scanner.lines;
    }
  }

  #openScanner(): TurtleScanner | undefined {
    if (this.#scanner === undefined) {
      const scanner = TurtleScanner.create(this.#options.sink);
      // The scanner does not check the length of terms. No term is longer than a piece that it takes.
      this.#scanner =
        scanner !== undefined && scanner.statements.capacity <= this.#limits.maxTermBytes ? scanner : null;
      for (const { name, namespace } of this.#statements.prefixes) this.#scanner?.declare(name, namespace);
    }
    return this.#scanner ?? undefined;
  }

  /** Returns false if more bytes are needed. */
  #skipByteOrderMark(): boolean {
    if (this.#started) return true;
    const text = this.#text;
    for (const byte of BYTE_ORDER_MARK) {
      if (text.at === text.end && !text.isLast) {
        text.at -= BYTE_ORDER_MARK.indexOf(byte);
        return false;
      }
      if (text.bytes[text.at] !== byte) {
        text.at -= BYTE_ORDER_MARK.indexOf(byte);
        this.#started = true;
        return true;
      }
      text.at++;
    }
    this.#started = true;
    // The byte order mark is not a character of the first line.
    this.#column = -1;
    return true;
  }

  /** Moves the unread bytes to the start of the pending buffer. The bytes that were read began at `start`. */
  #keepRest(start: number): void {
    const { bytes, at, end } = this.#text;
    this.#column = this.#columnOf(start, at);
    this.#offset += at - start;
    this.#restLength = end - at;
    if (bytes === this.#rest) bytes.copyWithin(0, at, end);
    else {
      this.#restLength = 0;
      this.#keep(bytes.subarray(at, end));
    }
    this.#enough = this.#restLength < LONG_TOKEN_BYTES ? 0 : this.#nextLook(this.#statements.cutStart - at);
  }

  /** The length at which the cut token is read again: one and a half times its length, or less if it then exceeds a limit. */
  #nextLook(cutStart: number): number {
    const length = this.#restLength;
    const more = length * 1.5;
    const { maxTermBytes, maxLineBytes } = this.#limits;
    // The limit, with "<" or "_:", one byte more than is allowed, and the byte behind it.
    for (const enough of [cutStart + MAX_IRI_BYTES + 3, maxTermBytes + 4, maxLineBytes + 1]) {
      if (enough > length && enough < more) return enough;
    }
    return more;
  }

  /** Number of characters before an offset in its line. The buffer begins at `start`. */
  #columnOf(start: number, to: number): number {
    const { bytes } = this.#text;
    let column = 0;
    let at = to;
    while (at > start && !isLineEnd(bytes[at - 1])) if ((bytes[--at]! & 0xc0) !== 0x80) column++;
    return at === start ? this.#column + column : column;
  }

  #errorOf(fault: TermFault, start: number): ParseError {
    const { tokenStart, tokenLine } = this.#statements;
    const { bytes } = this.#text;
    let line = tokenLine;
    for (let at = tokenStart; at < fault.at; at++) {
      if (bytes[at] === LF || (bytes[at] === CR && bytes[at + 1] !== LF)) line++;
    }
    const column = this.#columnOf(start, fault.at) + 1;
    const offset = this.#offset + fault.at - start;
    return new ParseError('RDF_SYNTAX', fault.reason, { source: this.#options.source, line, column, offset });
  }
}
