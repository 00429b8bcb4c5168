/**
 * How fast something is when it is done again and again: the fastest of several passes, after one that brings all in. What
 * else the machine does makes a pass slower, never faster.
 */
import { timed } from '../measure.js';
import type { Figures } from '../workload.js';
import { figure } from '../workload.js';

export interface Passes {
  readonly name: string;
  readonly unit: string;
  /** How often a pass does what is counted. */
  readonly times: number;
  /** Passes that count; default seven. */
  readonly count?: number;
}

export async function warmRate(passes: Passes, pass: () => Promise<number>): Promise<Figures> {
  return { [passes.name]: figure(passes.times / (await fastest(passes, pass)), passes.unit) };
}

/** Seconds of the fastest pass; every one has to find the same. */
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
