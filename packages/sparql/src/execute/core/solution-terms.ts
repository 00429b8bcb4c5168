/** Converts between ids and values. Expressions work on values, everything else on ids. */
import type * as RDF from '@rdfjs/types';
import { FIRST_LOCAL_ID, isLocal } from '@quadrille/model';
import { type Memory, textBytes } from '../../control/memory.js';
import { processMemory } from '../../control/process-memory.js';
import { valueBytes } from '../../expression/values/value-bytes.js';
import { idOfValue, valueOfId } from '../../expression/values/inline-values.js';
import { ERROR, termOf, valueOf, type StringValue, type Value } from '../../expression/values/value.js';
import type { EvaluationControl } from '../../control/control.js';
import { MISS, type IdDataset } from '../../dataset/id-dataset.js';
import { sharedKinds, type TermKinds } from './term-kinds.js';
import { finish, type Waiting } from './waiting.js';

const FIRST_SLOTS = 64;
const MOST_SLOTS = 1 << 17;
/** Texts of at least `LONG_TEXT` characters are counted. At most `MOST_CHARACTERS` characters of them are kept. */
const LONG_TEXT = 256;
const MOST_CHARACTERS = 8 * 1024 * 1024;
/** The characters of texts that are decoded between two looks at the clock, and the characters that the rows of one piece have together. */
const CHARACTERS_AT_ONCE = 64 * 1024;
/** Bytes of values that get their ids between two looks. */
const BYTES_AT_ONCE = 128 * 1024;
const PIECE_CHARACTERS = 256 * 1024;

/**
 * A cache of values by id. It starts small and grows, since most queries look at few terms. Neighbouring ids have neighbouring
 * slots: terms that were added together are often read together.
 */
class ValueCache {
  #ids = new Uint32Array(FIRST_SLOTS);
  #values: (Value | undefined)[] = [];
  #added = 0;
  /** Of the long texts that came in since the cache was empty. */
  #characters = 0;

  get(id: number): Value | undefined {
    const slot = id & (this.#ids.length - 1);
    return this.#ids[slot] === id ? this.#values[slot] : undefined;
  }

  /** `length` is that of the term's text. */
  set(id: number, value: Value, length: number): void {
    if (length >= LONG_TEXT && !this.#makeRoom(length)) return;
    if (++this.#added > this.#ids.length && this.#ids.length < MOST_SLOTS) this.#grow();
    this.#put(id, value);
  }

  // Drops all values where long texts fill the cache: that costs less than to count what each one takes the place of.
  #makeRoom(length: number): boolean {
    if (length > MOST_CHARACTERS / 8) return false;
    this.#characters += length;
    if (this.#characters <= MOST_CHARACTERS) return true;
    this.#characters = length;
    this.#ids.fill(0);
    this.#values = [];
    return true;
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

// Kept beyond the query: the next one probably looks at the same terms. Queries that run keep theirs where the heap gets full.
let sharedCaches = new WeakMap<object, ValueCache>();
processMemory.onPressure(() => {
  sharedCaches = new WeakMap();
});

function sharedCache(key: object): ValueCache {
  let cache = sharedCaches.get(key);
  if (cache === undefined) sharedCaches.set(key, (cache = new ValueCache()));
  return cache;
}

/** The reason why values of a column are missing. */
type Stop = 'look' | 'fetch';

/** Bytes of a new term beside its text: the term, its canonical text, and what finds both. Of a triple term: what is around members. */
const TERM_BYTES = 256;
/** Bytes of a character in memory. */
const BYTES_A_CHARACTER = 2;
/** JavaScript keeps other texts with two bytes a character. Of a new term there are two: its own and the canonical one. */
const WIDE = /[^\0-\xff]/;
const RECENT = 4;
const MOST_RECENT_LENGTH = 64;
/** Number of bytes for new terms that are reserved in advance. */
const AHEAD_BYTES = 64 * 1024;

/** Bytes of a term and its value. Triple terms have those of their members, and each has its own copy of them. */
const termBytes = (term: RDF.Term): number =>
  term.termType === 'Quad'
    ? TERM_BYTES + termBytes(term.subject) + termBytes(term.predicate) + termBytes(term.object)
    : TERM_BYTES + textBytes(term.value.length * (isLongAndWide(term.value) ? 2 : 1));

const isLongAndWide = (text: string): boolean => text.length >= LONG_TEXT && WIDE.test(text);

/** Characters that a term counts in a cache of values. */
const cachedLength = (term: RDF.Term): number =>
  term.termType === 'Quad' ? termBytes(term) / BYTES_A_CHARACTER : term.value.length;

export class SolutionTerms {
  readonly #shared: ValueCache;
  /** Made where somebody asks for kinds. */
  #kinds: TermKinds | undefined;
  #local: ValueCache | undefined;
  /** The largest id of a new term. */
  #lastNew = FIRST_LOCAL_ID - 1;
  /** Bytes that are reserved for new terms. */
  #ahead = 0;
  /** Characters of the texts that were read since this was set to 0. */
  #characters = 0;
  /** Short texts that were given ids last, and these. */
  readonly #recentTexts: string[] = [];
  readonly #recentIds: number[] = [];
  #nextRecent = 0;

  constructor(
    private readonly dataset: IdDataset,
    private readonly control: EvaluationControl,
    private readonly memory: Memory,
  ) {
    this.#shared = sharedCache(dataset.termKey);
  }

  /** The value of each row of a column; `undefined` where it is unbound. A promise only where something has to be awaited. */
  values(column: Uint32Array, rows: number): (Value | undefined)[] | Promise<(Value | undefined)[]> {
    return this.#values(column, 0, rows, Infinity);
  }

  /** As {@link values}, of rows `start … end`, or where texts are long of the first ones of these: of one at least. */
  someValues(column: Uint32Array, start: number, end: number): (Value | undefined)[] | Promise<(Value | undefined)[]> {
    return this.#values(column, start, end, PIECE_CHARACTERS);
  }

  /** Hands over the values of all rows of a column, in pieces: of some rows where texts are long. */
  eachPiece(
    column: Uint32Array,
    rows: number,
    take: (values: readonly (Value | undefined)[], start: number) => void,
  ): void | Promise<void> {
    return finish(this.#eachPiece(column, rows, take));
  }

  *#eachPiece(
    column: Uint32Array,
    rows: number,
    take: (values: readonly (Value | undefined)[], start: number) => void,
  ): Waiting<void> {
    for (let start = 0; start < rows;) {
      const some = this.someValues(column, start, rows);
      const values = some instanceof Promise ? ((yield some) as (Value | undefined)[]) : some;
      take(values, start);
      start += values.length;
    }
  }

  #values(
    column: Uint32Array,
    start: number,
    end: number,
    most: number,
  ): (Value | undefined)[] | Promise<(Value | undefined)[]> {
    const out: (Value | undefined)[] = [];
    this.#characters = 0;
    const stop = this.#fill(column, start, end, out);
    return stop === undefined ? out : this.#fillRest(column, start, end, most, stop, out);
  }

  // Goes on with `out`, up to a term that has to be fetched, or until the clock is to be looked at; `undefined` at the end.
  #fill(column: Uint32Array, start: number, end: number, out: (Value | undefined)[]): Stop | undefined {
    let lastId = 0;
    let last: Value | undefined;
    for (let row = start + out.length; row < end; row++) {
      const id = column[row]!;
      if (id !== lastId) {
        if (this.#characters > CHARACTERS_AT_ONCE) return 'look';
        last = this.tryValue(id);
        if (last === undefined && id !== 0) return 'fetch';
        lastId = id;
      }
      out.push(last);
    }
    return undefined;
  }

  async #fillRest(
    column: Uint32Array,
    start: number,
    end: number,
    most: number,
    first: Stop,
    out: (Value | undefined)[],
  ): Promise<(Value | undefined)[]> {
    let looked = 0;
    for (let stop: Stop | undefined = first; stop !== undefined; stop = this.#fill(column, start, end, out)) {
      if (this.#characters > CHARACTERS_AT_ONCE) {
        looked += this.#characters;
        if (looked > most && out.length > 0) break;
        this.#characters = 0;
        await this.control.checkpoint();
      }
      if (stop === 'fetch') await this.fetch(() => column.subarray(start + out.length, end));
    }
    return out;
  }

  /** The value of an id; `undefined` for 0 and where the dataset has to fetch its term first. */
  tryValue(id: number): Value | undefined {
    if (id === 0) return undefined;
    const cache = isLocal(id) ? (this.#local ??= new ValueCache()) : this.#shared;
    const known = cache.get(id);
    if (known !== undefined) {
      this.#kinds?.note(id, known);
      return known;
    }
    const held = valueOfId(id);
    if (held !== undefined) return this.#kept(cache, id, held, 0);
    const term = this.dataset.term(id);
    if (term === undefined) return undefined;
    const length = cachedLength(term);
    this.#characters += length;
    return this.#kept(cache, id, valueOf(term), length);
  }

  #kept(cache: ValueCache, id: number, value: Value, length: number): Value {
    cache.set(id, value, length);
    this.#kinds?.note(id, value);
    return value;
  }

  /** The kinds of terms that are read from now on, and that were read by queries that asked for kinds. */
  get kinds(): TermKinds {
    return (this.#kinds ??= sharedKinds(this.dataset.termKey));
  }

  /** Brings in what the last step lacked. @throws the error with which the evaluation has ended meanwhile */
  async fetch(ahead?: () => Iterable<number>): Promise<void> {
    await this.dataset.fetchTerm(ahead);
    this.control.throwIfFailed();
  }

  async value(id: number): Promise<Value> {
    for (;;) {
      const value = this.tryValue(id);
      if (value !== undefined) return value;
      await this.fetch();
    }
  }

  /** `ahead`: ids whose terms are wanted next. */
  async term(id: number, ahead?: () => Iterable<number>): Promise<RDF.Term> {
    for (;;) {
      const term = this.dataset.term(id);
      if (term !== undefined) return term;
      await this.fetch(ahead);
    }
  }

  /** The id of a term. Unknown terms get a new one. */
  async intern(term: RDF.Term): Promise<number> {
    for (;;) {
      const id = this.#newId(term);
      if (id !== MISS) return id;
      await this.fetch();
    }
  }

  // New terms stay until the evaluation ends.
  #newId(term: RDF.Term): number {
    const bytes = termBytes(term);
    if (bytes > this.#ahead) this.#reserve(bytes);
    const id = this.dataset.intern(term);
    if (id > this.#lastNew) {
      this.#lastNew = id;
      this.#ahead -= bytes;
    }
    return id;
  }

  #reserve(bytes: number): void {
    // Short evaluations make few terms, and those that make many make more.
    const more = bytes - this.#ahead + Math.min(AHEAD_BYTES, this.memory.used);
    this.memory.reserveValues(more);
    this.#ahead += more;
  }

  /** The id of a term, or 0 if it is unknown. */
  async find(term: RDF.Term): Promise<number> {
    for (;;) {
      const id = this.dataset.find(term);
      if (id !== MISS) return id;
      await this.fetch();
    }
  }

  /** As {@link intern} or {@link find}; {@link MISS} where something has to be fetched first. */
  tryTerm(term: RDF.Term, intern: boolean): number {
    return intern ? this.#newId(term) : this.dataset.find(term);
  }

  /** The id of a value; 0 for an error, {@link MISS} where the dataset has to fetch something first. */
  tryId(value: Value | undefined): number {
    if (value === undefined || value === ERROR) return 0;
    if (value.kind === 'string' && value.value.length < MOST_RECENT_LENGTH) return this.#idOfText(value);
    return idOfValue(value) || this.#newId(termOf(value));
  }

  // LANG, IF and COALESCE give a few texts for many rows.
  #idOfText(value: StringValue): number {
    const known = this.#recentTexts.indexOf(value.value);
    if (known !== -1) return this.#recentIds[known]!;
    const id = this.#newId(termOf(value));
    if (id === MISS) return id;
    this.#recentTexts[this.#nextRecent] = value.value;
    this.#recentIds[this.#nextRecent] = id;
    this.#nextRecent = (this.#nextRecent + 1) % RECENT;
    return id;
  }

  /** Ids of values, 0 for errors and what is unbound. */
  ids(values: readonly (Value | undefined)[], rows: number): Uint32Array | Promise<Uint32Array> {
    return finish(this.#ids(values, rows));
  }

  *#ids(values: readonly (Value | undefined)[], rows: number): Waiting<Uint32Array> {
    const out = new Uint32Array(rows);
    // Long numbers take their time, too.
    let bytes = 0;
    for (let row = 0; row < rows; row++) {
      bytes += valueBytes(values[row]);
      if (bytes > BYTES_AT_ONCE) {
        bytes = 0;
        const pause = this.control.checkpoint();
        if (pause !== undefined) yield pause;
      }
      let id = this.tryId(values[row]);
      while (id === MISS) {
        yield this.fetch();
        id = this.tryId(values[row]);
      }
      out[row] = id;
    }
    return out;
  }
}
