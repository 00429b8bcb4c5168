/** Converts between ids and values. Expressions work on values, everything else on ids. */
import type * as RDF from '@rdfjs/types';
import { isLocal } from '@quadrille/model';
import { ERROR, termOf, valueOf, type Value } from '../../expression/values/value.js';
import { MISS, type IdDataset } from '../../dataset/id-dataset.js';

const FIRST_SLOTS = 64;
const MOST_SLOTS = 1 << 17;

/**
 * A cache of values by id. It starts small and grows, since most queries look at few terms. Neighbouring ids have neighbouring
 * slots: terms that were added together are often read together.
 */
class ValueCache {
  #ids = new Uint32Array(FIRST_SLOTS);
  #values: (Value | undefined)[] = [];
  #added = 0;

  get(id: number): Value | undefined {
    const slot = id & (this.#ids.length - 1);
    return this.#ids[slot] === id ? this.#values[slot] : undefined;
  }

  set(id: number, value: Value): void {
    if (++this.#added > this.#ids.length && this.#ids.length < MOST_SLOTS) this.#grow();
    this.#put(id, value);
  }

  #put(id: number, value: Value): void {
    const slot = id & (this.#ids.length - 1);
    this.#ids[slot] = id;
    this.#values[slot] = value;
  }

  #grow(): void {
    const ids = this.#ids;
    const values = this.#values;
    this.#ids = new Uint32Array(ids.length * 4);
    this.#values = [];
    this.#added = 0;
    for (let slot = 0; slot < ids.length; slot++) if (ids[slot] !== 0) this.#put(ids[slot]!, values[slot]!);
  }
}

// Kept beyond the query: the next one probably looks at the same terms.
const sharedCaches = new WeakMap<object, ValueCache>();

function sharedCache(key: object): ValueCache {
  let cache = sharedCaches.get(key);
  if (cache === undefined) sharedCaches.set(key, (cache = new ValueCache()));
  return cache;
}

export class SolutionTerms {
  readonly #shared: ValueCache;
  #local: ValueCache | undefined;

  constructor(private readonly dataset: IdDataset) {
    this.#shared = sharedCache(dataset.termKey);
  }

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
    if (id === 0) return undefined;
    const cache = isLocal(id) ? (this.#local ??= new ValueCache()) : this.#shared;
    const known = cache.get(id);
    if (known !== undefined) return known;
    const term = this.dataset.term(id);
    if (term === undefined) return undefined;
    const value = valueOf(term);
    cache.set(id, value);
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

  /** As {@link intern} or {@link find}; {@link MISS} where something has to be fetched first. */
  tryTerm(term: RDF.Term, intern: boolean): number {
    return intern ? this.dataset.intern(term) : this.dataset.find(term);
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
