/** Work that reads stored data: it goes on without waiting as long as the data are in memory, and yields a promise where they are not. */

/** A generator whose promises the caller awaits before it goes on. A pause for other work is such a promise too. */
export type Steps<T> = Generator<Promise<void>, T, void>;

/** Makes all steps. */
export async function run<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await step.value;
  }
}
