/**
 * Words in memory: their bytes one behind the other, and an open-addressing hash table. A search has a bounded number of probes, even if
 * somebody prepared words with equal hashes.
 */

const FIRST_SLOTS = 1 << 10;
/** A larger table has so many times the slots. */
const GROWTH = 4;
const FIRST_BYTES = 8 * 1024;
/** Largest number of slots that a search looks at. */
const MOST_PROBES = 64;

export class WordTable {
  size = 0;
  /** The bytes of all words. */
  text = new Uint8Array(FIRST_BYTES);
  /** By word: its hash, and where its bytes end; they begin where those of the word before end. */
  #hashes = new Int32Array(FIRST_SLOTS);
  #ends = new Uint32Array(FIRST_SLOTS);
  /** In pairs, which are read together: 1 plus the number of a word, or 0, and its hash. */
  #slots = new Int32Array(FIRST_SLOTS * 2);
  /** Words that found no free slot. The hash of the platform's map is secret, so its collisions cannot be prepared. */
  readonly #crowded = new Map<string, number>();

  constructor(
    private readonly seed: number,
    private readonly hash = hashOf,
  ) {}

  /** About what it holds. */
  get bytes(): number {
    return this.text.length + this.#hashes.length * 8 + this.#slots.length * 4;
  }

  startOf(word: number): number {
    return word === 0 ? 0 : this.#ends[word - 1]!;
  }

  endOf(word: number): number {
    return this.#ends[word]!;
  }

  wordOf(word: number): Uint8Array {
    return this.text.subarray(this.startOf(word), this.endOf(word));
  }

  /** The number of the word in the first `length` bytes. Numbers count up from 0, so a new word gets the size before. */
  add(bytes: Uint8Array, length: number): number {
    const hash = this.hash(bytes, length, this.seed);
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = (hash << 1) & mask;
    for (let probes = 0; probes < MOST_PROBES; probes++, slot = (slot + 2) & mask) {
      const found = slots[slot]! - 1;
      if (found === -1) {
        // Since the table has grown, a crowded word would find a slot.
        if (this.#crowded.size > 0) return this.#addCrowded(bytes, length, hash);
        const word = this.#append(bytes, length, hash);
        slots[slot] = word + 1;
        slots[slot + 1] = hash;
        if (this.size * 4 > slots.length) this.#enlarge();
        return word;
      }
      if (slots[slot + 1] === hash && this.#equals(found, bytes, length)) return found;
    }
    return this.#addCrowded(bytes, length, hash);
  }

  #equals(word: number, bytes: Uint8Array, length: number): boolean {
    const { text } = this;
    const start = this.startOf(word);
    if (this.#ends[word]! - start !== length) return false;
    for (let i = 0; i < length; i++) if (text[start + i] !== bytes[i]) return false;
    return true;
  }

  #addCrowded(bytes: Uint8Array, length: number, hash: number): number {
    const key = String.fromCharCode(...bytes.subarray(0, length));
    let word = this.#crowded.get(key);
    if (word === undefined) this.#crowded.set(key, (word = this.#append(bytes, length, hash)));
    return word;
  }

  #append(bytes: Uint8Array, length: number, hash: number): number {
    const word = this.size++;
    const start = this.startOf(word);
    if (start + length > this.text.length) {
      const grown = new Uint8Array(Math.max(this.text.length * 2, start + length));
      grown.set(this.text);
      this.text = grown;
    }
    for (let i = 0; i < length; i++) this.text[start + i] = bytes[i]!;
    if (word === this.#ends.length) {
      this.#ends = doubled(this.#ends);
      const hashes = new Int32Array(this.#hashes.length * 2);
      hashes.set(this.#hashes);
      this.#hashes = hashes;
    }
    this.#ends[word] = start + length;
    this.#hashes[word] = hash;
    return word;
  }

  // Where a word is at most so far from its slot, it is no farther in a larger table.
  #enlarge(): void {
    const slots = new Int32Array(this.#slots.length * GROWTH);
    const mask = slots.length - 1;
    for (let word = 0; word < this.size; word++) {
      const hash = this.#hashes[word]!;
      let slot = (hash << 1) & mask;
      while (slots[slot] !== 0) slot = (slot + 2) & mask;
      slots[slot] = word + 1;
      slots[slot + 1] = hash;
    }
    this.#slots = slots;
  }
}

function hashOf(bytes: Uint8Array, length: number, seed: number): number {
  let hash = seed ^ length;
  for (let i = 0; i < length; i++) hash = Math.imul(hash ^ bytes[i]!, 0x0100_0193);
  hash ^= hash >>> 16;
  hash = Math.imul(hash, 0x85eb_ca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2b2_ae35);
  return hash ^ (hash >>> 16);
}

export function doubled(numbers: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const more = new Uint32Array(numbers.length * 2);
  more.set(numbers);
  return more;
}
