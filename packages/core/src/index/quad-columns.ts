/** Growing columns in which quads of ids are collected. */
import { hashIds } from '../runtime/id-hash.js';

/** Quads as columns of ids. */
export interface IdQuads {
  readonly length: number;
  readonly s: Uint32Array;
  readonly p: Uint32Array;
  readonly o: Uint32Array;
  readonly g: Uint32Array;
}

const FEWEST = 16;

export class QuadColumns implements IdQuads {
  s: Uint32Array;
  p: Uint32Array;
  o: Uint32Array;
  g: Uint32Array;
  length = 0;

  constructor(capacity = FEWEST) {
    this.s = new Uint32Array(capacity);
    this.p = new Uint32Array(capacity);
    this.o = new Uint32Array(capacity);
    this.g = new Uint32Array(capacity);
  }

  push(s: number, p: number, o: number, g: number): void {
    if (this.length === this.s.length) this.#grow();
    const at = this.length++;
    this.s[at] = s;
    this.p[at] = p;
    this.o[at] = o;
    this.g[at] = g;
  }

  #grow(): void {
    for (const name of ['s', 'p', 'o', 'g'] as const) {
      const grown = new Uint32Array(Math.max(FEWEST, this.length * 2));
      grown.set(this[name]);
      this[name] = grown;
    }
  }
}

/** Like {@link QuadColumns}, with the `from` of each quad's interval. */
export class EndedColumns extends QuadColumns {
  from: Uint32Array;

  constructor(capacity = FEWEST) {
    super(capacity);
    this.from = new Uint32Array(capacity);
  }

  pushEnded(s: number, p: number, o: number, g: number, from: number): void {
    this.push(s, p, o, g);
    if (this.from.length < this.s.length) {
      const grown = new Uint32Array(this.s.length);
      grown.set(this.from);
      this.from = grown;
    }
    this.from[this.length - 1] = from;
  }
}

/** Like {@link QuadColumns}, but holds each quad once, in the sequence in which they were added. */
export class QuadSet extends QuadColumns {
  #slots: Int32Array;

  constructor(capacity = FEWEST) {
    super(capacity);
    this.#slots = new Int32Array(2 ** Math.ceil(Math.log2(capacity * 2 + 1))).fill(-1);
  }

  has(s: number, p: number, o: number, g: number): boolean {
    return this.#slots[this.#slotOf(s, p, o, g)] !== -1;
  }

  /** Returns false if the set already has the quad. */
  add(s: number, p: number, o: number, g: number): boolean {
    if (this.length * 2 >= this.#slots.length) this.#rehash();
    const slot = this.#slotOf(s, p, o, g);
    if (this.#slots[slot] !== -1) return false;
    this.#slots[slot] = this.length;
    this.push(s, p, o, g);
    return true;
  }

  // The slot that holds the quad, or the free slot where it would go.
  #slotOf(s: number, p: number, o: number, g: number): number {
    const mask = this.#slots.length - 1;
    for (let slot = hashIds(s, p, o, g) & mask; ; slot = (slot + 1) & mask) {
      const row = this.#slots[slot]!;
      if (row === -1) return slot;
      if (this.s[row] === s && this.o[row] === o && this.p[row] === p && this.g[row] === g) return slot;
    }
  }

  #rehash(): void {
    this.#slots = new Int32Array(this.#slots.length * 2).fill(-1);
    for (let row = 0; row < this.length; row++) {
      this.#slots[this.#slotOf(this.s[row]!, this.p[row]!, this.o[row]!, this.g[row]!)] = row;
    }
  }
}

/** At most `rows` quads from `at` on. Shares memory with `quads`. */
export function sliceQuads(quads: IdQuads, at: number, rows: number): IdQuads {
  const end = Math.min(at + rows, quads.length);
  const cut = (column: Uint32Array): Uint32Array => column.subarray(at, end);
  return { s: cut(quads.s), p: cut(quads.p), o: cut(quads.o), g: cut(quads.g), length: end - at };
}

export const NO_QUADS: IdQuads = new QuadColumns();

function areSorted({ s, p, o, g, length }: IdQuads): boolean {
  for (let i = 1; i < length; i++) {
    const order = s[i]! - s[i - 1]! || p[i]! - p[i - 1]! || o[i]! - o[i - 1]! || g[i]! - g[i - 1]!;
    if (order < 0) return false;
  }
  return true;
}

/** Sorts `quads` in place as (s, p, o, g), because sorted quads encode to fewer bytes. Returns `quads`. */
export function sortQuads<T extends QuadColumns>(quads: T): T {
  if (areSorted(quads)) return quads;
  const rows = new Uint32Array(quads.length).map((_, i) => i);
  const { s, p, o, g } = quads;
  rows.sort((x, y) => s[x]! - s[y]! || p[x]! - p[y]! || o[x]! - o[y]! || g[x]! - g[y]!);
  const names =
    quads instanceof EndedColumns ? (['s', 'p', 'o', 'g', 'from'] as const) : (['s', 'p', 'o', 'g'] as const);
  for (const name of names) {
    const column = (quads as unknown as EndedColumns)[name];
    const sorted = new Uint32Array(quads.length);
    for (let i = 0; i < rows.length; i++) sorted[i] = column[rows[i]!]!;
    (quads as unknown as EndedColumns)[name] = sorted;
  }
  return quads;
}
