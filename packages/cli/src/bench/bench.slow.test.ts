import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { jsonLines, quadrille, type Workspace, workspace } from '../testing/command.js';

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
      format: 1,
      data: { source: 'my data.ttl', quads: 600, subjects: 300 },
      failures: [],
    });
    const html = await readFile(join(out, 'report.html'), 'utf8');
    expect(html).toContain('my data.ttl');
    expect(html).toContain('forgetful, query all: answered 0 rows, leveldb 300 rows');
    expect(await readdir(scratch)).toEqual([]);
  });

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
