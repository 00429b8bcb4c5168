/**
 * What a range keeps to see one state of the store. IndexedDB has no snapshots that outlive a turn of the event loop, so
 * a range is read in several transactions; a write between them hands each open range the entries that it is about to
 * change (copy on write), and the range puts them over what it reads later.
 */

import { compareBytes, equalBytes, isInRange, toHex, type Bytes, type Entry, type KeyRange } from '@quadrille/storage';

export class RangeView {
  /** By key: how the entry was when the range was begun. `undefined`: it was not there. */
  readonly #before = new Map<string, { readonly key: Bytes; readonly value: Bytes | undefined }>();
  readonly #reverse: boolean;
  /** The last key that was read. */
  #position: Bytes | undefined;

  constructor(readonly range: KeyRange) {
    this.#reverse = range.reverse === true;
  }

  /** What has not been read yet, as bounds. IndexedDB leaves `after` out. */
  get rest(): { readonly gte?: Bytes; readonly lt?: Bytes; readonly after?: Bytes } {
    const { gte, lt } = this.range;
    if (this.#position === undefined) return { ...(gte && { gte }), ...(lt && { lt }) };
    return this.#reverse ? { ...(gte && { gte }), lt: this.#position } : { after: this.#position, ...(lt && { lt }) };
  }

  /** Nothing can follow: backwards, the lower bound itself was read. */
  get atEnd(): boolean {
    return this.#reverse && equalBytes(this.#position, this.range.gte) && this.#position !== undefined;
  }

  /** Whether the range has still to read this key. */
  awaits(key: Bytes): boolean {
    if (!isInRange(key, this.range)) return false;
    if (this.#position === undefined) return true;
    const order = compareBytes(key, this.#position);
    return this.#reverse ? order < 0 : order > 0;
  }

  /** Whether the entry that it had is not known here yet. */
  needs(key: Bytes): boolean {
    return this.awaits(key) && !this.#before.has(toHex(key));
  }

  /** An entry as it is before a write changes it; what a first write has handed over stays. */
  keep(key: Bytes, value: Bytes | undefined): void {
    const name = toHex(key);
    // Copies of keys: those of a batch belong to the caller.
    if (!this.#before.has(name)) this.#before.set(name, { key: key.slice(), value });
  }

  /**
   * The entries of the range's own state, from those that were just read: all up to the last of them, or, with `last`, all
   * that are left.
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
      this.#before.delete(toHex(key));
    }
    return entries.sort((a, b) => this.#order(a.key, b.key));
  }

  #order(a: Bytes, b: Bytes): number {
    return this.#reverse ? compareBytes(b, a) : compareBytes(a, b);
  }
}
