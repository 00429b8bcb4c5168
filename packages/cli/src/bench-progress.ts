/** What `quadrille bench` is doing: a line that rewrites itself on a terminal, otherwise only what failed. */
import type { Shell } from './shell.js';

const CLEAR_LINE = '\r\u001B[2K';

export interface BenchProgress {
  readonly say: (what: string) => void;
  /** Takes the line away. */
  readonly end: () => Promise<void>;
}

export function benchProgress(shell: Shell, quiet: boolean): BenchProgress {
  if (quiet || !shell.isTerminal.stderr) return { say: () => undefined, end: () => Promise.resolve() };
  let pending: Promise<void> = Promise.resolve();
  const write = (text: string): void => {
    pending = pending.then(() => shell.stderr.write(text));
    // A failure to write is met by whoever awaits end(); until then it must not count as unhandled.
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
