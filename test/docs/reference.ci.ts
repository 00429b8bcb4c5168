/** TypeDoc finds each exported member of the public packages documented, and no link in a comment that leads nowhere. */
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

test('no exported member without a comment', async () => {
  const run = promisify(execFile);
  const found = await run('npm', ['run', '-s', 'docs:check'], { cwd: resolve(import.meta.dirname, '../..') }).catch(
    (error: { stdout: string; stderr: string }) => error,
  );
  expect(found).toEqual({ stdout: '', stderr: '' });
});
