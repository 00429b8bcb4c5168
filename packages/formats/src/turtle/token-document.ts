/**
 * Reads a document of tokens from chunks of bytes. What is cut at the end of a chunk is kept for the next one, so a document may be
 * cut anywhere. Turtle, TriG and RDF Patch are read in this way.
 */
import { MAX_IRI_BYTES, ParseError } from '@quadrille/model';
import type { ParserLimits, RdfParser } from '../parser.js';
import type { Statements } from '../scanner/scanner.js';
import { TermFault } from '../terms/term-fault.js';
import { CR, isLineEnd, LF } from '../text/bytes.js';
import type { TurtleText } from './turtle-text.js';

/** The grammar of a document. A unit, for example a token or a row, is read as a whole or not at all. */
export interface DocumentGrammar {
  /** Start of the last unit, and its line. */
  tokenStart: number;
  tokenLine: number;
  /** Start of the term that is cut at the end of the bytes. */
  readonly cutStart: number;
  /** Reads some units. Returns false if the bytes end before the next one; the position is then before that unit. */
  read(): boolean;
  /** Checks that the document may end at the position. */
  end(): void;
}

/** Reads ordinary statements faster than the grammar, from a memory of its own. */
export interface DocumentScanner {
  readonly statements: Pick<Statements, 'bytes' | 'start' | 'capacity'>;
  /** Reads the statements at the position that it knows. */
  scan(): void;
}

export interface TokenDocumentOptions {
  readonly text: TurtleText;
  readonly grammar: DocumentGrammar;
  readonly limits: Required<ParserLimits>;
  /** Name of the document for error messages. */
  readonly source: string | undefined;
  /** Returns the scanner for a chunk of `length` bytes, if there is a scanner and the chunk is long enough to repay its cost. */
  readonly scannerFor?: (length: number) => DocumentScanner | undefined;
}

// Number of bytes that are read in one stretch.
const SLICE_BYTES = 256 * 1024;
/** A longer unit that is cut is read again only when half as many bytes have been added. */
const LONG_TOKEN_BYTES = 1024;
/** The longest part of a token that is shown. */
const SHOWN_BYTES = 500;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
const NO_BYTES = new Uint8Array(0);

export class TokenDocument implements RdfParser {
  readonly #options: TokenDocumentOptions;
  readonly #text: TurtleText;
  readonly #grammar: DocumentGrammar;
  /** The unread bytes are at its start. */
  #rest: Uint8Array = NO_BYTES;
  #restLength = 0;
  /** Where the bytes begin that are read. */
  #start = 0;
  /** Number of unread bytes from which on they are read. */
  #enough = 0;
  /** The end of the part that is read: bytes before it, and characters before it in its line. */
  #offset = 0;
  #column = 0;
  #started = false;

  constructor(options: TokenDocumentOptions) {
    this.#options = options;
    this.#text = options.text;
    this.#grammar = options.grammar;
  }

  push(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length; at += SLICE_BYTES) {
      const slice = chunk.subarray(at, at + SLICE_BYTES);
      if (this.#restLength + slice.length < this.#enough) this.#keep(slice);
      else this.#read(slice, false);
    }
  }

  /** Reads what is complete. Without it, bytes of a long unit may wait for more of them. */
  flush(): void {
    this.#read(NO_BYTES, false);
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
    const scanner = this.#options.scannerFor?.(length);
    const memory = scanner?.statements;
    const text = this.#text;
    let start = (this.#start = 0);
    if (memory !== undefined && length < memory.capacity) {
      start = this.#start = memory.start;
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
      if (this.#skipByteOrderMark()) this.#readUnits(start > 0 ? scanner : undefined);
      if (isLast) this.#grammar.end();
    } catch (error) {
      throw error instanceof TermFault ? this.errorOf(error) : error;
    }
    this.#keepRest(start);
  }

  #readUnits(scanner: DocumentScanner | undefined): void {
    const grammar = this.#grammar;
    grammar.tokenStart = this.#text.at;
    grammar.tokenLine = this.#text.line;
    do scanner?.scan();
    while (grammar.read());
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
    this.#enough = this.#restLength < LONG_TOKEN_BYTES ? 0 : this.#nextLook(this.#grammar.cutStart - at);
  }

  /** The length at which the cut unit is read again: one and a half times its length, or less if it then exceeds a limit. */
  #nextLook(cutStart: number): number {
    const length = this.#restLength;
    const more = length * 1.5;
    const { maxTermBytes, maxLineBytes } = this.#options.limits;
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

  /** The bytes of a token as text, for a message. */
  shown(from: number, to: number): string {
    return new TextDecoder().decode(this.#text.bytes.subarray(from, Math.min(to, from + SHOWN_BYTES)));
  }

  /** The error of a fault in the bytes that are read. */
  errorOf(fault: TermFault): ParseError {
    const start = this.#start;
    const { tokenStart, tokenLine } = this.#grammar;
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
