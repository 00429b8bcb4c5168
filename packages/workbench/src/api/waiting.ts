/** Waiting for a server that is out of reach, or busy. */
import { signal } from '@preact/signals';
import { asProblem, type Problem } from './errors.js';

/** Whether the last request reached the server. */
export const online = signal(true);

/** What the page waits for: when the server may be asked again, as a time of the clock of the page. */
export const busyUntil = signal<number | undefined>(undefined);

/** The number of attempts of one request. */
export const MOST_ATTEMPTS = 8;
/** A server that names a longer time is not waited for: the user decides. */
const LONGEST_WAIT_S = 60;

/** Whether the same request may succeed later: the server was out of reach, or has said when to come again. */
export const isPassing = ({ code, retryAfter = Number.NaN }: Problem): boolean =>
  code === 'OFFLINE' || retryAfter <= LONGEST_WAIT_S;

/**
 * Waits until a request that has failed can be sent again: longer after each attempt, as many may wait for a busy server.
 * @param attempt how often it was sent
 * @returns false where another attempt would fail like this one, and at once
 * @throws AbortError on the signal
 */
export async function isWorthAgain(error: unknown, attempt: number, aborted?: AbortSignal): Promise<boolean> {
  const problem = asProblem(error);
  if (!isPassing(problem)) return false;
  aborted?.throwIfAborted();
  await (problem.code === 'OFFLINE'
    ? reached(aborted)
    : passed((problem.retryAfter ?? 1) * 500 * (attempt + 1), aborted));
  return true;
}

/** Resolves when the server can be reached. */
function reached(aborted?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = online.subscribe((now) => {
      if (!now) return;
      resolve();
      // The first call comes before `subscribe` returns.
      queueMicrotask(() => end());
    });
    aborted?.addEventListener('abort', () => (end(), reject(aborted.reason as Error)), { once: true });
  });
}

/** Resolves after some time, about which the page tells the user. */
function passed(ms: number, aborted?: AbortSignal): Promise<void> {
  const until = performance.now() + ms;
  busyUntil.value = Math.max(busyUntil.peek() ?? 0, until);
  return new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    aborted?.addEventListener('abort', () => (clearTimeout(timer), reject(aborted.reason as Error)), { once: true });
  }).finally(() => {
    if (busyUntil.peek() === until) busyUntil.value = undefined;
  });
}
