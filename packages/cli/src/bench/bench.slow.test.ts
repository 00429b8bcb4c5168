import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { asProcess, jsonLines, quadrille, start, type Workspace, workspace } from '../testing/command.js';

const SLOW = { timeout: 120_000 };
/** Where other stores are installed. */
const cwd = resolve(import.meta.dirname, '../../../../bench');

let work: Workspace;
beforeEach(async () => {
  work = await workspace();
});
afterEach(() => work.remove());

describe('bench', SLOW, () => {
  test("compares backends and another store on the user's data and queries, and writes three reports", async () => {
    const data = Array.from({ length: 300 }, (_, n) => `<urn:s${n}> <urn:p> "value ${n}" ; <urn:q> <urn:s${n % 7}> .`);
    const file = await work.file('my data.ttl', data.join('\n'));
    const queries = join(work.directory, 'queries');
    await mkdir(queries);
    await writeFile(join(queries, 'all.rq'), 'SELECT ?s ?o { ?s <urn:q> ?o }');
    await writeFile(join(queries, 'is it.sparql'), 'ASK { <urn:s1> <urn:q> <urn:s1> }');
    // Keeps nothing from one process to the next, so that its answers are wrong.
    const storage = pathToFileURL(resolve(cwd, '../packages/storage/dist/index.js')).href;
    const forgetful = await work.file(
      'forgetful.mjs',
      `import { MemoryDriver } from '${storage}'; export const openStorage = async () => new MemoryDriver();`,
    );
    const out = join(work.directory, 'out');
    const scratch = join(work.directory, 'scratch');
    const input = ['--data', file, '--queries', queries, '--backends', `leveldb,${forgetful}`, '--peers', 'oxigraph'];
    const output = ['--out', out, '--scratch', scratch, '--runs', '1', '--json'];
    const outcome = await quadrille(['bench', ...input, '--only', 'load,queries', ...output], { cwd });
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
    const lines = jsonLines(outcome.stdout);
    const linesOf = (backend: string): unknown[] => lines.filter((line) => line['backend'] === backend);
    const compared = { median: expect.any(Number), unit: expect.any(String), runs: 1, ratio: expect.any(Number) };
    expect(linesOf('leveldb')).toMatchObject(
      ['load', 'memory to load', 'disk', 'query all', 'query is it'].map((workload) => ({ workload, ...compared })),
    );
    expect(linesOf('oxigraph')).toMatchObject(
      ['load', 'memory to load', 'query all', 'query is it'].map((workload) => ({ workload, ...compared })),
    );
    expect(linesOf('forgetful')).toContainEqual(
      expect.objectContaining({ workload: 'query all', problem: 'answered 0 rows, leveldb 300 rows' }),
    );
    expect(lines.filter((line) => 'problem' in line && 'ratio' in line)).toEqual([]);
    expect((await readdir(out)).sort()).toEqual(['report.html', 'report.json', 'report.md']);
    const report = JSON.parse(await readFile(join(out, 'report.json'), 'utf8')) as Record<string, unknown>;
    expect(report).toMatchObject({
      format: 2,
      data: { source: 'my data.ttl', quads: 600, subjects: 300 },
      failures: [],
    });
    const html = await readFile(join(out, 'report.html'), 'utf8');
    expect(html).toContain('my data.ttl');
    expect(html).toContain('forgetful, query all: answered 0 rows, leveldb 300 rows');
    expect(await readdir(scratch)).toEqual([]);
  });

  /** A bench of stores that are quick, with lines on standard error that are not those of a terminal. */
  const quick = async (...args: string[]): Promise<string[]> => {
    const file = await work.file('few.ttl', '<urn:a> <urn:b> 1, 2, 3 . <urn:c> <urn:d> <urn:a> .');
    const input = ['--data', file, '--backends', 'leveldb,memory', '--peers', 'none', '--only', 'load'];
    return ['bench', ...input, '--out', join(work.directory, 'out'), '--scratch', join(work.directory, 'tmp'), ...args];
  };
  const reportOf = async (): Promise<Record<string, unknown>> =>
    JSON.parse(await readFile(join(work.directory, 'out', 'report.json'), 'utf8')) as Record<string, unknown>;

  test('says first how long it will take, and then each figure as soon as it is there, without a terminal', async () => {
    const { code, stderr, stdout } = await asProcess(await quick('--runs', '2'));
    expect(code).toBe(0);
    // A slow machine prints what it estimates.
    const lines = stderr
      .trim()
      .split('\n')
      .filter((line) => !line.startsWith('estimating the time'));
    expect(lines[0]).toMatch(/^This takes about .*seconds?: 2 stores, 2 measurements, 2 runs of each\./);
    expect(lines[1]).toContain('how many times faster (or smaller) Quadrille with leveldb is');
    expect(lines[2]).toMatch(/^leveldb, load: [\d,.]+ quads\/s$/);
    expect(lines).toContainEqual(expect.stringMatching(/^memory, load: [\d,.]+ quads\/s \([\d/.,]+×\)$/));
    expect(lines.at(-1)).toMatch(/^memory, load: run 2, error [\d.]+ % \(\d+:\d\d\)$/);
    expect(stdout).toContain(
      'How many times faster (or smaller) Quadrille with leveldb is; below 1× the other is better:',
    );
    expect(await reportOf()).toMatchObject({ runs: { least: 2, most: 2 }, measurements: { length: 5 } });
  });

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s leaves a report of what was measured, nothing else, and exit code %d', async (signal, exitCode) => {
    const child = start(await quick('--runs', '500', '--min-runs', '500'));
    let [log, output] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      log += text;
      if (log.includes('memory, load: run 2')) child.kill(signal);
    });
    const [code] = (await once(child, 'close')) as [number];
    expect(code, log).toBe(exitCode);
    expect(output).toContain('It was interrupted after');
    const { ended, measurements } = (await reportOf()) as { ended: string; measurements: { backend: string }[] };
    expect(ended).toBe('interrupted');
    expect(new Set(measurements.map(({ backend }) => backend))).toEqual(new Set(['leveldb', 'memory']));
    expect((await readdir(join(work.directory, 'out'))).sort()).toEqual(['report.html', 'report.json', 'report.md']);
    expect(await readdir(join(work.directory, 'tmp'))).toEqual([]);
  });

  test('ends at --minutes with what it has; a limit before the first figure is wrong use, and leaves nothing', async () => {
    const long = ['--runs', '1000', '--min-runs', '1000', '--minutes'];
    let run: Awaited<ReturnType<typeof asProcess>> | undefined;
    let minutes = 0.1;
    // A slow machine needs longer until the first figure.
    while (minutes < 3 && run?.code !== 0) run = await asProcess(await quick(...long, String((minutes *= 2))));
    const { code, stderr, stdout } = run!;
    expect(code, stderr).toBe(0);
    expect(stderr).toMatch(/--minutes ends it after \d+ (?:seconds|minutes)/);
    expect(stdout).toContain('Its time was up after');
    expect(await reportOf()).toMatchObject({ ended: 'time is up' });
    await rm(join(work.directory, 'out'), { recursive: true });
    const none = await asProcess(await quick(...long, '0.001'));
    expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('give it more --minutes') });
    expect(await readdir(work.directory)).toEqual(['few.ttl', 'tmp']);
  }, 400_000);

  test('wrong use and wrong input end it before anything is measured', async () => {
    const bench = async (...args: string[]): Promise<unknown[]> => {
      const { code, stderr } = await quadrille(['bench', '--runs', '1', ...args], { cwd: work.directory });
      return [code, /\((\w+)\)\n$/.exec(stderr)?.[1]];
    };
    const update = await work.file('update.rq', 'CLEAR ALL');
    const broken = await work.file('broken.rq', 'SELECT {');
    expect(await bench('--backends', 'none')).toEqual([2, 'INVALID_OPTION']);
    expect(await bench('--backends', 'oxigraph')).toEqual([2, 'INVALID_OPTION']);
    expect(await bench('--only', 'everything')).toEqual([2, 'INVALID_OPTION']);
    expect(await bench('--queries', update)).toEqual([2, 'INVALID_OPTION']);
    expect(await bench('--queries', broken)).toEqual([65, 'SPARQL_SYNTAX']);
    expect(await bench('--queries', join(work.directory, 'none'))).toEqual([66, 'INPUT_NOT_FOUND']);
    expect(await bench('--data', join(work.directory, 'none.nq'))).toEqual([66, 'INPUT_NOT_FOUND']);
    expect(await bench('--backends', './none.js')).toEqual([66, 'INPUT_NOT_FOUND']);
    expect(await bench('--query-limit', '0')).toEqual([2, 'INVALID_OPTION']);
    expect(await bench('--minutes', '0')).toEqual([2, 'INVALID_OPTION']);
    expect(await bench('--minutes', 'soon')).toEqual([2, 'INVALID_OPTION']);
    expect(await bench('--spread', '101')).toEqual([2, 'INVALID_OPTION']);
    expect(await bench('--min-runs', '2')).toEqual([2, 'INVALID_OPTION']);
    expect(await bench('--out', join(broken, 'below a file'))).toEqual([2, 'INVALID_OPTION']);
    const alone = ['--peers', 'none', '--backends', 'leveldb'];
    const unknown = await work.file('data.xyz', 'hello');
    expect(await bench('--data', unknown, ...alone)).toEqual([2, 'INVALID_OPTION']);
    expect(await bench('--data', await work.file('empty.nt', ''), ...alone)).toEqual([2, 'INVALID_OPTION']);
    expect(await bench('--data', work.directory, ...alone)).toEqual([66, 'INPUT_NOT_FOUND']);
    const data = await work.file('broken.ttl', '<urn:a> <urn:b> .');
    expect(await bench('--data', data, '--peers', 'none')).toEqual([65, 'RDF_SYNTAX']);
    expect((await readdir(work.directory)).sort()).toEqual([
      'broken.rq',
      'broken.ttl',
      'data.xyz',
      'empty.nt',
      'update.rq',
    ]);
  });
});
