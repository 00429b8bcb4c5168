/** Reads the attributes of one start tag; see fast-rdf-xml.ts. */
import { KnownIris, MIN_KNOWN_BYTES } from '@quadrille/formats';
import { RDF_NS } from '@quadrille/model';
import type { TermHandle } from '@quadrille/model';
import type { XmlCursor } from './fast-xml-cursor.js';
import type { FastXmlNames } from './fast-xml-names.js';
import { isPropertyAttribute } from './rdf-xml-names.js';

const LF = 0x0a;
const CR = 0x0d;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const SLASH = 0x2f;
const LESS = 0x3c;
const EQUALS = 0x3d;
const GREATER = 0x3e;

/** Attributes that are not properties, one bit each. */
export const ABOUT = 1;
export const NODE_ID = 2;
export const RESOURCE = 4;
export const DATATYPE = 8;
export const PARSE_TYPE = 16;
export const LANGUAGE = 32;
export const BASE = 64;
const SYNTAX: Readonly<Record<string, number>> = {
  about: ABOUT,
  nodeID: NODE_ID,
  resource: RESOURCE,
  datatype: DATATYPE,
  parseType: PARSE_TYPE,
};
/** Tags with more properties, and documents with more names of attributes, are left to the other parser. */
const MAX_PROPERTIES = 64;
const MAX_NAMES = 1000;

/** The meaning of the name of an attribute: one of the bits above, or a property. */
interface AttributeName {
  readonly bit: number;
  readonly predicate: TermHandle;
  readonly isType: boolean;
}

export class FastXmlTag {
  /** Bits of the attributes that the tag has. */
  present = 0;
  /** Number of properties among the attributes. */
  count = 0;
  isEmpty = false;
  readonly #cursor: XmlCursor;
  readonly #names: FastXmlNames;
  /** Opening quotes of the values, by the bit of their attribute. */
  readonly #values = new Uint32Array(BASE + 1);
  readonly #properties: AttributeName[] = [];
  readonly #propertyValues = new Uint32Array(MAX_PROPERTIES);
  /** Known names by their bytes and by their text. The handles are indexes of `#list`. */
  readonly #known = new KnownIris();
  readonly #byName = new Map<string, number>();
  readonly #byIri = new Map<string, AttributeName>();
  readonly #list: AttributeName[] = [];

  constructor(cursor: XmlCursor, names: FastXmlNames) {
    this.#cursor = cursor;
    this.#names = names;
  }

  /** Offset of the quote before the value of a present attribute. */
  value(bit: number): number {
    return this.#values[bit]!;
  }

  predicate(index: number): TermHandle {
    return this.#properties[index]!.predicate;
  }

  isType(index: number): boolean {
    return this.#properties[index]!.isType;
  }

  propertyValue(index: number): number {
    return this.#propertyValues[index]!;
  }

  /** Reads the attributes and the end of the tag. The cursor is behind the name of the element. */
  read(): boolean {
    const cursor = this.#cursor;
    const { bytes } = cursor;
    this.present = 0;
    this.count = 0;
    for (;;) {
      const hasSpace = cursor.hasSpace();
      const byte = hasSpace ? cursor.space() : bytes[cursor.at]!;
      if (byte === GREATER || byte === SLASH) {
        this.isEmpty = byte === SLASH;
        if (this.isEmpty && bytes[cursor.at + 1] !== GREATER) return false;
        cursor.at += this.isEmpty ? 2 : 1;
        return true;
      }
      if (!hasSpace || !this.#attribute()) return false;
    }
  }

  #attribute(): boolean {
    const cursor = this.#cursor;
    const { bytes } = cursor;
    const end = cursor.nameEnd(cursor.at);
    if (end === 0 || bytes[end] !== EQUALS) return false;
    const name = this.#name(cursor.at, end);
    if (name === undefined) return false;
    const start = end + 1;
    cursor.at = start;
    if ((bytes[start] !== QUOTE && bytes[start] !== APOSTROPHE) || !this.#skipValue(start)) return false;
    return name.bit === 0 ? this.#addProperty(name, start) : this.#addSyntax(name.bit, start);
  }

  /** Moves behind a value. FastXmlTerms checks its characters later. */
  #skipValue(start: number): boolean {
    const cursor = this.#cursor;
    const { bytes } = cursor;
    const quote = bytes[start]!;
    let at = start + 1;
    for (let byte = bytes[at]!; byte !== quote; byte = bytes[++at]!) {
      // The cursor stays before the value, so a long value that is cut is left to the other parser.
      if (byte === LESS || byte === 0) return false;
      if (byte === LF || (byte === CR && bytes[at + 1] !== LF)) cursor.lines++;
    }
    cursor.at = at + 1;
    return true;
  }

  #addSyntax(bit: number, start: number): boolean {
    if ((this.present & bit) !== 0) return false;
    this.present |= bit;
    this.#values[bit] = start;
    return true;
  }

  #addProperty(name: AttributeName, start: number): boolean {
    if (this.count === MAX_PROPERTIES) return false;
    for (let i = 0; i < this.count; i++) if (this.#properties[i] === name) return false;
    this.#properties[this.count] = name;
    this.#propertyValues[this.count++] = start;
    return true;
  }

  #name(start: number, end: number): AttributeName | undefined {
    const { view } = this.#cursor;
    const canKnow = end - start >= MIN_KNOWN_BYTES;
    const known = canKnow ? this.#known.find(view, start, end) : undefined;
    if (known !== undefined) return this.#list[known.handle];
    const text = this.#cursor.ascii(start, end);
    let place = this.#byName.get(text);
    if (place === undefined) {
      const name = this.#list.length < MAX_NAMES ? this.#newName(start, end) : undefined;
      if (name === undefined) return undefined;
      place = this.#list.push(name) - 1;
      this.#byName.set(text, place);
    }
    if (canKnow) this.#known.add(view, start, end, place);
    return this.#list[place];
  }

  /** Undefined for names that only the other parser supports. */
  #newName(start: number, end: number): AttributeName | undefined {
    const [prefix, local] = this.#names.split(start, end) ?? ['', ''];
    if (prefix === '') return undefined;
    if (prefix === 'xml') {
      const bit = local === 'lang' ? LANGUAGE : local === 'base' ? BASE : 0;
      return bit === 0 ? undefined : { bit, predicate: 0, isType: false };
    }
    const iri = this.#names.iri(prefix, local);
    if (iri === undefined) return undefined;
    if (this.#names.namespaces.get(prefix) === RDF_NS) {
      const bit = Object.hasOwn(SYNTAX, local) ? SYNTAX[local]! : 0;
      if (bit !== 0) return { bit, predicate: 0, isType: false };
      if (!isPropertyAttribute(iri)) return undefined;
    }
    let name = this.#byIri.get(iri);
    if (name === undefined) {
      name = { bit: 0, predicate: this.#names.term(iri), isType: iri === `${RDF_NS}type` };
      this.#byIri.set(iri, name);
    }
    return name.predicate === 0 ? undefined : name;
  }
}
