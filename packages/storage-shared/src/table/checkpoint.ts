/** A checkpoint: all keys of a table, as changes that make them. Its parts are stored as packs. */

import { scanSnapshot, type Bytes, type TableSnapshot } from '@quadrille/storage';
import { brokenBody, decodeBody, encodeChange, type Change, type PackRef, type StoredOp } from './change.js';
import { Pause } from './pause.js';
import { isValue, type Slot } from './slot.js';

/** Entries of a change. */
const CHANGE_OPS = 4096;
/** Bytes of the length in front of each change. */
const LENGTH_BYTES = 4;

/** A state as parts of about `limit` bytes. Gives the event loop its turn. */
export async function* writeCheckpoint(
  state: TableSnapshot<Slot>,
  limit: number,
): AsyncGenerator<Bytes, void, undefined> {
  const pause = new Pause();
  let bodies: Bytes[] = [];
  let length = 0;
  for (const change of changesOf(state)) {
    const body = encodeChange(change);
    if (length > 0 && length + LENGTH_BYTES + body.length > limit) {
      yield framed(bodies, length);
      bodies = [];
      length = 0;
    }
    bodies.push(body);
    length += LENGTH_BYTES + body.length;
    await pause.turn();
  }
  if (length > 0) yield framed(bodies, length);
}

/** The changes of a checkpoint. @throws CorruptionError `LOG_BROKEN` */
export function* readCheckpoint(parts: readonly Bytes[]): Generator<Change> {
  for (const part of parts) {
    const view = new DataView(part.buffer, part.byteOffset, part.byteLength);
    for (let at = 0; at < part.length;) {
      if (at + LENGTH_BYTES > part.length) throw brokenBody();
      const end = at + LENGTH_BYTES + view.getUint32(at);
      if (end > part.length) throw brokenBody();
      const body = decodeBody(part.subarray(at + LENGTH_BYTES, end));
      if (body.form !== 'change') throw brokenBody();
      yield body.change;
      at = end;
    }
  }
}

function* changesOf(state: TableSnapshot<Slot>): Generator<Change> {
  let ops: StoredOp[] = [];
  let packs = new Map<PackRef, number>();
  for (const [key, slot] of scanSnapshot(state, {})) {
    if (isValue(slot)) {
      ops.push({ type: 'put', key, value: slot });
    } else {
      let place = packs.get(slot.pack);
      if (place === undefined) packs.set(slot.pack, (place = packs.size));
      ops.push({ type: 'refer', key, reference: { pack: place, from: slot.from, length: slot.length } });
    }
    if (ops.length < CHANGE_OPS) continue;
    yield { packs: [...packs.keys()], ops };
    ops = [];
    packs = new Map();
  }
  if (ops.length > 0) yield { packs: [...packs.keys()], ops };
}

function framed(bodies: readonly Bytes[], length: number): Bytes {
  const part = new Uint8Array(length);
  const view = new DataView(part.buffer);
  let at = 0;
  for (const body of bodies) {
    view.setUint32(at, body.length);
    part.set(body, at + LENGTH_BYTES);
    at += LENGTH_BYTES + body.length;
  }
  return part;
}
