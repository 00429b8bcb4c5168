/** A table with one row per figure and one column per backend. Each median is also compared with ours. */
import type { Line } from './report.js';
import { medianOf } from './report.js';

const OURS = 'quadrille';
const RATIO = /^(.+)\/quadrille$/;

export function columnsTable(lines: readonly Line[]): string[] {
  const backends = unique(lines.map(({ backend }) => RATIO.exec(backend)?.[1] ?? backend));
  const find = (backend: string, workload: string): Line | undefined =>
    lines.find((line) => line.backend === backend && line.workload === workload);
  const cell = (backend: string, workload: string): string => {
    const own = find(backend, workload);
    const ratio = find(`${backend}/${OURS}`, workload);
    const times = ratio === undefined ? '' : `×${medianOf(ratio)}`;
    return own === undefined ? times || '–' : `${medianOf(own)}  ${times.padStart(8)}`.trimEnd();
  };
  const units = new Map(lines.map(({ workload, unit }) => [workload, unit]));
  const oneUnit = new Set(units.values()).size === 1;
  const rows = [...units].map(([workload, unit]) => [
    oneUnit ? workload : `${workload} (${unit})`,
    ...backends.map((backend) => cell(backend, workload)),
  ]);
  const compared = backends.includes(OURS) ? `; ×: divided by ${OURS}'s` : '';
  return aligned([[`median${oneUnit ? `, ${lines[0]!.unit}` : ''}${compared}`, ...backends], ...rows]);
}

function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const [heading, ...others] = rows.map((row) =>
    row.map((text, column) => (column === 0 ? text.padEnd(widths[0]!) : text.padStart(widths[column]!))).join('  '),
  );
  return ['', heading!, widths.map((width) => '-'.repeat(width)).join('  '), ...others, ''];
}

const unique = (values: readonly string[]): string[] => [...new Set(values)];
