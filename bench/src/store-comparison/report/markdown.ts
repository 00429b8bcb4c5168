/** The report as Markdown. */
import type { ComparisonReport } from '../comparison-report.js';
import type { Measurement } from '../measurements.js';
import { verdictText } from '../verdict.js';
import { WORK_KINDS } from '../work-kinds.js';
import {
  busyNote,
  endedNote,
  factsOf,
  METHOD,
  ratioText,
  ratioTitle,
  spreadText,
  storeText,
  valueText,
  workloadsOf,
} from './cells.js';

/** Writes a report as Markdown. */
export function markdownReport(report: ComparisonReport): string {
  const { stores, verdicts, overall, measurements, failures, command } = report;
  const notes = [endedNote(report), busyNote(report)].filter((note) => note !== undefined);
  const problems = measurements.filter(({ problem }) => problem !== undefined);
  return [
    '# Storage backends compared',
    overall,
    ...notes.map((note) => `**${note}**`),
    ...verdicts.map(
      (verdict) =>
        `- **${verdict.store}** (${stores.find(({ name }) => name === verdict.store)!.title}): ${verdictText(verdict, stores)}`,
    ),
    table(report),
    `Medians of the runs. In brackets: ${ratioTitle(stores[0]!.name)}.`,
    ...(problems.length + failures.length === 0 ? [] : ['## Not compared', ...notCompared(problems, failures)]),
    '## What was run',
    ...factsOf(report).map(([name, text]) => `- ${name}: ${text}`),
    ...stores.map((store) => `- ${store.name}: ${storeText(store)}`),
    '## How to repeat it',
    `\`\`\`sh\n${command}\n\`\`\``,
    '## How it was measured',
    ...METHOD.map((line) => `- ${line}`),
    ...WORK_KINDS.map(({ title, meaning }) => `- ${title}: ${meaning}`),
    spreadTable(measurements),
  ]
    .join('\n\n')
    .replace(/^(- .*)\n\n(?=- )/gm, '$1\n')
    .concat('\n');
}

function table({ stores, measurements }: ComparisonReport): string {
  const cell = (workload: string, store: string): string => {
    const found = measurements.find((one) => one.workload === workload && one.backend === store);
    if (found === undefined) return '–';
    if (found.problem !== undefined) return `${valueText(found)} (other answer)`;
    const ratio = store === stores[0]!.name ? '' : ratioText(found);
    return ratio === '' ? valueText(found) : `${valueText(found)} (${ratio})`;
  };
  return markdownTable(
    ['', ...stores.map(({ name }) => name)],
    workloadsOf(measurements).map((workload) => [workload, ...stores.map(({ name }) => cell(workload, name))]),
  );
}

function spreadTable(measurements: readonly Measurement[]): string {
  return markdownTable(
    ['workload', 'store', 'median', 'least – greatest', 'CPU s', 'peak MB', 'runs'],
    measurements.map((one) => [
      one.workload,
      one.backend,
      valueText(one),
      spreadText(one),
      one.cpuSeconds.toFixed(2),
      (one.peakBytes / 1e6).toFixed(0),
      String(one.runs),
    ]),
  );
}

function notCompared(problems: readonly Measurement[], failures: ComparisonReport['failures']): string[] {
  return [
    ...problems.map(({ backend, workload, problem }) => `- ${backend}, ${workload}: ${problem}`),
    ...failures.map(({ store, what, reason }) => `- ${store}, ${what}: ${reason}`),
  ];
}

function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map((_, column) => (column === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n');
}
