/** Sets of names. Of a chain of thousands of operations each may have a few names more than the one before. */

type Names = ReadonlySet<string>;

export const NO_NAMES: Names = new Set();

/** Smaller sets are copied. */
const FEW_NAMES = 32;

/** The names of all sets. It shares the large ones, which must not change any more. */
export function unionOf(sets: readonly Names[]): Names {
  let largest = NO_NAMES;
  let size = 0;
  for (const set of sets) {
    size += set.size;
    if (set.size > largest.size) largest = set;
  }
  if (largest.size === size) return largest;
  if (largest.size <= FEW_NAMES) return copyOf(sets);
  const others = new Set<string>();
  for (const set of sets) {
    if (set === largest) continue;
    for (const name of set) if (!largest.has(name)) others.add(name);
  }
  if (others.size === 0) return largest;
  return others.size > largest.size / 2 ? copyOf([largest, others]) : LayeredNames.of(largest, others);
}

function copyOf(sets: readonly Names[]): Set<string> {
  const all = new Set<string>();
  for (const set of sets) for (const name of set) all.add(name);
  return all;
}

/** The names that all sets have. The first set itself, where it has no others. */
export function intersectionOf([first = NO_NAMES, ...others]: readonly Names[]): Names {
  if (others.every((set) => set === first)) return first;
  const common = new Set<string>();
  for (const name of first) if (others.every((set) => set.has(name))) common.add(name);
  return common;
}

export const isSubset = (names: Iterable<string>, set: Names): boolean => {
  for (const name of names) if (!set.has(name)) return false;
  return true;
};

/**
 * Several sets without a common name, as one. Each set is more than twice as large as the next. So *n* names make at most log *n*
 * sets, and each name is copied at most as often.
 */
class LayeredNames implements Names {
  readonly size: number;

  private constructor(private readonly layers: readonly Names[]) {
    this.size = layers.reduce((sum, layer) => sum + layer.size, 0);
  }

  static of(base: Names, added: Set<string>): LayeredNames {
    const layers = base instanceof LayeredNames ? [...base.layers] : [base];
    let top: Names = added;
    for (let last = layers.at(-1); last !== undefined && last.size <= 2 * top.size; last = layers.at(-1)) {
      layers.pop();
      top = copyOf([last, top]);
    }
    return new LayeredNames([...layers, top]);
  }

  has(name: string): boolean {
    for (const layer of this.layers) if (layer.has(name)) return true;
    return false;
  }

  forEach(callback: (name: string, same: string, set: Names) => void): void {
    for (const name of this) callback(name, name, this);
  }

  *values(): SetIterator<string> {
    for (const layer of this.layers) yield* layer;
  }

  *entries(): SetIterator<[string, string]> {
    for (const name of this) yield [name, name];
  }

  keys(): SetIterator<string> {
    return this.values();
  }

  [Symbol.iterator](): SetIterator<string> {
    return this.values();
  }
}

/** The names of a list but these. A set of many is only made when it is asked for more than a few of them. */
export function namesWithout(names: readonly string[], others: Names): Names {
  if (names.length > FEW_NAMES) return new OtherNames(names, others);
  const rest = new Set(names);
  for (const name of others) rest.delete(name);
  return rest;
}

class OtherNames implements Names {
  #asked = 0;
  #all: Set<string> | undefined;

  constructor(
    private readonly names: readonly string[],
    private readonly others: Names,
  ) {}

  get size(): number {
    return this.#set.size;
  }

  get #set(): Set<string> {
    if (this.#all === undefined) {
      this.#all = new Set(this.names);
      for (const name of this.others) this.#all.delete(name);
    }
    return this.#all;
  }

  has(name: string): boolean {
    if (this.#all === undefined && ++this.#asked <= FEW_NAMES)
      return !this.others.has(name) && this.names.includes(name);
    return this.#set.has(name);
  }

  forEach(callback: (name: string, same: string, set: Names) => void): void {
    for (const name of this.#set) callback(name, name, this);
  }

  values(): SetIterator<string> {
    return this.#set.values();
  }

  entries(): SetIterator<[string, string]> {
    return this.#set.entries();
  }

  keys(): SetIterator<string> {
    return this.#set.keys();
  }

  [Symbol.iterator](): SetIterator<string> {
    return this.#set.values();
  }
}
