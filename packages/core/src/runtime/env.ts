/** The one port through which time and chance come in, so that tests can replay a seed and browsers can run the engine. */
import { yieldTurn } from '@quadrille/model';

export interface Env {
  /** Wall clock, milliseconds since 1970. */
  now(): number;
  /** Monotonic clock for measuring, milliseconds with fractions. */
  ticks(): number;
  /** Fills with random bytes. */
  random(bytes: Uint8Array): Uint8Array;
  /** Resolves after the event loop had a turn. */
  yieldTurn(): Promise<void>;
}

/** The platform's own clock, randomness and scheduling; works in Node and in browsers. */
export function platformEnv(): Env {
  return {
    now: () => Date.now(),
    ticks: () => performance.now(),
    random: pooledRandom(),
    yieldTurn,
  };
}

const POOL_BYTES = 4096;

// Asking the system costs microseconds each time, and every commit needs a few bytes.
function pooledRandom(): (bytes: Uint8Array) => Uint8Array {
  const pool = new Uint8Array(POOL_BYTES);
  let used = POOL_BYTES;
  return (bytes) => {
    if (bytes.length > POOL_BYTES / 4) return crypto.getRandomValues(bytes as Uint8Array<ArrayBuffer>);
    if (used + bytes.length > POOL_BYTES) {
      crypto.getRandomValues(pool);
      used = 0;
    }
    bytes.set(pool.subarray(used, used + bytes.length));
    // What was handed out must not be found in memory again.
    pool.fill(0, used, used + bytes.length);
    used += bytes.length;
    return bytes;
  };
}

/** So many rows, touched here and there in memory, take about a millisecond. */
const SLICE_ROWS = 1 << 14;

/** Cuts long work into slices: `due()` says that the slice is over, `pause()` lets the event loop have a turn. */
export class Pacer {
  #sliceEnd: number;
  /** Called after each slice. */
  onPause: (() => void) | undefined;

  constructor(
    private readonly env: Env,
    private readonly sliceMs = 4,
    private readonly signal?: AbortSignal,
  ) {
    this.#sliceEnd = env.ticks() + sliceMs;
  }

  due(): boolean {
    return this.env.ticks() >= this.#sliceEnd;
  }

  async pause(): Promise<void> {
    this.signal?.throwIfAborted();
    this.onPause?.();
    await this.env.yieldTurn();
    this.#sliceEnd = this.env.ticks() + this.sliceMs;
  }

  /** Goes through `rows` rows from `start` up to `end` at a time, and pauses when it is due. */
  async rows(rows: number, step: (start: number, end: number) => void, atOnce: number = SLICE_ROWS): Promise<void> {
    for (let at = 0; at < rows; at += atOnce) {
      step(at, Math.min(at + atOnce, rows));
      if (this.due()) await this.pause();
    }
  }
}
