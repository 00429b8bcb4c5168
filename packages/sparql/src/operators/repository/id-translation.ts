/** Translates ids of one repository to those of another, by their terms, each once in an evaluation. */
import type * as RDF from '@rdfjs/types';
import { isInline, isLocal } from '@quadrille/model';
import type { EvaluationControl } from '../../control/control.js';
import type { Memory } from '../../control/memory.js';
import { MISS, type IdDataset } from '../../dataset/id-dataset.js';
import type { SolutionTerms } from '../../execute/core/solution-terms.js';
import { IdTable } from '../../execute/table/id-table.js';

/** One of the two repositories. */
export interface TranslationSide {
  readonly dataset: IdDataset;
  readonly terms: SolutionTerms;
}

const FIRST_IDS = 64;
const ID_BYTES = 4;
const ROWS_BETWEEN_CHECKS = 256;
/** Characters of the terms that are translated before the event loop may get its turn. */
const CHARACTERS_AT_ONCE = 64 * 1024;
/** No term and the default graph: the same everywhere. */
const LAST_SHARED_ID = 1;

export class IdTranslation {
  /** Ids that were translated, with their translations by number. */
  readonly #table: IdTable;
  #ids = new Uint32Array(FIRST_IDS);
  /** Whether the repositories are the same one, at perhaps two revisions. */
  readonly #isSame: boolean;
  readonly #pair = [new Uint32Array(1)];
  /** The other way: what was translated once is known in both directions. */
  #back: IdTranslation | undefined;

  private constructor(
    private readonly from: TranslationSide,
    private readonly to: TranslationSide,
    private readonly carry: (term: RDF.Term) => RDF.Term,
    private readonly memory: Memory,
    private readonly control: EvaluationControl,
  ) {
    this.#table = new IdTable(1, memory);
    memory.reserve(this.#ids.byteLength);
    this.#isSame = from.dataset.termKey === to.dataset.termKey;
  }

  /** The translations from `a` to `b` and back. `carry` gives the term that stands for a term on the other side. */
  static both(
    a: TranslationSide,
    b: TranslationSide,
    carry: { readonly there: (term: RDF.Term) => RDF.Term; readonly back: (term: RDF.Term) => RDF.Term },
    { memory, control }: { readonly memory: Memory; readonly control: EvaluationControl },
  ): { readonly there: IdTranslation; readonly back: IdTranslation } {
    const there = new IdTranslation(a, b, carry.there, memory, control);
    const back = new IdTranslation(b, a, carry.back, memory, control);
    there.#back = back;
    back.#back = there;
    return { there, back };
  }

  /** The ids of a column in the other repository. */
  async column(column: Uint32Array, rows: number): Promise<Uint32Array> {
    const out = new Uint32Array(rows);
    for (let row = 0; row < rows; row++) {
      if (row % ROWS_BETWEEN_CHECKS === 0 || this.#characters > CHARACTERS_AT_ONCE) {
        this.#characters = 0;
        await this.control.checkpoint();
      }
      let id = this.tryId(column[row]!);
      while (id === MISS) {
        await this.fetch();
        id = this.tryId(column[row]!);
      }
      out[row] = id;
    }
    return out;
  }

  /** The id of the same term; {@link MISS}: await {@link fetch}. */
  tryId(id: number): number {
    if (id <= LAST_SHARED_ID || isInline(id) || (this.#isSame && !isLocal(id))) return id;
    const known = this.#known(id);
    if (known !== 0) return known;
    const term = this.from.dataset.term(id);
    if (term === undefined) return this.#lacks(this.from);
    this.#characters += term.value.length;
    const found = this.to.terms.tryTerm(this.#isSame ? term : this.carry(term), true);
    if (found === MISS) return this.#lacks(this.to);
    this.#note(id, found);
    this.#back!.#note(found, id);
    return found;
  }

  #missing: TranslationSide | undefined;
  /** Of the terms that were translated since the clock was looked at. */
  #characters = 0;

  #lacks(side: TranslationSide): number {
    this.#missing = side;
    return MISS;
  }

  /** The term that a term of the other repository is in this one. */
  termBack(term: RDF.Term): RDF.Term {
    return this.#isSame ? term : this.#back!.carry(term);
  }

  /** Brings in what the last step lacked. */
  fetch(): Promise<void> {
    return this.#missing!.terms.fetch();
  }

  #known(id: number): number {
    this.#pair[0]![0] = id;
    const number = this.#table.find(this.#pair, 0);
    return number === -1 ? 0 : this.#ids[number]!;
  }

  #note(id: number, translated: number): void {
    this.#pair[0]![0] = id;
    const number = this.#table.insert(this.#pair, 0);
    if (number >= this.#ids.length) this.#grow();
    this.#ids[number] = translated;
  }

  #grow(): void {
    const { length } = this.#ids;
    this.memory.reserve(length * ID_BYTES);
    const grown = new Uint32Array(length * 2);
    grown.set(this.#ids);
    this.#ids = grown;
  }
}
