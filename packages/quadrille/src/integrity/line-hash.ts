/**
 * Adds the hashes of lines to a state of the content hash. A WebAssembly module does it with vectors (see assembly/), and JavaScript where
 * the platform has none or the page may not compile modules.
 */

export const STATE_NUMBERS = 1024;
/** Memory that the module keeps after long lines, in bytes. */
const KEPT_BYTES = 1024 * 1024;
const PAGE_BYTES = 65_536;

/** Lines, one behind the other, and the bytes of each. These are negative of a line that is taken away. */
export interface Lines {
  readonly bytes: Uint8Array;
  readonly lengths: Int32Array;
  readonly count: number;
}

/** Changes the state, of {@link STATE_NUMBERS} numbers, by the hashes of lines. */
export type LineHash = (state: Uint16Array, lines: Lines) => void;

/** A thread that hashes lines, and sums up the hashes. */
export interface LineThread {
  /** Takes a copy of the lines. Waits where the thread falls behind. */
  add(lines: Lines): Promise<void>;
  /** The sum of the hashes of all lines. */
  sum(): Promise<Uint16Array>;
  close(): Promise<void>;
}

let loaded: LineHash | undefined;

/** Loads what hashes lines. */
export async function loadLineHash(): Promise<LineHash> {
  return (loaded ??= await vectorLineHash().catch(portableLineHash));
}

/** The WebAssembly module. Rejects if there is no WebAssembly with vectors. */
export async function compiledLineHash(): Promise<WebAssembly.Module> {
  const { LINE_HASH_MODULE } = await import('./line-hash-module.js');
  return new WebAssembly.Module(Uint8Array.from(atob(LINE_HASH_MODULE), (char) => char.charCodeAt(0)));
}

/** By the WebAssembly module. */
export async function vectorLineHash(): Promise<LineHash> {
  const compiled = await compiledLineHash();
  let hasher = new VectorHasher(compiled);
  return (state, lines) => {
    hasher.add(state, lines);
    if (hasher.memoryBytes > KEPT_BYTES) hasher = new VectorHasher(compiled);
  };
}

interface ModuleExports {
  readonly memory: WebAssembly.Memory;
  sumStart(): number;
  freeStart(): number;
  hashLines(lengths: number, count: number, lines: number): void;
}

class VectorHasher {
  readonly #exports: ModuleExports;
  readonly #sum: number;
  readonly #free: number;

  constructor(compiled: WebAssembly.Module) {
    this.#exports = new WebAssembly.Instance(compiled).exports as unknown as ModuleExports;
    this.#sum = this.#exports.sumStart();
    this.#free = this.#exports.freeStart();
  }

  get memoryBytes(): number {
    return this.#exports.memory.buffer.byteLength;
  }

  add(state: Uint16Array, { bytes, lengths, count }: Lines): void {
    const { memory, hashLines } = this.#exports;
    const lengthsAt = this.#free;
    const linesAt = lengthsAt + count * lengths.BYTES_PER_ELEMENT;
    const lacking = linesAt + bytes.length - this.memoryBytes;
    if (lacking > 0) memory.grow(Math.ceil(lacking / PAGE_BYTES));
    const sum = new Uint16Array(memory.buffer, this.#sum, STATE_NUMBERS);
    sum.set(state);
    new Int32Array(memory.buffer, lengthsAt, count).set(lengths.subarray(0, count));
    new Uint8Array(memory.buffer).set(bytes, linesAt);
    hashLines(lengthsAt, count, linesAt);
    state.set(sum);
  }
}

/** In JavaScript. It takes about thirty times as long. */
export async function portableLineHash(): Promise<LineHash> {
  const { shake128 } = await import('@noble/hashes/sha3.js');
  return (state, { bytes, lengths, count }) => {
    let start = 0;
    for (let line = 0; line < count; line++) {
      const end = start + Math.abs(lengths[line]!);
      const hash = shake128(bytes.subarray(start, end), { dkLen: state.byteLength });
      const numbers = new Uint16Array(hash.buffer, hash.byteOffset, state.length);
      const sign = lengths[line]! < 0 ? -1 : 1;
      for (let i = 0; i < state.length; i++) state[i]! += sign * numbers[i]!;
      start = end;
    }
  };
}
