/**
 * The content hash: LtHash16 (Lewi, Kim, Maykov and Weis, "Securing Update Propagation with Homomorphic Hashing", 2019). Each quad has
 * 1,024 numbers of 16 bits, the SHAKE128 of its canonical line of N-Quads. The state is their sum, so a quad is added and taken away
 * in constant time, and the order of quads does not matter.
 */
import type { Hashes } from './hashes.js';
import type { Lines, LineThread } from './line-hash.js';
import { STATE_NUMBERS } from './line-hash.js';

/** Gives lines in batches. */
export type ReadLines = (take: (lines: Lines) => Promise<void> | undefined) => Promise<void>;

/** Lines from which on a thread is worth its start. */
const THREAD_LINES = 50_000;

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

  /**
   * Adds quads and takes others away, by their canonical lines of N-Quads. Where they are many, a thread
   * hashes them. Returns their number.
   */
  async change(read: ReadLines): Promise<number> {
    const { openThread, changeBy } = this.hashes;
    let count = 0;
    let thread: LineThread | undefined;
    const inThread = async (lines: Lines): Promise<void> => {
      thread = await openThread?.();
      if (thread === undefined) changeBy(this.#numbers, lines);
      else await thread.add(lines);
    };
    try {
      await read((lines) => {
        const before = count;
        count += lines.count;
        if (before < THREAD_LINES && count >= THREAD_LINES) return inThread(lines);
        if (thread !== undefined) return thread.add(lines);
        changeBy(this.#numbers, lines);
        return undefined;
      });
      const sum = await thread?.sum();
      if (sum !== undefined) for (let i = 0; i < STATE_NUMBERS; i++) this.#numbers[i]! += sum[i]!;
      return count;
    } finally {
      await thread?.close();
    }
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
