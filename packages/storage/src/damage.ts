/** Descriptions of damage, for the drivers that read a damaged store. */

import type { Bytes } from './contract.js';

/** The keys `from` to `to`, both included. An empty `from` is below every key. */
export interface KeySpan {
  /** The first key. */
  readonly from: Bytes;
  /** The last key. */
  readonly to: Bytes;
}

/** A part of a store that cannot be read. */
export interface Damage {
  /** A description with the name of the file. */
  readonly message: string;
  /**
   * The keys that may be missing without a trace: those of a span, or any. If it is absent, no key is missing: reading a
   * damaged one fails.
   */
  readonly missing?: KeySpan | 'anywhere';
}

/** Called once for each damage. A driver that gets this function continues to read where it would fail otherwise. */
export type OnDamage = (damage: Damage) => void;
