/** The progress of a load: a line on a terminal that is updated, or JSON lines. */
import type { LoadProgress } from 'quadrille';
import { bytes } from './lines.js';
import type { Shell } from './shell.js';

const TERMINAL_INTERVAL_MS = 100;
const JSON_INTERVAL_MS = 500;
const CLEAR_LINE = '\r\u001B[2K';

export interface ProgressReport {
  readonly report: ((progress: LoadProgress) => void) | undefined;
  /** Removes the line and waits for the output. */
  readonly end: () => Promise<void>;
}

/** On a terminal a line on standard error, under `--json` objects on standard output, otherwise nothing. */
export function startProgress(shell: Shell, file: string, json: boolean): ProgressReport {
  if (json)
    return throttled(
      JSON_INTERVAL_MS,
      (progress) => shell.stdout.json(progress),
      () => Promise.resolve(),
    );
  if (!shell.isTerminal.stderr) return { report: undefined, end: () => Promise.resolve() };
  return throttled(
    TERMINAL_INTERVAL_MS,
    (progress) => shell.stderr.write(CLEAR_LINE + progressLine(file, progress).slice(0, shell.columns - 1)),
    () => shell.stderr.write(CLEAR_LINE),
  );
}

export function progressLine(file: string, progress: LoadProgress): string {
  const { phase, bytesRead, bytesTotal, quads, fraction } = progress;
  const share = fraction === undefined ? '' : `${String(Math.floor(fraction * 100)).padStart(3)} %  `;
  const read = bytesTotal === undefined ? bytes(bytesRead) : `${bytes(bytesRead)} of ${bytes(bytesTotal)}`;
  return `${share}${file}: ${phase}, ${read}, ${String(quads)} quads`;
}

/** Passes the first report of each interval, every change of phase, and the last report. */
function throttled(
  intervalMs: number,
  write: (progress: LoadProgress) => Promise<void>,
  clear: () => Promise<void>,
): ProgressReport {
  let nextAt = 0;
  let phase: string | undefined;
  let pending: Promise<void> = Promise.resolve();
  return {
    report(progress) {
      const now = performance.now();
      if (now < nextAt && progress.phase === phase) return;
      nextAt = now + intervalMs;
      phase = progress.phase;
      pending = pending.then(() => write(progress));
      // end() reports a failed write. Until then the rejection must not count as unhandled.
      pending.catch(() => undefined);
    },
    async end() {
      await pending;
      await clear();
    },
  };
}
