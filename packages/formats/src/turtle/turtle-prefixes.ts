/** The prefixes that a Turtle document has declared so far. */

interface Prefix {
  readonly name: Uint8Array;
  readonly namespace: Uint8Array;
}

const utf8 = new TextDecoder();
/** A power of two. */
const SLOTS = 64;

export class TurtlePrefixes {
  readonly #prefixes = new Map<string, Prefix>();
  /** The most recent ones by their bytes. Most lookups need not decode the name. */
  readonly #slots: (Prefix | undefined)[] = [];

  get size(): number {
    return this.#prefixes.size;
  }

  /** The current declarations: names without the colon, and namespaces. */
  list(): Iterable<{ readonly name: Uint8Array; readonly namespace: Uint8Array }> {
    return this.#prefixes.values();
  }

  /** Declares a prefix. Returns whether it was declared before. */
  declare(name: Uint8Array, namespace: Uint8Array): boolean {
    const text = utf8.decode(name);
    const isKnown = this.#prefixes.has(text);
    this.#prefixes.set(text, { name, namespace });
    if (isKnown) this.#slots.length = 0;
    return isKnown;
  }

  /** The namespace of the prefix whose name, without the colon, is in this span. */
  find(bytes: Uint8Array, start: number, end: number): Uint8Array | undefined {
    const slot = (end - start + 5 * bytes[start]! + 11 * bytes[end - 1]!) & (SLOTS - 1);
    const expected = this.#slots[slot];
    if (expected !== undefined && isThere(expected.name, bytes, start, end)) return expected.namespace;
    const found = this.#prefixes.get(utf8.decode(bytes.subarray(start, end)));
    if (found !== undefined) this.#slots[slot] = found;
    return found?.namespace;
  }
}

function isThere(name: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  const { length } = name;
  if (end - start !== length) return false;
  for (let i = 0; i < length; i++) if (name[i] !== bytes[start + i]) return false;
  return true;
}
