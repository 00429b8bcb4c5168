/** A map that keeps about what was used last. */

export interface RecentMapOptions<K, V> {
  /** What an entry weighs, and what a half may weigh. Default: entries have no weight. */
  readonly weigh?: (key: K, value: V) => number;
  /** Most weight of all values together. */
  readonly limitWeight?: number;
}

/**
 * At most `2 × limit` entries: when a half is full, the other one, with what was not asked for since, is dropped. To keep the exact
 * order of use would cost more than what is looked up here most often.
 */
export class RecentMap<K, V> {
  #young = new Map<K, V>();
  #old = new Map<K, V>();
  /** Of all that was put into the young half. */
  #weight = 0;
  readonly #weigh: ((key: K, value: V) => number) | undefined;
  readonly #limitWeight: number;

  constructor(
    private readonly limit: number,
    { weigh, limitWeight = Infinity }: RecentMapOptions<K, V> = {},
  ) {
    this.#weigh = weigh;
    this.#limitWeight = limitWeight;
  }

  /** The value of a key, which becomes the most recent one; `undefined` if there is none. */
  get(key: K): V | undefined {
    const value = this.#young.get(key);
    if (value !== undefined) return value;
    const older = this.#old.get(key);
    if (older !== undefined) this.set(key, older);
    return older;
  }

  /** Stores a value as the most recent one. */
  set(key: K, value: V): void {
    const weight = this.#weigh?.(key, value) ?? 0;
    if (this.#young.size >= this.limit || this.#weight + weight > this.#limitWeight) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#weight = 0;
    }
    this.#young.set(key, value);
    this.#weight += weight;
  }

  /** Removes everything. */
  clear(): void {
    this.#young = new Map();
    this.#old = new Map();
    this.#weight = 0;
  }
}
