/**
 * All keys of a shared log in memory: short values with them, long ones as places in packs. It counts what is used of
 * each pack, so a pack without use can be deleted.
 */

import { StorageError } from '@quadrille/model';
import { scanSnapshot, SortedTable, type Bytes, type KeyRange, type TableSnapshot } from '@quadrille/storage';
import type { LogEntry, SharedDriver } from '../contract.js';
import type { Fold } from '../log/log-reader.js';
import { brokenBody, decodeBody, MOVE, type Change, type PackRef, type StoredOp } from './change.js';
import { PackedPage } from './packed-page.js';
import { readCheckpoint } from './checkpoint.js';
import { Pause } from './pause.js';
import { isValue, type HeldPack, type Slot } from './slot.js';
import type { TouchedKeys } from './touched-keys.js';

/** Entries after which the event loop may get its turn. */
const TURN = 4096;
const EXPIRED =
  'The store has deleted data of this state, because a newer state has replaced them. Open the store again.';

const newTable = (): SortedTable<Slot> => new SortedTable((epoch) => new PackedPage(epoch));

export class SharedTable implements Fold {
  readonly #driver: SharedDriver;
  readonly #log: number;
  #table = newTable();
  /** The packs with values in use. */
  readonly #packs = new Map<string, HeldPack>();
  /** The packs in which bodies of entries are, with the position of the entry. */
  readonly bodies = new Map<string, number>();

  constructor(
    driver: SharedDriver,
    log: number,
    /** Gets the keys of each change. Default: nobody. */
    readonly touched?: TouchedKeys,
  ) {
    this.#driver = driver;
    this.#log = log;
  }

  /** The packs with values in use, and the bytes that are. */
  get packs(): ReadonlyMap<string, { readonly length: number; readonly used: number }> {
    return this.#packs;
  }

  get(key: Bytes): Slot | undefined {
    return this.#table.get(key);
  }

  /** The present state. */
  snapshot(): TableSnapshot<Slot> {
    return this.#table.snapshot();
  }

  /** Begins anew with the parts of a checkpoint. */
  async reset(parts: readonly Bytes[]): Promise<void> {
    this.#table = newTable();
    this.#packs.clear();
    this.touched?.all();
    const pause = new Pause();
    for (const change of readCheckpoint(parts)) {
      this.applyChange(change);
      await pause.turn();
    }
  }

  /** Adds an entry. A body in packs is read from there. */
  async apply({ position, body }: LogEntry): Promise<void> {
    const decoded = decodeBody(body);
    if (decoded.form === 'change') return this.applyChange(decoded.change);
    const slices = decoded.packs.map(({ id, length }) => ({ pack: id, from: 0, length }));
    const parts = await this.#driver.getPacks(this.#log, slices);
    const known = parts.filter((part) => part !== undefined);
    if (known.length < parts.length) throw new StorageError('SNAPSHOT_EXPIRED', EXPIRED);
    const inner = decodeBody(joined(known));
    if (inner.form !== 'change') throw brokenBody();
    this.applyChange(inner.change);
    // Only who writes collects.
    if (this.touched === undefined) for (const { id } of decoded.packs) this.bodies.set(id, position);
  }

  /** Applies a change. The pages copy keys and values, so the caller may reuse its arrays. */
  applyChange({ packs, ops }: Change): void {
    if (packs[0]?.id !== MOVE.id) this.touched?.add({ packs, ops });
    const held = packs.map((pack) => this.#hold(pack));
    const released = new Set(held);
    for (const op of ops) this.#apply(op, held, released);
    // Only now: a later operation of the batch may use a pack that an earlier one has released.
    for (const pack of released) if (pack.used === 0) this.#packs.delete(pack.id);
  }

  /** Bytes of keys and values in a range of a state; without it, of the present one. */
  async size(range: KeyRange, state = this.snapshot()): Promise<number> {
    const pause = new Pause();
    let bytes = 0;
    let count = 0;
    for (const [key, slot] of scanSnapshot(state, range)) {
      bytes += key.length + slot.length;
      if (++count % TURN === 0) await pause.turn();
    }
    return bytes;
  }

  #hold({ id, length }: PackRef): HeldPack {
    let pack = this.#packs.get(id);
    if (pack === undefined) {
      pack = { id, length, used: 0 };
      this.#packs.set(id, pack);
    }
    return pack;
  }

  /** @param released gets the packs with less in use */
  #apply(op: StoredOp, packs: readonly HeldPack[], released: Set<HeldPack>): void {
    if (op.type === 'deleteRange') {
      for (const [, held] of scanSnapshot(this.#table.snapshot(), op)) this.#release(held, released);
      this.#table.deleteRange(op.gte, op.lt);
      return;
    }
    const before = this.#table.get(op.key);
    if (before !== undefined) this.#release(before, released);
    if (op.type === 'delete') {
      this.#table.delete(op.key);
    } else if (op.type === 'put') {
      this.#table.set(op.key, op.value);
    } else {
      const { from, length } = op.reference;
      const pack = packs[op.reference.pack]!;
      pack.used += length;
      this.#table.set(op.key, { pack, from, length });
    }
  }

  /** Counts that a value is in use no longer. */
  #release(held: Slot, released: Set<HeldPack>): void {
    if (isValue(held)) return;
    held.pack.used -= held.length;
    released.add(held.pack);
  }
}

/** Values one after the other. */
export function joined(parts: readonly Bytes[]): Bytes {
  if (parts.length === 1) return parts[0]!;
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
