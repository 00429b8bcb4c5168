/**
 * A map whose keys are texts of strangers. The maps of the platform take nothing but the length of a text for its hash
 * where the text has more than 16,383 characters: a thousand literals of one length would be compared with each other.
 */

/** Texts of this many characters and more get a hash of our own. */
const LONG_TEXT = 1 << 14;
/** A random seed, so that nobody can prepare texts that collide. */
const [SEED_HIGH, SEED_LOW] = globalThis.crypto.getRandomValues(new Int32Array(2)) as unknown as [number, number];

interface LongEntry<V> {
  readonly text: string;
  value: V;
}

/** A map by text, which is quick for long texts too. */
export class TextMap<V> {
  readonly #short = new Map<string, V>();
  /** By hash. */
  readonly #long = new Map<string, LongEntry<V>>();
  /** The long text that was hashed last: who looks for a text often sets it next. */
  #lastText = '';
  #lastHash = '';

  /** Number of texts. */
  get size(): number {
    return this.#short.size + this.#long.size;
  }

  /** The value of a text; `undefined` if there is none. */
  get(text: string): V | undefined {
    return text.length < LONG_TEXT ? this.#short.get(text) : this.#long.get(this.#keyOf(text))?.value;
  }

  /** Stores the value of a text. */
  set(text: string, value: V): void {
    if (text.length < LONG_TEXT) this.#short.set(text, value);
    else this.#long.set(this.#keyOf(text), { text, value });
  }

  // The hash of a text; where another text has it, the next one that is free.
  #keyOf(text: string): string {
    if (text !== this.#lastText) {
      this.#lastHash = hashOf(text);
      this.#lastText = text;
    }
    let key = this.#lastHash;
    for (let other = this.#long.get(key); other !== undefined && other.text !== text; other = this.#long.get(key)) {
      key += '+';
    }
    return key;
  }
}

function hashOf(text: string): string {
  let high = SEED_HIGH;
  let low = SEED_LOW;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    high = Math.imul(high ^ unit, 0x85ebca6b);
    high ^= high >>> 13;
    low = Math.imul(low + unit, 0xc2b2ae35);
    low = (low << 15) | (low >>> 17);
  }
  return `${text.length} ${high} ${low}`;
}
