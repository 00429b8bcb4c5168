/** Text from bytes, whole lines at a time. */
import { HeldBytes } from '../json/held-bytes.js';

const LF = 0x0a;

/** Lines with bytes that are not UTF-8. */
export class NotUtf8 {
  constructor(
    /** The lines before. */
    readonly before: string,
    /** The start of the line with the fault. */
    readonly start: string,
  ) {}
}

export class TextLines {
  /** The start of a line that has not ended. */
  readonly #held = new HeldBytes();
  // A mark of the byte order is taken away at the start of a document, and nowhere else.
  #isFirst = true;

  /** Bytes of the line that has not ended. */
  get heldBytes(): number {
    return this.#held.length;
  }

  /** The lines that have ended. */
  push(chunk: Uint8Array): string | NotUtf8 {
    const end = chunk.lastIndexOf(LF) + 1;
    if (end === 0) {
      this.#held.add(chunk);
      return '';
    }
    const text = this.#decode(chunk.subarray(0, end));
    this.#held.add(chunk.subarray(end));
    return text;
  }

  /** The last line. */
  end(): string | NotUtf8 {
    return this.#decode(new Uint8Array(0));
  }

  #decode(more: Uint8Array): string | NotUtf8 {
    let bytes = more;
    if (this.#held.length > 0) {
      this.#held.add(more);
      bytes = this.#held.bytes();
      this.#held.clear();
    }
    try {
      const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: !this.#isFirst }).decode(bytes);
      if (bytes.length > 0) this.#isFirst = false;
      return text;
    } catch {
      return faultIn(bytes);
    }
  }
}

function faultIn(bytes: Uint8Array): NotUtf8 {
  let before = '';
  for (let start = 0; ;) {
    const next = bytes.indexOf(LF, start) + 1;
    const line = bytes.subarray(start, next === 0 ? undefined : next);
    try {
      before += new TextDecoder('utf-8', { fatal: true }).decode(line);
    } catch {
      return new NotUtf8(before, new TextDecoder().decode(line).split('\uFFFD', 1)[0]!);
    }
    start = next;
  }
}
