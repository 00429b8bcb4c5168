/**
 * RDF/XML as programs write it, read from bytes: elements with rdf:about that hold properties with a reference or a text.
 * What is left out, such as elements within properties, xml:base and rdf:ID, and whatever is wrong, it stops at: the whole
 * grammar and all errors are those of rdf-xml-parser.ts.
 */
import { BYTE_CLASS, KnownIris, LABEL_BYTE, LETTER, MIN_KNOWN_BYTES, utf8Length } from '@quadrille/formats';
import type { FastReader } from '@quadrille/formats';
import { isAbsoluteIri, isLongIri, RDF_NS } from '@quadrille/model';
import type { QuadSink, TermHandle } from '@quadrille/model';
import { FastXmlTerms } from './fast-xml-terms.js';
import { readRoot } from './fast-xml-root.js';
import { isNodeElement, isPropertyElement } from './rdf-xml-names.js';
import { ElementPairs } from './element-pairs.js';

const LF = 0x0a;
const CR = 0x0d;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const SLASH = 0x2f;
const COLON = 0x3a;
const LESS = 0x3c;
const EQUALS = 0x3d;
const GREATER = 0x3e;
/** A root element that takes more is not read here. */
const MAX_ROOT_BYTES = 16 * 1024;
/** What stops the reader so near the end may be cut there: a name, or the value of an attribute. */
const NEAR_END = 4 * 1024;
/** In the place of a type: the element has none. */
const DESCRIPTION = 0xffff_ffff;
/** Root, node and property. */
const DEPTH = 3;

const utf8 = new TextEncoder();
const RDF_TYPE = utf8.encode(`<${RDF_NS}type>`);

export class FastRdfXml implements FastReader {
  line = 1;
  stopped = false;
  started = false;
  readonly base = undefined;
  /** The start of the root element. */
  head: string[] = [];
  readonly #sink: QuadSink;
  readonly #terms: FastXmlTerms;
  #namespaces: ReadonlyMap<string, string> = new Map();
  /** Names of attributes, by what they are. */
  #attributes: readonly Attribute[] = [];
  readonly #types = new KnownIris();
  readonly #predicates = new KnownIris();
  #rdfType: TermHandle = 0;
  #buffer = new Uint8Array(0);
  #bytes: Uint8Array = this.#buffer;
  #view: DataView = new DataView(this.#buffer.buffer);
  #at = 0;
  #lines = 0;
  readonly #pairs = new ElementPairs();

  constructor(
    sink: QuadSink,
    maxTermBytes: number,
    private readonly maxDepth: number,
  ) {
    this.#sink = sink;
    this.#terms = new FastXmlTerms(sink, maxTermBytes);
  }

  joined(a: Uint8Array, b: Uint8Array): Uint8Array {
    const length = a.length + b.length + 1;
    if (length > this.#buffer.length) this.#buffer = new Uint8Array(length + 1024);
    const whole = this.#buffer.subarray(0, length);
    whole.set(a);
    whole.set(b, a.length);
    // Belongs to no XML: everything stops there.
    whole[length - 1] = 0;
    return whole;
  }

  /** The end of the root element is left to the other parser. */
  canEnd(): boolean {
    return false;
  }

  /** saxes counts characters. */
  columns(text: string): number {
    let columns = 0;
    for (const _ of text) columns++;
    return columns;
  }

  read(bytes: Uint8Array): number {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#terms.bytes = bytes;
    let done = 0;
    for (;;) {
      this.#at = done;
      this.#lines = 0;
      this.#pairs.clear();
      if (!this.#step()) break;
      done = this.#at;
      this.line += this.#lines;
      this.started = true;
    }
    this.stopped = this.#at < bytes.length - (this.head.length === 0 ? MAX_ROOT_BYTES : NEAR_END);
    return done;
  }

  #step(): boolean {
    if (this.head.length === 0) return this.#root();
    if (this.#space() !== LESS) return false;
    return this.#bytes[this.#at + 1] === 0x21 ? this.#comment() : this.#node();
  }

  #root(): boolean {
    const root = readRoot(this.#bytes.subarray(0, Math.min(this.#bytes.length, MAX_ROOT_BYTES)));
    if (root === undefined || this.maxDepth < DEPTH) return false;
    this.head = [root.head];
    this.#namespaces = root.namespaces;
    this.#attributes = attributesOf(root.namespaces);
    this.#lines = root.lines;
    this.#at = root.end;
    return true;
  }

  #node(): boolean {
    const nameStart = this.#at + 1;
    const nameEnd = this.#nameEnd(nameStart);
    const type = nameEnd === 0 ? 0 : this.#type(nameStart, nameEnd);
    if (type === 0) return false;
    this.#at = nameEnd;
    if (!this.#hasSpace() || this.#space() < 0) return false;
    const kind = this.#attribute();
    if (kind !== 'about' && kind !== 'nodeID') return false;
    const subject = this.#reference(kind);
    if (subject === 0) return false;
    if (type !== DESCRIPTION) this.#pairs.add(this.#rdfTypeHandle(), type);
    let byte = this.#space();
    if (byte === SLASH && this.#bytes[this.#at + 1] === GREATER) {
      this.#at += 2;
      return this.#emit(subject);
    }
    if (byte !== GREATER) return false;
    this.#at++;
    for (;;) {
      byte = this.#space();
      if (byte !== LESS) return false;
      const next = this.#bytes[this.#at + 1];
      if (next === SLASH) return this.#close(nameStart, nameEnd) && this.#emit(subject);
      if (next === 0x21 ? !this.#comment() : !this.#property()) return false;
    }
  }

  #property(): boolean {
    const bytes = this.#bytes;
    const nameStart = this.#at + 1;
    const nameEnd = this.#nameEnd(nameStart);
    const predicate = nameEnd === 0 ? 0 : this.#predicate(nameStart, nameEnd);
    if (predicate === 0) return false;
    this.#at = nameEnd;
    let object = 0;
    let suffix: Uint8Array = NO_SUFFIX;
    if (bytes[nameEnd] !== GREATER && bytes[nameEnd] !== SLASH) {
      if (!this.#hasSpace() || this.#space() < 0) return false;
      const kind = this.#attribute();
      if (kind === 'resource' || kind === 'nodeID') {
        object = this.#reference(kind);
        if (object === 0) return false;
      } else if (kind === 'datatype' || kind === 'language') {
        const found = this.#terms.suffix(this.#at, kind === 'language', this.#view);
        if (found === undefined) return false;
        suffix = found;
        this.#at = this.#terms.at;
      } else return false;
      this.#space();
    }
    const isEmpty = bytes[this.#at] === SLASH;
    if (isEmpty) this.#at++;
    if (bytes[this.#at] !== GREATER) return false;
    this.#at++;
    if (object === 0) {
      object = isEmpty ? this.#terms.empty(suffix) : this.#terms.text(this.#at, suffix);
      if (!isEmpty) this.#at = this.#terms.at;
      if (object === 0) return false;
      if (!isEmpty) this.#lines += this.#terms.lines;
    }
    this.#pairs.add(predicate, object);
    return isEmpty || this.#close(nameStart, nameEnd);
  }

  #emit(subject: TermHandle): true {
    this.#pairs.emit(this.#sink, subject);
    return true;
  }

  /** The end of an element with the name that stands elsewhere. */
  #close(nameStart: number, nameEnd: number): boolean {
    const bytes = this.#bytes;
    let at = this.#at;
    if (bytes[at] !== LESS || bytes[at + 1] !== SLASH) return false;
    at += 2;
    for (let i = nameStart; i < nameEnd; i++) if (bytes[at++] !== bytes[i]) return false;
    this.#at = at;
    if (this.#space() !== GREATER) return false;
    this.#at++;
    return true;
  }

  #comment(): boolean {
    const bytes = this.#bytes;
    let at = this.#at + 4;
    if (bytes[at - 2] !== 0x2d || bytes[at - 1] !== 0x2d) return false;
    for (;;) {
      const byte = bytes[at]!;
      if (byte === 0x2d && bytes[at + 1] === 0x2d) break;
      if (byte === LF) this.#lines++;
      const length = byte >= 0x80 ? utf8Length(bytes, at) : byte >= 0x20 || byte === LF || byte === 0x09 ? 1 : 0;
      // U+FFFE and U+FFFF begin with this.
      if (length === 0 || byte === 0xef) {
        this.#at = at;
        return false;
      }
      at += length;
    }
    if (bytes[at + 2] !== GREATER) return false;
    this.#at = at + 3;
    return true;
  }

  /** Moves behind space; returns the byte there. */
  #space(): number {
    const bytes = this.#bytes;
    let at = this.#at;
    for (;;) {
      const byte = bytes[at]!;
      if (byte === LF) this.#lines++;
      else if (byte === CR) this.#lines += bytes[at + 1] === LF ? 0 : 1;
      else if (byte !== 0x20 && byte !== 0x09) {
        this.#at = at;
        return byte;
      }
      at++;
    }
  }

  #hasSpace(): boolean {
    const byte = this.#bytes[this.#at];
    return byte === 0x20 || byte === LF || byte === 0x09 || byte === CR;
  }

  /** Where a name that begins there ends; 0 where it is none, or has letters beyond ASCII. */
  #nameEnd(start: number): number {
    const bytes = this.#bytes;
    if ((BYTE_CLASS[bytes[start]!]! & LETTER) === 0 && bytes[start] !== 0x5f) return 0;
    let at = start + 1;
    while ((BYTE_CLASS[bytes[at]!]! & LABEL_BYTE) !== 0 || bytes[at] === COLON || bytes[at] === 0x2e) at++;
    return bytes[at]! >= 0x80 ? 0 : at;
  }

  #type(start: number, end: number): TermHandle {
    const canKnow = end - start >= MIN_KNOWN_BYTES;
    const known = canKnow ? this.#types.find(this.#view, start, end) : undefined;
    if (known !== undefined) return known.handle;
    const iri = this.#iriOfName(start, end);
    if (iri === undefined || !isNodeElement(iri)) return 0;
    const handle = iri === `${RDF_NS}Description` ? DESCRIPTION : this.#term(iri);
    if (canKnow) this.#types.add(this.#view, start, end, handle);
    return handle;
  }

  #predicate(start: number, end: number): TermHandle {
    const canKnow = end - start >= MIN_KNOWN_BYTES;
    const known = canKnow ? this.#predicates.find(this.#view, start, end) : undefined;
    if (known !== undefined) return known.handle;
    const iri = this.#iriOfName(start, end);
    if (iri === undefined || !isPropertyElement(iri) || iri === `${RDF_NS}li`) return 0;
    const handle = this.#term(iri);
    if (canKnow) this.#predicates.add(this.#view, start, end, handle);
    return handle;
  }

  #term(iri: string): TermHandle {
    const text = utf8.encode(`<${iri}>`);
    return this.#sink.term(text, 0, text.length);
  }

  #rdfTypeHandle(): TermHandle {
    if (this.#rdfType === 0) this.#rdfType = this.#sink.term(RDF_TYPE, 0, RDF_TYPE.length);
    return this.#rdfType;
  }

  #iriOfName(start: number, end: number): string | undefined {
    const [first, second, more] = String.fromCharCode(...this.#bytes.subarray(start, end)).split(':');
    const [prefix, local] = second === undefined ? ['', first!] : [first!, second];
    const namespace = this.#namespaces.get(prefix);
    // A local name is a name itself.
    if (namespace === undefined || more !== undefined || !/^[A-Za-z_]/.test(local)) return undefined;
    const iri = namespace + local;
    return isAbsoluteIri(iri) && !isLongIri(iri) ? iri : undefined;
  }

  /** The one attribute of an element; moves to its value, which begins with a quote. */
  #attribute(): AttributeKind | undefined {
    const bytes = this.#bytes;
    search: for (const { name, kind } of this.#attributes) {
      const equals = this.#at + name.length;
      if (bytes[equals] !== EQUALS) continue;
      for (let i = 0; i < name.length; i++) if (bytes[this.#at + i] !== name[i]) continue search;
      if (bytes[equals + 1] !== QUOTE && bytes[equals + 1] !== APOSTROPHE) return undefined;
      this.#at = equals + 1;
      return kind;
    }
    return undefined;
  }

  /** What an attribute names. */
  #reference(kind: AttributeKind): TermHandle {
    const terms = this.#terms;
    const handle = kind === 'nodeID' ? terms.blankNode(this.#at) : terms.iri(this.#at);
    if (handle !== 0) this.#at = terms.at;
    return handle;
  }
}

interface Attribute {
  readonly name: Uint8Array;
  readonly kind: AttributeKind;
}

type AttributeKind = 'about' | 'resource' | 'nodeID' | 'datatype' | 'language';
const ATTRIBUTES = [
  ['resource', 'resource'],
  ['datatype', 'datatype'],
  ['about', 'about'],
  ['nodeID', 'nodeID'],
] as const satisfies readonly (readonly [string, AttributeKind])[];
/** The attributes that may stand there, with every prefix of RDF. */
function attributesOf(namespaces: ReadonlyMap<string, string>): Attribute[] {
  const prefixes = [...namespaces.keys()].filter((prefix) => prefix !== '' && namespaces.get(prefix) === RDF_NS);
  const attributes = prefixes.flatMap((prefix) =>
    ATTRIBUTES.map(([local, kind]): Attribute => ({ name: utf8.encode(`${prefix}:${local}`), kind })),
  );
  return [...attributes, { name: utf8.encode('xml:lang'), kind: 'language' }];
}

/** A text with neither language nor datatype. */
const NO_SUFFIX = Uint8Array.of(QUOTE);
