/**
 * Finds an IRI or a blank node label that is too long in a line that has not ended yet. It only counts bytes. The parser reports
 * all other faults when the line is complete.
 */
import { LONG_IRI, MAX_IRI_BYTES } from '@quadrille/model';
import { TermFault } from '../terms/term-fault.js';
import { BYTE_CLASS, IRI_BYTE } from '../text/byte-classes.js';
import { BACKSLASH, COLON, GREATER, HASH, LESS, QUOTE, UNDERSCORE } from '../text/bytes.js';

const BETWEEN = 0;
const BEHIND_LESS = 1;
const IRI = 2;
const STRING = 3;
const BEHIND_UNDERSCORE = 4;
const LABEL = 5;
/** In a comment, or behind a fault. Nothing is counted. */
const IGNORED = 6;

/** Number of bytes behind the backslash of `\uXXXX`. `\UXXXXXXXX` has four more. */
const ESCAPE_BYTES = 5;
const CAPITAL_U = 0x55;
/** 1 for bytes that end a label. */
const LABEL_END = new Uint8Array(256);
for (const char of ' \t\r\n<>"()') LABEL_END[char.charCodeAt(0)] = 1;

export class LineWatch {
  readonly #maxLabelBytes: number;
  #state = BETWEEN;
  /** Start and minimum length in bytes of the term that is counted. An escape counts as one byte. */
  #start = 0;
  #length = 0;
  /** Number of bytes of an escape that are still to be skipped. */
  #skip = 0;
  /** Number of bytes of the line that were examined. */
  #at = 0;

  constructor(maxLabelBytes: number) {
    this.#maxLabelBytes = maxLabelBytes;
  }

  /** Starts again with a new line. */
  restart(): void {
    this.#state = BETWEEN;
    this.#skip = 0;
    this.#at = 0;
  }

  /** Examines the new bytes of a line, which extends from 0 to `end`. Returns the fault of a term that is too long. */
  look(bytes: Uint8Array, end: number): TermFault | undefined {
    while (this.#at < end && this.#state !== IGNORED) {
      this.#step(bytes[this.#at]!);
      if (this.#state === IRI && this.#length > MAX_IRI_BYTES) return new TermFault(this.#start, LONG_IRI);
      if (this.#state === LABEL && this.#length > this.#maxLabelBytes) {
        return new TermFault(this.#start, `the term is longer than ${this.#maxLabelBytes} bytes`);
      }
      this.#at++;
    }
    return undefined;
  }

  #step(byte: number): void {
    if (this.#skip > 0) {
      if (this.#skip === ESCAPE_BYTES && byte === CAPITAL_U) this.#skip += 4;
      this.#skip--;
      return;
    }
    switch (this.#state) {
      case BETWEEN:
        this.#begin(byte);
        break;
      case BEHIND_LESS:
        // "<<" begins a triple term.
        this.#state = byte === LESS ? BETWEEN : IRI;
        if (byte !== LESS) this.#iri(byte);
        break;
      case IRI:
        this.#iri(byte);
        break;
      case STRING:
        if (byte === BACKSLASH) this.#skip = 1;
        else if (byte === QUOTE) this.#state = BETWEEN;
        break;
      case BEHIND_UNDERSCORE:
        this.#state = byte === COLON ? LABEL : IGNORED;
        break;
      default:
        this.#length++;
        if (LABEL_END[byte] === 1) {
          this.#state = BETWEEN;
          this.#begin(byte);
        }
    }
  }

  #begin(byte: number): void {
    this.#start = this.#at;
    this.#length = 0;
    if (byte === LESS) this.#state = BEHIND_LESS;
    else if (byte === QUOTE) this.#state = STRING;
    else if (byte === UNDERSCORE) this.#state = BEHIND_UNDERSCORE;
    else if (byte === HASH) this.#state = IGNORED;
  }

  #iri(byte: number): void {
    this.#length++;
    if ((BYTE_CLASS[byte]! & IRI_BYTE) !== 0 || byte >= 0x80) return;
    if (byte === GREATER) this.#state = BETWEEN;
    else if (byte === BACKSLASH) this.#skip = ESCAPE_BYTES;
    else this.#state = IGNORED;
  }
}
