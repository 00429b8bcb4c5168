/** The rows of changes that a reader hands out together: quads of ids that were added or removed. */
import type { Order } from '../index/orders.js';
import type { QuadRows } from './quad-reader.js';

/** Rows of changes. They are good until the next step. */
export interface ChangeRows extends QuadRows {
  /** 1 for a quad that was added, -1 for one that was removed. */
  readonly ops: Int8Array;
}

const FIRST_ROWS = 16;
const MOST_ROWS = 1024;
/** Most lookups have few rows, so the first window is small. */
const GROWTH = 8;

/** Collects rows in the sequence of an order. */
export class ChangeWindow {
  s!: Uint32Array;
  p!: Uint32Array;
  o!: Uint32Array;
  g!: Uint32Array;
  ops!: Int8Array;
  /** The numbers of the revisions, of readers that push them. */
  numbers!: Uint32Array;
  readonly start = 0;
  end = 0;
  /** The ids in the sequence of the order. */
  places!: readonly [Uint32Array, Uint32Array, Uint32Array, Uint32Array];
  #capacity = 0;
  #count = 0;

  constructor(private readonly order: Order) {
    this.#grow(FIRST_ROWS);
  }

  #grow(capacity: number): void {
    this.#capacity = capacity;
    const column = (): Uint32Array => new Uint32Array(capacity);
    const places = (this.places = [column(), column(), column(), column()] as const);
    const [s, p, o, g] = this.order.places;
    this.s = places[s]!;
    this.p = places[p]!;
    this.o = places[o]!;
    this.g = places[g]!;
    this.ops = new Int8Array(capacity);
    this.numbers = column();
  }

  /** Forgets the rows that were handed out. */
  protected begin(): void {
    if (this.end > this.#capacity / 2 && this.#capacity < MOST_ROWS) this.#grow(this.#capacity * GROWTH);
    this.end = this.#count = 0;
  }

  /** Number of rows that can be pushed before they are handed out. */
  protected get room(): number {
    return this.#capacity - this.#count;
  }

  protected push(a: number, b: number, c: number, d: number, op: 1 | -1, number = 0): void {
    const { places } = this;
    const row = this.#count++;
    places[0][row] = a;
    places[1][row] = b;
    places[2][row] = c;
    places[3][row] = d;
    this.ops[row] = op;
    this.numbers[row] = number;
  }

  /** Hands out what was pushed: the number of rows. */
  protected handOut(): number {
    return (this.end = this.#count);
  }
}
