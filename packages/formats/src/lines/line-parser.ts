/**
 * Parses N-Triples and N-Quads (RDF 1.2) from bytes without making strings: the sink gets terms as spans of the chunk. Only
 * whole lines are parsed. An unfinished line is kept for the next chunk.
 *
 * line-scanner.ts reads most lines of a long document, and this parser reads the rest. It compares terms before it parses
 * them: most lines have the subject of the line before, and there are few predicates, which mostly come in the same order.
 */
import { DEFAULT_GRAPH_HANDLE, ParseError } from '@quadrille/model';
import type { QuadSink, TermHandle } from '@quadrille/model';
import { BYTE_CLASS, IRI_BYTE } from '../text/byte-classes.js';
import { KnownIris, MIN_KNOWN_BYTES, sameBytes } from '../terms/known-iris.js';
import type { KnownIri } from '../terms/known-iris.js';
import { LineScanner } from './line-scanner.js';
import { DEFAULT_LIMITS } from '../parser.js';
import type { ParserLimits, RdfParser } from '../parser.js';
import { TermFault } from '../terms/term-fault.js';
import { TermReader } from '../terms/term-reader.js';
import { utf8Length } from '../text/utf8.js';
import { UnfinishedLine } from './unfinished-line.js';

const LF = 0x0a;
const CR = 0x0d;
const HASH = 0x23;
const DOT = 0x2e;
const LESS = 0x3c;
const VERSION = 'VERSION';
const LINE_FEED = Uint8Array.of(LF);
const NO_VIEW = new DataView(new ArrayBuffer(0));
/** Bytes of a line with a fault that are shown. */
const SHOWN_BYTES = 500;
/** Smallest chunk, in bytes, for which the scanner is worth setting up. */
const SCANNED_BYTES = 32 * 1024;
/** A longer chunk is read in slices, so that a line that is too long is not read to its end. */
const SLICE_BYTES = 1024 * 1024;

export interface LineParserOptions extends ParserLimits {
  /** Where terms and statements go. */
  readonly sink: QuadSink;
  /** N-Quads: a line may name a graph. */
  readonly quads: boolean;
  /** Name of the document for error messages. */
  readonly source?: string | undefined;
  /** See `ParserOptions`. */
  readonly onFault?: ((error: ParseError, line: string) => void) | undefined;
}

/** A parser for N-Triples, or with `quads` for N-Quads. */
export function createLineParser(options: LineParserOptions): RdfParser {
  return new LineParser(options);
}

class LineParser implements RdfParser {
  readonly #sink: QuadSink;
  readonly #quads: boolean;
  readonly #source: string | undefined;
  readonly #onFault: LineParserOptions['onFault'];
  readonly #maxLineBytes: number;
  readonly #maxTermBytes: number;
  /** `null` if the platform has none. */
  #scanner: LineScanner | null | undefined;
  readonly #reader: TermReader;
  readonly #known = new KnownIris();
  /** The known IRI that #iri read last, or undefined if it was too long to remember. */
  #found: KnownIri | undefined;
  #predicate: KnownIri | undefined;
  #graph: KnownIri | undefined;
  /** The subject of the previous line and the space behind it, as a span of the buffer. The length is 0 if there is none. */
  #subjectStart = 0;
  #subjectLength = 0;
  #subjectHandle: TermHandle = 0;
  #view: DataView = NO_VIEW;
  readonly #unfinished: UnfinishedLine;
  /** Number of bytes that were pushed before the current chunk. */
  #received = 0;
  #line = 1;
  /** Start of the current line in the buffer. */
  #lineStart = 0;
  /** Whether the previous line ended with CR. A LF that follows then belongs to that line. */
  #afterCr = false;

  constructor(options: LineParserOptions) {
    this.#sink = options.sink;
    this.#quads = options.quads;
    this.#source = options.source;
    this.#onFault = options.onFault;
    this.#maxLineBytes = options.maxLineBytes ?? DEFAULT_LIMITS.maxLineBytes;
    this.#maxTermBytes = options.maxTermBytes ?? DEFAULT_LIMITS.maxTermBytes;
    this.#unfinished = new UnfinishedLine(this.#maxTermBytes);
    this.#reader = new TermReader(options.sink, this.#maxTermBytes, options.maxDepth ?? DEFAULT_LIMITS.maxDepth);
  }

  push(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length; at += SLICE_BYTES) {
      const length = Math.min(SLICE_BYTES, chunk.length - at);
      // Always a plain Uint8Array: a second class of arrays (Buffer) would make the loops slower.
      this.#push(new Uint8Array(chunk.buffer, chunk.byteOffset + at, length));
    }
  }

  #push(bytes: Uint8Array): void {
    let from = 0;
    if (this.#unfinished.length > 0) {
      while (from < bytes.length && !isLineEnd(bytes[from])) from++;
      if (from < bytes.length) from++;
      this.#carryOver(bytes, 0, from);
      if (isLineEnd(this.#unfinished.last)) this.#parseCarried(this.#received + from);
    }
    let to = bytes.length;
    while (to > from && !isLineEnd(bytes[to - 1])) to--;
    if (to > from) this.#parse(bytes, from, to, this.#received);
    this.#carryOver(bytes, to, bytes.length);
    this.#received += bytes.length;
  }

  end(): void {
    if (this.#unfinished.length === 0) return;
    this.#carryOver(LINE_FEED, 0, 1);
    this.#parseCarried(this.#received + 1);
  }

  #carryOver(bytes: Uint8Array, start: number, end: number): void {
    if (this.#unfinished.length + end - start > this.#maxLineBytes) {
      const position = { source: this.#source, line: this.#line, column: 1 };
      throw new ParseError('RDF_SYNTAX', `the line is longer than ${this.#maxLineBytes} bytes`, position);
    }
    const fault = this.#unfinished.append(bytes, start, end);
    if (fault !== undefined) this.#refuseCarried(fault, this.#received + end);
  }

  /** Throws the error of the first fault in the unfinished line, which ends at `documentEnd`. */
  #refuseCarried(fault: TermFault, documentEnd: number): never {
    const { length } = this.#unfinished;
    const offset = documentEnd - length;
    this.#unfinished.append(LINE_FEED, 0, 1);
    const bytes = this.#unfinished.take();
    try {
      this.#parseLines(bytes, 0, length + 1, offset);
    } catch (error) {
      if (error instanceof ParseError && (error.offset ?? 0) < offset + fault.at) throw error;
    }
    throw this.#parseError(fault, offset);
  }

  #parseCarried(documentEnd: number): void {
    const { length } = this.#unfinished;
    this.#parse(this.#unfinished.take(), 0, length, documentEnd - length);
  }

  /** Parses the lines from `from` to `to`, the last of them complete; `offset` is that of the buffer in the document. */
  #parse(bytes: Uint8Array, from: number, to: number, offset: number): void {
    const scanner = to - from < SCANNED_BYTES ? undefined : this.#openScanner();
    if (scanner === undefined) return this.#parseLines(bytes, from, to, offset);
    for (let at = from; at < to;) {
      let end = Math.min(to, at + scanner.statements.capacity);
      while (end > at && !isLineEnd(bytes[end - 1])) end--;
      if (end === at) {
        // The line is longer than the memory of the scanner.
        while (!isLineEnd(bytes[end])) end++;
        this.#parseLines(bytes, at, ++end, offset);
      } else {
        const { bytes: memory, start } = scanner.statements;
        memory.set(bytes.subarray(at, end), start);
        this.#parseLines(memory, start, start + end - at, offset + at - start, scanner);
      }
      at = end;
    }
  }

  #openScanner(): LineScanner | undefined {
    if (this.#scanner === undefined) {
      const scanner = LineScanner.create(this.#sink, this.#quads);
      // The scanner does not check the length of terms. No term is longer than a piece that it takes.
      this.#scanner = scanner !== undefined && scanner.statements.capacity <= this.#maxTermBytes ? scanner : null;
    }
    return this.#scanner ?? undefined;
  }

  /** Like {@link #parse}, for lines in the memory of a scanner. */
  #parseLines(bytes: Uint8Array, from: number, to: number, offset: number, scanner?: LineScanner): void {
    const reader = this.#reader;
    reader.bytes = bytes;
    reader.position = from;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#subjectLength = 0;
    if (offset + from === 0) this.#skipByteOrderMark(bytes);
    this.#lineStart = reader.position;
    for (;;) {
      const fault = this.#readLines(to, scanner);
      if (fault === undefined) return;
      const error = this.#parseError(fault, offset);
      if (this.#onFault === undefined) throw error;
      this.#skipLine(error, this.#onFault);
    }
  }

  /** Reads up to `to`, or to the first line with a fault, which it returns. */
  #readLines(to: number, scanner: LineScanner | undefined): TermFault | undefined {
    const reader = this.#reader;
    try {
      while (reader.position < to) {
        if (scanner !== undefined) this.#scan(scanner, to);
        if (reader.position < to) this.#readLine();
      }
      return undefined;
    } catch (error) {
      if (error instanceof TermFault) return error;
      throw error;
    }
  }

  /** Goes on behind the line that has a fault. Its terms may be in the sink; no statement has them. */
  #skipLine(error: ParseError, onFault: NonNullable<LineParserOptions['onFault']>): void {
    const { bytes } = this.#reader;
    let end = this.#lineStart;
    while (!isLineEnd(bytes[end])) end++;
    onFault(error, shownLine(bytes.subarray(this.#lineStart, Math.min(end, this.#lineStart + SHOWN_BYTES))));
    this.#afterCr = bytes[end] === CR;
    this.#line++;
    this.#lineStart = this.#reader.position = end + 1;
    this.#subjectLength = 0;
  }

  #scan(scanner: LineScanner, to: number): void {
    const count = scanner.scan(this.#reader.position, to);
    if (count === 0) return;
    this.#line += count;
    this.#lineStart = this.#reader.position = scanner.stopped;
    this.#afterCr = false;
  }

  #skipByteOrderMark(bytes: Uint8Array): void {
    const reader = this.#reader;
    const at = reader.position;
    if (bytes[at] === 0xef && bytes[at + 1] === 0xbb && bytes[at + 2] === 0xbf) reader.position += 3;
  }

  #readLine(): void {
    const reader = this.#reader;
    const byte = reader.skipBlanks();
    if (byte === LESS || byte === 0x5f) return this.#readStatement();
    if (this.#afterCr && byte === LF && reader.position === this.#lineStart) {
      this.#afterCr = false;
      this.#lineStart = ++reader.position;
      return;
    }
    if (byte !== HASH && !isLineEnd(byte)) this.#readVersion();
    this.#endLine();
  }

  #readStatement(): void {
    const reader = this.#reader;
    const subject = this.#readSubject();
    reader.skipBlanks();
    const predicate = this.#readIri(this.#predicate?.next, 'predicate');
    const found = this.#found;
    if (this.#predicate !== undefined) this.#predicate.next = found;
    this.#predicate = found;
    reader.skipBlanks();
    const object = reader.object('object', 0);
    const graph = reader.skipBlanks() === DOT ? DEFAULT_GRAPH_HANDLE : this.#readGraph();
    if (reader.skipBlanks() !== DOT) throw new TermFault(reader.position, `expected ".", found ${reader.found()}`);
    reader.position++;
    this.#endLine();
    this.#sink.quad(subject, predicate, object, graph);
  }

  #readSubject(): TermHandle {
    const reader = this.#reader;
    const start = reader.position;
    const length = this.#subjectLength;
    const view = this.#view;
    if (length > 0 && start + length <= view.byteLength && sameBytes(view, start, view, this.#subjectStart, length)) {
      reader.position = start + length;
      return this.#subjectHandle;
    }
    const handle = reader.resource('subject');
    this.#subjectHandle = handle;
    this.#subjectStart = start;
    this.#subjectLength = reader.bytes[reader.position] === 0x20 ? reader.position + 1 - start : 0;
    return handle;
  }

  /** Reads a predicate or a graph name: compares it with the expected one, then looks it up, and parses it as the last resort. */
  #readIri(expected: KnownIri | undefined, what: string): TermHandle {
    const reader = this.#reader;
    const view = this.#view;
    const start = reader.position;
    if (expected !== undefined && start + expected.length <= view.byteLength) {
      if (sameBytes(view, start, expected.view, 0, expected.length)) {
        reader.position = start + expected.length;
        this.#found = expected;
        return expected.handle;
      }
    }
    return this.#findIri(start, what);
  }

  #findIri(start: number, what: string): TermHandle {
    const reader = this.#reader;
    const { bytes } = reader;
    if (bytes[start] !== LESS) return reader.iri(what); // throws
    let end = start + 1;
    while ((BYTE_CLASS[bytes[end]!]! & IRI_BYTE) !== 0 || bytes[end]! >= 0x80) end++;
    end++;
    const known = end - start < MIN_KNOWN_BYTES ? undefined : this.#known.find(this.#view, start, end);
    this.#found = known;
    if (known !== undefined) {
      reader.position = end;
      return known.handle;
    }
    const handle = reader.iri(what);
    if (reader.wasCanonical) this.#found = this.#known.add(this.#view, start, end, handle);
    return handle;
  }

  #readGraph(): TermHandle {
    const reader = this.#reader;
    if (!this.#quads) {
      const hint = reader.bytes[reader.position] === LESS ? ' (a graph name is N-Quads)' : '';
      throw new TermFault(reader.position, `expected ".", found ${reader.found()}${hint}`);
    }
    if (reader.bytes[reader.position] !== LESS) return reader.resource('graph name or "."');
    const handle = this.#readIri(this.#graph, 'graph name');
    this.#graph = this.#found;
    return handle;
  }

  #readVersion(): void {
    const reader = this.#reader;
    const { bytes, position } = reader;
    for (let i = 0; i < VERSION.length; i++) {
      if (bytes[position + i] !== VERSION.charCodeAt(i)) {
        throw new TermFault(position, `expected a subject: an IRI or a blank node, found ${reader.found()}`);
      }
    }
    reader.position = position + VERSION.length;
    if (reader.skipBlanks() !== 0x22) throw new TermFault(reader.position, 'VERSION needs a string in double quotes');
    reader.skipString();
  }

  /** Blanks, a comment and the end of the line. */
  #endLine(): void {
    const reader = this.#reader;
    let byte = reader.skipBlanks();
    if (byte === HASH) byte = this.#skipComment();
    if (byte !== LF && byte !== CR) throw new TermFault(reader.position, `unexpected ${reader.found()}`);
    this.#afterCr = byte === CR;
    this.#line++;
    this.#lineStart = ++reader.position;
  }

  #skipComment(): number {
    const reader = this.#reader;
    const { bytes } = reader;
    let at = reader.position;
    while (!isLineEnd(bytes[at])) {
      const length = utf8Length(bytes, at);
      if (length === 0) throw new TermFault(at, 'not UTF-8');
      at += length;
    }
    reader.position = at;
    return bytes[at]!;
  }

  #parseError(fault: TermFault, offset: number): ParseError {
    const { bytes } = this.#reader;
    let column = 1;
    for (let i = this.#lineStart; i < fault.at; i++) if ((bytes[i]! & 0xc0) !== 0x80) column++;
    const position = { source: this.#source, line: this.#line, column, offset: offset + fault.at };
    return new ParseError('RDF_SYNTAX', fault.reason, position);
  }
}

/** What is no UTF-8 is shown as the replacement character. */
const shownLine = (bytes: Uint8Array): string => new TextDecoder().decode(bytes.slice());

function isLineEnd(byte: number | undefined): boolean {
  return byte === LF || byte === CR;
}
