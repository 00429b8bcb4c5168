/** Decodes chunks of UTF-8 and reports the offset of illegal bytes. A chunk may end within a character. */
import { ParseError } from '@quadrille/model';
import { utf8Length } from './utf8.js';

/** Decodes UTF-8 that comes in chunks, and refuses what is not UTF-8. */
export class Utf8Decoder {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  readonly #source: string | undefined;
  /** The first bytes of a character that continues in the next chunk. */
  #pending = new Uint8Array(0);
  #offset: number;
  #line: number;
  #endedWithCr = false;

  /** @param offset and `line`: start of the bytes in the document */
  constructor(source: string | undefined, offset = 0, line = 1) {
    this.#source = source;
    this.#offset = offset;
    this.#line = line;
  }

  /** @throws ParseError `RDF_SYNTAX` */
  decode(chunk: Uint8Array, last: boolean): string {
    const bytes = this.#pending.length === 0 ? chunk : concat(this.#pending, chunk);
    const end = last ? bytes.length : completeEnd(bytes);
    const whole = bytes.subarray(0, end);
    this.#pending = bytes.slice(end);
    let text: string;
    try {
      text = this.#decoder.decode(whole);
    } catch (error) {
      throw this.#errorIn(whole, error);
    }
    this.#offset += end;
    this.#countLines(text);
    return text;
  }

  /** A line ends with LF, CR, or both. */
  #countLines(text: string): void {
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) this.#line++;
    for (let at = text.indexOf('\r'); at !== -1; at = text.indexOf('\r', at + 1)) {
      if (text[at + 1] !== '\n') this.#line++;
    }
    // Both halves of CR LF were counted where it was cut.
    if (this.#endedWithCr && text.startsWith('\n')) this.#line--;
    if (text !== '') this.#endedWithCr = text.endsWith('\r');
  }

  #errorIn(bytes: Uint8Array, cause: unknown): ParseError {
    let at = 0;
    for (let length = utf8Length(bytes, at); length !== 0 && at < bytes.length; length = utf8Length(bytes, at)) {
      at += length;
    }
    this.#countLines(this.#decoder.decode(bytes.subarray(0, at)));
    const position = { source: this.#source, line: this.#line, offset: this.#offset + at };
    return new ParseError('RDF_SYNTAX', 'not UTF-8', position, { cause });
  }
}

/** The end of the last complete character. Up to three bytes may belong to an incomplete one. */
function completeEnd(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) break;
    if (byte < 0xc0) continue;
    let length = 2;
    if (byte >= 0xf0) length = 4;
    else if (byte >= 0xe0) length = 3;
    return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function concat(a: Uint8Array, b: Uint8Array): Uint8Array {
  const joined = new Uint8Array(a.length + b.length);
  joined.set(a);
  joined.set(b, a.length);
  return joined;
}
