/**
 * Memory for columns, and what scores them. A WebAssembly module does it with vectors (see assembly/), and JavaScript where the platform has
 * none or the page may not compile modules.
 */
import { KERNEL_MODULE } from './kernel-module.js';

const PAGE_BYTES = 65_536;
const ALIGNED = 16;

/** A part of the memory with room for some vectors. */
export interface Segment {
  /** Where it begins. */
  readonly start: number;
  /** Bytes of a vector: a multiple of 16. */
  readonly width: number;
  /** How many vectors it has room for. Their factors and their errors are behind them. */
  readonly capacity: number;
}

export interface Kernel {
  /** Another one after each {@link reserve}. */
  readonly buffer: ArrayBuffer;
  /** Adds bytes to the memory. Returns where they begin. */
  reserve(bytes: number): number;
  /** Writes a number for each of the first vectors: its product with the query, times scale and its factor, plus its error. */
  score(query: number, segment: Segment, count: number, scale: number, out: number): void;
}

let compiled: WebAssembly.Module | undefined;

/** The quickest one that the platform has. */
export function newKernel(): Kernel {
  try {
    return vectorKernel();
  } catch {
    return portableKernel();
  }
}

const aligned = (bytes: number): number => Math.ceil(bytes / ALIGNED) * ALIGNED;

/** By the WebAssembly module. @throws if there is no WebAssembly with vectors */
export function vectorKernel(): Kernel {
  compiled ??= new WebAssembly.Module(Uint8Array.from(atob(KERNEL_MODULE), (char) => char.charCodeAt(0)));
  const { memory, freeStart, score } = new WebAssembly.Instance(compiled).exports as unknown as {
    readonly memory: WebAssembly.Memory;
    freeStart(): number;
    score(
      query: number,
      width: number,
      segment: number,
      capacity: number,
      count: number,
      scale: number,
      out: number,
    ): void;
  };
  let used = aligned(freeStart());
  return {
    get buffer() {
      return memory.buffer as ArrayBuffer;
    },
    reserve(bytes) {
      const start = used;
      const lacking = start + bytes - memory.buffer.byteLength;
      if (lacking > 0) memory.grow(Math.ceil(lacking / PAGE_BYTES));
      used = aligned(start + bytes);
      return start;
    },
    score: (query, { width, start, capacity }, count, scale, out) =>
      score(query, width, start, capacity, count, scale, out),
  };
}

/** In JavaScript. It takes about ten times as long. */
export function portableKernel(): Kernel {
  let buffer = new ArrayBuffer(PAGE_BYTES);
  let used = 0;
  return {
    get buffer() {
      return buffer;
    },
    reserve(bytes) {
      const start = used;
      used = aligned(start + bytes);
      if (used > buffer.byteLength) {
        const grown = new ArrayBuffer(Math.max(used, buffer.byteLength * 2));
        new Uint8Array(grown).set(new Uint8Array(buffer));
        buffer = grown;
      }
      return start;
    },
    score(query, { width, start, capacity }, count, scale, out) {
      const numbers = new Int16Array(buffer, query, width);
      const vectors = new Int8Array(buffer, start, count * width);
      const factors = new Float32Array(buffer, start + capacity * width, capacity * 2);
      const scores = new Float32Array(buffer, out, count);
      for (let i = 0, at = 0; i < count; i++) {
        let sum = 0;
        for (let j = 0; j < width; j++) sum += vectors[at++]! * numbers[j]!;
        scores[i] = sum * factors[i]! * scale + factors[capacity + i]!;
      }
    },
  };
}
