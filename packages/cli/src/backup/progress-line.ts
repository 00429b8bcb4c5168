/** A line on a terminal that says how far something has come. */
import type { Shell } from '../shell.js';

const INTERVAL_MS = 100;
const CLEAR_LINE = '\r\u001B[2K';

export interface ProgressLine {
  readonly show: (text: string) => void;
  /** Removes the line. */
  readonly end: () => Promise<void>;
}

/** Without a terminal nothing is shown. */
export function progressLine({ stderr, isTerminal, columns }: Shell): ProgressLine {
  let nextAt = 0;
  let pending: Promise<void> = Promise.resolve();
  if (!isTerminal.stderr) return { show: () => undefined, end: () => pending };
  return {
    show(text) {
      const now = performance.now();
      if (now < nextAt) return;
      nextAt = now + INTERVAL_MS;
      pending = pending.then(() => stderr.write(CLEAR_LINE + text.slice(0, columns - 1)));
      pending.catch(() => undefined);
    },
    async end() {
      await pending;
      await stderr.write(CLEAR_LINE);
    },
  };
}
