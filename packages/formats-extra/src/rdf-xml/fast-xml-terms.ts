/** Terms of plain RDF/XML from bytes to their canonical text; see fast-rdf-xml.ts. */
import {
  BYTE_CLASS,
  codePointAt,
  IRI_BYTE,
  KnownIris,
  LABEL_BYTE,
  LETTER,
  MIN_KNOWN_BYTES,
  SCHEME_BYTE,
  STRING_BYTE,
  utf8Length,
} from '@quadrille/formats';
import { isLanguageTag, RDF_NS, XSD } from '@quadrille/model';
import type { QuadSink, TermHandle } from '@quadrille/model';

const LF = 0x0a;
const QUOTE = 0x22;
const AMPERSAND = 0x26;
const SLASH = 0x2f;
const COLON = 0x3a;
const LESS = 0x3c;
const GREATER = 0x3e;
const BACKSLASH = 0x5c;
/** Longer ones are left to the other parser. */
const MAX_IRI = 2048;
const MAX_LANGUAGE = 255;

const ascii = (text: string): Uint8Array => new TextEncoder().encode(text);
const AMP = ascii('&amp;');
/** What XML has names for, and the character as canonical text. */
const ENTITIES = [
  [AMP, ascii('&')],
  [ascii('&lt;'), ascii('<')],
  [ascii('&gt;'), ascii('>')],
  [ascii('&quot;'), ascii('\\"')],
  [ascii('&apos;'), ascii("'")],
] as const;

export class FastXmlTerms {
  /** Written to for the time of a call: delimiters of terms stand where those of XML do. */
  bytes: Uint8Array = new Uint8Array(0);
  /** Behind what was read last. */
  at = 0;
  /** Line ends in the last text. */
  lines = 0;
  readonly #sink: QuadSink;
  readonly #maxTermBytes: number;
  /** Datatypes that were seen; their handles are places in `#suffixes`. */
  readonly #datatypes = new KnownIris();
  readonly #suffixes: Uint8Array[] = [];
  readonly #languages = new Map<string, Uint8Array>();
  #scratch = new Uint8Array(4096);
  #used = 0;

  constructor(sink: QuadSink, maxTermBytes: number) {
    this.#sink = sink;
    this.#maxTermBytes = maxTermBytes;
  }

  // Each of these returns the handle of what begins there, and moves behind it; 0 where it is none, or not plain.

  /** An absolute IRI in quotes. */
  iri(start: number): TermHandle {
    const end = this.#iriEnd(start);
    if (end === 0) return 0;
    this.at = end + 1;
    return this.#used > 0 ? this.#sink.term(this.#scratch, 0, this.#used) : this.#between(start, end, LESS, GREATER);
  }

  /** The label of a blank node in quotes. */
  blankNode(start: number): TermHandle {
    const { bytes } = this;
    const quote = bytes[start]!;
    let at = start + 1;
    if ((BYTE_CLASS[bytes[at]!]! & LETTER) === 0) return 0;
    while ((BYTE_CLASS[bytes[at]!]! & LABEL_BYTE) !== 0) at++;
    // Like a label of ours: "anon" and a number.
    const isLikeOurs = bytes[start + 1] === 0x61 && bytes[start + 2] === 0x6e && bytes[start + 3] === 0x6f;
    if (bytes[at] !== quote || isLikeOurs) return 0;
    this.at = at + 1;
    return this.#sink.blankNode(bytes, start + 1, at);
  }

  /** What stands behind the string of a literal with this language or datatype in quotes; undefined where it is not plain. */
  suffix(start: number, isLanguage: boolean, view: DataView): Uint8Array | undefined {
    return isLanguage ? this.#language(start) : this.#datatype(start, view);
  }

  /** A literal without any character. */
  empty(suffix: Uint8Array): TermHandle {
    this.#used = 0;
    this.#reserve(suffix.length + 1);
    this.#scratch[this.#used++] = QUOTE;
    return this.#literal(suffix);
  }

  /** The text between two tags. */
  text(start: number, suffix: Uint8Array): TermHandle {
    const { bytes } = this;
    this.lines = 0;
    let at = start;
    for (;;) {
      const byte = bytes[at]!;
      if (byte === LESS) break;
      if ((BYTE_CLASS[byte]! & STRING_BYTE) !== 0 && byte !== AMPERSAND && byte !== GREATER) at++;
      else if (byte >= 0x80) {
        const length = this.#characterLength(at);
        if (length === 0) return this.#cutAt(at);
        at += length;
      } else return this.#escapedText(start, at, suffix);
    }
    if (bytes[at + 1] !== SLASH) return 0;
    if (suffix.length > 1 || at - start + 2 > this.#maxTermBytes) return this.#escapedText(start, at, suffix);
    this.at = at;
    return this.#between(start - 1, at, QUOTE, QUOTE);
  }

  /** As {@link text}, with what is canonical as it is up to `from`. */
  #escapedText(start: number, from: number, suffix: Uint8Array): TermHandle {
    const { bytes } = this;
    this.#used = 0;
    this.#reserve(from - start + suffix.length + 16);
    this.#scratch[this.#used++] = QUOTE;
    this.#scratch.set(bytes.subarray(start, from), this.#used);
    this.#used += from - start;
    let at = from;
    for (; bytes[at] !== LESS;) {
      if (this.#used > this.#maxTermBytes) return 0;
      this.#reserve(suffix.length + 16);
      const length = this.#character(at);
      if (length === 0) return this.#cutAt(at);
      at += length;
    }
    this.at = at;
    // An element within a property is none of ours.
    return bytes[at + 1] === SLASH ? this.#literal(suffix) : 0;
  }

  /** Puts the character there into the scratch buffer; returns its length in XML, or 0. */
  #character(at: number): number {
    const { bytes } = this;
    const byte = bytes[at]!;
    if (byte === AMPERSAND) return this.#entity(at);
    // "]]>" is not allowed.
    if (byte === GREATER && bytes[at - 1] === 0x5d) return 0;
    if (byte === LF || byte === 0x09 || byte === QUOTE || byte === BACKSLASH) {
      if (byte === LF) this.lines++;
      this.#scratch[this.#used++] = BACKSLASH;
      this.#scratch[this.#used++] = byte === LF ? 0x6e : byte === 0x09 ? 0x74 : byte;
      return 1;
    }
    const length = byte >= 0x80 ? this.#characterLength(at) : (BYTE_CLASS[byte]! & STRING_BYTE) !== 0 ? 1 : 0;
    for (let i = 0; i < length; i++) this.#scratch[this.#used++] = bytes[at + i]!;
    return length;
  }

  #entity(at: number): number {
    search: for (const [name, text] of ENTITIES) {
      for (let i = 0; i < name.length; i++) if (this.bytes[at + i] !== name[i]) continue search;
      for (const byte of text) this.#scratch[this.#used++] = byte;
      return name.length;
    }
    return 0;
  }

  /** The length of a character beyond ASCII that XML allows; 0 for others. */
  #characterLength(at: number): number {
    const length = utf8Length(this.bytes, at);
    return length === 3 && codePointAt(this.bytes, at, 3) >= 0xfffe ? 0 : length;
  }

  // Tells whoever called how far it was.
  #cutAt(at: number): 0 {
    this.at = at;
    return 0;
  }

  /** Where an IRI in quotes ends; with characters in other forms it stands in the scratch buffer then. 0: not plain. */
  #iriEnd(start: number): number {
    const { bytes } = this;
    const quote = bytes[start]!;
    this.#used = 0;
    let at = start + 1;
    if ((BYTE_CLASS[bytes[at]!]! & LETTER) === 0) return 0;
    while ((BYTE_CLASS[bytes[at]!]! & SCHEME_BYTE) !== 0) at++;
    if (bytes[at] !== COLON) return 0;
    let copied = start + 1;
    for (;;) {
      const byte = bytes[at]!;
      if (byte === quote) break;
      if (byte === AMPERSAND) {
        for (let i = 0; i < AMP.length; i++) if (bytes[at + i] !== AMP[i]) return 0;
        this.#copyIri(copied, at + 1);
        at = copied = at + AMP.length;
      } else {
        const length = byte >= 0x80 ? this.#characterLength(at) : (BYTE_CLASS[byte]! & IRI_BYTE) !== 0 ? 1 : 0;
        if (length === 0) return 0;
        at += length;
      }
    }
    if (at - start > MAX_IRI) return 0;
    if (this.#used > 0) {
      this.#copyIri(copied, at);
      this.#scratch[this.#used++] = GREATER;
    }
    return at;
  }

  #copyIri(start: number, end: number): void {
    this.#reserve(end - start + 2);
    if (this.#used === 0) this.#scratch[this.#used++] = LESS;
    for (let i = start; i < end; i++) this.#scratch[this.#used++] = this.bytes[i]!;
  }

  #language(start: number): Uint8Array | undefined {
    const { bytes } = this;
    const quote = bytes[start]!;
    let end = start + 1;
    while ((BYTE_CLASS[bytes[end]!]! & LABEL_BYTE) !== 0) end++;
    if (bytes[end] !== quote || end === start + 1 || end - start > MAX_LANGUAGE) return undefined;
    this.at = end + 1;
    const tag = String.fromCharCode(...bytes.subarray(start + 1, end));
    let suffix = this.#languages.get(tag);
    if (suffix === undefined && isLanguageTag(tag)) {
      suffix = ascii(`"@${tag.toLowerCase()}`);
      if (this.#languages.size < 1000) this.#languages.set(tag, suffix);
    }
    return suffix;
  }

  #datatype(start: number, view: DataView): Uint8Array | undefined {
    const { bytes } = this;
    let end = start + 1;
    while ((BYTE_CLASS[bytes[end]!]! & IRI_BYTE) !== 0 && bytes[end] !== bytes[start]) end++;
    this.at = end + 1;
    const known = end - start > MIN_KNOWN_BYTES ? this.#datatypes.find(view, start, end) : undefined;
    if (known !== undefined) return this.#suffixes[known.handle];
    if (this.#iriEnd(start) !== end || this.#used > 0) return undefined;
    const iri = new TextDecoder().decode(bytes.subarray(start + 1, end));
    if (iri === `${RDF_NS}langString` || iri === `${RDF_NS}dirLangString`) return undefined;
    const suffix = iri === `${XSD}string` ? Uint8Array.of(QUOTE) : ascii(`"^^<${iri}>`);
    if (end - start > MIN_KNOWN_BYTES) this.#datatypes.add(view, start, end, this.#suffixes.push(suffix) - 1);
    return suffix;
  }

  #literal(suffix: Uint8Array): TermHandle {
    for (const byte of suffix) this.#scratch[this.#used++] = byte;
    return this.#used > this.#maxTermBytes ? 0 : this.#sink.term(this.#scratch, 0, this.#used);
  }

  /** A term that stands there as it is but for its delimiters. */
  #between(start: number, end: number, first: number, last: number): TermHandle {
    const { bytes } = this;
    const [before, behind] = [bytes[start]!, bytes[end]!];
    bytes[start] = first;
    bytes[end] = last;
    try {
      return this.#sink.term(bytes, start, end + 1);
    } finally {
      bytes[start] = before;
      bytes[end] = behind;
    }
  }

  #reserve(length: number): void {
    if (this.#used + length <= this.#scratch.length) return;
    const larger = new Uint8Array(2 * (this.#used + length));
    larger.set(this.#scratch.subarray(0, this.#used));
    this.#scratch = larger;
  }
}
