/**
 * The body of an entry: a batch of operations. Short values stand in it, long ones in packs. All numbers are unsigned,
 * with the highest byte first.
 *
 *     body       u8 form (1) · u32 count of packs · packs · operations
 *     pack       16 bytes id · u32 length
 *     operation  u8 0 · key · u32 length · value          a value in the entry
 *                u8 1 · key · u32 pack · u32 from · u32 length   a value in a pack, by its place in the list
 *                u8 2 · key                                a deletion
 *                u8 3 · key · key                          the deletion of a range
 *     key        u16 length · bytes
 *
 * A body of form 2 has only packs: their bytes, one after the other, are a body of form 1. Where the first pack of the list is {@link
 * MOVE}, all operations move values from the log into packs, and no value changes.
 */

import { CorruptionError } from '@quadrille/model';
import { MAX_KEY_BYTES, type Bytes, type WriteOp } from '@quadrille/storage';
import { uuidBytes, uuidText } from './uuid-bytes.js';

/** A pack to which a body refers. */
export interface PackRef {
  readonly id: string;
  /** Its length in bytes. */
  readonly length: number;
}

/** A value in a pack. */
export interface Reference {
  /** The place of the pack in the list of its body. */
  readonly pack: number;
  readonly from: number;
  readonly length: number;
}

/** An operation whose value is in a pack, or one as it was written. */
export type StoredOp = WriteOp | { readonly type: 'refer'; readonly key: Bytes; readonly reference: Reference };

export interface Change {
  readonly packs: readonly PackRef[];
  readonly ops: readonly StoredOp[];
}

/** A body that was read: the change, or the packs in which its body is. */
export type Body =
  | { readonly form: 'change'; readonly change: Change }
  | { readonly form: 'packs'; readonly packs: readonly PackRef[] };

/** No pack: the mark of a change that only moves values into packs. Who does not know it applies the change as any other. */
export const MOVE: PackRef = { id: '00000000-0000-0000-0000-000000000000', length: 0 };

const PUT = 0;
const REFER = 1;
const DELETE = 2;
const DELETE_RANGE = 3;
const PACK_BYTES = 20;
/** Longest value in a body. Writers put much shorter ones into packs. */
const MOST_INLINE_BYTES = 4096;

export function encodeChange({ packs, ops }: Change): Bytes {
  let length = 5 + packs.length * PACK_BYTES;
  for (const op of ops) length += opLength(op);
  const out = new Writer(length);
  out.u8(1);
  writePacks(out, packs);
  for (const op of ops) writeOp(out, op);
  return out.bytes;
}

/** A body that says where the body is. */
export function encodePackList(packs: readonly PackRef[]): Bytes {
  const out = new Writer(5 + packs.length * PACK_BYTES);
  out.u8(2);
  writePacks(out, packs);
  return out.bytes;
}

/** @throws CorruptionError `LOG_BROKEN` if it is not a body of this version */
export function decodeBody(bytes: Bytes): Body {
  const input = new Reader(bytes);
  const form = input.u8();
  if (form !== 1 && form !== 2) throw brokenBody();
  const packs: PackRef[] = [];
  for (let left = input.u32(); left > 0; left--) packs.push({ id: uuidText(input.take(16)), length: input.u32() });
  if (form === 2) return { form: 'packs', packs };
  const ops: StoredOp[] = [];
  while (input.left > 0) ops.push(readOp(input, packs));
  return { form: 'change', change: { packs, ops } };
}

function opLength(op: StoredOp): number {
  if (op.type === 'put') return 7 + op.key.length + op.value.length;
  if (op.type === 'refer') return 15 + op.key.length;
  return op.type === 'delete' ? 3 + op.key.length : 5 + op.gte.length + op.lt.length;
}

function writePacks(out: Writer, packs: readonly PackRef[]): void {
  out.u32(packs.length);
  for (const { id, length } of packs) {
    out.put(uuidBytes(id));
    out.u32(length);
  }
}

function writeOp(out: Writer, op: StoredOp): void {
  if (op.type === 'put') {
    out.u8(PUT);
    out.key(op.key);
    out.u32(op.value.length);
    out.put(op.value);
  } else if (op.type === 'refer') {
    out.u8(REFER);
    out.key(op.key);
    out.u32(op.reference.pack);
    out.u32(op.reference.from);
    out.u32(op.reference.length);
  } else if (op.type === 'delete') {
    out.u8(DELETE);
    out.key(op.key);
  } else {
    out.u8(DELETE_RANGE);
    out.key(op.gte);
    out.key(op.lt);
  }
}

/** Checks all that it reads: a change is applied whole or not at all. */
function readOp(input: Reader, packs: readonly PackRef[]): StoredOp {
  const type = input.u8();
  const key = input.key();
  if (key.length < 1 || key.length > MAX_KEY_BYTES) throw brokenBody();
  switch (type) {
    case PUT: {
      const value = input.take(input.u32());
      if (value.length > MOST_INLINE_BYTES) throw brokenBody();
      return { type: 'put', key, value };
    }
    case REFER: {
      const reference = { pack: input.u32(), from: input.u32(), length: input.u32() };
      if (reference.from + reference.length > (packs[reference.pack]?.length ?? 0)) throw brokenBody();
      return { type: 'refer', key, reference };
    }
    case DELETE:
      return { type: 'delete', key };
    case DELETE_RANGE:
      return { type: 'deleteRange', gte: key, lt: input.key() };
    default:
      throw brokenBody();
  }
}

class Writer {
  readonly bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(length: number) {
    this.bytes = new Uint8Array(length);
    this.#view = new DataView(this.bytes.buffer);
  }

  u8(value: number): void {
    this.bytes[this.#at++] = value;
  }

  u32(value: number): void {
    this.#view.setUint32(this.#at, value);
    this.#at += 4;
  }

  key(key: Bytes): void {
    this.#view.setUint16(this.#at, key.length);
    this.#at += 2;
    this.put(key);
  }

  put(bytes: Bytes): void {
    this.bytes.set(bytes, this.#at);
    this.#at += bytes.length;
  }
}

class Reader {
  readonly #bytes: Bytes;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Bytes) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  u8(): number {
    return this.take(1)[0]!;
  }

  u32(): number {
    this.#need(4);
    const value = this.#view.getUint32(this.#at);
    this.#at += 4;
    return value;
  }

  key(): Bytes {
    this.#need(2);
    const length = this.#view.getUint16(this.#at);
    this.#at += 2;
    return this.take(length);
  }

  /** A view of the next bytes. */
  take(length: number): Bytes {
    this.#need(length);
    return this.#bytes.subarray(this.#at, (this.#at += length));
  }

  #need(length: number): void {
    if (length > this.left) throw brokenBody();
  }
}

/** A body is not what a writer writes. */
export function brokenBody(): CorruptionError {
  return new CorruptionError(
    'LOG_BROKEN',
    'An entry of the shared log is damaged, or a newer version of Quadrille has written it.',
  );
}
