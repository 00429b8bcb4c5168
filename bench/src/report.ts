/** The lines of a report: one object each as JSON, or tables. */
import { columnsTable } from './report-columns.js';
import type { Spread } from './statistics.js';
import type { Workload } from './workload.js';

export interface Line extends Spread {
  /** Who was measured; `quadrille/x` or `x/quadrille` for a comparison with x. */
  readonly backend: string;
  /** Workload and figure. */
  readonly workload: string;
  readonly unit: string;
  /** Medians of the whole process; 0 for a comparison, which has no process. */
  readonly cpuSeconds: number;
  readonly peakBytes: number;
  /** It was given up: the true value is greater. */
  readonly atLeast?: boolean;
}

export interface Report {
  add(lines: readonly Line[], layout?: Workload['layout']): void;
}

export function jsonReport(print: (line: string) => void): Report {
  return {
    add: (lines) => {
      for (const { backend, workload, unit, median, min, max, cpuSeconds, peakBytes, atLeast } of lines) {
        print(JSON.stringify({ backend, workload, unit, median, min, max, cpuSeconds, peakBytes, atLeast }));
      }
    },
  };
}

const HEADINGS = ['workload', 'backend', 'median', 'min', 'max', 'unit', 'CPU s', 'peak MB'];
const WIDTHS = [40, 30, 11, 11, 11, 16, 7, 8];
const LEFT = new Set([0, 1, 5]);

/** Rows come as they are measured, so the widths are fixed. */
export function tableReport(print: (line: string) => void): Report {
  const row = (cells: readonly string[]): string =>
    cells
      .map((cell, i) => (LEFT.has(i) ? cell.padEnd(WIDTHS[i]!) : cell.padStart(WIDTHS[i]!)))
      .join('  ')
      .trimEnd();
  let headed = false;
  const head = (): void => {
    if (headed) return;
    headed = true;
    print(row(HEADINGS));
    print(row(WIDTHS.map((width) => '-'.repeat(width))));
  };
  return {
    add: (lines, layout) => {
      if (layout === 'columns') {
        headed = false;
        return columnsTable(lines).forEach(print);
      }
      head();
      for (const line of lines) {
        const process =
          line.peakBytes === 0 ? ['', ''] : [line.cpuSeconds.toFixed(1), (line.peakBytes / 1e6).toFixed(0)];
        const { workload, backend, min, max, unit } = line;
        print(row([workload, backend, medianOf(line), readable(min), readable(max), unit, ...process]));
      }
    },
  };
}

export const medianOf = ({ median, atLeast }: Line): string => `${atLeast === true ? '> ' : ''}${readable(median)}`;

/** Four digits that count, thousands apart. */
export function readable(value: number): string {
  const digits = Math.abs(value) >= 1000 || value === 0 ? 0 : Math.max(0, 3 - Math.floor(Math.log10(Math.abs(value))));
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
