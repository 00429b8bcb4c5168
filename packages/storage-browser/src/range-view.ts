/**
 * The state that a range keeps in order to show one state of the store. IndexedDB has no snapshots that outlive a
 * turn of the event loop, so a range is read in several transactions. A write between them gives each open range the
 * entries that it will change (copy on write). The range restores them in what it reads later.
 */
import { compareBytes, equalBytes, isInRange, toHex, type Bytes, type Entry, type KeyRange } from '@quadrille/storage';

interface Kept {
  readonly key: Bytes;
  readonly value: Bytes | undefined;
}

export class RangeView {
  /** The entries at the beginning of the range, by key. `undefined`: there was no entry. */
  readonly #before: Map<string, Kept>;
  readonly #isShared: boolean;
  readonly #reverse: boolean;
  /** The last key that was read. */
  #position: Bytes | undefined;

  /** @param snapshot of a range over a snapshot: the view of all keys that gets the entries in its place */
  constructor(
    readonly range: KeyRange,
    snapshot?: RangeView,
  ) {
    this.#reverse = range.reverse === true;
    this.#isShared = snapshot !== undefined;
    this.#before = snapshot === undefined ? new Map() : snapshot.#before;
  }

  /** Bounds of the part that was not read yet. IndexedDB excludes `after`. */
  get rest(): { readonly gte?: Bytes; readonly lt?: Bytes; readonly after?: Bytes } {
    const { gte, lt } = this.range;
    if (this.#position === undefined) return { ...(gte && { gte }), ...(lt && { lt }) };
    return this.#reverse ? { ...(gte && { gte }), lt: this.#position } : { after: this.#position, ...(lt && { lt }) };
  }

  /** Whether a backward range has read its lower bound, so that no entry can follow. */
  get atEnd(): boolean {
    return this.#reverse && equalBytes(this.#position, this.range.gte) && this.#position !== undefined;
  }

  /** Whether the range has not read this key yet. */
  awaits(key: Bytes): boolean {
    if (!isInRange(key, this.range)) return false;
    if (this.#position === undefined) return true;
    const order = compareBytes(key, this.#position);
    return this.#reverse ? order < 0 : order > 0;
  }

  /** Whether the range needs the entry of this key before a write changes it. */
  needs(key: Bytes): boolean {
    return this.awaits(key) && !this.#before.has(toHex(key));
  }

  /** The entry of a key before the writes that have changed it; `undefined`: none has. */
  kept(key: Bytes): { readonly value: Bytes | undefined } | undefined {
    return this.#before.get(toHex(key));
  }

  /** Keeps an entry as it is before a write. Ignores later writes of the same key. */
  keep(key: Bytes, value: Bytes | undefined): void {
    const name = toHex(key);
    // Copies the key, because that of a batch belongs to the caller.
    if (!this.#before.has(name)) this.#before.set(name, { key: key.slice(), value });
  }

  /**
   * Restores the range's own state in entries that were read: up to the last of them or, with `last`, to the end of
   * the range.
   */
  restore(read: readonly Entry[], last: boolean): readonly Entry[] {
    const end = last ? undefined : read.at(-1)!.key;
    const kept = [...this.#before.values()].filter(
      ({ key }) => this.awaits(key) && (end === undefined || this.#order(key, end) <= 0),
    );
    this.#position = end ?? this.#position;
    if (kept.length === 0) return read;
    const entries = read.filter(({ key }) => !this.#before.has(toHex(key)));
    for (const { key, value } of kept) {
      if (value !== undefined) entries.push({ key, value });
      if (!this.#isShared) this.#before.delete(toHex(key));
    }
    return entries.sort((a, b) => this.#order(a.key, b.key));
  }

  #order(a: Bytes, b: Bytes): number {
    return this.#reverse ? compareBytes(b, a) : compareBytes(a, b);
  }
}
