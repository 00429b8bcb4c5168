/**
 * Turtle and TriG (RDF 1.2) from chunks of bytes. Statements as programs write them are found by WebAssembly
 * (turtle-scanner.ts), all others are read by turtle-statements.ts. Of a chunk only a token that is cut is kept for the next one.
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
  /** TriG: the document may name graphs. */
  readonly trig: boolean;
  /** Whether WebAssembly may help. Default: yes. */
  readonly scanner?: boolean;
}

/** A parser for Turtle, or with `trig` for TriG. */
export function createTurtleParser(options: TurtleParserOptions): RdfParser {
  return new TurtleParser(options);
}

// So much is read in one stretch.
const SLICE_BYTES = 256 * 1024;
/** From so many bytes on the scanner is worth being set up. */
const SCANNED_BYTES = 32 * 1024;
/** A longer token that is cut is not looked at again before there is half as much more of it. */
const LONG_TOKEN_BYTES = 1024;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
const NO_BYTES = new Uint8Array(0);

class TurtleParser implements RdfParser {
  readonly #options: TurtleParserOptions;
  readonly #limits: Required<ParserLimits>;
  readonly #text = new TurtleText();
  readonly #statements: TurtleStatements;
  /** `null`: not to be had. */
  #scanner: TurtleScanner | null | undefined;
  /** What is not read yet stands at its start. */
  #rest = new Uint8Array(4096);
  #restLength = 0;
  /** So many bytes make it worth looking at them. */
  #enough = 0;
  /** The place in the document up to which all is read: bytes before it, and characters before it in its line. */
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

  /** Puts bytes behind those that are not read yet. */
  #keep(bytes: Uint8Array): void {
    const length = this.#restLength + bytes.length;
    // A line end will stand behind them.
    if (length + 1 > this.#rest.length) {
      const larger = new Uint8Array(Math.max(this.#rest.length * 2, length + 1));
      larger.set(this.#rest.subarray(0, this.#restLength));
      this.#rest = larger;
    }
    this.#rest.set(bytes, this.#restLength);
    this.#restLength = length;
  }

  /** Reads the bytes that are not read yet and these. */
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

  /** Moves behind the statements that the scanner knows. */
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
      // It does not look at the length of terms, of which none is longer than what it takes.
      this.#scanner =
        scanner !== undefined && scanner.statements.capacity <= this.#limits.maxTermBytes ? scanner : null;
      for (const { name, namespace } of this.#statements.prefixes) this.#scanner?.declare(name, namespace);
    }
    return this.#scanner ?? undefined;
  }

  /** Returns false where more bytes have to come first. */
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
    // It is no character of the first line.
    this.#column = -1;
    return true;
  }

  /** Moves what is not read to where it waits; the buffer began at `start`. */
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

  /** How long the cut token must be for another look at it: there is half as much more of it, or it has passed a limit. */
  #nextLook(cutStart: number): number {
    const length = this.#restLength;
    const more = length * 1.5;
    const { maxTermBytes, maxLineBytes } = this.#limits;
    // With "<", or with "_:", and one byte more than is allowed, and another one behind it.
    for (const enough of [cutStart + MAX_IRI_BYTES + 3, maxTermBytes + 4, maxLineBytes + 1]) {
      if (enough > length && enough < more) return enough;
    }
    return more;
  }

  /** How many characters stand before a place in its line; the buffer begins at `start`. */
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
