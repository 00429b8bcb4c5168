/**
 * Measures repeated passes and takes the fastest one, after a first pass that fills the caches. Other work on the
 * machine makes a pass slower, never faster.
 */
import { timed } from '../measure.js';
import type { Figures } from '../workload.js';
import { figure } from '../workload.js';

export interface Passes {
  readonly name: string;
  readonly unit: string;
  /** Number of counted operations in a pass. */
  readonly times: number;
  /** Number of measured passes. Default 7. */
  readonly count?: number;
}

export async function warmRate(passes: Passes, pass: () => Promise<number>): Promise<Figures> {
  return { [passes.name]: figure(passes.times / (await fastest(passes, pass)), passes.unit) };
}

/** Seconds of the fastest pass. Every pass must return the same result. */
export async function fastest({ name, count = 7 }: Passes, pass: () => Promise<number>): Promise<number> {
  const expected = await pass();
  let least = Infinity;
  for (let n = 0; n < count; n++) {
    const { result, seconds } = await timed(pass);
    if (result !== expected) throw new Error(`${name}: ${expected} rows, then ${result}`);
    least = Math.min(least, seconds);
  }
  return least;
}
