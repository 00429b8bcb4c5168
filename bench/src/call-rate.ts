/** Measures how often something can be done per second, one call after the other. */

export interface RateTimes {
  readonly warmMs: number;
  readonly measureMs: number;
}

/** Calls per second, measured after a warm-up. */
export async function callRate(call: () => Promise<void>, { warmMs, measureMs }: RateTimes): Promise<number> {
  for (const end = performance.now() + warmMs; performance.now() < end;) await call();
  const start = performance.now();
  let calls = 0;
  for (const end = start + measureMs; performance.now() < end; calls++) await call();
  return calls / ((performance.now() - start) / 1000);
}
