/** The report as one self-contained HTML page: no network access, no script. */
import type { ComparisonReport, MeasuredStore } from '../comparison-report.js';
import type { Measurement } from '../measurements.js';
import { scoresOf, times } from '../verdict.js';
import type { Difference } from '../verdict.js';
import { lessIsBetter, QUERY_PREFIX, WORK_KINDS } from '../work-kinds.js';
import type { WorkKind } from '../work-kinds.js';
import {
  busyNote,
  capital,
  endedNote,
  factsOf,
  METHOD,
  ratioText,
  ratioTitle,
  shortValue,
  spreadText,
  storeText,
  valueText,
  workloadsOf,
} from './cells.js';
import { escapeHtml as e } from './escape.js';
import { barChart } from './plot.js';
import { STYLE } from './style.js';

const COLOURS = 9;

/** Writes a report as one HTML file. */
export function htmlReport(report: ComparisonReport): string {
  const { data, stores, command } = report;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Storage backends compared: ${e(data.source)}</title><style>${STYLE}</style></head><body>
<h1>Storage backends compared</h1>
<p class="muted">${e(data.source)} · ${report.time.slice(0, 10)}</p>
<p class="overall">${e(report.overall)}</p>${notes(report)}
<div class="cards">${stores.map((store, n) => card(report, store, n)).join('')}</div>
<h2>At a glance</h2>
<p>${e(capital(ratioTitle(stores[0]!.name)))}. Each kind of work for itself. Green: Quadrille is better. Orange: the other store is. Bold is the best of the row; small figures are medians.</p>
${glance(report)}
<h2>Kind by kind</h2>
<p>Bars are medians; the thin line is from the least to the greatest of the runs. Dashed bars gave other answers and are not compared.</p>
<div class="charts">${WORK_KINDS.filter(({ name }) => name !== 'queries')
    .map((kind) => charts(report, kind))
    .join('')}</div>
${queries(report)}
${notCompared(report)}
<h2>What was run</h2>
<dl>${[...factsOf(report), ...stores.map((store): [string, string] => [store.name, storeText(store)])].map(([name, text]) => `<dt>${e(name)}</dt><dd>${e(text)}</dd>`).join('')}</dl>
<h2>How to repeat it</h2>
<p>On a machine that does nothing else, with Node.js ${e(report.machine.node)}:</p>
<pre>${e(command)}</pre>
<h2>How it was measured</h2>
<ul>${METHOD.map((line) => `<li>${e(line)}</li>`).join('')}</ul>
<details><summary>All figures, with spread, CPU time and memory</summary>${allFigures(report)}</details>
</body></html>
`;
}

function notes(report: ComparisonReport): string {
  return [endedNote(report), busyNote(report)]
    .map((note) => (note === undefined ? '' : `<p class="overall busy">${e(note)}</p>`))
    .join('');
}

function card({ verdicts }: ComparisonReport, { name, title, role, use, note }: MeasuredStore, index: number): string {
  const verdict = verdicts.find(({ store }) => store === name);
  const body =
    verdict === undefined
      ? '<p>Could not be measured: see below.</p>'
      : `<p><strong>${e(verdict.summary)}</strong></p><ul>${verdict.ahead.map((one) => difference(one, 'ahead')).join('')}${verdict.behind.map((one) => difference(one, 'behind')).join('')}</ul>`;
  const kind = role === 'peer' ? `Another store: ${title}` : title;
  return `<div class="card c${index % COLOURS}"><h3>${e(name)}</h3><small>${e(kind)}</small>${body}${[use, note].map((text) => (text === undefined ? '' : `<small>${e(text)}</small>`)).join('')}</div>`;
}

const difference = ({ kind, factor, than }: Difference, side: 'ahead' | 'behind'): string =>
  `<li class="${side}"><span>${e(kind)}</span><b>${times(factor)} ${side === 'ahead' ? 'better' : 'worse'} than ${e(than)}</b></li>`;

/** The style of a cell by its ratio: the greater the ratio, the stronger the colour. */
function shade(ratio: number | undefined): string {
  if (ratio === undefined || (ratio < 1.1 && ratio > 1 / 1.1)) return '';
  const strength = Math.min(0.55, 0.1 + Math.abs(Math.log2(ratio)) * 0.09);
  return ` style="background: rgb(var(--${ratio > 1 ? 'good' : 'bad'}) / ${strength.toFixed(2)})"`;
}

function glance({ stores, measurements }: ComparisonReport): string {
  const scores = stores.map(({ name }) => scoresOf(name, measurements));
  const rows = WORK_KINDS.filter((kind) => scores.some((each) => each.has(kind.name))).map((kind) => {
    const best = Math.max(...scores.map((each) => each.get(kind.name)?.median ?? 0));
    const cells = stores.map(({ name }, n) => {
      const score = scores[n]!.get(kind.name)?.median;
      const found = measurements.filter(({ backend, workload }) => backend === name && kind.includes(workload));
      if (score === undefined) return `<td class="muted">${found.length === 0 ? '–' : 'other answer'}</td>`;
      const value = found.length === 1 ? `<small>${e(shortValue(found[0]!))}</small>` : '';
      return `<td class="${score === best ? 'best' : ''}"${shade(1 / score)}>${times(1 / score)}${value}</td>`;
    });
    return `<tr><td>${e(kind.title)}${unitOf(measurements, kind)}</td>${cells.join('')}</tr>`;
  });
  return table(['', ...stores.map(({ name }) => name)], rows);
}

/** The unit of a kind of work with a single figure. */
function unitOf(measurements: readonly Measurement[], kind: WorkKind): string {
  const found = measurements.filter(({ workload }) => kind.includes(workload));
  return workloadsOf(found).length === 1 ? `<small>${e(found[0]!.unit)}</small>` : '';
}

function charts({ stores, measurements }: ComparisonReport, kind: WorkKind): string {
  const found = measurements.filter(({ workload }) => kind.includes(workload));
  if (found.length === 0) return '';
  const plots = workloadsOf(found).map((workload) => {
    const own = found.filter((one) => one.workload === workload);
    const { unit } = own[0]!;
    const bars = own.map((one) => ({
      label: one.backend,
      colour: stores.findIndex(({ name }) => name === one.backend) % COLOURS,
      value: one.median,
      min: one.min,
      max: one.max,
      text: [shortValue(one), unit, one.backend === stores[0]!.name ? '' : bracketed(ratioText(one))].join(' ').trim(),
      hollow: one.problem !== undefined,
    }));
    const better = `${unit}, ${lessIsBetter(unit) ? 'shorter' : 'longer'} is better`;
    return `<small>${e(workload)}: ${e(better)}</small>${barChart(`${workload}, ${better}`, bars)}`;
  });
  return `<section><h3>${e(kind.title)}</h3><p class="muted">${e(kind.meaning)}</p>${plots.join('')}</section>`;
}

const bracketed = (text: string): string => (text === '' ? '' : `(${text})`);

function queries({ stores, measurements, queries: texts }: ComparisonReport): string {
  const found = measurements.filter(({ workload }) => QUERY_PREFIX.test(workload));
  if (found.length === 0) return '';
  const asked = stores.filter(({ name }) => found.some(({ backend }) => backend === name));
  const rows = workloadsOf(found).map((workload) => {
    const own = asked.map(({ name }) => found.find((one) => one.workload === workload && one.backend === name));
    const compared = own.filter((one) => one?.problem === undefined && one?.atLeast !== true);
    const best = Math.min(...compared.map((one) => one?.median ?? Infinity));
    return `<tr><td>${e(workload.replace(/^query /, ''))}</td>${own.map((one) => queryCell(one, best)).join('')}</tr>`;
  });
  const details = texts
    .map(
      ({ name, texts: each }) =>
        `<h3>${e(name)}</h3><pre>${e(each[0]!)}</pre>${each.length > 1 ? `<small>and ${each.length - 1} more with other parameters</small>` : ''}`,
    )
    .join('');
  return `<h2>Queries</h2><p>Milliseconds from the call to the last row, warm; below it, how many times faster Quadrille with ${e(stores[0]!.name)} is. A query that took too long was given up (&gt;).</p>
${table(['', ...asked.map(({ name }) => name)], rows)}<details><summary>Texts of the queries</summary>${details}</details>`;
}

function queryCell(one: Measurement | undefined, best: number): string {
  if (one === undefined) return '<td class="muted">–</td>';
  if (one.problem !== undefined) return `<td class="muted">${e(valueText(one))}<small>other answer</small></td>`;
  const ratio = ratioText(one);
  return `<td class="${one.median === best ? 'best' : ''}"${shade(one.ratio)}>${e(valueText(one))}<small>${e(ratio)}</small></td>`;
}

function notCompared({ measurements, failures }: ComparisonReport): string {
  const lines = [
    ...measurements.flatMap(({ backend, workload, problem }) =>
      problem === undefined ? [] : [`${backend}, ${workload}: ${problem}`],
    ),
    ...failures.map(({ store, what, reason }) => `${store}, ${what}: ${reason}`),
  ];
  if (lines.length === 0) return '';
  return `<h2>Not compared</h2><p>These answered something else than the first store, or could not be measured.</p><ul>${lines.map((line) => `<li>${e(line)}</li>`).join('')}</ul>`;
}

function allFigures({ measurements }: ComparisonReport): string {
  return table(
    ['workload', 'store', 'median', 'least – greatest', 'Quadrille is', 'CPU s', 'peak MB', 'runs'],
    measurements.map(
      (one) =>
        `<tr>${[one.workload, one.backend, valueText(one), spreadText(one), ratioText(one), one.cpuSeconds.toFixed(2), (one.peakBytes / 1e6).toFixed(0), String(one.runs)].map((text) => `<td>${e(text)}</td>`).join('')}</tr>`,
    ),
  );
}

function table(head: readonly string[], rows: readonly string[]): string {
  return `<div class="scroll"><table><thead><tr>${head.map((text) => `<th>${e(text)}</th>`).join('')}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
}
