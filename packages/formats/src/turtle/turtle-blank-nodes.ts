/** Blank nodes of Turtle: labelled ones, and anonymous ones, which get a label. */
import type { QuadSink, TermHandle } from '@quadrille/model';
import { TermFault } from '../terms/term-fault.js';
import { BYTE_CLASS, DIGIT } from '../text/byte-classes.js';
import { ByteBuffer } from '../text/byte-buffer.js';
import { COLON, DOT, UNDERSCORE } from '../text/bytes.js';
import type { TurtleText } from './turtle-text.js';

/** The labels of anonymous nodes are this text and a number. */
const ANONYMOUS = new TextEncoder().encode('anon');

export class TurtleBlankNodes {
  readonly #text: TurtleText;
  readonly #sink: Pick<QuadSink, 'blankNode'>;
  readonly #maxTermBytes: number;
  readonly #buffer = new ByteBuffer();
  readonly #keepsLabels: boolean;
  #count = 0;

  /** @param keepsLabels whether labels are names of the store, which never change. Then there are no anonymous nodes. */
  constructor(text: TurtleText, sink: Pick<QuadSink, 'blankNode'>, maxTermBytes: number, keepsLabels = false) {
    this.#text = text;
    this.#sink = sink;
    this.#maxTermBytes = maxTermBytes;
    this.#keepsLabels = keepsLabels;
  }

  /** Creates an anonymous node. */
  fresh(): TermHandle {
    const buffer = this.#buffer;
    buffer.length = 0;
    buffer.span(ANONYMOUS, 0, ANONYMOUS.length);
    const digits = String(++this.#count);
    for (let i = 0; i < digits.length; i++) buffer.byte(digits.charCodeAt(i));
    return this.#sink.blankNode(buffer.bytes, 0, buffer.length);
  }

  /** Reads the label at the position, which begins with "_". */
  labelled(): TermHandle {
    const text = this.#text;
    const { bytes, at: sign } = text;
    if (bytes[sign + 1] !== COLON) throw new TermFault(sign, 'a blank node starts with "_:"', sign + 1);
    const start = sign + 2;
    let at = start;
    let end = start;
    for (;;) {
      const length = text.nameCharacter(at, at === start);
      // A dot is part of the label if another character of the label follows.
      if (length === 0 && (bytes[at] !== DOT || at === start)) break;
      at += length || 1;
      if (length > 0) end = at;
      if (at - start > this.#maxTermBytes) break;
    }
    text.need(at);
    if (end === start) throw new TermFault(start, 'a blank node needs a label of letters, digits and "_"');
    if (end - start > this.#maxTermBytes) {
      throw new TermFault(sign, `the term is longer than ${this.#maxTermBytes} bytes`, end);
    }
    text.at = end;
    if (this.#keepsLabels || !isLikeOurs(bytes, start, end)) return this.#sink.blankNode(bytes, start, end);
    const buffer = this.#buffer;
    buffer.length = 0;
    buffer.byte(UNDERSCORE);
    buffer.span(bytes, start, end);
    return this.#sink.blankNode(buffer.bytes, 0, buffer.length);
  }
}

/** Whether a label has the form of a generated one. It gets another "_", so the two never collide. */
function isLikeOurs(bytes: Uint8Array, start: number, end: number): boolean {
  let at = start;
  while (bytes[at] === UNDERSCORE) at++;
  for (const byte of ANONYMOUS) if (bytes[at++] !== byte) return false;
  const digits = at;
  while ((BYTE_CLASS[bytes[at]!]! & DIGIT) !== 0) at++;
  return at === end && at > digits;
}
