/**
 * Reads ordinary RDF/XML from bytes, one child of the root at a time. It supports node and property elements, rdf:parseType
 * Resource and Collection, property attributes, xml:base and xml:lang, entities, comments and CDATA. It stops at the first child
 * that has a fault or anything else, such as rdf:ID, an XML literal or a namespace declaration. From there on rdf-xml-parser.ts
 * reads the document. That parser creates all errors.
 */
import { BYTE_CLASS, LETTER } from '@quadrille/formats';
import type { FastReader } from '@quadrille/formats';
import { isAbsoluteIri, isLongIri } from '@quadrille/model';
import { resolveIri } from '@quadrille/model/resolve-iri';
import type { QuadSink, TermHandle } from '@quadrille/model';
import { ElementTriples } from './element-triples.js';
import { XmlCursor } from './fast-xml-cursor.js';
import { DESCRIPTION, FastXmlNames, MEMBER } from './fast-xml-names.js';
import { FastXmlReferences } from './fast-xml-references.js';
import { readRoot } from './fast-xml-root.js';
import { ABOUT, BASE, DATATYPE, FastXmlTag, LANGUAGE, NODE_ID, PARSE_TYPE, RESOURCE } from './fast-xml-tag.js';
import { FastXmlTerms, NO_SUFFIX } from './fast-xml-terms.js';

const BANG = 0x21;
const SLASH = 0x2f;
const LESS = 0x3c;
const QUESTION = 0x3f;
const UNDERSCORE = 0x5f;
/** Documents with a longer start, up to the end of the root tag, are left to the other parser. */
const MAX_ROOT_BYTES = 16 * 1024;
/** If the reader stops this near the end of the bytes, a name or the value of an attribute may be cut. */
const NEAR_END = 4 * 1024;
/** Every term of the vocabulary `rdf:` is shorter. With a lower limit the other parser reads the document. */
const MIN_TERM_BYTES = 100;
/** Elements that are nested deeper are left to the other parser. */
const MAX_DEPTH = 128;
/** Depth of a child of the root. */
const CHILD = 2;
/** The end of a document. */
const ROOT_END = /^[ \t\r\n]*<\/([\w:.-]+)[ \t\r\n]*>[ \t\r\n]*$/;
const MAX_END_BYTES = 1024;
const SCOPE = LANGUAGE | BASE;

const utf8 = new TextEncoder();
const RESOURCE_WORD = utf8.encode('Resource');
const COLLECTION_WORD = utf8.encode('Collection');

/** Inherited by nested elements. */
interface Scope {
  readonly base: string | undefined;
  /** The canonical text behind the string of a literal without a datatype: a quote, and the language. */
  readonly suffix: Uint8Array;
}

export interface FastRdfXmlOptions {
  readonly maxTermBytes: number;
  readonly maxDepth: number;
  readonly baseIRI: string | undefined;
}

export class FastRdfXml implements FastReader {
  line = 1;
  stopped = false;
  started = false;
  readonly base = undefined;
  /** The document type and the start of the root element. */
  head: readonly string[] = [];
  readonly #sink: QuadSink;
  readonly #options: FastRdfXmlOptions;
  readonly #maxDepth: number;
  readonly #cursor = new XmlCursor();
  readonly #references = new FastXmlReferences(this.#cursor);
  readonly #names: FastXmlNames;
  readonly #tag: FastXmlTag;
  readonly #terms: FastXmlTerms;
  readonly #triples = new ElementTriples();
  #rootName = '';
  #rootScope: Scope = { base: undefined, suffix: NO_SUFFIX };
  #buffer = new Uint8Array(0);

  constructor(sink: QuadSink, options: FastRdfXmlOptions) {
    this.#sink = sink;
    this.#options = options;
    this.#maxDepth = Math.min(MAX_DEPTH, options.maxDepth);
    this.#names = new FastXmlNames(sink, this.#cursor, options.maxTermBytes);
    this.#tag = new FastXmlTag(this.#cursor, this.#names);
    this.#terms = new FastXmlTerms(sink, this.#cursor, this.#references, options.maxTermBytes);
  }

  get blankNodes(): number {
    return this.#terms.anonymous;
  }

  joined(a: Uint8Array, b: Uint8Array): Uint8Array {
    const length = a.length + b.length + 1;
    if (length > this.#buffer.length) this.#buffer = new Uint8Array(length + 1024);
    const whole = this.#buffer.subarray(0, length);
    whole.set(a);
    whole.set(b, a.length);
    // This byte is illegal in XML, so every loop stops there.
    whole[length - 1] = 0;
    return whole;
  }

  canEnd(bytes: Uint8Array, from: number): boolean {
    if (this.head.length === 0 || bytes.length - from > MAX_END_BYTES) return false;
    const rest = String.fromCharCode(...bytes.subarray(from));
    return ROOT_END.exec(rest)?.[1] === this.#rootName;
  }

  /** Counts characters, as saxes does. */
  columns(text: string): number {
    let columns = 0;
    for (const _ of text) columns++;
    return columns;
  }

  read(bytes: Uint8Array): number {
    const cursor = this.#cursor;
    cursor.open(bytes);
    let done = 0;
    for (;;) {
      const { anonymous } = this.#terms;
      cursor.at = done;
      cursor.lines = 0;
      this.#references.expanded = 0;
      this.#triples.clear();
      if (!this.#step()) {
        this.#terms.anonymous = anonymous;
        break;
      }
      this.#triples.emit(this.#sink);
      done = cursor.at;
      this.line += cursor.lines;
      this.started = true;
    }
    this.stopped = cursor.at < bytes.length - (this.head.length === 0 ? MAX_ROOT_BYTES : NEAR_END);
    return done;
  }

  #step(): boolean {
    if (this.head.length === 0) return this.#root();
    const cursor = this.#cursor;
    if (cursor.space() !== LESS) return false;
    const next = cursor.bytes[cursor.at + 1];
    if (next === BANG) return cursor.comment();
    if (next === QUESTION) return cursor.instruction();
    return this.#node(this.#rootScope, CHILD, 0, 0);
  }

  #root(): boolean {
    const cursor = this.#cursor;
    const root = readRoot(cursor.bytes.subarray(0, Math.min(cursor.bytes.length, MAX_ROOT_BYTES)));
    const { baseIRI, maxTermBytes } = this.#options;
    if (root === undefined || maxTermBytes < MIN_TERM_BYTES) return false;
    const base = root.base === undefined ? baseIRI : resolveIri(root.base, baseIRI);
    if (base !== baseIRI && (!isAbsoluteIri(base!) || isLongIri(base!))) return false;
    const suffix = root.language === undefined ? NO_SUFFIX : utf8.encode(`"@${root.language.toLowerCase()}`);
    this.#rootScope = { base, suffix };
    this.#rootName = root.name;
    this.head = root.head;
    this.#names.namespaces = root.namespaces;
    this.#references.declare(root.entities);
    cursor.lines = root.lines;
    cursor.at = root.end;
    return true;
  }

  /** Reads the node element at the cursor. If `predicate` is not 0, the node is the object of that predicate of `from`. */
  #node(outer: Scope, depth: number, from: TermHandle, predicate: TermHandle): boolean {
    const cursor = this.#cursor;
    const tag = this.#tag;
    const triples = this.#triples;
    const nameStart = cursor.at + 1;
    const nameEnd = depth > this.#maxDepth ? 0 : cursor.nameEnd(nameStart);
    const type = nameEnd === 0 ? 0 : this.#names.type(nameStart, nameEnd);
    if (type === 0) return false;
    cursor.at = nameEnd;
    if (!tag.read()) return false;
    const scope = this.#scope(outer);
    const subject = scope === undefined ? 0 : this.#subject(scope);
    if (subject === 0) return false;
    if (type !== DESCRIPTION) triples.add(subject, this.#names.rdf('type'), type);
    if (!this.#propertyAttributes(subject, scope!)) return false;
    if (predicate !== 0) triples.add(from, predicate, subject);
    return tag.isEmpty || this.#properties(subject, scope!, depth, nameStart, nameEnd);
  }

  #subject({ base }: Scope): TermHandle {
    const tag = this.#tag;
    switch (tag.present & ~SCOPE) {
      case 0:
        return this.#terms.newBlankNode();
      case ABOUT:
        return this.#terms.iri(tag.value(ABOUT), base);
      case NODE_ID:
        return this.#terms.blankNode(tag.value(NODE_ID));
      default:
        return 0;
    }
  }

  /** The scope of the tag, or undefined if its attributes are not legal. */
  #scope(outer: Scope): Scope | undefined {
    const tag = this.#tag;
    if ((tag.present & SCOPE) === 0) return outer;
    const hasLanguage = (tag.present & LANGUAGE) !== 0;
    const suffix = hasLanguage ? this.#terms.language(tag.value(LANGUAGE)) : outer.suffix;
    if (suffix === undefined) return undefined;
    if ((tag.present & BASE) === 0) return { base: outer.base, suffix };
    const base = this.#terms.base(tag.value(BASE), outer.base);
    return base === undefined ? undefined : { base, suffix };
  }

  #propertyAttributes(subject: TermHandle, { base, suffix }: Scope): boolean {
    const tag = this.#tag;
    for (let i = 0; i < tag.count; i++) {
      const start = tag.propertyValue(i);
      const object = tag.isType(i) ? this.#terms.iri(start, base) : this.#terms.attribute(start, suffix);
      if (object === 0) return false;
      this.#triples.add(subject, tag.predicate(i), object);
    }
    return true;
  }

  /** Reads the property elements of a subject, up to the end tag of the element whose name is given. */
  #properties(subject: TermHandle, scope: Scope, depth: number, nameStart: number, nameEnd: number): boolean {
    const cursor = this.#cursor;
    for (let members = 0; ;) {
      if (cursor.markup() !== LESS) return false;
      if (cursor.bytes[cursor.at + 1] === SLASH) return cursor.close(nameStart, nameEnd);
      const start = cursor.at + 1;
      const end = depth >= this.#maxDepth ? 0 : cursor.nameEnd(start);
      let predicate = end === 0 ? 0 : this.#names.predicate(start, end);
      if (predicate === 0) return false;
      if (predicate === MEMBER) predicate = this.#names.rdf(`_${++members}`);
      cursor.at = end;
      if (!this.#tag.read() || !this.#property(subject, predicate, scope, depth + 1, start, end)) return false;
    }
  }

  /** Reads a property element behind its start tag. Its name extends from `nameStart` to `nameEnd`. */
  #property(
    subject: TermHandle,
    predicate: TermHandle,
    outer: Scope,
    depth: number,
    nameStart: number,
    nameEnd: number,
  ): boolean {
    const tag = this.#tag;
    const scope = this.#scope(outer);
    if (scope === undefined) return false;
    const present = tag.present & ~SCOPE;
    const hasProperties = tag.count > 0;
    if (present === PARSE_TYPE) {
      return !hasProperties && this.#typed(subject, predicate, scope, depth, nameStart, nameEnd);
    }
    if (present === DATATYPE || (present === 0 && !hasProperties)) {
      return !hasProperties && this.#object(subject, predicate, scope, depth, nameStart, nameEnd);
    }
    if (present !== 0 && present !== RESOURCE && present !== NODE_ID) return false;
    let object: TermHandle;
    if (present === RESOURCE) object = this.#terms.iri(tag.value(RESOURCE), scope.base);
    else object = present === NODE_ID ? this.#terms.blankNode(tag.value(NODE_ID)) : this.#terms.newBlankNode();
    if (object === 0) return false;
    this.#triples.add(subject, predicate, object);
    return this.#propertyAttributes(object, scope) && (tag.isEmpty || this.#end(nameStart, nameEnd));
  }

  /** Reads the object of a property: a literal or a node element. */
  #object(
    subject: TermHandle,
    predicate: TermHandle,
    scope: Scope,
    depth: number,
    nameStart: number,
    nameEnd: number,
  ): boolean {
    const cursor = this.#cursor;
    const tag = this.#tag;
    const { isEmpty } = tag;
    const hasDatatype = (tag.present & DATATYPE) !== 0;
    const suffix = hasDatatype ? this.#terms.datatype(tag.value(DATATYPE), scope.base) : scope.suffix;
    if (suffix === undefined) return false;
    const { at: start, lines } = cursor;
    if (!isEmpty && !hasDatatype && cursor.markup() === LESS && isNameStart(cursor.bytes[cursor.at + 1]!)) {
      return this.#node(scope, depth + 1, subject, predicate) && this.#end(nameStart, nameEnd);
    }
    cursor.at = start;
    cursor.lines = lines;
    const object = isEmpty ? this.#terms.empty(suffix) : this.#terms.text(suffix);
    if (object === 0) return false;
    this.#triples.add(subject, predicate, object);
    return isEmpty || cursor.close(nameStart, nameEnd);
  }

  /** Reads a property element with rdf:parseType. */
  #typed(
    subject: TermHandle,
    predicate: TermHandle,
    scope: Scope,
    depth: number,
    nameStart: number,
    nameEnd: number,
  ): boolean {
    const tag = this.#tag;
    const start = tag.value(PARSE_TYPE);
    if (this.#isWord(start, COLLECTION_WORD)) {
      return this.#collection(subject, predicate, scope, depth, nameStart, nameEnd);
    }
    if (!this.#isWord(start, RESOURCE_WORD)) return false;
    const node = this.#terms.newBlankNode();
    this.#triples.add(subject, predicate, node);
    return tag.isEmpty || this.#properties(node, scope, depth, nameStart, nameEnd);
  }

  #collection(
    subject: TermHandle,
    predicate: TermHandle,
    scope: Scope,
    depth: number,
    nameStart: number,
    nameEnd: number,
  ): boolean {
    const cursor = this.#cursor;
    const names = this.#names;
    let isOpen = !this.#tag.isEmpty;
    let [last, link] = [subject, predicate];
    while (isOpen) {
      if (cursor.markup() !== LESS) return false;
      if (cursor.bytes[cursor.at + 1] === SLASH) {
        if (!cursor.close(nameStart, nameEnd)) return false;
        isOpen = false;
        continue;
      }
      const cell = this.#terms.newBlankNode();
      this.#triples.add(last, link, cell);
      [last, link] = [cell, names.rdf('rest')];
      if (!this.#node(scope, depth + 1, cell, names.rdf('first'))) return false;
    }
    this.#triples.add(last, link, names.rdf('nil'));
    return true;
  }

  /** Reads the end tag of a property that already has its object. */
  #end(nameStart: number, nameEnd: number): boolean {
    return this.#cursor.markup() === LESS && this.#cursor.close(nameStart, nameEnd);
  }

  /** Whether an attribute has a given value. `start` is the offset of its quote. */
  #isWord(start: number, word: Uint8Array): boolean {
    const { bytes } = this.#cursor;
    for (let i = 0; i < word.length; i++) if (bytes[start + 1 + i] !== word[i]) return false;
    return bytes[start + 1 + word.length] === bytes[start];
  }
}

const isNameStart = (byte: number): boolean => (BYTE_CLASS[byte]! & LETTER) !== 0 || byte === UNDERSCORE;
