/** Decodes references to entities and characters into canonical terms; see fast-rdf-xml.ts. */
import { appendEscaped, BYTE_CLASS, IRI_BYTE, KnownIris, MIN_KNOWN_BYTES } from '@quadrille/formats';
import type { ByteBuffer } from '@quadrille/formats';
import { isXmlCharacter } from '../xml/document-type.js';
import type { XmlCursor } from './fast-xml-cursor.js';

const SEMICOLON = 0x3b;
const HASH = 0x23;
const LOWER_X = 0x78;
/** Number of digits of the largest code point. The other parser reads references with more leading zeros. */
const MAX_DIGITS = 7;
/** Number of bytes to which the entities of one element may expand. The other parser has a limit of its own for longer ones. */
const MAX_EXPANSION = 256 * 1024;
const utf8 = new TextEncoder();
/** The predefined entities of XML, without the ampersand, and their characters. */
const PREDEFINED = [
  ['amp;', '&'],
  ['lt;', '<'],
  ['gt;', '>'],
  ['quot;', '"'],
  ['apos;', "'"],
].map(([name, char]) => ({ name: utf8.encode(name), code: char!.charCodeAt(0) }));

export class FastXmlReferences {
  /** Number of bytes to which the declared entities of the current element have expanded. */
  expanded = 0;
  readonly #cursor: XmlCursor;
  /** Declared entities by the bytes of their references. The handles are indexes of `#values`. */
  readonly #known = new KnownIris();
  readonly #places = new Map<string, number>();
  readonly #values: Uint8Array[] = [];

  constructor(cursor: XmlCursor) {
    this.#cursor = cursor;
  }

  /** @param entities values may only have characters that are canonical in literals and in IRIs. */
  declare(entities: ReadonlyMap<string, string>): void {
    for (const [name, value] of entities) this.#places.set(`&${name};`, this.#values.push(utf8.encode(value)) - 1);
  }

  /** Appends the value of the reference at an offset. Returns the length of the reference, or 0 if it is not legal. */
  append(at: number, to: ByteBuffer, isIri: boolean): number {
    const { bytes } = this.#cursor;
    if (bytes[at + 1] === HASH) return this.#appendNumber(at, to, isIri);
    search: for (const { name, code } of PREDEFINED) {
      for (let i = 0; i < name.length; i++) if (bytes[at + 1 + i] !== name[i]) continue search;
      return appendCode(code, to, isIri) ? 1 + name.length : 0;
    }
    const end = this.#cursor.nameEnd(at + 1);
    if (end === 0 || bytes[end] !== SEMICOLON) return 0;
    const value = this.#value(at, end + 1);
    if (value === undefined) return 0;
    this.expanded += value.length;
    if (this.expanded > MAX_EXPANSION) return 0;
    to.span(value, 0, value.length);
    return end + 1 - at;
  }

  #value(start: number, end: number): Uint8Array | undefined {
    const { view } = this.#cursor;
    const canKnow = end - start >= MIN_KNOWN_BYTES;
    const known = canKnow ? this.#known.find(view, start, end) : undefined;
    if (known !== undefined) return this.#values[known.handle];
    const place = this.#places.get(this.#cursor.ascii(start, end));
    if (place === undefined) return undefined;
    if (canKnow) this.#known.add(view, start, end, place);
    return this.#values[place];
  }

  #appendNumber(at: number, to: ByteBuffer, isIri: boolean): number {
    const { bytes } = this.#cursor;
    const isHex = bytes[at + 2] === LOWER_X;
    const start = at + (isHex ? 3 : 2);
    let end = start;
    let code = 0;
    for (; bytes[end] !== SEMICOLON; end++) {
      const digit = digitOf(bytes[end]!, isHex);
      if (digit < 0 || end - start === MAX_DIGITS) return 0;
      code = code * (isHex ? 16 : 10) + digit;
    }
    return end > start && isXmlCharacter(code) && appendCode(code, to, isIri) ? end + 1 - at : 0;
  }
}

function digitOf(byte: number, isHex: boolean): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return isHex && letter >= 0x61 && letter <= 0x66 ? letter - 0x61 + 10 : -1;
}

function appendCode(code: number, to: ByteBuffer, isIri: boolean): boolean {
  if (!isIri) appendEscaped(to, code);
  else if (code < 0x80 && (BYTE_CLASS[code]! & IRI_BYTE) === 0) return false;
  else to.codePoint(code);
  return true;
}
