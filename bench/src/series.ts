/** The figures of the backends, run by run. Differing answers stop the benchmark. */
import type { Answer } from './sparql/answer.js';
import type { Outcome } from './worker.js';
import type { Figure, Meters } from './workload.js';

/** One figure of one backend. */
export interface Series {
  readonly backend: string;
  readonly figure: string;
  readonly values: Figure[];
  readonly meters: Meters[];
  /** Whether one of the runs was given up. */
  atLeast: boolean;
}

const keyOf = (backend: string, figure: string): string => `${backend}\n${figure}`;

export function seriesOf(all: ReadonlyMap<string, Series>, backend: string, figure: string): Series | undefined {
  return all.get(keyOf(backend, figure));
}

type Check = (all: Map<string, Series>, series: Series, value: Figure) => void;

export function noteOutcome(
  all: Map<string, Series>,
  backend: string,
  outcome: Outcome,
  check: Check = checkAnswers,
): void {
  for (const [figure, value] of Object.entries(outcome.figures)) {
    const key = keyOf(backend, figure);
    const series = all.get(key) ?? { backend, figure, values: [], meters: [], atLeast: false };
    series.values.push(value);
    series.meters.push(value.meters ?? outcome);
    series.atLeast ||= value.atLeast === true;
    all.set(key, series);
    check(all, series, value);
  }
}

/** Throws if two backends gave different answers. */
export function checkAnswers(
  all: ReadonlyMap<string, Series>,
  { backend, figure }: Series,
  { answers = [] }: Figure,
): void {
  for (const other of all.values()) {
    if (other.figure !== figure) continue;
    const difference = answersDiffer(other.values[0]?.answers ?? [], answers);
    if (difference === undefined) continue;
    const { text, expected, found } = difference;
    throw new Error(`${figure}, text ${text}: ${other.backend} answered ${expected}, ${backend} ${found}`);
  }
}

/** Removes figures with other answers and names them: native stores are not ours to correct. */
export function leaveOutDiffering(named: (what: string) => void): Check {
  return (all, series, value) => {
    try {
      checkAnswers(all, series, value);
    } catch (error) {
      all.delete(keyOf(series.backend, series.figure));
      named((error as Error).message);
    }
  };
}

export interface Difference {
  /** Index of the text, for queries with several texts. */
  readonly text: number;
  readonly expected: string;
  readonly found: string;
}

/** The first text that both answered differently. */
export function answersDiffer(expected: readonly Answer[], found: readonly Answer[]): Difference | undefined {
  for (const [text, { rows, digest }] of found.entries()) {
    const other = expected[text];
    if (other === undefined || (other.rows === rows && other.digest === digest)) continue;
    const others = other.rows === rows ? `${rows} others` : rowsOf(rows);
    return { text, expected: rowsOf(other.rows), found: others };
  }
  return undefined;
}

const rowsOf = (rows: number): string => `${rows.toLocaleString('en-US')} ${rows === 1 ? 'row' : 'rows'}`;
