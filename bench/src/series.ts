/** What the figures of the backends were, run by run; answers that differ stop the benchmark. */
import type { Outcome } from './worker.js';
import type { Figure, Meters } from './workload.js';

/** One figure of one backend. */
export interface Series {
  readonly backend: string;
  readonly figure: string;
  readonly values: Figure[];
  readonly meters: Meters[];
  /** One of the runs was given up. */
  atLeast: boolean;
}

const keyOf = (backend: string, figure: string): string => `${backend}\n${figure}`;

export function seriesOf(all: ReadonlyMap<string, Series>, backend: string, figure: string): Series | undefined {
  return all.get(keyOf(backend, figure));
}

export function noteOutcome(all: Map<string, Series>, backend: string, outcome: Outcome): void {
  for (const [figure, value] of Object.entries(outcome.figures)) {
    const key = keyOf(backend, figure);
    const series = all.get(key) ?? { backend, figure, values: [], meters: [], atLeast: false };
    series.values.push(value);
    series.meters.push(value.meters ?? outcome);
    series.atLeast ||= value.atLeast === true;
    all.set(key, series);
    checkAnswers(all, series, value);
  }
}

/** Refuses to compare what did not return the same answers. */
function checkAnswers(all: ReadonlyMap<string, Series>, { backend, figure }: Series, { answers = [] }: Figure): void {
  for (const other of all.values()) {
    if (other.figure !== figure) continue;
    const others = other.values[0]?.answers ?? [];
    answers.forEach(({ rows, digest }, text) => {
      const theirs = others[text];
      if (theirs === undefined || (theirs.rows === rows && theirs.digest === digest)) return;
      const found = theirs.rows === rows ? `${rows} rows, but not the same ones` : `${theirs.rows} and ${rows} rows`;
      throw new Error(`${figure}, text ${text}: ${other.backend} and ${backend} answered ${found}`);
    });
  }
}
