/** The lines of a report: as one JSON object each, or as tables. */
import { columnsTable } from './report-columns.js';
import type { Spread } from './statistics.js';
import type { Bound, Workload } from '../workload.js';

export interface Line extends Spread {
  /** The measured store; `quadrille/x` or `x/quadrille` for a comparison with x. */
  readonly backend: string;
  /** Workload and figure. */
  readonly workload: string;
  /** The unit of the figures. */
  readonly unit: string;
  /** Medians of the whole process; 0 for a comparison, which has no process. */
  readonly cpuSeconds: number;
  /** The greatest memory of the process, in bytes. 0 for a comparison. */
  readonly peakBytes: number;
  /** Whether the run was given up, so that the true value is greater. */
  readonly atLeast?: boolean;
  /** The bound that the median must keep. */
  readonly bound?: Bound;
}

export interface Report {
  add(lines: readonly Line[], workload?: Pick<Workload, 'layout' | 'verdicts'>): void;
}

export function jsonReport(print: (line: string) => void): Report {
  return {
    add: (lines, workload) => {
      for (const line of lines) {
        const { backend, workload, unit, median, min, max, cpuSeconds, peakBytes, atLeast, bound } = line;
        const kept = bound === undefined ? undefined : isKept(line);
        print(
          JSON.stringify({ backend, workload, unit, median, min, max, cpuSeconds, peakBytes, atLeast, bound, kept }),
        );
      }
      for (const verdict of workload?.verdicts?.(lines) ?? []) print(JSON.stringify({ verdict }));
    },
  };
}

const HEADINGS = ['workload', 'backend', 'median', 'min', 'max', 'unit', 'CPU s', 'peak MB', 'bound'];
const WIDTHS = [40, 30, 11, 11, 11, 16, 7, 8, 5];
const LEFT = new Set([0, 1, 5, 8]);

/** Prints rows while they are measured, so the widths of the columns are fixed. */
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
    add: (lines, { layout, verdicts } = {}) => {
      const conclude = (): void => verdicts?.(lines).forEach(print);
      if (layout === 'columns') {
        headed = false;
        columnsTable(lines).forEach(print);
        return conclude();
      }
      head();
      for (const line of lines) {
        const process =
          line.peakBytes === 0 ? ['', ''] : [line.cpuSeconds.toFixed(1), (line.peakBytes / 1e6).toFixed(0)];
        const { workload, backend, min, max, unit } = line;
        print(row([workload, backend, medianOf(line), readable(min), readable(max), unit, ...process, boundOf(line)]));
      }
      conclude();
    },
  };
}

/** Whether the median is within its bound; true without a bound. */
export function isKept({ median, bound }: Line): boolean {
  if (bound === undefined) return true;
  return 'most' in bound ? median <= bound.most : median >= bound.least;
}

function boundOf(line: Line): string {
  const { bound } = line;
  if (bound === undefined) return '';
  const text = 'most' in bound ? `<= ${readable(bound.most)}` : `>= ${readable(bound.least)}`;
  return isKept(line) ? text : `${text} MISSED`;
}

export const medianOf = ({ median, atLeast }: Line): string => `${atLeast === true ? '> ' : ''}${readable(median)}`;

/** A number with four significant digits and separators of thousands. */
export function readable(value: number): string {
  const digits = Math.abs(value) >= 1000 || value === 0 ? 0 : Math.max(0, 3 - Math.floor(Math.log10(Math.abs(value))));
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
