/** Measures a rate until it is steady: short where calls are alike, longer where they are not. */
import { RunningMean } from './report/statistics.js';

const WARM_MS = 80;
const SLICE_MS = 40;
const LEAST_SLICES = 3;
/** A slower call is measured once. */
const MOST_MS = 240;
/** Relative standard error at which the measurement ends. */
const STEADY = 0.02;

/** Calls per second, one call after the other, measured after a warm-up. */
export async function steadyRate(call: () => Promise<void>): Promise<number> {
  await callFor(WARM_MS, call);
  const rates = new RunningMean();
  let [calls, ms] = [0, 0];
  do {
    const slice = await callFor(SLICE_MS, call);
    rates.add(slice.calls / slice.ms);
    calls += slice.calls;
    ms += slice.ms;
  } while (ms < MOST_MS && (rates.count < LEAST_SLICES || rates.error > STEADY));
  return (calls / ms) * 1000;
}

async function callFor(most: number, call: () => Promise<void>): Promise<{ calls: number; ms: number }> {
  const start = performance.now();
  let calls = 0;
  do {
    await call();
    calls++;
  } while (performance.now() - start < most);
  return { calls, ms: performance.now() - start };
}
