import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noteOutcome } from '../series.js';
import type { Series } from '../series.js';
import { storeNamed } from '../stores/all-stores.js';
import type { Figure } from '../workload.js';
import { figure } from '../workload.js';
import type { ComparisonReport, MeasuredStore } from './comparison-report.js';
import { generalQueries, userQuery } from './default-queries.js';
import { makePlan } from './make-plan.js';
import { measureLoad } from './measure-loads.js';
import { measurementsOf } from './measurements.js';
import { measureReads } from './measure-reads.js';
import { measureWrites } from './measure-writes.js';
import { readPlan } from './plan.js';
import { htmlReport } from './report/html.js';
import { markdownReport } from './report/markdown.js';
import { terminalReport } from './report/terminal.js';
import { overallVerdict, times, verdictsOf } from './verdict.js';

const STORES = ['leveldb', 'lmdb', 'oxigraph'];
const STORE_TYPES: readonly MeasuredStore[] = STORES.map((name) => ({
  name,
  title: `<${name}>`,
  role: name === 'oxigraph' ? 'peer' : 'backend',
  persistent: name !== 'oxigraph',
  ...(name === 'lmdb' ? { use: "open('<data>')" } : {}),
  versions: {},
}));

const answering = (value: number, unit: string, rows: number): Figure => ({
  ...figure(value, unit),
  answers: [{ rows, digest: rows }],
});

/** Two runs of leveldb, lmdb and oxigraph; oxigraph returns one row too few. */
function someSeries(): Map<string, Series> {
  const series = new Map<string, Series>();
  for (const factor of [1, 2]) {
    const note = (store: string, figures: Record<string, Figure>): void =>
      noteOutcome(series, store, { figures, cpuSeconds: 1, peakBytes: 1e6 }, () => {});
    note('leveldb', {
      lookups: answering(100 * factor, 'lookups/s', 5),
      disk: figure(50, 'B/quad'),
      'query <a>': answering(4, 'ms', 1),
    });
    note('lmdb', {
      lookups: answering(300 * factor, 'lookups/s', 5),
      disk: figure(100, 'B/quad'),
      'query <a>': answering(2, 'ms', 1),
    });
    note('oxigraph', {
      lookups: answering(900 * factor, 'lookups/s', 4),
      'query <a>': { ...answering(400, 'ms', 1), atLeast: true },
    });
  }
  return series;
}

function someReport(): ComparisonReport {
  const measurements = measurementsOf(someSeries(), STORES);
  return {
    format: 2,
    time: '2026-11-21T10:00:00.000Z',
    quadrille: '1.2.3',
    command: "quadrille bench --data 'a & b.ttl'",
    machine: { processor: 'P', cores: 2, memoryBytes: 8e9, system: 'Linux', node: 'v20', load: [0.1, 0.2] },
    data: { source: 'a & b.ttl', quads: 1000, bytes: 2e6, subjects: 10, predicates: 3, namedGraphs: 0 },
    queries: [{ name: 'query <a>', texts: ['SELECT * { ?s ?p "<script>" }'] }],
    runs: { least: 2, most: 5, spread: 0.05 },
    seconds: 60,
    stores: STORE_TYPES,
    measurements,
    overall: overallVerdict(STORE_TYPES, measurements),
    verdicts: verdictsOf(STORE_TYPES, measurements),
    failures: [{ store: 'oxigraph', what: 'write', reason: 'out of <memory>' }],
  };
}

describe('measurements', () => {
  const found = (store: string, workload: string) =>
    measurementsOf(someSeries(), STORES).find((one) => one.backend === store && one.workload === workload);

  it('have ratios run by run: above 1 the first store is better, at rates and at times and space', () => {
    expect(found('lmdb', 'lookups')).toMatchObject({ median: 450, min: 300, max: 600, runs: 2, ratio: 1 / 3 });
    expect(found('lmdb', 'disk')).toMatchObject({ ratio: 2 });
    expect(found('lmdb', 'query <a>')).toMatchObject({ ratio: 0.5 });
    expect(found('oxigraph', 'query <a>')).toMatchObject({ ratio: 100, atLeast: true });
  });

  it('are compared with the median of the first store where that was measured less often', () => {
    const series = someSeries();
    const again = { figures: { lookups: answering(300, 'lookups/s', 5) }, cpuSeconds: 1, peakBytes: 1e6 };
    noteOutcome(series, 'lmdb', again, () => {});
    const lmdb = measurementsOf(series, STORES).find((one) => one.backend === 'lmdb' && one.workload === 'lookups');
    expect(lmdb).toMatchObject({ runs: 3, ratioMin: 1 / 3, ratioMax: 0.5 });
  });

  it('of other answers are not compared, and say why', () => {
    const { ratio, problem } = found('oxigraph', 'lookups')!;
    expect([ratio, problem]).toEqual([undefined, 'answered 4 rows, leveldb 5 rows']);
  });
});

describe('verdicts', () => {
  const { verdicts, overall } = someReport();

  it('set backends that keep their data against each other, and all others against the first', () => {
    expect(verdicts[1]).toMatchObject({
      summary: 'Best for lookups and queries.',
      ahead: [
        { kind: 'lookups', factor: expect.closeTo(3), than: 'leveldb' },
        { kind: 'queries', factor: expect.closeTo(2) },
      ],
      behind: [{ kind: 'disk space', factor: expect.closeTo(2) }],
    });
    expect(verdicts[2]).toMatchObject({
      summary: expect.stringContaining('without revisions'),
      ahead: [],
      behind: [{ kind: 'queries' }],
    });
    expect(overall).toMatch(/^Begin with lmdb: over all kinds of work together it is 1\.4× as good as leveldb/);
  });

  it('leave out what did not show in every run', () => {
    const series = new Map<string, Series>();
    for (const [level, lmdb] of [
      [100, 150],
      [100, 80],
      [100, 170],
    ] as const) {
      for (const [store, value] of Object.entries({ leveldb: level, lmdb })) {
        noteOutcome(series, store, { figures: { lookups: figure(value, 'lookups/s') }, cpuSeconds: 1, peakBytes: 1 });
      }
    }
    const measurements = measurementsOf(series, STORES);
    expect(measurements[1]).toMatchObject({ backend: 'lmdb', ratio: 1 / 1.5, ratioMin: 1 / 1.7, ratioMax: 1 / 0.8 });
    for (const { ahead, behind } of verdictsOf(STORE_TYPES, measurements)) expect([ahead, behind]).toEqual([[], []]);
  });

  it('say when there is no choice', () => {
    const all = measurementsOf(someSeries(), STORES);
    const level = all.filter(({ backend }) => backend === 'leveldb');
    expect(overallVerdict(STORE_TYPES, level)).toContain('leveldb is the only backend');
    expect(verdictsOf(STORE_TYPES, level)).toMatchObject([{ store: 'leveldb', ahead: [], behind: [] }]);
    expect(overallVerdict([STORE_TYPES[2]!], all)).toContain('No backend');
  });

  it('write factors as one reads them', () => {
    expect([0.001, 0.05, 0.5, 1, 2.44, 31.6, 1234].map(times)).toEqual([
      '1/1,000×',
      '1/20×',
      '0.50×',
      '1.0×',
      '2.4×',
      '32×',
      '1,234×',
    ]);
  });
});

describe('reports', () => {
  it('as HTML need nothing else, and show names and texts as they are', () => {
    const html = htmlReport(someReport());
    expect(html).not.toMatch(/<script|<link|<img|\ssrc=|\shref=|url\(|@import/);
    expect(html).toContain('a &amp; b.ttl');
    expect(html).toContain('&quot;&lt;script&gt;&quot;');
    expect(html).toContain('oxigraph, lookups: answered 4 rows, leveldb 5 rows');
    expect(html).toContain('oxigraph, write: out of &lt;memory&gt;');
    expect(html.match(/<svg/g)).toHaveLength(2);
    expect(html).toContain('class="hollow c2"');
    expect(html).not.toMatch(/undefined|NaN|\[object/);
  });

  it('as Markdown and for a terminal have the verdicts, the table and how to repeat it', () => {
    const markdown = markdownReport(someReport());
    expect(markdown).toContain('| lookups | 150 lookups/s | 450 lookups/s (0.33×) | 1,350 lookups/s (other answer) |');
    expect(markdown).toContain("quadrille bench --data 'a & b.ttl'");
    const lmdb =
      "Better than leveldb: lookups 3.0×, queries 2.0×. Worse than leveldb: disk space 2.0×. To use it: open('<data>')";
    expect(markdown).toContain(lmdb);
    expect(terminalReport(someReport())).toContain(lmdb);
    expect(htmlReport(someReport())).toContain('open(&#39;&lt;data&gt;&#39;)');
    expect(markdown).toContain('> 400 ms (> 100×)');
    expect(markdown).not.toContain('busy');
    const busy = { ...someReport(), machine: { ...someReport().machine, load: [0.1, 7] as const } };
    for (const text of [markdownReport(busy), htmlReport(busy), terminalReport(busy)])
      expect(text).toContain('was busy');
    const terminal = terminalReport(someReport());
    expect(terminal).toMatch(/^Lookups +1\.0× +0\.33× +–$/m);
    expect(terminal).toContain('not compared: oxigraph, lookups');
    for (const text of [terminal, markdown.replace('In brackets: how', 'How'), htmlReport(someReport())])
      expect(text).toContain('How many times faster (or smaller) Quadrille with leveldb is');
    const part = { ...someReport(), ended: 'interrupted' as const };
    for (const text of [markdownReport(part), htmlReport(part), terminalReport(part)])
      expect(text).toContain('It was interrupted after 60 seconds');
  });
});

describe('the plan', () => {
  let directory: string;
  beforeAll(async () => (directory = await mkdtemp(join(tmpdir(), 'quadrille-plan-'))));
  afterAll(() => rm(directory, { recursive: true, force: true }));

  it('makes one file of several, samples subjects that are IRIs, and each store does the same work with it', async () => {
    const files = [join(directory, 'a.ttl'), join(directory, 'b.trig')];
    await writeFile(files[0]!, '@prefix : <http://e.org/> . :a :p 1, 2 ; :q [ :p 3 ] . :b :p :a .');
    await writeFile(files[1]!, '@prefix : <http://e.org/> . :g { :c :p :a } :a :p 1 .');
    const path = join(directory, 'plan.json');
    await makePlan({ task: 'plan', files, generate: { quads: 1 }, queries: {}, directory, plan: path });
    const plan = await readPlan(path);
    expect(plan.data).toMatchObject({ source: 'a.ttl, b.trig', quads: 6, subjects: 4, predicates: 2, namedGraphs: 1 });
    expect([...plan.subjects].sort()).toEqual(['http://e.org/a', 'http://e.org/b', 'http://e.org/c']);
    expect((await readFile(plan.file, 'utf8')).trim().split('\n')).toHaveLength(6);
    const kinds = ['memory', 'n3'].map(storeNamed);
    const found = [];
    for (const kind of kinds) {
      const { load } = await measureLoad(kind, directory, plan);
      const reads = await measureReads(kind, directory, plan);
      expect(Object.keys(reads)).toEqual(['start', 'scan', 'lookups', 'scan by match', 'lookups by match']);
      expect(reads['lookups by match']!.answers).toEqual(reads['lookups']!.answers);
      expect(reads['scan by match']!.answers).toEqual(reads['scan']!.answers);
      found.push([load!.answers, reads['scan']!.answers, reads['lookups']!.answers]);
      expect(Object.values(reads).every((one) => one.value > 0)).toBe(true);
    }
    expect(found[1]).toEqual(found[0]);
    const written = await measureWrites(kinds[0]!, directory, plan);
    expect(Object.keys(written)).toEqual([
      'commits of 1',
      'commits of 100',
      'commits of 1000',
      'mixed, lookups',
      'mixed, commits of 10',
      'lookups in the past',
    ]);
    expect(written['lookups in the past']!.answers).toEqual(found[0]![2]);
  });

  it('has general queries where the user gives none', () => {
    const names = generalQueries(
      [
        ['http://e.org/p', 9],
        ['http://e.org/q', 2],
      ],
      ['http://e.org/a'],
    ).map(({ name }) => name);
    expect(names).toContain('join of two predicates');
    expect(generalQueries([], []).map(({ name }) => name)).toEqual([
      'count by predicate',
      'count by class',
      'search in texts',
    ]);
  });

  it('compares rows alone where an answer may be any of several', () => {
    expect(userQuery('a', ['SELECT * { ?s ?p ?o } LIMIT 3']).inexact).toBe(true);
    expect(userQuery('b', ['SELECT * { ?s ?p ?o }']).inexact).toBe(false);
  });
});
