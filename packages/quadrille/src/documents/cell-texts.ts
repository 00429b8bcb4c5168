/** Columns of ids as columns of cell texts. The text of an id is kept while its slot is not needed for another one. */
import type * as RDF from '@rdfjs/types';

/** A length at which typed arrays stay inside the heap. */
const FIRST_SLOTS = 16;
const MOST_SLOTS = 1 << 15;
/** Longer texts are not kept, so that what is kept has a bound. */
const LONGEST_KEPT = 512;

/** Characters of the texts of one call: a few rows may be as long as thousands of others. */
const MOST_CHARACTERS = 1024 * 1024;

type Texts = (string | undefined)[];

export class CellTexts {
  #ids = new Uint32Array(FIRST_SLOTS);
  #texts: (string | undefined)[] = new Array(FIRST_SLOTS);
  #mask = FIRST_SLOTS - 1;
  #missed = 0;
  // What a pending term belongs to.
  #row = 0;
  /** Of the present call. */
  #characters = 0;

  constructor(
    private readonly term: (id: number) => RDF.Term | Promise<RDF.Term>,
    private readonly cell: (term: RDF.Term) => string,
  ) {}

  /**
   * The texts of rows `start … end` of a column, or where texts are long of the first ones of these; `undefined` where it is unbound.
   * Waits only for terms that are not in memory.
   */
  column(ids: Uint32Array, start: number, end: number): Texts | Promise<Texts> {
    const out: Texts = new Array(end - start);
    this.#row = start;
    this.#characters = 0;
    const missing = this.#fill(ids, start, end, out);
    return missing === undefined ? out : this.#waitFor(missing, ids, start, end, out);
  }

  async #waitFor(first: Promise<RDF.Term>, ids: Uint32Array, start: number, end: number, out: Texts): Promise<Texts> {
    for (let term: Promise<RDF.Term> | undefined = first; term !== undefined; term = this.#fill(ids, start, end, out)) {
      this.#keep(ids[this.#row]!, this.cell(await term), out, this.#row - start);
      this.#row++;
      if (this.#isFull(out, this.#row - start)) return out;
    }
    return out;
  }

  // Counts the last of so many texts, and ends them where they are long.
  #isFull(out: Texts, count: number): boolean {
    this.#characters += out[count - 1]?.length ?? 0;
    if (this.#characters <= MOST_CHARACTERS) return false;
    out.length = count;
    return true;
  }

  /** Fills in texts from the current row on. Stops at a term that must be fetched. */
  #fill(ids: Uint32Array, start: number, end: number, out: Texts): Promise<RDF.Term> | undefined {
    let lastId = 0;
    let last: string | undefined;
    for (let row = this.#row; row < end; row++) {
      const id = ids[row]!;
      if (id !== lastId) {
        lastId = id;
        const slot = id & this.#mask;
        if (id === 0) last = undefined;
        else if (this.#ids[slot] === id) last = this.#texts[slot];
        else {
          const term = this.term(id);
          if (term instanceof Promise) {
            this.#row = row;
            return term;
          }
          last = this.#keep(id, this.cell(term), out, row - start);
        }
      }
      out[row - start] = last;
      if (last !== undefined && this.#isFull(out, row - start + 1)) return undefined;
    }
    return undefined;
  }

  #keep(id: number, text: string, out: Texts, at: number): string {
    out[at] = text;
    if (text.length > LONGEST_KEPT) return text;
    if (++this.#missed > this.#ids.length && this.#ids.length < MOST_SLOTS) this.#grow();
    const slot = id & this.#mask;
    this.#ids[slot] = id;
    this.#texts[slot] = text;
    return text;
  }

  // Small answers need few slots, and a large table takes longer to make than they take to write. What is dropped comes back.
  #grow(): void {
    const slots = Math.min(this.#ids.length * 8, MOST_SLOTS);
    this.#ids = new Uint32Array(slots);
    this.#texts = new Array(slots);
    this.#mask = slots - 1;
    this.#missed = 0;
  }
}
