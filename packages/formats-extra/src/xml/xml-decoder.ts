/**
 * Decodes an XML document. Its encoding is that of its byte order mark, else the one that its XML declaration names, else UTF-8 (XML 1.0,
 * appendix F). Every encoding that TextDecoder knows is read.
 */
import { Utf8Decoder } from '@quadrille/formats';
import { ParseError } from '@quadrille/model';

/** The longest XML declaration. A longer one counts as none. */
const MAX_DECLARATION_BYTES = 1024;
const DECLARED = /^<\?xml\s[^>]*?\bencoding\s*=\s*(?:"([^"]*)"|'([^']*)')/;
const UTF_8 = /^(?:utf-?8|us-ascii|ascii)$/i;
const UTF_16 = /^(?:utf-16|ucs-2|iso-10646-ucs-2)/i;

/** Where the bytes begin that are decoded: not at the start of a document that another parser has begun to read. */
export interface XmlStart {
  readonly offset: number;
  readonly line: number;
}

interface Decoder {
  decode(bytes: Uint8Array, last: boolean): string;
}

export class XmlDecoder {
  readonly #source: string | undefined;
  #decoder: Decoder | undefined;
  /** The first bytes, until they tell the encoding. */
  #held: Uint8Array = new Uint8Array(0);

  constructor(source: string | undefined, start?: XmlStart) {
    this.#source = source;
    if (start !== undefined) this.#decoder = new Utf8Decoder(source, start.offset, start.line);
  }

  /** @throws ParseError `RDF_SYNTAX` for bytes that are not of the encoding, and for an unknown encoding */
  decode(chunk: Uint8Array, last: boolean): string {
    if (this.#decoder !== undefined) return this.#decoder.decode(chunk, last);
    const bytes = new Uint8Array(this.#held.length + chunk.length);
    bytes.set(this.#held);
    bytes.set(chunk, this.#held.length);
    if (!last && !isDecided(bytes)) {
      this.#held = bytes;
      return '';
    }
    this.#held = new Uint8Array(0);
    this.#decoder = this.#open(bytes);
    return this.#decoder.decode(bytes, last);
  }

  #open(bytes: Uint8Array): Decoder {
    const [first, second] = bytes;
    if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return this.#other('utf-16be');
    if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return this.#other('utf-16le');
    const isMarked = first === 0xef && second === 0xbb;
    const [, double, single] = DECLARED.exec(asciiOf(bytes)) ?? [];
    const declared = double ?? single;
    if (isMarked || declared === undefined || UTF_8.test(declared)) return new Utf8Decoder(this.#source);
    if (UTF_16.test(declared)) throw this.#fault(declared, 'but its bytes are not');
    return this.#other(declared);
  }

  #other(encoding: string): Decoder {
    let decoder: TextDecoder;
    try {
      decoder = new TextDecoder(encoding, { fatal: true });
    } catch (error) {
      throw this.#fault(encoding, 'which is not known here: convert it to UTF-8', error);
    }
    let line = 1;
    return {
      decode: (bytes, last) => {
        try {
          const text = decoder.decode(bytes, { stream: !last });
          line += text.split('\n').length - 1;
          return text;
        } catch (error) {
          throw this.#fault(encoding, 'but its bytes are not', error, line);
        }
      },
    };
  }

  #fault(encoding: string, reason: string, cause?: unknown, line = 1): ParseError {
    const message = `the encoding of the document is ${JSON.stringify(encoding.slice(0, 40))}, ${reason}`;
    return new ParseError('RDF_SYNTAX', message, { source: this.#source, line }, { cause });
  }
}

/** Whether the first bytes of a document are enough to know its encoding. */
function isDecided(bytes: Uint8Array): boolean {
  if (bytes.length < 2) return false;
  if (bytes[0] !== 0x3c || bytes[1] === 0) return true;
  const start = asciiOf(bytes);
  return !'<?xml'.startsWith(start.slice(0, 5)) || start.includes('>') || bytes.length >= MAX_DECLARATION_BYTES;
}

const asciiOf = (bytes: Uint8Array): string => String.fromCharCode(...bytes.subarray(0, MAX_DECLARATION_BYTES));
