import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { MEASURES } from './measure-stack.js';
import { STACKS } from './stacks.js';
import { layerVerdicts } from './verdicts.js';

const SIZES = { quads: 1500, times: { warmMs: 0, measureMs: 5 }, rewrites: 2, literals: 2, literalLength: 20_000 };

const all = Object.keys(STACKS).flatMap((stack) => Object.keys(MEASURES).map((name) => [stack, name] as const));

// With so few quads the measured times mean nothing; each measurement checks its own results.
it.each(all.filter(([stack, name]) => stack === 'LevelDB + both' || name === 'load'))('%s, %s', async (stack, name) => {
  const scratch = await mkdtemp(join(tmpdir(), 'quadrille-layers-'));
  onTestFinished(() => rm(scratch, { recursive: true }));
  const figures = Object.entries(await MEASURES[name]!(stack, scratch, SIZES));
  expect(figures.length).toBeGreaterThan(0);
  for (const [figure, { value }] of figures) expect(Number.isFinite(value), figure).toBe(true);
});

it('the verdict of a layer compares stacks with and without it', () => {
  const line = (backend: string, workload: string, median: number, unit: string) => ({
    backend,
    workload,
    unit,
    median,
    min: median * 0.95,
    max: median * 1.05,
    cpuSeconds: 1,
    peakBytes: 1,
  });
  const lines = [
    line('LMDB', 'commit', 100, 'commits/s'),
    line('LMDB + journal', 'commit', 300, 'commits/s'),
    line('LMDB', 'load', 10, 's'),
    line('LMDB + journal', 'load', 20, 's'),
    line('LMDB', 'open', 10, 'ms'),
    line('LMDB + journal', 'open', 10.2, 'ms'),
  ];
  expect(layerVerdicts(lines)).toEqual([
    'journal, LMDB + journal beside LMDB: DOES NOT WIN CLEARLY; 1.14 × as good in the mean of 3 figures; better: commit 3.00 ×; worse: load 0.50 ×',
  ]);
  expect(layerVerdicts(lines.filter(({ workload }) => workload !== 'load'))).toEqual([
    'journal, LMDB + journal beside LMDB: wins clearly; 1.71 × as good in the mean of 2 figures; better: commit 3.00 ×; worse: none',
  ]);
});
