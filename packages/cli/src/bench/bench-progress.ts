/** The progress of `quadrille bench` on standard error: lines that stay, and on a terminal one that is updated. */
import type { Progress } from '@quadrille/bench';
import type { Shell } from '../shell.js';

const CLEAR_LINE = '\r\u001B[2K';
/** Without a terminal, a step shows only if nothing else was written for so long. In milliseconds. */
const QUIET_MS = 10_000;

export interface BenchProgress extends Progress {
  /** Removes the line that is updated. */
  readonly end: () => Promise<void>;
}

export function benchProgress(shell: Shell, quiet: boolean): BenchProgress {
  if (quiet) return { step: () => undefined, line: () => undefined, end: () => Promise.resolve() };
  const isTerminal = shell.isTerminal.stderr;
  let pending: Promise<void> = Promise.resolve();
  let [shown, timer]: [string, NodeJS.Timeout | undefined] = ['', undefined];
  const write = (text: string): void => {
    // The measurements go on if nobody reads their progress.
    pending = pending.then(() => shell.stderr.write(text)).catch(() => undefined);
  };
  const status = (): string => CLEAR_LINE + shown.slice(0, shell.columns - 1);
  // Long steps say without a terminal, too, that they still run.
  const remind = (): void => {
    clearInterval(timer);
    if (!isTerminal) timer = setInterval(() => write(`${shown}\n`), QUIET_MS).unref();
  };
  return {
    step: (what) => {
      shown = what;
      if (isTerminal) write(status());
      else if (timer === undefined) remind();
    },
    line: (text) => {
      write(isTerminal ? `${CLEAR_LINE}${text}\n${status()}` : `${text}\n`);
      remind();
    },
    end: async () => {
      clearInterval(timer);
      if (isTerminal) write(CLEAR_LINE);
      await pending;
    },
  };
}
