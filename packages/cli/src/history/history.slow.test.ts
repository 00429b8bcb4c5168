import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { jsonLines, quadrille, type Workspace, workspace } from '../testing/command.js';

// Every call is a process of its own, and a busy machine starts them slowly.
const SLOW = { timeout: 120_000 };

let work: Workspace;
let store: string;
let copy: string;
beforeEach(async () => {
  work = await workspace();
  ({ store } = work);
  copy = join(work.directory, 'copy');
});
afterEach(() => work.remove());

const log = async (place: string): Promise<string> => (await quadrille(['log', place])).stdout;

test('a history goes from one store to another, of another backend, through files and pipes', SLOW, async () => {
  const file = await work.file('one.nt', '<urn:a> <urn:p> "1" .\n');
  expect(await quadrille(['load', store, file, '-m', 'one\nfile', '--author', 'jo'])).toMatchObject({ code: 0 });
  expect(await quadrille(['update', store, 'INSERT DATA { <urn:a> <urn:p> _:b }'])).toMatchObject({ code: 0 });
  const packed = join(work.directory, 'history.rdfp.gz');
  const exported = await quadrille(['export-history', store, '-o', packed, '--json']);
  expect(jsonLines(exported.stdout)).toEqual([{ file: packed, bytes: (await stat(packed)).size }]);
  const printed = await quadrille(['export-history', store]);
  expect(printed).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('H message "one\\nfile" .') });
  const imported = await quadrille(['import-history', copy, packed, '--backend', 'lmdb']);
  expect(imported).toMatchObject({
    code: 0,
    stderr: '',
    stdout: expect.stringContaining('3 revisions imported; the head is #3'),
  });
  expect(await log(copy)).toBe(await log(store));
  const again = await quadrille(['import-history', copy, '-', '--json'], { input: printed.stdout });
  expect(jsonLines(again.stdout)).toMatchObject([{ imported: 0, skipped: 3, head: { number: 3 } }]);
  expect(await quadrille(['verify', copy])).toMatchObject({ code: 0 });
  const since = await quadrille(['export-history', store, '--since', 'HEAD']);
  expect(since.stdout).toContain('H count "0"');
});

test('what is refused has an exit code', SLOW, async () => {
  const file = await work.file('one.nt', '<urn:a> <urn:p> "1" .\n');
  await quadrille(['load', store, file]);
  const { stdout } = await quadrille(['export-history', store]);
  const cut = await work.file('cut.rdfp', stdout.slice(0, -100));
  const damaged = await quadrille(['import-history', copy, cut, '--json']);
  expect(damaged.code).toBe(65);
  expect(jsonLines(damaged.stderr)).toMatchObject([{ code: 'LOG_BROKEN', details: { line: expect.any(Number) } }]);
  expect((await log(copy)).split('\n')).toHaveLength(3);
  await quadrille(['load', copy, await work.file('two.nt', '<urn:b> <urn:p> "2" .\n')]);
  await quadrille(['load', store, await work.file('three.nt', '<urn:c> <urn:p> "3" .\n')]);
  const whole = await work.file('whole.rdfp', (await quadrille(['export-history', store])).stdout);
  const other = await quadrille(['import-history', copy, whole]);
  expect(other).toMatchObject({ code: 1, stderr: expect.stringContaining('revision 3 of the repository') });
  const none = join(work.directory, 'none');
  expect(await quadrille(['import-history', none, join(work.directory, 'no.rdfp')])).toMatchObject({ code: 66 });
  await expect(readFile(join(none, 'quadrille.json'))).rejects.toThrow('ENOENT');
  expect(await quadrille(['export-history', none])).toMatchObject({ code: 1 });
});

test(
  'all branches go to another store, a trim shortens a history, and an erasure empties it of a term',
  SLOW,
  async () => {
    const file = await work.file('one.nt', '<urn:a> <urn:p> <urn:secret> .\n');
    for (const args of [
      ['load', store, file],
      ['branch', store, 'dev'],
      ['update', store, 'INSERT DATA { <urn:a> <urn:p> 2 }', '--branch', 'dev'],
      ['update', store, 'INSERT DATA { <urn:a> <urn:p> 3 }'],
    ])
      expect(await quadrille(args), args.join(' ')).toMatchObject({ code: 0 });
    const exported = await quadrille(['export-history', store, '--all-branches']);
    const imported = await quadrille(['import-history', copy, '-', '--json'], { input: exported.stdout });
    expect(jsonLines(imported.stdout)).toMatchObject([{ imported: 4, head: { number: 3 } }]);
    const erase = ['erase', copy, '--term', 'urn:secret'];
    expect(await quadrille(erase)).toMatchObject({ code: 2, stderr: expect.stringContaining('--reason') });
    const report = await quadrille([...erase, '--reason', 'asked for', '--json']);
    expect(jsonLines(report.stdout)).toMatchObject([{ quads: 1, branches: 2 }]);
    const again = await quadrille([...erase, '--reason', 'asked for']);
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('NOTHING_TO_ERASE') });
    for (const branch of ['main', 'dev'])
      expect((await quadrille(['dump', copy, '--branch', branch])).stdout).not.toContain('urn:secret');
    const trimmed = await quadrille(['trim', copy, '--last', '1', '--json']);
    expect(jsonLines(trimmed.stdout)).toMatchObject([{ trimmed: expect.any(Number) }]);
    expect(await quadrille(['verify', copy])).toMatchObject({ code: 0 });
  },
);
