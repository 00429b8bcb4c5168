import { describe, expect, it } from 'vitest';
import { compareAll, compareStorages, missingOurs } from './compare.js';
import { columnsTable } from './report-columns.js';
import { leaveOutDiffering, noteOutcome } from '../series.js';
import type { Series } from '../series.js';
import type { Figure, Workload } from '../workload.js';
import { figure } from '../workload.js';

const WORKLOAD: Workload = {
  name: 'w',
  parts: {},
  comparisons: [{ figure: 'a', backend: 'other', how: 'inverse' }],
  means: [{ name: 'mean', figures: ['a', 'b', 'c'], backend: 'other' }],
};

function seriesWith(
  runs: readonly (readonly [backend: string, figures: Record<string, Figure>])[],
): Map<string, Series> {
  const series = new Map<string, Series>();
  for (const [backend, figures] of runs) noteOutcome(series, backend, { figures, cpuSeconds: 1, peakBytes: 1 });
  return series;
}

describe('comparisons', () => {
  it('leave out and name the figures of native stores whose answers differ', () => {
    const answered = (digest: number): Figure => ({ ...figure(1, 'ms'), answers: [{ rows: 1, digest }] });
    const series = seriesWith([['quadrille', { a: answered(1), b: answered(1) }]]);
    const named: string[] = [];
    const outcome = { figures: { a: answered(2), b: answered(1) }, cpuSeconds: 1, peakBytes: 1 };
    noteOutcome(
      series,
      'jena',
      outcome,
      leaveOutDiffering((what) => named.push(what)),
    );
    expect(named).toEqual(['a, text 0: quadrille answered 1 row, jena 1 others']);
    expect([...series.values()].map(({ backend, figure: name }) => `${backend} ${name}`)).toEqual([
      'quadrille a',
      'quadrille b',
      'jena b',
    ]);
    expect(() => noteOutcome(series, 'other', outcome)).toThrow('quadrille answered 1 row');
  });

  it('divide the figures of our other backends by those of the first one', () => {
    const series = seriesWith([
      ['leveldb', { a: figure(2, 'ms'), disk: figure(1, 'B') }],
      ['lmdb', { a: figure(8, 'ms') }],
      ['memory', { a: figure(1, 'ms'), more: figure(1, 'ms') }],
      ['leveldb', { a: figure(4, 'ms') }],
      ['lmdb', { a: figure(8, 'ms') }],
    ]);
    expect(compareStorages(WORKLOAD, series, ['leveldb', 'lmdb', 'memory'])).toMatchObject([
      { backend: 'lmdb/leveldb', workload: 'w a', unit: 'ratio', median: 3, min: 2, max: 4 },
      { backend: 'memory/leveldb', workload: 'w a', median: 0.5 },
    ]);
    expect(compareStorages(WORKLOAD, series, [])).toEqual([]);
  });

  it('divide each run of the other by ours, and one measured once by all of ours', () => {
    const series = seriesWith([
      ['quadrille', { a: figure(2, 'ms'), b: figure(1, 'ms') }],
      ['other', { a: figure(8, 'ms'), b: figure(9, 'ms') }],
      ['quadrille', { a: figure(4, 'ms'), b: figure(1, 'ms') }],
    ]);
    const [ratio, mean] = compareAll(WORKLOAD, series);
    expect(ratio).toMatchObject({
      backend: 'other/quadrille',
      workload: 'w a',
      unit: 'ratio',
      median: 3,
      min: 2,
      max: 4,
    });
    expect(mean).toMatchObject({ backend: 'other/quadrille', workload: 'w mean (2 of 3)', max: 6 });
    expect(mean!.min).toBeCloseTo(Math.sqrt(18));
  });

  it('set a figure beside one of another name, which the line says', () => {
    const workload: Workload = {
      name: 'w',
      parts: {},
      comparisons: [{ figure: 'a', backend: 'other', how: 'ratio', beside: 'at once' }],
    };
    const others = { 'at once': figure(4, 'quads/s') };
    const series = seriesWith([
      ['quadrille', { a: figure(2, 'quads/s') }],
      ['other', others],
    ]);
    expect(compareAll(workload, series)).toMatchObject([
      { backend: 'quadrille/other', workload: 'w a beside at once', median: 0.5 },
    ]);
    expect(missingOurs(workload, series)).toEqual([]);
    expect(missingOurs(workload, seriesWith([['other', others]]))).toEqual(['a']);
  });

  it('lack a figure of ours where only another has it', () => {
    const other = ['other', { a: figure(1, 'ms') }] as const;
    expect(missingOurs(WORKLOAD, seriesWith([other]))).toEqual(['a']);
    expect(missingOurs(WORKLOAD, seriesWith([other, ['quadrille', { a: figure(1, 'ms') }]]))).toEqual([]);
    expect(missingOurs(WORKLOAD, seriesWith([]))).toEqual([]);
  });

  it('are bounds where the other was given up', () => {
    const series = seriesWith([
      ['quadrille', { a: figure(6, 'ms') }],
      ['other', { a: { ...figure(60_000, 'ms'), atLeast: true } }],
    ]);
    for (const { median, atLeast } of compareAll(WORKLOAD, series)) {
      expect(median).toBeCloseTo(10_000);
      expect(atLeast).toBe(true);
    }
  });

  it('are refused for different answers: other rows, or as many that say something else', () => {
    const answering = (rows: number, digest: number): Figure => ({ ...figure(1, 'ms'), answers: [{ rows, digest }] });
    const both = (other: Figure) => () =>
      seriesWith([
        ['quadrille', { a: answering(3, 7) }],
        ['other', { a: other }],
      ]);
    expect(both(answering(3, 7))).not.toThrow();
    expect(both(answering(2, 7))).toThrow('a, text 0: quadrille answered 3 rows, other 2 rows');
    expect(both(answering(3, 8))).toThrow('quadrille answered 3 rows, other 3 others');
  });
});

it('a table of columns has each backend with how it compares, and what is missing as a dash', () => {
  const line = { unit: 'ms', min: 1, max: 1, cpuSeconds: 1, peakBytes: 1 };
  const lines = columnsTable([
    { ...line, backend: 'quadrille', workload: 'q1', median: 2 },
    { ...line, backend: 'quadrille', workload: 'q2', median: 3 },
    { ...line, backend: 'other', workload: 'q1', median: 60_000, atLeast: true },
    { ...line, backend: 'other/quadrille', workload: 'q1', median: 30_000, atLeast: true },
  ]);
  expect(lines[1]).toMatch(/ quadrille +other$/);
  expect(lines[3]).toMatch(/^q1 +2\.000 +> 60,000 +×> 30,000$/);
  expect(lines[4]).toMatch(/^q2 +3\.000 +–$/);
});
