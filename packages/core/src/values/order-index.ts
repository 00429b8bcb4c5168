/** The index of order of a repository: which literals have a value in a range. */
import type { FamilyNumber } from '@quadrille/model/order-key';
import { Tag } from '../format/layout.js';
import type { Dictionary, SharedIndex } from '../dictionary/dictionary.js';
import type { Pacer } from '../runtime/env.js';
import { isKeyed, mergeOrderRuns, ORDER_PARTS, OrderRun, OrderRunBuilder, type OrderPart } from './order-run.js';
import { readRoot, ValueIndex, type ValueKind, type View } from './value-index.js';

/** The form of the index. One of another form is made again. */
const FORM = 1;
/** Questions that are remembered, and their literals. */
const MOST_REMEMBERED = 16;
const REMEMBERED_LITERALS = 1024 * 1024;

const KIND: ValueKind<OrderRun, OrderPart> = {
  tags: { root: Tag.orderIndex, part: Tag.orderPart },
  parts: ORDER_PARTS,
  form: [FORM],
  builder: (from) => new OrderRunBuilder(from),
  run: (entry, values) => new OrderRun(entry, values),
  merge: mergeOrderRuns,
};

/** Keys of a family, both included. */
export interface KeyRange {
  readonly family: FamilyNumber;
  readonly least: number;
  readonly greatest: number;
}

/** Literals by their keys, in no order. */
export interface KeyedIds {
  readonly ids: Uint32Array;
  readonly keys: Float64Array;
}

export class OrderIndex extends ValueIndex<OrderRun, OrderPart> {
  /** Whether a part of it could not be read. */
  isDamaged = false;
  /** Predicates whose objects all have keys, or not, at the revision that was asked last. */
  readonly predicates = new Map<number, { readonly revision: string; readonly areKeyed: boolean }>();
  /** What was found last. Terms do not change. */
  readonly #found = new Map<string, KeyedIds>();

  /** The index of a dictionary; an empty one where there is none. */
  static async open(dictionary: Dictionary): Promise<OrderIndex> {
    const find = (): OrderIndex | undefined =>
      dictionary.orderIndex instanceof OrderIndex ? dictionary.orderIndex : undefined;
    const root = find() === undefined ? await readRoot(dictionary, KIND) : undefined;
    // Somebody else may have read it meanwhile.
    const known = find();
    if (known !== undefined || root === undefined) return known!;
    const index = new OrderIndex(dictionary, KIND, root);
    dictionary.orderIndex = index;
    return index;
  }

  protected override onClear(): void {
    this.#found.clear();
    this.predicates.clear();
    this.isDamaged = false;
  }

  override share(): SharedIndex | undefined {
    return this.isDamaged ? undefined : super.share();
  }

  /** All literals with keys in a range. They are shared: do not change them. */
  async between(view: View<OrderRun>, range: KeyRange, pacer: Pacer): Promise<KeyedIds> {
    const question = `${view.mark} ${range.family} ${range.least} ${range.greatest}`;
    const known = this.#found.get(question);
    if (known !== undefined) return known;
    const found = await keysBetween(view, range, pacer);
    const all = [...this.#found.values()].reduce((sum, { ids }) => sum + ids.length, found.ids.length);
    if (this.#found.size === MOST_REMEMBERED || all > REMEMBERED_LITERALS) this.#found.clear();
    if (found.ids.length <= REMEMBERED_LITERALS) this.#found.set(question, found);
    return found;
  }
}

/** Tells of ids before the mark whether they have keys. */
export async function keyedTest({ runs }: View<OrderRun>): Promise<(id: number) => boolean> {
  const known = await Promise.all(
    runs.map(async (run) => ({ from: run.entry.from, to: run.entry.to, bits: await run.keyed() })),
  );
  const [only] = known;
  if (known.length === 1) return (id) => id >= only!.from && id < only!.to && isKeyed(only!.bits, id - only!.from);
  return (id) => known.some(({ from, to, bits }) => id >= from && id < to && isKeyed(bits, id - from));
}

async function keysBetween({ runs, mark }: View<OrderRun>, range: KeyRange, pacer: Pacer): Promise<KeyedIds> {
  let ids = new Uint32Array(256);
  let keys = new Float64Array(256);
  let length = 0;
  for (const run of runs) {
    const last = await run.pageWith(range.family, range.greatest);
    for (let page = await run.pageBefore(range.family, range.least); page <= last && page < run.entry.pages; page++) {
      const entries = await run.page(page);
      const [start, end] = [firstFrom(entries, range.family, range.least), firstBehind(entries, range)];
      while (length + end - start > ids.length) {
        ids = grown(ids, new Uint32Array(ids.length * 2));
        keys = grown(keys, new Float64Array(keys.length * 2));
      }
      for (let at = start; at < end; at++) {
        // A run may have terms that are newer than what is asked for.
        if (entries.ids[at]! >= mark) continue;
        ids[length] = entries.ids[at]!;
        keys[length++] = entries.keys[at]!;
      }
      if (pacer.due()) await pacer.pause();
    }
  }
  return { ids: ids.slice(0, length), keys: keys.slice(0, length) };
}

function grown<T extends Uint32Array | Float64Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

type Page = Awaited<ReturnType<OrderRun['page']>>;

/** The first entry with a key that is not less. */
function firstFrom({ families, keys, length }: Page, family: number, key: number): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const isBefore = families[middle] === family ? keys[middle]! < key : families[middle]! < family;
    if (isBefore) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The first entry behind a range. */
function firstBehind(page: Page, { family, greatest }: KeyRange): number {
  let end = firstFrom(page, family, greatest);
  while (end < page.length && page.families[end] === family && page.keys[end]! <= greatest) end++;
  return end;
}

/** How many literals have keys in a range. */
export async function countBetween(view: View<OrderRun>, range: KeyRange): Promise<number> {
  let count = 0;
  for (const run of view.runs) {
    if (run.entry.pages === 0) continue;
    const [first, last] = [
      await run.pageBefore(range.family, range.least),
      await run.pageWith(range.family, range.greatest),
    ];
    const start = firstFrom(await run.page(first), range.family, range.least);
    const end = firstBehind(await run.page(last), range);
    count += (await run.before(last)) + end - (await run.before(first)) - start;
  }
  return Math.max(0, count);
}

/**
 * The key at which a part of a range ends that begins at its least key, or its greatest one where it goes down: about `rows` literals have
 * keys up to it. `undefined`: so many are not left.
 */
export async function stepKeys(
  view: View<OrderRun>,
  { family, least, greatest }: KeyRange,
  rows: number,
  descending: boolean,
): Promise<number | undefined> {
  let nearest: number | undefined;
  for (const run of view.runs) {
    if (run.entry.pages === 0) continue;
    const key = descending
      ? await stepDown(run, { family, least, greatest }, rows)
      : await stepUp(run, { family, least, greatest }, rows);
    if (key === undefined) continue;
    if (nearest === undefined || (descending ? key > nearest : key < nearest)) nearest = key;
  }
  return nearest;
}

async function stepUp(run: OrderRun, { family, least, greatest }: KeyRange, rows: number): Promise<number | undefined> {
  let left = rows;
  for (let page = await run.pageBefore(family, least); page < run.entry.pages; page++) {
    const entries = await run.page(page);
    const start = firstFrom(entries, family, least);
    if (start + left <= entries.length) {
      const at = start + left - 1;
      const isIn = entries.families[at] === family && entries.keys[at]! <= greatest;
      return isIn ? entries.keys[at]! : undefined;
    }
    left -= entries.length - start;
  }
  return undefined;
}

async function stepDown(
  run: OrderRun,
  { family, least, greatest }: KeyRange,
  rows: number,
): Promise<number | undefined> {
  let left = rows;
  for (let page = await run.pageWith(family, greatest); page >= 0; page--) {
    const entries = await run.page(page);
    const end = firstBehind(entries, { family, least, greatest });
    if (end >= left) {
      const at = end - left;
      return entries.families[at] === family && entries.keys[at]! >= least ? entries.keys[at]! : undefined;
    }
    left -= end;
  }
  return undefined;
}
