/**
 * Turtle and TriG as programs write them, read from bytes: prefixes, names, literals, `;`, `,` and graphs. What is left out,
 * such as `[`, `(`, relative IRIs, and whatever is wrong, it stops at: the whole grammar and all errors are n3's.
 */
import { DEFAULT_GRAPH_HANDLE, MAX_IRI_BYTES, RDF_NS } from '@quadrille/model';
import type { QuadSink, TermHandle } from '@quadrille/model';
import { BYTE_CLASS, DIGIT, IRI_BYTE, LABEL_BYTE, LETTER } from '../text/byte-classes.js';
import { KnownIris, MIN_KNOWN_BYTES } from '../terms/known-iris.js';
import type { ParserLimits } from '../parser.js';
import type { PlainReader } from './plain-document.js';
import { PlainLiterals } from './plain-literals.js';
import { TermFault, TermReader } from '../terms/term-reader.js';
import { TurtleScanner } from './turtle-scanner.js';
import { codePointAt, isLabelCodePoint, utf8Length } from '../text/utf8.js';

const LF = 0x0a;
const CR = 0x0d;
const HASH = 0x23;
const COMMA = 0x2c;
const DOT = 0x2e;
const COLON = 0x3a;
const SEMICOLON = 0x3b;
const LESS = 0x3c;
const OPEN = 0x7b;
const CLOSE = 0x7d;
/** Where a name ends: what n3 would take to be part of it, or refuse, is left to it. */
const NAME_END = new Uint8Array(256);
for (const char of ' \t\r\n,;') NAME_END[char.charCodeAt(0)] = 1;

/** n3 expects other things behind the first statement of a graph than before it. */
const ANY_STATEMENT = ' <a:a> <a:a> <a:a> .';
/** From so many bytes on the scanner is worth being set up. */
const SCANNED_BYTES = 32 * 1024;
/** A document with more is left to n3: they are looked through one by one. */
const MAX_PREFIXES = 200;
const utf8 = new TextEncoder();
const RDF_TYPE = utf8.encode(`<${RDF_NS}type>`);

interface Prefix {
  /** With the colon. */
  readonly name: Uint8Array;
  readonly namespace: Uint8Array;
}

export class PlainTurtle implements PlainReader {
  /** The line of the place up to which all was read. */
  line = 1;
  /** Something comes that is not for this reader. */
  stopped = false;
  /** Whether any statement or declaration was read. */
  started = false;
  /** The graph that is open: its name as text, and empty for the default graph. */
  graphText: string | undefined;
  base: string | undefined;
  readonly #sink: QuadSink;
  readonly #trig: boolean;
  readonly #maxPrefixes: number;
  readonly #maxTermBytes: number;
  /** `null`: not to be had. */
  #scanner: TurtleScanner | null | undefined;
  readonly #reader: TermReader;
  readonly #literals: PlainLiterals;
  readonly #prefixes: Prefix[] = [];
  #predicates = new KnownIris();
  #rdfType: TermHandle = 0;
  #bytes: Uint8Array = new Uint8Array(0);
  #view = new DataView(this.#bytes.buffer);
  #end = 0;
  #realEnd = 0;
  #at = 0;
  /** Line ends since the statement began. */
  #lines = 0;
  #graph: TermHandle = DEFAULT_GRAPH_HANDLE;
  /** Whether the graph that is open has a statement. */
  #graphStarted = false;
  /** Predicates and objects of the statement: it counts only when it is whole. */
  #pairs = new Uint32Array(64);
  #count = 0;
  #scratch = new Uint8Array(2 * MAX_IRI_BYTES);

  constructor(sink: QuadSink, trig: boolean, limits: Required<ParserLimits>) {
    this.#sink = sink;
    this.#trig = trig;
    this.#maxPrefixes = Math.min(limits.maxPrefixes, MAX_PREFIXES);
    this.#maxTermBytes = limits.maxTermBytes;
    this.#reader = new TermReader(sink, limits.maxTermBytes, limits.maxDepth);
    this.#literals = new PlainLiterals(sink, limits.maxTermBytes, (at) => this.#datatype(at));
  }

  /** The declarations that hold now, and the graph that is open, as a document would begin that has them; a line each. */
  get head(): string[] {
    const text = new TextDecoder();
    const lines = this.#prefixes.map(
      ({ name, namespace }) => `@prefix ${text.decode(name)} <${text.decode(namespace)}> .`,
    );
    if (this.graphText !== undefined) lines.push(`${this.graphText} {${this.#graphStarted ? ANY_STATEMENT : ''}`);
    return lines;
  }

  /** Both, and a line end behind them: what {@link read} takes. In memory that is used again. */
  joined(a: Uint8Array, b: Uint8Array): Uint8Array {
    const length = a.length + b.length + 1;
    const memory = length < SCANNED_BYTES ? undefined : this.#openScanner()?.statements;
    const isScanned = memory !== undefined && length < memory.capacity;
    const whole = isScanned ? memory.bytes.subarray(memory.start, memory.start + length) : new Uint8Array(length);
    whole.set(a);
    whole.set(b, a.length);
    whole[length - 1] = LF;
    return whole;
  }

  #openScanner(): TurtleScanner | null {
    if (this.#scanner === undefined) {
      const scanner = TurtleScanner.create(this.#sink);
      // It does not look at the length of terms, of which none is longer than what it takes.
      this.#scanner = scanner !== undefined && scanner.statements.capacity <= this.#maxTermBytes ? scanner : null;
      for (const { name, namespace } of this.#prefixes) this.#scanner?.declare(name, namespace);
    }
    return this.#scanner;
  }

  /**
   * Reads whole statements; returns where the first one begins that is not whole, or not plain. The last byte is a LF, which
   * is one of the document's only with `isLast`.
   */
  read(bytes: Uint8Array, isLast: boolean): number {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#end = bytes.length;
    this.#realEnd = isLast ? bytes.length : bytes.length - 1;
    this.#reader.bytes = bytes;
    this.#literals.bytes = bytes;
    const scanner = bytes.buffer === this.#scanner?.statements.bytes.buffer ? this.#scanner : undefined;
    let done = 0;
    for (;;) {
      if (scanner !== undefined) done = this.#scan(scanner, done);
      this.#at = done;
      this.#lines = 0;
      this.#count = 0;
      if (!this.#statement()) break;
      done = this.#at;
      this.line += this.#lines;
      this.started = true;
    }
    // What is cut may be plain with more bytes; no token but a long string, which says so, goes on behind its line.
    this.stopped = this.#at <= bytes.lastIndexOf(LF, this.#realEnd - 1);
    return done;
  }

  /** A graph is not left open; comments are left to n3. */
  canEnd(bytes: Uint8Array, from: number): boolean {
    return this.graphText === undefined && isSpace(bytes, from);
  }

  /** n3 counts the units of UTF-16. */
  columns(text: string): number {
    return text.length;
  }

  /** Reads on as far as the scanner goes; returns where it stopped. */
  #scan(scanner: TurtleScanner, from: number): number {
    const { start } = scanner.statements;
    const to = start + this.#realEnd;
    for (let at = start + from; ; at = scanner.stopped) {
      if (scanner.scan(at, to, this.#graph) === 0) return at - start;
      this.line += scanner.lines;
      this.started = true;
      this.#graphStarted = true;
    }
  }

  #statement(): boolean {
    const byte = this.#space();
    if (byte === 0x40) return this.#declaration(1, true);
    if (byte === CLOSE && this.graphText !== undefined) return this.#closeGraph();
    if (byte === OPEN && this.#trig && this.graphText === undefined) return this.#openGraph(DEFAULT_GRAPH_HANDLE, '');
    const start = this.#at;
    const subject = this.#resource(byte);
    if (subject === 0) return (byte | 0x20) === 0x70 || (byte | 0x20) === 0x62 ? this.#sparqlDeclaration(start) : false;
    const end = this.#at;
    const next = this.#space();
    if (next === OPEN && this.#trig && this.graphText === undefined) {
      return this.#openGraph(subject, this.#nameText(start, end));
    }
    return this.#properties(subject, next);
  }

  #properties(subject: TermHandle, first: number): boolean {
    let byte = first;
    for (;;) {
      const predicate = this.#predicate(byte);
      if (predicate === 0) return false;
      do {
        const object = this.#object(this.#space());
        if (object === 0) return false;
        this.#add(predicate, object);
        byte = this.#space();
        if (byte === COMMA) this.#at++;
      } while (byte === COMMA);
      if (byte === SEMICOLON) {
        do {
          this.#at++;
          byte = this.#space();
        } while (byte === SEMICOLON);
        if (byte !== DOT) continue;
      }
      if (byte === CLOSE && this.graphText !== undefined) {
        this.#emit(subject);
        return this.#closeGraph();
      }
      if (byte !== DOT || !this.#isFullStop()) return false;
      this.#at++;
      this.#emit(subject);
      return true;
    }
  }

  #add(predicate: TermHandle, object: TermHandle): void {
    if (this.#count === this.#pairs.length) {
      const larger = new Uint32Array(this.#pairs.length * 2);
      larger.set(this.#pairs);
      this.#pairs = larger;
    }
    this.#pairs[this.#count++] = predicate;
    this.#pairs[this.#count++] = object;
  }

  #emit(subject: TermHandle): void {
    this.#graphStarted = true;
    const pairs = this.#pairs;
    for (let i = 0; i < this.#count; i += 2) this.#sink.quad(subject, pairs[i]!, pairs[i + 1]!, this.#graph);
  }

  /** Moves behind space and comments; returns the byte there, or -1 at the end. */
  #space(): number {
    const bytes = this.#bytes;
    let at = this.#at;
    for (; at < this.#end; at++) {
      const byte = bytes[at]!;
      if (byte === LF) this.#lines++;
      else if (byte === CR) this.#lines += bytes[at + 1] === LF ? 0 : 1;
      else if (byte === HASH) {
        at = this.#commentEnd(at) - 1;
        if (at < 0) return 0;
      } else if (byte !== 0x20 && byte !== 0x09) {
        this.#at = at;
        return byte;
      }
    }
    this.#at = at;
    return -1;
  }

  // The line end behind a comment; 0 where it is not UTF-8, and the place stays before it.
  #commentEnd(start: number): number {
    const bytes = this.#bytes;
    let at = start;
    while (bytes[at] !== LF && bytes[at] !== CR) {
      const length = bytes[at]! < 0x80 ? 1 : utf8Length(bytes, at);
      if (length === 0) {
        this.#at = start;
        return 0;
      }
      at += length;
    }
    return at;
  }

  #isFullStop(): boolean {
    return this.#at + 1 < this.#realEnd && this.#isSpace(this.#at + 1);
  }

  #isSpace(at: number): boolean {
    const byte = this.#bytes[at];
    return byte === LF || byte === 0x20 || byte === CR || byte === 0x09;
  }

  /** An IRI or a blank node, its first byte given; 0 where it is neither. */
  #resource(byte: number): TermHandle {
    if (byte === LESS) return this.#iri();
    if (byte === 0x5f) return this.#blankNode();
    const end = this.#name(this.#at);
    return end === 0 ? 0 : this.#sink.term(this.#scratch, 0, end);
  }

  #predicate(byte: number): TermHandle {
    if (byte === 0x61 && this.#isSpace(this.#at + 1)) {
      this.#at++;
      if (this.#rdfType === 0) this.#rdfType = this.#sink.term(RDF_TYPE, 0, RDF_TYPE.length);
      return this.#rdfType;
    }
    const start = this.#at;
    const bytes = this.#bytes;
    let end = start;
    if (byte === LESS) {
      do end++;
      while ((BYTE_CLASS[bytes[end]!]! & IRI_BYTE) !== 0);
      end++;
    } else while (NAME_END[bytes[end]!] === 0) end++;
    const canKnow = end - start >= MIN_KNOWN_BYTES;
    const known = canKnow ? this.#predicates.find(this.#view, start, end) : undefined;
    if (known !== undefined) {
      this.#at = end;
      return known.handle;
    }
    const handle = byte === 0x5f ? 0 : this.#resource(byte);
    if (handle !== 0 && canKnow && this.#at === end) this.#predicates.add(this.#view, start, end, handle);
    return handle;
  }

  #object(byte: number): TermHandle {
    if (byte === LESS || byte === 0x5f) return this.#resource(byte);
    const literals = this.#literals;
    const handle = literals.read(this.#at, byte);
    if (handle !== 0) {
      this.#at = literals.at;
      this.#lines += literals.lines;
      return handle;
    }
    // A string may go on behind the end.
    if (literals.isCut) this.#at = this.#end;
    return byte === 0x22 || byte === 0x27 ? 0 : this.#resource(byte);
  }

  #iri(): TermHandle {
    const reader = this.#reader;
    reader.position = this.#at;
    try {
      const handle = reader.iri('subject');
      this.#at = reader.position;
      return handle;
    } catch (error) {
      if (error instanceof TermFault) return 0;
      throw error;
    }
  }

  #blankNode(): TermHandle {
    const bytes = this.#bytes;
    const start = this.#at + 2;
    if (bytes[start - 1] !== COLON) return 0;
    let at = start;
    while ((BYTE_CLASS[bytes[at]!]! & LABEL_BYTE) !== 0 && (at > start || bytes[at] !== 0x2d)) at++;
    if (at === start || !this.#endsAt(at)) return 0;
    let first = start;
    while (bytes[first] === 0x5f) first++;
    // Like a label of ours: "anon" and a number.
    if (bytes[first] === 0x61 && bytes[first + 1] === 0x6e && bytes[first + 2] === 0x6f) return 0;
    this.#at = at;
    return this.#sink.blankNode(bytes, start, at);
  }

  /** Whether a name that goes up to there ends there. */
  #endsAt(at: number): boolean {
    const byte = this.#bytes[at]!;
    return NAME_END[byte] === 1 || (byte === DOT && this.#isSpace(at + 1));
  }

  /** Puts the IRI of a prefixed name into the scratch buffer; returns its length, or 0. Moves behind the name. */
  #name(start: number): number {
    const bytes = this.#bytes;
    let at = start;
    if (bytes[at] !== COLON && (BYTE_CLASS[bytes[at]!]! & LETTER) === 0) return 0;
    while ((BYTE_CLASS[bytes[at]!]! & LABEL_BYTE) !== 0) at++;
    if (bytes[at] !== COLON) return 0;
    at++;
    const namespace = this.#find(bytes, start, at)?.namespace;
    const end = this.#localEnd(at);
    if (namespace === undefined || end === 0) return 0;
    const length = namespace.length + end - at;
    if (length > MAX_IRI_BYTES) return 0;
    const scratch = this.#scratch;
    scratch[0] = LESS;
    scratch.set(namespace, 1);
    for (let i = at, to = namespace.length + 1; i < end; i++, to++) scratch[to] = bytes[i]!;
    scratch[length + 1] = 0x3e;
    this.#at = end;
    return length + 2;
  }

  /** Where a local name ends; 0 where it has something that is not plain. */
  #localEnd(start: number): number {
    const bytes = this.#bytes;
    let at = start;
    for (;;) {
      const byte = bytes[at]!;
      if ((BYTE_CLASS[byte]! & LABEL_BYTE) !== 0 && (at > start || byte !== 0x2d)) at++;
      else if (byte === COLON) at++;
      else if (byte === DOT && at > start && !this.#isSpace(at + 1)) at++;
      else if (byte >= 0x80) {
        const length = utf8Length(bytes, at);
        if (length === 0 || !isLabelCodePoint(codePointAt(bytes, at, length), at === start)) return 0;
        at += length;
      } else break;
    }
    // No name ends with a dot.
    return this.#endsAt(at) && (at === start || bytes[at - 1] !== DOT) ? at : 0;
  }

  #find(bytes: Uint8Array, start: number, end: number): Prefix | undefined {
    search: for (const prefix of this.#prefixes) {
      const { name } = prefix;
      if (name.length !== end - start) continue;
      for (let i = 0; i < name.length; i++) if (name[i] !== bytes[start + i]) continue search;
      return prefix;
    }
    return undefined;
  }

  /** The IRI of a datatype at this place, as text, and where it ends. */
  #datatype(at: number): { readonly iri: Uint8Array; readonly end: number } | undefined {
    const before = this.#at;
    let iri: Uint8Array | undefined;
    if (this.#bytes[at] === LESS) {
      const end = this.#iriEnd(at);
      this.#at = end;
      if (end !== 0) iri = this.#bytes.slice(at, end);
    } else {
      const length = this.#name(at);
      if (length !== 0) iri = this.#scratch.slice(0, length);
    }
    const end = this.#at;
    this.#at = before;
    return iri === undefined ? undefined : { iri, end };
  }

  /** Where an absolute IRI without escapes and beyond ASCII ends; 0 where it is another. */
  #iriEnd(start: number): number {
    const bytes = this.#bytes;
    let at = start + 1;
    if ((BYTE_CLASS[bytes[at]!]! & LETTER) === 0) return 0;
    while ((BYTE_CLASS[bytes[at]!]! & (LETTER | DIGIT)) !== 0) at++;
    if (bytes[at] !== COLON) return 0;
    while ((BYTE_CLASS[bytes[at]!]! & IRI_BYTE) !== 0) at++;
    return bytes[at] === 0x3e && at - start <= MAX_IRI_BYTES ? at + 1 : 0;
  }

  #sparqlDeclaration(start: number): boolean {
    this.#at = start;
    return this.#declaration(0, false);
  }

  /** `@prefix name: <iri> .`, `PREFIX name: <iri>`, and the same with a base. */
  #declaration(skip: number, dot: boolean): boolean {
    const bytes = this.#bytes;
    const start = this.#at + skip;
    let at = start;
    while ((BYTE_CLASS[bytes[at]!]! & LETTER) !== 0) at++;
    const word = String.fromCharCode(...bytes.subarray(start, Math.min(at, start + 7)));
    const keyword = dot ? word : word.toLowerCase();
    if ((keyword !== 'prefix' && keyword !== 'base') || !this.#isSpace(at) || this.graphText !== undefined)
      return false;
    this.#at = at;
    let name: Uint8Array | undefined;
    if (keyword === 'prefix') {
      const from = (this.#space(), this.#at);
      at = from;
      while ((BYTE_CLASS[bytes[at]!]! & LABEL_BYTE) !== 0) at++;
      if (bytes[at] !== COLON || (at > from && (BYTE_CLASS[bytes[from]!]! & LETTER) === 0)) return false;
      if (!this.#isSpace(at + 1)) return false;
      name = bytes.slice(from, at + 1);
      this.#at = at + 1;
    }
    if (this.#space() !== LESS) return false;
    const from = this.#at;
    const end = this.#iriEnd(from);
    if (end === 0) return false;
    this.#at = end;
    if (dot) {
      if (this.#space() !== DOT || !this.#isFullStop()) return false;
      this.#at++;
    }
    return this.#declare(name, bytes.slice(from + 1, end - 1));
  }

  #declare(name: Uint8Array | undefined, iri: Uint8Array): boolean {
    if (name === undefined) {
      this.base = new TextDecoder().decode(iri);
      return true;
    }
    const same = this.#find(name, 0, name.length);
    if (same === undefined && this.#prefixes.length >= this.#maxPrefixes) return false;
    if (same !== undefined) {
      this.#prefixes.splice(this.#prefixes.indexOf(same), 1);
      // Names mean something else from here on.
      this.#predicates = new KnownIris();
      this.#literals.forget();
    }
    this.#prefixes.push({ name, namespace: iri });
    this.#scanner?.declare(name, iri);
    return true;
  }

  #openGraph(handle: TermHandle, text: string): boolean {
    this.#at++;
    this.#graph = handle;
    this.graphText = text;
    this.#graphStarted = false;
    return true;
  }

  #closeGraph(): boolean {
    this.#at++;
    this.#graph = DEFAULT_GRAPH_HANDLE;
    this.graphText = undefined;
    return true;
  }

  /** The name of a graph as it was written, which means the same as long as the graph is open. */
  #nameText(start: number, end: number): string {
    return new TextDecoder().decode(this.#bytes.subarray(start, end));
  }
}

/** Whether nothing is left but space; comments are left to n3. */
function isSpace(bytes: Uint8Array, from: number): boolean {
  for (let i = from; i < bytes.length; i++) {
    if (bytes[i] !== 0x20 && bytes[i] !== 0x0a && bytes[i] !== 0x0d && bytes[i] !== 0x09) return false;
  }
  return true;
}
