/**
 * Clocks, random numbers and scheduling come from outside through `Env`, so that tests can replay a seed and browsers
 * can run the engine.
 */
import { yieldTurn } from '@quadrille/model';

/** The environment of the engine: clock, random numbers, timers. Tests replace it. */
export interface Env {
  /** Wall clock, in milliseconds since 1970. */
  now(): number;
  /** Monotonic clock for durations, in milliseconds with fractions. */
  ticks(): number;
  /** Fills the array with random bytes and returns it. */
  random(bytes: Uint8Array): Uint8Array;
  /** Resolves after the event loop has made a turn. */
  yieldTurn(): Promise<void>;
}

/** The clocks, random numbers and scheduling of the platform, for Node.js and browsers. */
export function platformEnv(): Env {
  return {
    now: () => Date.now(),
    ticks: () => performance.now(),
    random: pooledRandom(),
    yieldTurn,
  };
}

const POOL_BYTES = 4096;

// Each call of getRandomValues takes microseconds, and every commit needs a few bytes.
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
    // Bytes that were handed out must not stay in memory.
    pool.fill(0, used, used + bytes.length);
    used += bytes.length;
    return bytes;
  };
}

/** Rows processed per time slice; random access to this many takes about 1 ms. */
const SLICE_ROWS = 1 << 14;

/** Throws where work has to end. */
export type EndSignal = Pick<AbortSignal, 'throwIfAborted'>;

/**
 * Cuts long work into slices of `sliceMs` milliseconds. `due()` tells whether the slice is over, `pause()` yields to
 * the event loop.
 */
export class Pacer {
  #sliceEnd: number;
  /** Called after each slice. */
  onPause: (() => void) | undefined;

  constructor(
    private readonly env: Env,
    private readonly sliceMs = 4,
    private readonly signal?: EndSignal,
  ) {
    this.#sliceEnd = env.ticks() + sliceMs;
  }

  /** Whether the event loop should get its turn. */
  due(): boolean {
    return this.env.ticks() >= this.#sliceEnd;
  }

  /** @throws where the work has to end */
  check(): void {
    this.signal?.throwIfAborted();
  }

  /** Gives the event loop its turn. */
  async pause(): Promise<void> {
    this.check();
    this.onPause?.();
    await this.env.yieldTurn();
    this.#sliceEnd = this.env.ticks() + this.sliceMs;
  }

  /** Calls `step` for portions of `atOnce` rows, from row 0 to `rows`, and pauses between them when due. */
  async rows(rows: number, step: (start: number, end: number) => void, atOnce: number = SLICE_ROWS): Promise<void> {
    for (let at = 0; at < rows; at += atOnce) {
      step(at, Math.min(at + atOnce, rows));
      if (this.due()) await this.pause();
    }
  }
}

/** What long work asks between its steps. */
export type Breaks = Pick<Pacer, 'due' | 'pause'>;
/** Of work that is too short for a pause. */
export const NO_BREAKS: Breaks = { due: () => false, pause: () => Promise.resolve() };
