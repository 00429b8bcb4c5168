/**
 * The objects of a predicate in parts that follow one another in the order of SPARQL. It goes through ids that contain their values, which
 * index orders keep apart by class: a part is one range of ids, or two where integers and decimals stand between one another.
 */
import {
  BOOLEAN_FALSE,
  BOOLEAN_TRUE,
  DATE_FIRST,
  DECIMAL_FIRST,
  DECIMAL_SCALE,
  DECIMAL_ZERO,
  FIRST_INLINE_ID,
  INTEGER_ZERO,
} from '@quadrille/model';
import type { ObjectStep } from '../../dataset/id-dataset.js';
import type { IdRange } from '../../plan/id-ranges.js';

/** Ids `first … last`; the value of an id is `(id - zero) * scale`. */
interface IdClass {
  readonly first: number;
  readonly last: number;
  readonly zero: number;
  readonly scale: number;
}

const BOOLEANS: IdClass = { first: BOOLEAN_FALSE, last: BOOLEAN_TRUE, zero: BOOLEAN_FALSE, scale: 1 };
const DATES: IdClass = { first: DATE_FIRST, last: BOOLEAN_FALSE - 1, zero: DATE_FIRST, scale: 1 };
const INTEGERS: IdClass = { first: FIRST_INLINE_ID, last: DECIMAL_FIRST - 1, zero: INTEGER_ZERO, scale: DECIMAL_SCALE };
const DECIMALS: IdClass = { first: DECIMAL_FIRST, last: DATE_FIRST - 1, zero: DECIMAL_ZERO, scale: 1 };

/** By the order of ORDER BY: families go by the IRI of their datatype, and all numbers are one. */
const FAMILIES: readonly (readonly IdClass[])[] = [[BOOLEANS], [DATES], [INTEGERS, DECIMALS]];

const CLASSES = FAMILIES.flat();

/** The last id of the class of an id, if it contains its value; else `undefined`. */
export const endOfClass = (id: number): number | undefined =>
  CLASSES.find(({ first, last }) => id >= first && id <= last)?.last;

const valueOf = ({ zero, scale }: IdClass, id: number): number => (id - zero) * scale;
const leastId = ({ zero, scale }: IdClass, value: number): number => Math.ceil(value / scale) + zero;
const greatestId = ({ zero, scale }: IdClass, value: number): number => Math.floor(value / scale) + zero;

/** Where the parts end. */
export type Step = (step: Pick<ObjectStep, 'from' | 'rows'>) => number | undefined;

export class ObjectParts {
  readonly #families: (readonly IdClass[])[];
  /** The values of the present family that are left, both included. */
  #least = Infinity;
  #greatest = -Infinity;

  /**
   * @param ranges what is read at all
   * @param present ids, at least one of each class that has some
   */
  constructor(
    private readonly step: Step,
    private readonly descending: boolean,
    ranges: readonly IdRange[],
    present: readonly number[],
  ) {
    const clipped = (family: readonly IdClass[]): IdClass[] =>
      family
        .filter(({ first, last }) => present.some((id) => id >= first && id <= last))
        .flatMap((kind) => ranges.map((range) => within(kind, range)))
        .filter(({ first, last }) => first <= last);
    const families = FAMILIES.map(clipped).filter((family) => family.length > 0);
    // Taken from the end.
    this.#families = descending ? families : families.toReversed();
    this.#enter();
  }

  /** Returns the ids of the next part, which has about `rows` rows, or `undefined` after the last part. */
  next(rows: number): IdRange[] | undefined {
    const family = this.#families.at(-1);
    if (family === undefined) return undefined;
    const [least, greatest] = this.descending
      ? [this.#start(family, rows), this.#greatest]
      : [this.#least, this.#end(family, rows)];
    if (this.descending) this.#greatest = least - 1;
    else this.#least = greatest + 1;
    const ranges = rangesOf(family, least, greatest);
    if (this.#least > this.#greatest) {
      this.#families.pop();
      this.#enter();
    }
    // Between two integers there may be no id.
    return ranges.length === 0 ? this.next(rows) : ranges;
  }

  /** All that is left. */
  rest(): IdRange[] {
    const ranges: IdRange[] = [];
    for (; this.#families.length > 0; this.#families.pop(), this.#enter())
      ranges.push(...rangesOf(this.#families.at(-1)!, this.#least, this.#greatest));
    return ranges;
  }

  #enter(): void {
    const family = this.#families.at(-1) ?? [];
    this.#least = Math.min(...family.map((kind) => valueOf(kind, kind.first)));
    this.#greatest = Math.max(...family.map((kind) => valueOf(kind, kind.last)));
  }

  // The last value of a part that begins at the least one.
  #end(family: readonly IdClass[], rows: number): number {
    let end = this.#greatest;
    for (const kind of family) {
      const from = Math.max(leastId(kind, this.#least), kind.first);
      const to = from > kind.last ? undefined : this.step({ from, rows });
      if (to !== undefined && to < kind.last) end = Math.min(end, valueOf(kind, to));
    }
    return end;
  }

  // The first value of a part that ends at the greatest one.
  #start(family: readonly IdClass[], rows: number): number {
    let start = this.#least;
    for (const kind of family) {
      const from = Math.min(greatestId(kind, this.#greatest), kind.last);
      const to = from < kind.first ? undefined : this.step({ from, rows });
      if (to !== undefined && to > kind.first) start = Math.max(start, valueOf(kind, to));
    }
    return start;
  }
}

const within = (kind: IdClass, { least = 0, greatest = 0xffff_ffff }: IdRange): IdClass => ({
  ...kind,
  first: Math.max(kind.first, least),
  last: Math.min(kind.last, greatest),
});

function rangesOf(family: readonly IdClass[], least: number, greatest: number): IdRange[] {
  return family
    .map((kind) => ({
      least: Math.max(leastId(kind, least), kind.first),
      greatest: Math.min(greatestId(kind, greatest), kind.last),
    }))
    .filter((range) => range.least <= range.greatest);
}
