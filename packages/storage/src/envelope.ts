/**
 * The envelope around every stored value. Backends do not reliably detect a flipped bit: LevelDB, as classic-level
 * binds it, verifies no checksums. So each value has its own checksum. The form on disk is frozen:
 *
 *      byte 0      version, 1
 *      bytes 1..4  XXH32 of the payload, seeded with the XXH32 (seed 0) of the key; big-endian
 *      bytes 5..   payload
 *
 * The checksum covers the key, so that a value under a wrong key is detected too.
 */

import { CorruptionError } from '@quadrille/model';
import { toHex } from './bytes.js';
import { loadChecksum, type Checksum } from './checksum.js';
import type { Bytes } from './contract.js';

/** Version byte of the envelope. */
export const ENVELOPE_VERSION = 1;
/** Number of bytes that the envelope adds to a value. */
export const ENVELOPE_BYTES = 5;

/** Adds and verifies envelopes. */
export class Envelope {
  readonly #hash: Checksum;

  private constructor(hash: Checksum) {
    this.#hash = hash;
  }

  static async create(): Promise<Envelope> {
    return new Envelope(await loadChecksum());
  }

  /** Adds the envelope to a payload. The result is a new array or the start of `memory`, which must be large enough. */
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
   * Verifies the envelope and returns the payload, which is a view of `sealed`.
   * @throws CorruptionError `CHECKSUM` if the bytes differ from those that were sealed under this key
   */
  open(key: Bytes, sealed: Bytes): Bytes {
    if (sealed.length < ENVELOPE_BYTES || sealed[0] !== ENVELOPE_VERSION) throw corrupt(key, 'has no valid envelope');
    // Not `subarray`: of a Buffer it would return a Buffer, whose `slice` behaves differently.
    const payload = new Uint8Array(sealed.buffer, sealed.byteOffset + ENVELOPE_BYTES, sealed.length - ENVELOPE_BYTES);
    const sum = this.#hash(payload, this.#hash(key, 0));
    const stored = (sealed[1]! << 24) | (sealed[2]! << 16) | (sealed[3]! << 8) | sealed[4]!;
    if ((sum | 0) !== stored) throw corrupt(key, 'does not match its checksum');
    return payload;
  }
}

function corrupt(key: Bytes, what: string): CorruptionError {
  const hex = toHex(key);
  return new CorruptionError('CHECKSUM', `The stored value of key ${hex} ${what}: the data are damaged.`, {
    details: { key: hex },
  });
}
