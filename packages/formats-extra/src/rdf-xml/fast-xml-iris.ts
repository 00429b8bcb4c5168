/** Reads IRIs in attributes of RDF/XML; see fast-rdf-xml.ts. */
import { BYTE_CLASS, IRI_BYTE, LETTER, SCHEME_BYTE } from '@quadrille/formats';
import type { ByteBuffer } from '@quadrille/formats';
import { isAbsoluteIri, isLongIri } from '@quadrille/model';
import { resolveIri } from '@quadrille/model/resolve-iri';
import type { XmlCursor } from './fast-xml-cursor.js';
import type { FastXmlReferences } from './fast-xml-references.js';

const AMPERSAND = 0x26;
const COLON = 0x3a;
/** Longer IRIs are left to the other parser. */
export const MAX_IRI = 2048;

const utf8 = new TextEncoder();
const text = new TextDecoder('utf-8', { ignoreBOM: true });

/** `start` is the offset of the opening quote. The caller has checked that there is a closing quote. */
export class FastXmlIris {
  readonly #cursor: XmlCursor;
  readonly #references: FastXmlReferences;
  /** Receives IRIs that are written differently in the document. */
  readonly #buffer: ByteBuffer;

  constructor(cursor: XmlCursor, references: FastXmlReferences, buffer: ByteBuffer) {
    this.#cursor = cursor;
    this.#references = references;
    this.#buffer = buffer;
  }

  /** The end of an IRI that is absolute and has no references, or 0 for any other IRI. */
  plainEnd(start: number): number {
    const { bytes } = this.#cursor;
    const quote = bytes[start]!;
    let at = start + 1;
    if ((BYTE_CLASS[bytes[at]!]! & LETTER) === 0) return 0;
    while ((BYTE_CLASS[bytes[at]!]! & SCHEME_BYTE) !== 0) at++;
    if (bytes[at] !== COLON) return 0;
    for (let byte = bytes[at]!; byte !== quote; byte = bytes[at]!) {
      if (byte === AMPERSAND) return 0;
      if ((BYTE_CLASS[byte]! & IRI_BYTE) !== 0) at++;
      else {
        const length = byte >= 0x80 ? this.#cursor.characterLength(at) : 0;
        if (length === 0) return 0;
        at += length;
      }
    }
    return at - start > MAX_IRI ? 0 : at;
  }

  /** Appends an IRI, which may be relative, to the buffer. */
  append(start: number): boolean {
    const cursor = this.#cursor;
    const { bytes } = cursor;
    const buffer = this.#buffer;
    const quote = bytes[start]!;
    const before = buffer.length;
    for (let at = start + 1; bytes[at] !== quote;) {
      const byte = bytes[at]!;
      let length = 0;
      if (byte === AMPERSAND) length = this.#references.append(at, buffer, true);
      else {
        const from = at;
        while ((BYTE_CLASS[bytes[at]!]! & IRI_BYTE) !== 0 && bytes[at] !== AMPERSAND && bytes[at] !== quote) at++;
        if (at === from && byte >= 0x80) length = cursor.characterLength(at);
        buffer.span(bytes, from, at + length);
        if (at === from && length === 0) return false;
      }
      if ((byte === AMPERSAND && length === 0) || buffer.length - before > MAX_IRI) return false;
      at += length;
    }
    return true;
  }

  /** Resolves the IRI in the buffer, which begins there at `start`, unless it is absolute. */
  resolve(start: number, base: string | undefined): boolean {
    const buffer = this.#buffer;
    if (this.isAbsolute(start)) return true;
    const iri = resolveIri(text.decode(buffer.slice(start)), base);
    if (!isAbsoluteIri(iri) || isLongIri(iri)) return false;
    const bytes = utf8.encode(iri);
    buffer.length = start;
    buffer.span(bytes, 0, bytes.length);
    return true;
  }

  /** Whether the IRI in the buffer, which begins there at `start`, is absolute. */
  isAbsolute(start: number): boolean {
    return hasScheme(this.#buffer.bytes, start, this.#buffer.length);
  }
}

function hasScheme(bytes: Uint8Array, start: number, end: number): boolean {
  let at = start;
  if (at === end || (BYTE_CLASS[bytes[at]!]! & LETTER) === 0) return false;
  while (at < end && (BYTE_CLASS[bytes[at]!]! & SCHEME_BYTE) !== 0) at++;
  return at < end && bytes[at] === COLON;
}
