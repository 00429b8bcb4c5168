/** The progress of `quadrille bench`: a line on a terminal that is updated; elsewhere only failures. */
import type { Shell } from '../shell.js';

const CLEAR_LINE = '\r\u001B[2K';

export interface BenchProgress {
  readonly say: (what: string) => void;
  /** Removes the line. */
  readonly end: () => Promise<void>;
}

export function benchProgress(shell: Shell, quiet: boolean): BenchProgress {
  if (quiet || !shell.isTerminal.stderr) return { say: () => undefined, end: () => Promise.resolve() };
  let pending: Promise<void> = Promise.resolve();
  const write = (text: string): void => {
    pending = pending.then(() => shell.stderr.write(text));
    // end() reports a failed write. Until then the rejection must not count as unhandled.
    pending.catch(() => undefined);
  };
  return {
    say: (what) => write(CLEAR_LINE + what.slice(0, shell.columns - 1)),
    end: async () => {
      write(CLEAR_LINE);
      await pending;
    },
  };
}
