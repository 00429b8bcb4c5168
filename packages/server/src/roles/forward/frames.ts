/**
 * The frames of a link between two servers: requests in one direction, answers in the other one. A frame is the length of the rest,
 * a kind, a number, the length of its head, the head as text and the body. Numbers have 32 bits, the highest byte first.
 */

/** What a frame is. */
export const Kind = {
  /** It comes back as it is. */
  ping: 0,
  /** A request, or the answer to the one of the same number. */
  message: 1,
  /** The client of this number is gone. */
  gone: 2,
  /** The answer is too long for a link. */
  elsewhere: 3,
} as const;
export type Kind = (typeof Kind)[keyof typeof Kind];

export interface Frame {
  readonly kind: number;
  readonly number: number;
  readonly head: string;
  /** Shares its memory with what was received. */
  readonly body: Buffer;
}

const LENGTH_BYTES = 4;
const FIXED_BYTES = 9;
/** Longest frame, in bytes: a head, and a body within the limit of its sender. */
export const MOST_FRAME = 4 * 1024 * 1024;
const NOTHING = Buffer.alloc(0);

export function frameOf(kind: Kind, number: number, head = '', body: Uint8Array | string = NOTHING): Buffer {
  const headBytes = Buffer.byteLength(head);
  const bodyBytes = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
  const frame = Buffer.allocUnsafe(LENGTH_BYTES + FIXED_BYTES + headBytes + bodyBytes);
  frame.writeUInt32BE(FIXED_BYTES + headBytes + bodyBytes, 0);
  frame.writeUInt8(kind, 4);
  frame.writeUInt32BE(number, 5);
  frame.writeUInt32BE(headBytes, 9);
  frame.write(head, 13);
  if (typeof body === 'string') frame.write(body, 13 + headBytes);
  else frame.set(body, 13 + headBytes);
  return frame;
}

/** Puts frames together from the pieces in which they arrive. */
export class FrameReader {
  #pieces: Buffer[] = [];
  #held = 0;
  /** Bytes that the next frame needs, as far as it is known. */
  #needed = LENGTH_BYTES;

  /** Whether a part of a frame has arrived. */
  get isWithin(): boolean {
    return this.#held > 0;
  }

  /** The frames that are complete with this piece. @throws RangeError for a frame that is longer than {@link MOST_FRAME}, or broken */
  take(piece: Buffer): Frame[] {
    this.#pieces.push(piece);
    this.#held += piece.length;
    if (this.#held < this.#needed) return [];
    let rest = this.#pieces.length === 1 ? piece : Buffer.concat(this.#pieces, this.#held);
    const frames: Frame[] = [];
    this.#needed = LENGTH_BYTES;
    while (rest.length >= LENGTH_BYTES) {
      const length = rest.readUInt32BE(0);
      if (length < FIXED_BYTES || length > MOST_FRAME) throw new RangeError('a frame is too short or too long');
      if (rest.length < LENGTH_BYTES + length) {
        this.#needed = LENGTH_BYTES + length;
        break;
      }
      frames.push(frameIn(rest.subarray(LENGTH_BYTES, LENGTH_BYTES + length)));
      rest = rest.subarray(LENGTH_BYTES + length);
    }
    this.#pieces = rest.length > 0 ? [rest] : [];
    this.#held = rest.length;
    return frames;
  }
}

function frameIn(bytes: Buffer): Frame {
  const headEnd = FIXED_BYTES + bytes.readUInt32BE(5);
  if (headEnd > bytes.length) throw new RangeError('the head of a frame is longer than the frame');
  return {
    kind: bytes.readUInt8(0),
    number: bytes.readUInt32BE(1),
    head: bytes.toString('utf8', FIXED_BYTES, headEnd),
    body: bytes.subarray(headEnd),
  };
}

/** Sends what one turn of the event loop has for a connection as one piece. */
export class FrameQueue {
  #waiting: Buffer[] = [];

  constructor(private readonly send: (bytes: Buffer) => void) {}

  add(frame: Buffer): void {
    if (this.#waiting.push(frame) === 1) setImmediate(() => this.#flush());
  }

  #flush(): void {
    const frames = this.#waiting;
    this.#waiting = [];
    this.send(frames.length === 1 ? frames[0]! : Buffer.concat(frames));
  }
}
