/** The keys that entries of other processes change, until somebody asks for them. */

import type { Bytes, ChangedKeys, Refresh } from '@quadrille/storage';
import type { Change } from './change.js';

/** Beyond this number any key counts as changed: to read all anew costs less than to look at each. */
const MOST_RANGES = 20_000;

export class TouchedKeys {
  #ranges: ChangedKeys[] | undefined = [];
  #any = false;

  /** Whether anything has changed. */
  get any(): boolean {
    return this.#any;
  }

  /** Any key may have changed. */
  all(): void {
    this.#any = true;
    this.#ranges = undefined;
  }

  /** The keys of a change. They are copied. */
  add({ ops }: Change): void {
    this.#any ||= ops.length > 0;
    if (this.#ranges === undefined) return;
    if (this.#ranges.length + ops.length > MOST_RANGES) return this.all();
    for (const op of ops) {
      if (op.type === 'deleteRange') this.#ranges.push({ gte: copy(op.gte), lt: copy(op.lt) });
      else this.#ranges.push({ gte: copy(op.key) });
    }
  }

  /** The ranges since the last {@link clear}; `undefined`: all keys. */
  get ranges(): Refresh['changed'] {
    return this.#ranges;
  }

  clear(): void {
    this.#ranges = [];
    this.#any = false;
  }
}

const copy = (bytes: Bytes): Bytes => new Uint8Array(bytes);
