/** Timers of both platforms. */

/** Lets the process end before the timer. A timer of a browser is a number, and keeps nothing open. */
export function unref<T extends object | number>(timer: T): T {
  if (typeof timer === 'object') (timer as { unref?: () => unknown }).unref?.();
  return timer;
}

/** Resolves after a time; rejects with the reason of the signal. */
export function delay(timeMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    }, timeMs);
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
