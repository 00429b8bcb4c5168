/** The lines of a report: one object each as JSON, or a table. */
import type { Spread } from './statistics.js';

export interface Line extends Spread {
  /** Who was measured; `quadrille/x` for a comparison with x. */
  readonly backend: string;
  /** Workload and figure. */
  readonly workload: string;
  readonly unit: string;
  /** Medians of the whole process; 0 for a comparison, which has no process. */
  readonly cpuSeconds: number;
  readonly peakBytes: number;
}

export interface Report {
  add(lines: readonly Line[]): void;
}

export function jsonReport(print: (line: string) => void): Report {
  return {
    add: (lines) => {
      for (const { backend, workload, unit, median, min, max, cpuSeconds, peakBytes } of lines) {
        print(JSON.stringify({ backend, workload, unit, median, min, max, cpuSeconds, peakBytes }));
      }
    },
  };
}

const HEADINGS = ['workload', 'backend', 'median', 'min', 'max', 'unit', 'CPU s', 'peak MB'];
const WIDTHS = [34, 22, 11, 11, 11, 16, 7, 8];
const LEFT = new Set([0, 1, 5]);

/** Rows come as they are measured, so the widths are fixed. */
export function tableReport(print: (line: string) => void): Report {
  const row = (cells: readonly string[]): string =>
    cells
      .map((cell, i) => (LEFT.has(i) ? cell.padEnd(WIDTHS[i]!) : cell.padStart(WIDTHS[i]!)))
      .join('  ')
      .trimEnd();
  print(row(HEADINGS));
  print(row(WIDTHS.map((width) => '-'.repeat(width))));
  return {
    add: (lines) => {
      for (const line of lines) {
        const process =
          line.peakBytes === 0 ? ['', ''] : [line.cpuSeconds.toFixed(1), (line.peakBytes / 1e6).toFixed(0)];
        const { workload, backend, median, min, max, unit } = line;
        print(row([workload, backend, readable(median), readable(min), readable(max), unit, ...process]));
      }
    },
  };
}

/** Four digits that count, thousands apart. */
export function readable(value: number): string {
  const digits = Math.abs(value) >= 1000 || value === 0 ? 0 : Math.max(0, 3 - Math.floor(Math.log10(Math.abs(value))));
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
