import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { jsonLines, ok, quadrille, type Workspace, workspace } from '../testing/command.js';

let work: Workspace;
let folder: string;
beforeEach(async () => {
  work = await workspace();
  folder = join(work.store, '..', 'public');
});
afterEach(() => work.remove());

const SLOW = { timeout: 120_000 };

test('writes a folder of files that name each other by relative addresses', SLOW, async () => {
  const deep = join(folder, 'a/b');
  const [line] = jsonLines(await ok('playground', '--out', deep, '--json'));
  const written = (await readdir(deep, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  expect(line).toMatchObject({ directory: deep, files: written.length });
  const page = await readFile(join(deep, 'index.html'), 'utf8');
  for (const [, name] of page.matchAll(/(?:src|href)="([^"]+)"/g)) {
    expect(name).toMatch(/^workbench\/assets\//);
    expect((await readFile(join(deep, name!))).length).toBeGreaterThan(100);
  }
  expect(page).toMatch(/<head>\s*<meta http-equiv="Content-Security-Policy" content="default-src 'none';/);
  const worker = await readFile(join(deep, 'sw.js'), 'utf8');
  for (const { name } of written) if (!/^(?:index\.html|sw\.js)$/.test(name)) expect(worker).toContain(name);
});

test('a folder with files is refused, and written over where that is asked for', SLOW, async () => {
  await mkdir(folder);
  await writeFile(join(folder, 'index.html'), 'mine');
  await writeFile(join(folder, 'notes.txt'), 'mine too');
  const refused = await quadrille(['playground', '--out', folder]);
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toContain('is not empty; use --force');
  expect(await readdir(folder)).toEqual(['index.html', 'notes.txt']);
  expect(await ok('playground', '--out', folder, '--force')).toMatch(/: \d+ files, \d\.\d MB; serve it/);
  expect(await readFile(join(folder, 'index.html'), 'utf8')).toContain('<title>Quadrille</title>');
  expect(await readFile(join(folder, 'notes.txt'), 'utf8')).toBe('mine too');
});

test('a file in the place of the folder, and a call without one, are wrong use', SLOW, async () => {
  await writeFile(folder, 'a file');
  for (const more of [[], ['--force']]) {
    const outcome = await quadrille(['playground', '--out', folder, ...more]);
    expect(outcome).toMatchObject({ code: 2, stderr: expect.stringContaining('is a file, not a directory') });
  }
  expect((await quadrille(['playground'])).code).toBe(2);
  const below = await quadrille(['playground', '--out', join(folder, 'x')]);
  expect(below.code).not.toBe(0);
});
