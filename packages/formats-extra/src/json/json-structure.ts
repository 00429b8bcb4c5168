/** Tracks the levels and keys of JSON that is read byte by byte. Offsets count from the start of the held bytes. */

interface Level {
  isObject: boolean;
  /** Offset of its bracket. */
  start: number;
  /** Start and end of its last key without the quotes, or -1 if there is none. */
  keyStart: number;
  keyEnd: number;
}

/** A string within its document. */
export interface StringPlace {
  /** Whether it is a key. */
  readonly isKey: boolean;
  /** The keys on the path from the root, as written. The key of an array is empty. The last key may be that of the string itself. */
  readonly keys: readonly string[];
  /** The text of the enclosing object or array before the string, at most 1 KiB. */
  readonly before: string;
  /** The start of the string, at most 1 KiB. */
  readonly start: string;
}

const MAX_SHOWN = 1024;

export class JsonStructure {
  /** Objects of levels are reused. */
  readonly #levels: Level[] = [];
  #depth = 0;
  /** Start of the last string, behind its quote, and offset of its closing quote. */
  #stringStart = 0;
  #stringEnd = 0;

  /** Number of open brackets. Negative if more were closed than opened. */
  get depth(): number {
    return this.#depth;
  }

  get stringStart(): number {
    return this.#stringStart;
  }

  open(isObject: boolean, start: number): void {
    const at = this.#depth++;
    if (at < 0) return;
    const level = this.#levels[at];
    if (level === undefined) this.#levels.push({ isObject, start, keyStart: -1, keyEnd: -1 });
    else {
      level.isObject = isObject;
      level.start = start;
      level.keyStart = -1;
    }
  }

  close(): void {
    this.#depth--;
  }

  /** Called at a comma. */
  nextMember(): void {
    if (this.#depth > 0) this.#levels[this.#depth - 1]!.keyStart = -1;
  }

  /** Called at a colon: the last string is a key. */
  endKey(): void {
    if (this.#depth <= 0) return;
    const level = this.#levels[this.#depth - 1]!;
    level.keyStart = this.#stringStart;
    level.keyEnd = this.#stringEnd;
  }

  beginString(at: number): void {
    this.#stringStart = at + 1;
  }

  endString(at: number): void {
    this.#stringEnd = at;
  }

  /** Called when the held elements were returned. Only their array remains open. */
  restart(): void {
    this.#depth = 0;
    this.open(false, 0);
  }

  /** @param textOf returns the text between two offsets */
  stringPlace(textOf: (start: number, end: number) => string, end: number): StringPlace {
    const levels = this.#levels.slice(0, Math.max(0, this.#depth));
    const level = levels.at(-1);
    const from = level?.start ?? 0;
    const start = this.#stringStart;
    return {
      isKey: level?.isObject === true && level.keyStart === -1,
      keys: levels.map(({ keyStart, keyEnd }) => (keyStart === -1 ? '' : textOf(keyStart, keyEnd))),
      before: textOf(from, Math.min(start, from + MAX_SHOWN)),
      start: textOf(start, Math.min(end, start + MAX_SHOWN)),
    };
  }
}
