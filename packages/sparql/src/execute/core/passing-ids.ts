/** Which terms pass comparisons with constants, as far as the index of order tells. */
import { FIRST_INLINE_ID, UNBOUND } from '@quadrille/model';
import type { KeyedIds } from '../../dataset/id-dataset.js';
import { isSure, type PassingKeys, passingValues } from '../../plan/key-ranges.js';
import type { IdRange } from '../../plan/id-ranges.js';
import type { ScanRange } from '../../plan/plan.js';
import { FALSE, TRUE, UNKNOWN } from './id-filter.js';
import { countKeys, keysBetween } from './keyed-ids.js';
import type { Execution } from './operator.js';
import { pauseOf, type Waiting } from './waiting.js';

/** More are not taken into memory. */
const MOST_LITERALS = 4_000_000;
/** Ids between the first and the last that passes, at most: a bit is kept for each. */
const MOST_SPAN = 2 ** 28;

export class PassingIds {
  /** A bit for each id from `#from` on. */
  #bits = new Uint32Array(0);
  #from = 0;
  /** Those that may pass: their values tell. */
  readonly #unsure = new Set<number>();

  private constructor(
    /** Of the dictionary, ascending. */
    readonly ids: Uint32Array,
    /** Ranges of all other ids that may pass. */
    readonly inline: readonly IdRange[],
  ) {}

  /**
   * What passes all comparisons. `undefined`: no index tells, or more than `most` literals pass.
   */
  static *of(range: ScanRange, most: number, execution: Execution): Waiting<PassingIds | undefined> {
    const values = passingValues(range, (term) => execution.resolve(term));
    if (values === undefined) return undefined;
    const count = yield* countKeys(values.keys, execution);
    if (count === undefined || count > Math.min(most, MOST_LITERALS)) return undefined;
    const found: [PassingKeys, KeyedIds][] = [];
    for (const keys of values.keys) {
      const some = yield* keysBetween(keys, execution);
      if (some === undefined) return undefined;
      found.push([keys, some]);
      yield* pauseOf(execution.control);
    }
    const all = new Uint32Array(found.reduce((sum, [, { ids }]) => sum + ids.length, 0));
    let length = 0;
    for (const [, { ids }] of found) {
      all.set(ids, length);
      length += ids.length;
    }
    const passing = new PassingIds(all.sort(), values.inline);
    return passing.#fill(found) ? passing : undefined;
  }

  #fill(found: readonly [PassingKeys, KeyedIds][]): boolean {
    const { ids } = this;
    if (ids.length === 0) return true;
    const span = ids.at(-1)! - ids[0]! + 1;
    if (span > MOST_SPAN) return false;
    this.#from = ids[0]!;
    this.#bits = new Uint32Array((span >>> 5) + 1);
    for (const id of ids) this.#bits[(id - this.#from) >>> 5]! |= 1 << ((id - this.#from) & 31);
    for (const [range, { ids: some, keys }] of found)
      for (let i = 0; i < some.length; i++) if (!isSure(range, keys[i]!)) this.#unsure.add(some[i]!);
    return true;
  }

  /** Of what it has made. */
  get bytes(): number {
    return this.ids.byteLength + this.#bits.byteLength;
  }

  /** Whether an id passes: TRUE, FALSE or UNKNOWN. What is no term of the dictionary is not known. */
  test(id: number): number {
    if (id >= FIRST_INLINE_ID || id === UNBOUND) return UNKNOWN;
    const at = id - this.#from;
    if (at < 0 || at >= this.#bits.length * 32 || ((this.#bits[at >>> 5]! >>> (at & 31)) & 1) === 0) return FALSE;
    return this.#unsure.size > 0 && this.#unsure.has(id) ? UNKNOWN : TRUE;
  }
}
