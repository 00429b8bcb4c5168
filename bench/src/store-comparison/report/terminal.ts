/** A short report for a terminal: the verdicts, and a table of all kinds of work. */
import type { ComparisonReport } from '../comparison-report.js';
import { scoresOf, times, verdictText } from '../verdict.js';
import { WORK_KINDS } from '../work-kinds.js';
import { busyNote, capital, endedNote, ratioTitle } from './cells.js';

/** Writes a report as text for a terminal. */
export function terminalReport(report: ComparisonReport): string {
  const { overall, verdicts, stores, measurements, failures } = report;
  const scores = stores.map(({ name }) => scoresOf(name, measurements));
  const rows = WORK_KINDS.filter(({ name }) => scores.some((each) => each.has(name))).map(({ name, title }) => [
    title,
    ...scores.map((each) => (each.has(name) ? times(1 / each.get(name)!.median) : '–')),
  ]);
  const different = measurements.filter(({ problem }) => problem !== undefined);
  return [
    overall,
    ...[endedNote(report), busyNote(report)].filter((note) => note !== undefined),
    '',
    ...verdicts.map((verdict) => `${verdict.store}: ${verdictText(verdict, stores)}`),
    '',
    `${capital(ratioTitle(stores[0]!.name))}:`,
    ...aligned([['', ...stores.map(({ name }) => name)], ...rows]),
    ...different.map(({ backend, workload, problem }) => `not compared: ${backend}, ${workload}: ${problem}`),
    ...failures.map(({ store, what, reason }) => `failed: ${store}, ${what}: ${reason}`),
  ].join('\n');
}

function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) =>
    row.map((text, n) => (n === 0 ? text.padEnd(widths[n]!) : text.padStart(widths[n]!))).join('  '),
  );
}
