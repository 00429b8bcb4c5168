/**
 * The envelope around every stored value. No backend can be trusted to notice a flipped bit (LevelDB as bound by
 * classic-level verifies no checksum), so each value carries its own. On disk, frozen:
 *
 *     byte 0      version, 1
 *     bytes 1..4  XXH32 of the payload, seeded with the XXH32 (seed 0) of the key; big-endian
 *     bytes 5..   payload
 *
 * The key is part of the sum, so that a value which turns up under another key is found out too.
 */

import { CorruptionError } from '@quadrille/model';
import { toHex } from './bytes.js';
import { loadChecksum, type Checksum } from './checksum.js';
import type { Bytes } from './contract.js';

/** Version byte of the envelope. */
export const ENVELOPE_VERSION = 1;
/** Bytes that the envelope adds to each value. */
export const ENVELOPE_BYTES = 5;

/** Seals and opens values. Holds one WebAssembly instance. */
export class Envelope {
  readonly #hash: Checksum;

  private constructor(hash: Checksum) {
    this.#hash = hash;
  }

  static async create(): Promise<Envelope> {
    return new Envelope(await loadChecksum());
  }

  /** The payload in its envelope: a new array, or the start of `memory`, which must have room for it. */
  seal(key: Bytes, payload: Bytes, memory?: Uint8Array): Bytes {
    const sum = this.#hash(payload, this.#hash(key, 0));
    const length = ENVELOPE_BYTES + payload.length;
    const sealed = memory === undefined ? new Uint8Array(length) : memory.subarray(0, length);
    sealed[0] = ENVELOPE_VERSION;
    sealed[1] = sum >>> 24;
    sealed[2] = sum >>> 16;
    sealed[3] = sum >>> 8;
    sealed[4] = sum;
    sealed.set(payload, ENVELOPE_BYTES);
    return sealed;
  }

  /**
   * The payload, as a view of `sealed`, not a copy.
   * @throws CorruptionError `CHECKSUM` when these are not the bytes that were sealed under this key.
   */
  open(key: Bytes, sealed: Bytes): Bytes {
    if (sealed.length < ENVELOPE_BYTES || sealed[0] !== ENVELOPE_VERSION) throw corrupt(key, 'has no valid envelope');
    // Not `subarray`: of a Buffer that would be another Buffer, with another `slice`.
    const payload = new Uint8Array(sealed.buffer, sealed.byteOffset + ENVELOPE_BYTES, sealed.length - ENVELOPE_BYTES);
    const sum = this.#hash(payload, this.#hash(key, 0));
    const stored = (sealed[1]! << 24) | (sealed[2]! << 16) | (sealed[3]! << 8) | sealed[4]!;
    if ((sum | 0) !== stored) throw corrupt(key, 'does not match its checksum');
    return payload;
  }
}

function corrupt(key: Bytes, what: string): CorruptionError {
  const hex = toHex(key);
  return new CorruptionError('CHECKSUM', `The stored value of key ${hex} ${what}: it is not what was written.`, {
    details: { key: hex },
  });
}
