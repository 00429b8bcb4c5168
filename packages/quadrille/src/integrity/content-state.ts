/**
 * The content hash: LtHash16 (Lewi, Kim, Maykov and Weis, "Securing Update Propagation with Homomorphic Hashing", 2019). Each quad has
 * 1,024 numbers of 16 bits, the SHAKE128 of its canonical line of N-Quads. The state is their sum, so a quad is added and taken away
 * in constant time, and the order of quads does not matter.
 */
import type { Hashes } from './hashes.js';
import type { Lines } from './line-hash.js';
import { STATE_NUMBERS } from './line-hash.js';

export class ContentState {
  /** Little-endian, as in memory on every platform of JavaScript. */
  readonly #numbers = new Uint16Array(STATE_NUMBERS);

  /** Of no quads, or a state that {@link bytes} has told. */
  constructor(
    private readonly hashes: Hashes,
    state?: Uint8Array,
  ) {
    if (state !== undefined) this.#bytes.set(state);
  }

  /** Adds quads and takes others away, by their canonical lines of N-Quads. */
  change(lines: Lines): void {
    this.hashes.changeBy(this.#numbers, lines);
  }

  get #bytes(): Uint8Array {
    return new Uint8Array(this.#numbers.buffer);
  }

  /** The state, 2,048 bytes: a copy. */
  bytes(): Uint8Array {
    return this.#bytes.slice();
  }

  /** The content hash, 32 bytes: SHA-256 of the state. */
  hash(): Uint8Array {
    return this.hashes.sha256(this.#bytes);
  }
}
