/**
 * The objects of a predicate in parts that follow one another in the order of SPARQL. A part has ranges of ids that contain their values:
 * index orders keep them apart by class. It also has literals of the dictionary, whose keys the index of order has.
 */
import {
  BOOLEAN_FALSE,
  BOOLEAN_TRUE,
  DATE_FIRST,
  DATE_ZERO,
  DECIMAL_FIRST,
  DECIMAL_SCALE,
  DECIMAL_ZERO,
  FIRST_INLINE_ID,
  INTEGER_ZERO,
} from '@quadrille/model';
import { Family, type FamilyNumber } from '@quadrille/model/order-key';
import type { KeyedIds, KeyRange } from '../../dataset/id-dataset.js';
import type { IdRange } from '../../plan/id-ranges.js';
import type { PassingValues } from '../../plan/key-ranges.js';
import type { Waiting } from '../../execute/core/waiting.js';

/** Ids `first … last`, whose key is `(id - zero) * unit`. */
interface InlineClass {
  readonly first: number;
  readonly last: number;
  readonly zero: number;
  readonly unit: number;
}

/** Values that are compared with one another. */
interface ValueFamily {
  readonly inline: readonly InlineClass[];
  readonly keyed: readonly FamilyNumber[];
  /** The distance of inline values. */
  readonly grid: number;
}

const DAY_MS = 86_400_000;
const BOOLEANS: InlineClass = { first: BOOLEAN_FALSE, last: BOOLEAN_TRUE, zero: BOOLEAN_FALSE, unit: 1 };
const DATES: InlineClass = { first: DATE_FIRST, last: BOOLEAN_FALSE - 1, zero: DATE_ZERO, unit: DAY_MS };
const INTEGERS: InlineClass = { first: FIRST_INLINE_ID, last: DECIMAL_FIRST - 1, zero: INTEGER_ZERO, unit: 1 };
const DECIMALS: InlineClass = {
  first: DECIMAL_FIRST,
  last: DATE_FIRST - 1,
  zero: DECIMAL_ZERO,
  unit: 1 / DECIMAL_SCALE,
};

const CLASSES: readonly InlineClass[] = [BOOLEANS, DATES, INTEGERS, DECIMALS];

/** The last id of the class of an id, if it contains its value; else `undefined`. */
export const endOfClass = (id: number): number | undefined =>
  CLASSES.find(({ first, last }) => id >= first && id <= last)?.last;

/** In the order of ORDER BY: by the IRIs of datatypes, and all numbers are one. */
const FAMILIES: readonly ValueFamily[] = [
  { inline: [BOOLEANS], keyed: [], grid: 1 },
  { inline: [DATES], keyed: [Family.localDates, Family.zonedDates], grid: DAY_MS },
  { inline: [], keyed: [Family.localDateTimes, Family.zonedDateTimes], grid: 1 },
  { inline: [INTEGERS, DECIMALS], keyed: [Family.numbers], grid: 1 / DECIMAL_SCALE },
];

/** What is read of a predicate. */
export interface ObjectSource {
  /** Where a part of its inline objects ends. */
  stepObjects(from: number, rows: number): number | undefined;
  /** The index of order, where it has objects. */
  readonly keys?: {
    step(range: KeyRange, rows: number): Promise<number | null | undefined>;
    between(range: KeyRange): Waiting<KeyedIds | undefined>;
  };
}

/** Objects: ids of the dictionary, ascending, and ranges of all others. */
export interface ObjectPart {
  readonly ids: Uint32Array;
  readonly ranges: readonly IdRange[];
}

export class ObjectParts {
  readonly #families: ValueFamily[];
  /** Keys of the present family on this side of it are given, itself too. */
  #edge: number;

  /**
   * @param passing what is read at all; `undefined`: everything
   * @param present ids, at least one of each class that has some
   */
  constructor(
    private readonly source: ObjectSource,
    private readonly descending: boolean,
    private readonly passing: PassingValues | undefined,
    present: readonly number[],
  ) {
    const families = FAMILIES.map((family) => ({
      ...family,
      keyed: source.keys === undefined ? [] : family.keyed,
      inline: family.inline
        .filter(({ first, last }) => present.some((id) => id >= first && id <= last))
        .flatMap((kind) => clipped(kind, passing)),
    }));
    // Taken from the end.
    this.#families = descending ? families : families.toReversed();
    this.#edge = descending ? Infinity : -Infinity;
  }

  /** The next part, which has about `rows` rows; `undefined` after the last one, `null` where the index of order is gone. */
  *next(rows: number): Waiting<ObjectPart | undefined | null> {
    for (;;) {
      const family = this.#families.at(-1);
      if (family === undefined) return undefined;
      const end = yield* this.#end(family, rows);
      const part = end === undefined ? undefined : yield* this.#part(family, end);
      if (end === undefined || part === undefined) return null;
      if (Number.isFinite(end)) this.#edge = end;
      else this.#leave();
      if (part.ids.length > 0 || part.ranges.length > 0) return part;
    }
  }

  #leave(): void {
    this.#families.pop();
    this.#edge = this.descending ? Infinity : -Infinity;
  }

  /** The last key of the part behind the edge; infinite where the part is the last one of its family, `undefined` without the index. */
  *#end({ inline, keyed, grid }: ValueFamily, rows: number): Waiting<number | undefined> {
    const { descending } = this;
    let end = descending ? -Infinity : Infinity;
    const nearer = (key: number): number => (descending ? Math.max(end, key) : Math.min(end, key));
    for (const family of keyed) {
      const range = this.#keysBehind(family, descending ? -Infinity : Infinity);
      const key = range && ((yield this.source.keys!.step(range, rows)) as number | null | undefined);
      if (range !== undefined && key === undefined) return undefined;
      if (typeof key === 'number') end = nearer(key);
    }
    for (const kind of inline) {
      const [first, last] = this.#idsBehind(kind, descending ? -Infinity : Infinity);
      const id = first > last ? undefined : this.source.stepObjects(descending ? last : first, rows);
      if (id !== undefined && (descending ? id > kind.first : id < kind.last))
        end = nearer((id - kind.zero) * kind.unit);
    }
    // No inline value is there, so that it does not matter how keys are rounded.
    if (!Number.isFinite(end) || inline.length === 0) return end;
    return descending ? (Math.floor(end / grid + 0.5) - 0.5) * grid : (Math.ceil(end / grid - 0.5) + 0.5) * grid;
  }

  *#part({ inline, keyed }: ValueFamily, end: number): Waiting<ObjectPart | undefined> {
    const found: Uint32Array[] = [];
    for (const family of keyed) {
      const range = this.#keysBehind(family, end);
      if (range === undefined) continue;
      const some = yield* this.source.keys!.between(range);
      if (some === undefined) return undefined;
      found.push(some.ids);
    }
    const ranges = inline.flatMap((kind) => {
      const [least, greatest] = this.#idsBehind(kind, end);
      return least <= greatest ? [{ least, greatest }] : [];
    });
    return { ids: sortedIds(found), ranges };
  }

  /** Keys behind the edge up to an end, of those that pass. */
  #keysBehind(family: FamilyNumber, end: number): KeyRange | undefined {
    const own = this.passing?.keys.find((keys) => keys.family === family);
    if (this.passing !== undefined && own === undefined) return undefined;
    const [from, to] = this.descending ? [end, nextDown(this.#edge)] : [nextUp(this.#edge), end];
    const least = Math.max(from, own?.least ?? -Infinity);
    const greatest = Math.min(to, own?.greatest ?? Infinity);
    return least <= greatest ? { family, least, greatest } : undefined;
  }

  /** Ids of a class behind the edge up to an end. Both are between two of them, or infinite. */
  #idsBehind({ first, last, zero, unit }: InlineClass, end: number): [number, number] {
    const [from, to] = this.descending ? [end, this.#edge] : [this.#edge, end];
    return [
      Number.isFinite(from) ? Math.max(first, Math.ceil(from / unit) + zero) : first,
      Number.isFinite(to) ? Math.min(last, Math.floor(to / unit) + zero) : last,
    ];
  }
}

/** What passes of a class. */
function clipped(kind: InlineClass, passing: PassingValues | undefined): InlineClass[] {
  if (passing === undefined) return [kind];
  return passing.inline
    .map(({ least = 0, greatest = 0xffff_ffff }) => ({
      ...kind,
      first: Math.max(kind.first, least),
      last: Math.min(kind.last, greatest),
    }))
    .filter(({ first, last }) => first <= last);
}

function sortedIds(parts: readonly Uint32Array[]): Uint32Array {
  const all = new Uint32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let length = 0;
  for (const part of parts) {
    all.set(part, length);
    length += part.length;
  }
  return all.sort();
}

const double = new Float64Array(1);
const bits = new BigInt64Array(double.buffer);

/** The next greater double. */
function nextUp(value: number): number {
  if (!Number.isFinite(value)) return value;
  if (value === 0) return Number.MIN_VALUE;
  double[0] = value;
  bits[0]! += value > 0 ? 1n : -1n;
  return double[0];
}

const nextDown = (value: number): number => -nextUp(-value);

/** Whether an id is in a part. */
export function isInPart({ ids, ranges }: ObjectPart, id: number): boolean {
  for (const { least = 0, greatest = 0xffff_ffff } of ranges) if (id >= least && id <= greatest) return true;
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ids[middle]! < id) low = middle + 1;
    else high = middle;
  }
  return ids[low] === id;
}
