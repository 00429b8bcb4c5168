/** Between ids and values: expressions work on values, everything else on ids. */
import type * as RDF from '@rdfjs/types';
import { ERROR, termOf, valueOf, type Value } from '../expression/value.js';
import { MISS, type IdDataset } from '../id-dataset.js';

const CACHE_SLOTS = 1 << 14;

export class SolutionTerms {
  readonly #ids = new Uint32Array(CACHE_SLOTS);
  readonly #values: (Value | undefined)[] = new Array(CACHE_SLOTS);

  constructor(private readonly dataset: IdDataset) {}

  /** The value of each row of a column; `undefined` where it is unbound. A promise only where something had to be fetched. */
  values(column: Uint32Array, rows: number): (Value | undefined)[] | Promise<(Value | undefined)[]> {
    const out: (Value | undefined)[] = new Array(rows);
    return this.#fill(column, rows, 0, out) ? out : this.#fillRest(column, rows, out);
  }

  #filled = 0;

  #fill(column: Uint32Array, rows: number, from: number, out: (Value | undefined)[]): boolean {
    let lastId = 0;
    let last: Value | undefined;
    for (let row = from; row < rows; row++) {
      const id = column[row]!;
      if (id !== lastId) {
        last = this.tryValue(id);
        if (last === undefined && id !== 0) {
          this.#filled = row;
          return false;
        }
        lastId = id;
      }
      out[row] = last;
    }
    return true;
  }

  async #fillRest(column: Uint32Array, rows: number, out: (Value | undefined)[]): Promise<(Value | undefined)[]> {
    do await this.dataset.fetchTerm();
    while (!this.#fill(column, rows, this.#filled, out));
    return out;
  }

  /** The value of an id; `undefined` for 0 and where the dataset has to fetch its term first. */
  tryValue(id: number): Value | undefined {
    const slot = (Math.imul(id, 0x9e37_79b1) >>> 18) & (CACHE_SLOTS - 1);
    if (this.#ids[slot] === id) return this.#values[slot];
    const term = id === 0 ? undefined : this.dataset.term(id);
    if (term === undefined) return undefined;
    const value = valueOf(term);
    this.#ids[slot] = id;
    this.#values[slot] = value;
    return value;
  }

  async value(id: number): Promise<Value> {
    for (;;) {
      const value = this.tryValue(id);
      if (value !== undefined) return value;
      await this.dataset.fetchTerm();
    }
  }

  async term(id: number): Promise<RDF.Term> {
    for (;;) {
      const term = this.dataset.term(id);
      if (term !== undefined) return term;
      await this.dataset.fetchTerm();
    }
  }

  /** The id of a term, a new one if nobody has it. */
  async intern(term: RDF.Term): Promise<number> {
    for (;;) {
      const id = this.dataset.intern(term);
      if (id !== MISS) return id;
      await this.dataset.fetchTerm();
    }
  }

  /** The id of a term, 0 if nobody has it. */
  async find(term: RDF.Term): Promise<number> {
    for (;;) {
      const id = this.dataset.find(term);
      if (id !== MISS) return id;
      await this.dataset.fetchTerm();
    }
  }

  /** The id of a value; 0 for an error, {@link MISS} where the dataset has to fetch something first. */
  tryId(value: Value | undefined): number {
    if (value === undefined || value === ERROR) return 0;
    return this.dataset.intern(termOf(value));
  }

  /** Ids of values, 0 for errors and what is unbound. */
  async ids(values: readonly (Value | undefined)[], rows: number): Promise<Uint32Array> {
    const out = new Uint32Array(rows);
    for (let row = 0; row < rows; row++) {
      let id = this.tryId(values[row]);
      while (id === MISS) {
        await this.dataset.fetchTerm();
        id = this.tryId(values[row]);
      }
      out[row] = id;
    }
    return out;
  }
}
