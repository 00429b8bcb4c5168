/**
 * What operators count is what they take: a request that keeps rows until its memory is refused has made the process grow by little more
 * than what it had counted.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const LOADER = join(import.meta.dirname, '../campaigns/typescript.mjs');
const MEASURE = join(import.meta.dirname, 'measure-memory.ts');
/** What was counted may be so many times as much in fact, beside what every request takes. */
const MOST_TIMES = 2;
const BASE_BYTES = 8 * 1024 ** 2;

interface Measured {
  readonly name: string;
  /** The code of the error that ended it. */
  readonly end: string;
  /** Bytes, when most was counted. */
  readonly counted: number;
  readonly grown: number;
}

test('operators that keep rows count what they take', async () => {
  const args = ['--expose-gc', '--import', LOADER, MEASURE];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const all = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Measured);
  expect(all.filter(({ end }) => end !== 'QUERY_MEMORY')).toEqual([]);
  expect(all.filter(({ counted, grown }) => grown > MOST_TIMES * counted + BASE_BYTES)).toEqual([]);
});
