import { existsSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ok, quadrille, type Workspace, workspace } from './testing/command.js';

// Every call is a process of its own, and a busy machine starts them slowly.
const SLOW = { timeout: 120_000 };

let work: Workspace;
let store: string;
beforeEach(async () => {
  work = await workspace();
  ({ store } = work);
  for (const n of [2, 3, 4]) await ok('load', store, await work.file('some.nt', `<urn:s> <urn:p> "number ${n}" .\n`));
});
afterEach(() => work.remove());

/** Flips a bit in the term that the last load brought. */
async function damage(): Promise<void> {
  for (const name of await readdir(join(store, 'level'))) {
    const file = join(store, 'level', name);
    const content = await readFile(file);
    const at = content.lastIndexOf('number 4');
    if (at === -1) continue;
    content[at]! ^= 1;
    await writeFile(file, content);
  }
}

describe('recover', SLOW, () => {
  test('of a whole store: nothing is lost, exit code 0', async () => {
    expect(JSON.parse(await ok('recover', store, '--json'))).toEqual({
      repositories: [{ name: 'default/default', revisionsKept: 4, revisionsLost: 0, quadsLost: 0 }],
      problems: [],
    });
    expect(await ok('log', `${store}.recovered`, '--json')).toBe(await ok('log', store, '--json'));
    expect(await ok('verify', `${store}.recovered`)).toMatch(/everything is in order/);
    const other = join(work.directory, 'other');
    expect(await ok('recover', store, '--to', other)).toBe(
      `default/default: 4 revisions kept\nnothing is lost; the recovered store is ${other}, the damaged one ${store}\n`,
    );
  });

  test('of a damaged one: up to the damage, exit code 70', async () => {
    await damage();
    const outcome = await quadrille(['recover', store, '--json']);
    expect(outcome).toMatchObject({ code: 70, stderr: '' });
    const report = JSON.parse(outcome.stdout) as { problems: object[] };
    expect(Object.keys(report)).toEqual(['repositories', 'problems']);
    expect(report.problems.length).toBeGreaterThan(0);
    expect(report.problems[0]).toEqual({
      code: expect.any(String),
      message: expect.any(String),
      where: expect.any(String),
      lost: true,
    });
    expect(await ok('size', `${store}.recovered`)).toBe('2\n');
    const text = await quadrille(['recover', store, '--in-place']);
    expect(text).toMatchObject({ code: 70, stderr: '' });
    expect(text.stdout).toMatch(
      /something is lost, or may be; the recovered store is \S+store, the damaged one \S+store\.damaged\n$/,
    );
    expect(await ok('size', store)).toBe('2\n');
    expect(existsSync(`${store}.damaged`)).toBe(true);
  });

  test('is refused where it would write over something, and for wrong use', async () => {
    await ok('recover', store);
    const twice = await quadrille(['recover', store]);
    expect(twice).toMatchObject({ code: 1, stdout: '' });
    expect(twice.stderr).toMatch(/store\.recovered exists already.*\(ALREADY_EXISTS\)\n$/);
    expect(await quadrille(['recover', store, '--in-place', '--to', 'x'])).toMatchObject({ code: 2, stdout: '' });
    await rm(`${store}.recovered`, { recursive: true });
    const none = await quadrille(['recover', join(work.directory, 'none'), '--json']);
    expect(none).toMatchObject({ code: 1, stdout: '' });
    expect(JSON.parse(none.stderr)).toMatchObject({ code: 'STORE_NOT_FOUND' });
  });
});
