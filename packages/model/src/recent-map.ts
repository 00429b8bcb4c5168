/** A map that keeps about what was used last. */

/**
 * At most `2 × limit` entries: when a half is full, the other one, with what was not asked for since, is dropped. To keep the exact
 * order of use would cost more than what is looked up here most often.
 */
export class RecentMap<K, V> {
  #young = new Map<K, V>();
  #old = new Map<K, V>();

  constructor(private readonly limit: number) {}

  get(key: K): V | undefined {
    const value = this.#young.get(key);
    if (value !== undefined) return value;
    const older = this.#old.get(key);
    if (older !== undefined) this.set(key, older);
    return older;
  }

  set(key: K, value: V): void {
    if (this.#young.size >= this.limit) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, value);
  }
}
