/**
 * Numbers by id. They lie in pages, and copies share a page until one of them changes it. A comparison
 * of two copies looks only at the pages that they do not share.
 */

/** Bits of an id that its page has, and those that its group of pages has. */
const PAGE_BITS = 8;
const GROUP_BITS = 16;

interface Page {
  readonly owner: object;
  readonly counts: Map<number, number>;
}

interface Group {
  readonly owner: object;
  /** By the upper bits of their ids. */
  readonly pages: Map<number, Page>;
}

export class Counts implements Iterable<readonly [number, number]> {
  /** Pages and groups with this owner are in no other copy. */
  #owner = {};
  #groups = new Map<number, Group>();
  #size = 0;

  /** Number of ids. */
  get size(): number {
    return this.#size;
  }

  has(id: number): boolean {
    return this.get(id) !== undefined;
  }

  get(id: number): number | undefined {
    return this.#groups
      .get(id >>> GROUP_BITS)
      ?.pages.get(id >>> PAGE_BITS)
      ?.counts.get(id);
  }

  /** Adds to the number of an id. An id whose number becomes 0 leaves. */
  add(id: number, by: number): void {
    this.set(id, (this.get(id) ?? 0) + by);
  }

  set(id: number, count: number): void {
    const { counts } = this.#ownPage(id);
    const before = counts.size;
    if (count === 0) counts.delete(id);
    else counts.set(id, count);
    this.#size += counts.size - before;
    if (counts.size === 0) this.#dropPage(id);
  }

  #ownPage(id: number): Page {
    const owner = this.#owner;
    let group = this.#groups.get(id >>> GROUP_BITS);
    if (group?.owner !== owner) {
      group = { owner, pages: new Map(group?.pages) };
      this.#groups.set(id >>> GROUP_BITS, group);
    }
    let page = group.pages.get(id >>> PAGE_BITS);
    if (page?.owner !== owner) {
      page = { owner, counts: new Map(page?.counts) };
      group.pages.set(id >>> PAGE_BITS, page);
    }
    return page;
  }

  #dropPage(id: number): void {
    const { pages } = this.#groups.get(id >>> GROUP_BITS)!;
    pages.delete(id >>> PAGE_BITS);
    if (pages.size === 0) this.#groups.delete(id >>> GROUP_BITS);
  }

  /** Costs as much as there are groups of 65,536 ids. */
  copy(): Counts {
    const copy = new Counts();
    copy.#groups = new Map(this.#groups);
    copy.#size = this.#size;
    this.#owner = {};
    return copy;
  }

  *[Symbol.iterator](): Generator<readonly [number, number]> {
    for (const { pages } of this.#groups.values()) for (const { counts } of pages.values()) yield* counts;
  }

  *keys(): Generator<number> {
    for (const [id] of this) yield id;
  }

  /** The ids whose numbers are others than in an earlier state, with the numbers of now. */
  *changesSince(before: Counts): Generator<readonly [number, number]> {
    for (const [a, b] of pairs(this.#groups, before.#groups)) {
      for (const [x, y] of pairs(a?.pages ?? NONE, b?.pages ?? NONE)) {
        for (const [id, count] of x?.counts ?? NOTHING) if (y?.counts.get(id) !== count) yield [id, count];
        for (const id of y?.counts.keys() ?? []) if (x?.counts.has(id) !== true) yield [id, 0];
      }
    }
  }
}

const NONE: ReadonlyMap<number, Page> = new Map();
const NOTHING: ReadonlyMap<number, number> = new Map();

// What two maps have under each key, where it is not the same.
function* pairs<T>(x: ReadonlyMap<number, T>, y: ReadonlyMap<number, T>): Generator<[T | undefined, T | undefined]> {
  for (const [key, value] of x) if (y.get(key) !== value) yield [value, y.get(key)];
  for (const [key, value] of y) if (!x.has(key)) yield [undefined, value];
}
