import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { loadScript } from './compiled-script.js';

let folder: string;
let cache: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quadrille-compiled-'));
  cache = join(folder, 'cache');
  file = join(folder, 'script.cjs');
  await writeFile(
    file,
    `(function (exports, require, module, __filename, __dirname, __import) {
    exports.name = require('node:path').basename(__filename); exports.twice = (n) => 2 * n;
    exports.separator = async () => (await __import('node:path')).sep;
    })`,
  );
});
afterEach(() => rm(folder, { recursive: true, force: true }));

interface Exports {
  readonly name: string;
  twice(n: number): number;
  separator(): Promise<string>;
}

/** Loads the script, uses it and keeps its code. Returns whether it was compiled before. */
function used(): boolean {
  const { exports, isCompiled, keep } = loadScript<Exports>(file, cache);
  expect([exports.name, exports.twice(21)]).toEqual(['script.cjs', 42]);
  keep();
  return isCompiled;
}
const kept = async (): Promise<string[]> => (await readdir(cache)).map((name) => join(cache, name));

it('uses the code of an earlier run, which nobody else can read', async () => {
  expect([used(), used(), used()]).toEqual([false, true, true]);
  const [only, ...others] = await kept();
  expect(others).toEqual([]);
  if (process.platform === 'win32') return;
  expect([(await stat(cache)).mode & 0o777, (await stat(only!)).mode & 0o777]).toEqual([0o700, 0o600]);
});

it('writes again when much more has run', async () => {
  used();
  const [path] = await kept();
  const bytes = await readFile(path!);
  // As if hardly anything had run before.
  bytes.writeUInt32LE(1, 4);
  await writeFile(path!, bytes);
  expect(used()).toBe(true);
  expect((await readFile(path!)).readUInt32LE(4)).toBeGreaterThan(1000);
});

it('imports modules, also by compiled code', async () => {
  for (const isCompiled of [false, true]) {
    const script = loadScript<Exports>(file, cache);
    expect([script.isCompiled, await script.exports.separator()]).toEqual([isCompiled, sep]);
    script.keep();
  }
});

it('compiles again what was changed, and replaces what is damaged', async () => {
  used();
  const [first] = await kept();
  const bytes = await readFile(first!);
  for (const damaged of [bytes.fill(7, bytes.length - 20), bytes.subarray(0, 50), Buffer.alloc(0)]) {
    await writeFile(first!, damaged);
    expect([used(), used()]).toEqual([false, true]);
  }
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace('2 * n', 'n + n'));
  await utimes(file, 1, 1);
  expect(used()).toBe(false);
});

it('keeps four files', async () => {
  for (let time = 1; time <= 6; time++) {
    await utimes(file, time, time);
    used();
  }
  expect(await kept()).toHaveLength(4);
  expect(used()).toBe(true);
});

it('works where nothing can be kept', async () => {
  await writeFile(cache, 'no folder');
  expect([used(), used()]).toEqual([false, false]);
  const { exports, keep } = loadScript<Exports>(file, undefined);
  keep();
  expect(exports.twice(1)).toBe(2);
});
