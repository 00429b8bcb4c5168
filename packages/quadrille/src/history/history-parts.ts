/** Cuts the bytes of a history file at its rows `H sha256`, which end the parts of the hash chain. */

/** Some bytes of a part, or a whole row `H sha256` with its line end. */
export interface HistoryPart {
  readonly bytes: Uint8Array;
  readonly isHash: boolean;
}

const MARK = new TextEncoder().encode('H sha256 ');
const LF = 0x0a;
/** A line that is longer is no row `H sha256`. */
const MOST_BYTES = 128;
const NONE = new Uint8Array(0);

export class HistoryParts {
  /** The beginning of a line that may be a row `H sha256`. */
  #held: Uint8Array = NONE;
  #inLine = false;

  /** The parts of the next bytes. They share memory with the bytes. */
  *split(chunk: Uint8Array): Generator<HistoryPart> {
    const bytes = this.#held.length === 0 ? chunk : joined(this.#held, chunk);
    this.#held = NONE;
    let start = 0;
    let at = this.#inLine ? this.#nextLine(bytes, 0) : 0;
    while (at < bytes.length) {
      if (!mayBeMark(bytes, at)) {
        at = this.#nextLine(bytes, at);
        continue;
      }
      const end = bytes.indexOf(LF, at) + 1;
      if (end === 0 && bytes.length - at > MOST_BYTES) {
        at = this.#nextLine(bytes, at);
        continue;
      }
      if (at > start) yield { bytes: bytes.subarray(start, at), isHash: false };
      start = bytes.length;
      if (end === 0) {
        this.#held = bytes.slice(at);
        break;
      }
      yield { bytes: bytes.subarray(at, end), isHash: true };
      start = at = end;
    }
    if (start < bytes.length) yield { bytes: bytes.subarray(start), isHash: false };
  }

  /** The bytes of a last line that is cut. */
  get rest(): Uint8Array {
    return this.#held;
  }

  #nextLine(bytes: Uint8Array, from: number): number {
    const end = bytes.indexOf(LF, from) + 1;
    this.#inLine = end === 0;
    return end === 0 ? bytes.length : end;
  }
}

// Also true for a beginning of the mark at the end of the bytes.
function mayBeMark(bytes: Uint8Array, at: number): boolean {
  const length = Math.min(MARK.length, bytes.length - at);
  for (let i = 0; i < length; i++) if (bytes[at + i] !== MARK[i]) return false;
  return true;
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}
