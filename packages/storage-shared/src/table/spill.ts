/** Puts the long values of a batch into packs, and a batch that is long itself. */

import type { Bytes, WriteOp } from '@quadrille/storage';
import { MAX_ENTRY_BYTES, MAX_PACK_BYTES, type Pack } from '../contract.js';
import { encodeChange, encodePackList, type PackRef, type StoredOp } from './change.js';

/** Values up to this length, in bytes, stand in the entry: to read them takes no round trip. */
export const INLINE_BYTES = 256;
/** Length of a pack, in bytes. A longer one takes longer to write, a shorter one is a row more. */
export const PACK_BYTES = 1024 * 1024;

/** A batch as it is stored: the body of its entry, and the packs that must be there first. */
export interface Spilled {
  readonly body: Bytes;
  readonly packs: readonly Pack[];
}

export function spill(ops: readonly WriteOp[], newId: () => string): Spilled {
  const values = new PackBuilder(newId);
  const stored: StoredOp[] = ops.map((op) =>
    op.type === 'put' && op.value.length > INLINE_BYTES
      ? { type: 'refer', key: op.key, reference: values.add(op.value) }
      : op,
  );
  const packs = values.end();
  const body = encodeChange({ packs: packs.map(refOf), ops: stored });
  if (body.length <= MAX_ENTRY_BYTES) return { body, packs };
  const parts: Pack[] = [];
  for (let at = 0; at < body.length; at += MAX_PACK_BYTES) {
    parts.push({ id: newId(), bytes: body.subarray(at, at + MAX_PACK_BYTES) });
  }
  return { body: encodePackList(parts.map(refOf)), packs: [...packs, ...parts] };
}

const refOf = ({ id, bytes }: Pack): PackRef => ({ id, length: bytes.length });

/** Collects values in packs. */
class PackBuilder {
  readonly #newId: () => string;
  readonly #packs: Pack[] = [];
  #values: Bytes[] = [];
  #length = 0;

  constructor(newId: () => string) {
    this.#newId = newId;
  }

  add(value: Bytes): { readonly pack: number; readonly from: number; readonly length: number } {
    if (this.#length > 0 && this.#length + value.length > PACK_BYTES) this.#cut();
    const from = this.#length;
    this.#values.push(value);
    this.#length += value.length;
    return { pack: this.#packs.length, from, length: value.length };
  }

  end(): readonly Pack[] {
    if (this.#length > 0) this.#cut();
    return this.#packs;
  }

  #cut(): void {
    const bytes = new Uint8Array(this.#length);
    let at = 0;
    for (const value of this.#values) {
      bytes.set(value, at);
      at += value.length;
    }
    this.#packs.push({ id: this.#newId(), bytes });
    this.#values = [];
    this.#length = 0;
  }
}
