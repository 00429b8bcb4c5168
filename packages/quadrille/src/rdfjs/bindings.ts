/** A solution as RDF/JS Bindings (https://rdf.js.org/query-spec/#bindings-interface). Immutable. */
import type * as RDF from '@rdfjs/types';
import { dataFactory } from '@quadrille/model';
import type { Row } from '../api/index.js';

type Key = RDF.Variable | string;

const nameOf = (key: Key): string => (typeof key === 'string' ? key.replace(/^\?/, '') : key.value);

export class RowBindings implements RDF.Bindings {
  readonly type = 'bindings';
  readonly #terms: ReadonlyMap<string, RDF.Term>;

  constructor(terms: ReadonlyMap<string, RDF.Term>) {
    this.#terms = terms;
  }

  static fromRow(row: Row): RowBindings {
    return new RowBindings(new Map(Object.entries(row)));
  }

  get size(): number {
    return this.#terms.size;
  }

  has(key: Key): boolean {
    return this.#terms.has(nameOf(key));
  }

  get(key: Key): RDF.Term | undefined {
    return this.#terms.get(nameOf(key));
  }

  set(key: Key, value: RDF.Term): RowBindings {
    return new RowBindings(new Map(this.#terms).set(nameOf(key), value));
  }

  delete(key: Key): RowBindings {
    const terms = new Map(this.#terms);
    terms.delete(nameOf(key));
    return new RowBindings(terms);
  }

  *keys(): IterableIterator<RDF.Variable> {
    for (const name of this.#terms.keys()) yield dataFactory.variable!(name);
  }

  values(): IterableIterator<RDF.Term> {
    return this.#terms.values();
  }

  *[Symbol.iterator](): IterableIterator<[RDF.Variable, RDF.Term]> {
    for (const [name, term] of this.#terms) yield [dataFactory.variable!(name), term];
  }

  forEach(fn: (value: RDF.Term, key: RDF.Variable) => void): void {
    for (const [key, value] of this) fn(value, key);
  }

  equals(other: RDF.Bindings | null | undefined): boolean {
    if (!other || other.size !== this.size) return false;
    for (const [name, term] of this.#terms) if (!term.equals(other.get(name))) return false;
    return true;
  }

  filter(fn: (value: RDF.Term, key: RDF.Variable) => boolean): RowBindings {
    return new RowBindings(new Map([...this.#terms].filter(([name, term]) => fn(term, dataFactory.variable!(name)))));
  }

  map(fn: (value: RDF.Term, key: RDF.Variable) => RDF.Term): RowBindings {
    return new RowBindings(
      new Map([...this.#terms].map(([name, term]) => [name, fn(term, dataFactory.variable!(name))])),
    );
  }

  merge(other: RDF.Bindings): RowBindings | undefined {
    const terms = new Map(this.#terms);
    for (const [key, term] of other) {
      const own = terms.get(key.value);
      if (own !== undefined && !own.equals(term)) return undefined;
      terms.set(key.value, term);
    }
    return new RowBindings(terms);
  }

  mergeWith(
    merger: (self: RDF.Term, other: RDF.Term, key: RDF.Variable) => RDF.Term,
    other: RDF.Bindings,
  ): RowBindings {
    const terms = new Map(this.#terms);
    for (const [key, term] of other) {
      const own = terms.get(key.value);
      terms.set(key.value, own === undefined || own.equals(term) ? term : merger(own, term, key));
    }
    return new RowBindings(terms);
  }
}
