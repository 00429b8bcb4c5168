/** Follows the levels and keys of JSON while it comes byte by byte. Places count from the start of what the document holds. */

interface Level {
  isObject: boolean;
  /** Where its bracket stands. */
  start: number;
  /** Where its last key begins and ends, without the quotes; -1 where there is none. */
  keyStart: number;
  keyEnd: number;
}

/** A string within its document. */
export interface StringPlace {
  /** Whether it is a key. */
  readonly isKey: boolean;
  /** The keys on the way to it, from the root on, as they are written. An array has an empty one. The last one may be its own. */
  readonly keys: readonly string[];
  /** The object or array that it stands in, up to it, cut after 1 KiB. */
  readonly before: string;
  /** The start of the string, cut after 1 KiB. */
  readonly start: string;
}

const MAX_SHOWN = 1024;

export class JsonStructure {
  /** Levels are used again. */
  readonly #levels: Level[] = [];
  #depth = 0;
  /** Behind the opening quote of the last string, and where its closing quote stands. */
  #stringStart = 0;
  #stringEnd = 0;

  /** Negative where more was closed than opened. */
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

  /** At a comma. */
  nextMember(): void {
    if (this.#depth > 0) this.#levels[this.#depth - 1]!.keyStart = -1;
  }

  /** At a colon: the last string is a key. */
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

  /** What was held is handed out, but for the array that its elements stand in. */
  restart(): void {
    this.#depth = 0;
    this.open(false, 0);
  }

  /** @param textOf what stands between two places */
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
