/**
 * All keys of a shared log in memory: short values with them, long ones as places in packs. It counts what is used of
 * each pack, so a pack without use can be deleted.
 */

import { StorageError } from '@quadrille/model';
import { scanSnapshot, SortedTable, type Bytes, type KeyRange, type TableSnapshot } from '@quadrille/storage';
import type { LogEntry, SharedDriver } from '../contract.js';
import type { Fold } from '../log/log-reader.js';
import { brokenBody, decodeBody, type Change, type PackRef, type StoredOp } from './change.js';
import { readCheckpoint } from './checkpoint.js';
import { Pause } from './pause.js';
import type { Slot } from './slot.js';
import type { TouchedKeys } from './touched-keys.js';

/** A pack, and how much of it is in use. */
interface HeldPack extends PackRef {
  readonly number: number;
  used: number;
}

/** First byte of a value in the table. */
const INLINE = 0;
const REFERENCE = 1;
/** Entries after which the event loop may get its turn. */
const TURN = 4096;
const EXPIRED =
  'The store has deleted data of this state, because a newer state has replaced them. Open the store again.';

export class SharedTable implements Fold {
  readonly #driver: SharedDriver;
  readonly #log: number;
  #table = new SortedTable();
  /** The packs with values in use. */
  readonly #packs = new Map<string, HeldPack>();
  readonly #numbered: HeldPack[] = [];
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
    const held = this.#table.get(key);
    return held === undefined ? undefined : this.slot(held);
  }

  /** The present state. Its values are for {@link slot}. */
  snapshot(): TableSnapshot {
    return this.#table.snapshot();
  }

  /** The slot of a value of a snapshot. */
  slot(held: Bytes): Slot {
    return held[0] === INLINE ? { value: held.subarray(1) } : this.#reference(held);
  }

  /** Begins anew with the parts of a checkpoint. */
  async reset(parts: readonly Bytes[]): Promise<void> {
    this.#table = new SortedTable();
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
    for (const { id } of decoded.packs) this.bodies.set(id, position);
  }

  /** Applies a change. Values are copied, because the caller may reuse its arrays. */
  applyChange({ packs, ops }: Change): void {
    this.touched?.add({ packs, ops });
    const held = packs.map((pack) => this.#hold(pack));
    for (const op of ops) this.#apply(op, held);
  }

  /** Bytes of keys and values in a range of a state; without it, of the present one. */
  async size(range: KeyRange, state = this.snapshot()): Promise<number> {
    const pause = new Pause();
    let bytes = 0;
    let count = 0;
    for (const [key, held] of scanSnapshot(state, range)) {
      const slot = this.slot(held);
      bytes += key.length + ('value' in slot ? slot.value.length : slot.length);
      if (++count % TURN === 0) await pause.turn();
    }
    return bytes;
  }

  #hold({ id, length }: PackRef): HeldPack {
    let pack = this.#packs.get(id);
    if (pack === undefined) {
      pack = { id, length, number: this.#numbered.length, used: 0 };
      this.#packs.set(id, pack);
      this.#numbered.push(pack);
    }
    return pack;
  }

  #apply(op: StoredOp, packs: readonly HeldPack[]): void {
    if (op.type === 'deleteRange') {
      for (const [, held] of scanSnapshot(this.#table.snapshot(), op)) this.#release(held);
      this.#table.deleteRange(op.gte, op.lt);
      return;
    }
    const before = this.#table.get(op.key);
    if (before !== undefined) this.#release(before);
    if (op.type === 'delete') {
      this.#table.delete(op.key);
    } else if (op.type === 'put') {
      const held = new Uint8Array(1 + op.value.length);
      held.set(op.value, 1);
      this.#table.set(new Uint8Array(op.key), held);
    } else {
      const { from, length } = op.reference;
      const pack = packs[op.reference.pack];
      if (pack === undefined || from + length > pack.length) throw brokenBody();
      pack.used += length;
      this.#table.set(new Uint8Array(op.key), reference(pack.number, from, length));
    }
  }

  /** Counts that a value is in use no longer. */
  #release(held: Bytes): void {
    if (held[0] === INLINE) return;
    const { pack, length } = this.#reference(held);
    pack.used -= length;
    // Snapshots find it by its number.
    if (pack.used === 0) this.#packs.delete(pack.id);
  }

  #reference(held: Bytes): { readonly pack: HeldPack; readonly from: number; readonly length: number } {
    const view = new DataView(held.buffer, held.byteOffset, held.byteLength);
    const pack = this.#numbered[view.getUint32(1)]!;
    return { pack, from: view.getUint32(5), length: view.getUint32(9) };
  }
}

function reference(pack: number, from: number, length: number): Bytes {
  const held = new Uint8Array(13);
  const view = new DataView(held.buffer);
  held[0] = REFERENCE;
  view.setUint32(1, pack);
  view.setUint32(5, from);
  view.setUint32(9, length);
  return held;
}

function joined(parts: readonly Bytes[]): Bytes {
  if (parts.length === 1) return parts[0]!;
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
