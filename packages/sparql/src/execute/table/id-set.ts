/** A set of ids in the order of insertion: the queue of a breadth-first search, and the nodes that it has visited. */
import type { Memory } from '../../control/memory.js';
import { HASH_SEED } from './hash-seed.js';

/** Ids and slots of so many lie in V8's heap, where arrays are cheap to make. */
const FIRST_IDS = 8;
const NEXT_IDS = 64;
/** A set that is cleared with less than this share of its room in use shrinks again. */
const SHRINK_SHARE = 16;

export class IdSet {
  /** The ids in the order of their coming, `size` of them. */
  ids = new Uint32Array(FIRST_IDS);
  size = 0;
  /** Open addressing; 0 is an empty slot, as it is no id. */
  #slots = new Uint32Array(FIRST_IDS * 2);
  #shift = shiftFor(FIRST_IDS * 2);
  #bytes = 0;

  constructor(private readonly memory: Memory) {
    this.#account(FIRST_IDS);
  }

  /** Adds an id; false if it was there already. */
  add(id: number): boolean {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = Math.imul(id ^ HASH_SEED, 0x9e37_79b1) >>> this.#shift;
    for (;;) {
      const found = slots[slot]!;
      if (found === id) return false;
      if (found === 0) break;
      slot = (slot + 1) & mask;
    }
    slots[slot] = id;
    this.ids[this.size++] = id;
    if (this.size === this.ids.length) this.#grow();
    return true;
  }

  has(id: number): boolean {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = Math.imul(id ^ HASH_SEED, 0x9e37_79b1) >>> this.#shift;
    for (;;) {
      const found = slots[slot]!;
      if (found === id) return true;
      if (found === 0) return false;
      slot = (slot + 1) & mask;
    }
  }

  clear(): void {
    if (this.ids.length > FIRST_IDS && this.size * SHRINK_SHARE < this.ids.length) this.#allocate(FIRST_IDS);
    else this.#slots.fill(0);
    this.size = 0;
  }

  #grow(): void {
    const { ids, size } = this;
    this.#allocate(Math.max(size * 2, NEXT_IDS));
    this.ids.set(ids);
    const mask = this.#slots.length - 1;
    for (let i = 0; i < size; i++) {
      let slot = Math.imul(ids[i]! ^ HASH_SEED, 0x9e37_79b1) >>> this.#shift;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = ids[i]!;
    }
  }

  #allocate(capacity: number): void {
    this.#account(capacity);
    this.ids = new Uint32Array(capacity);
    this.#slots = new Uint32Array(capacity * 2);
    this.#shift = shiftFor(capacity * 2);
  }

  // While a set grows, the old and the new one count.
  #account(capacity: number): void {
    const bytes = capacity * 3 * Uint32Array.BYTES_PER_ELEMENT;
    this.memory.reserve(bytes);
    this.memory.release(this.#bytes);
    this.#bytes = bytes;
  }

  free(): void {
    this.memory.release(this.#bytes);
    this.#bytes = 0;
  }
}

/** For a table of a power of two: the highest bits of a hash are the best mixed. */
const shiftFor = (slots: number): number => Math.clz32(slots - 1);
