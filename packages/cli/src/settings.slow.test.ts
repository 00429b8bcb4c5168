import { afterEach, beforeEach, expect, test } from 'vitest';
import { ok, quadrille, type Workspace, workspace } from './testing/command.js';

// Every call is a process of its own, and a busy machine starts them slowly.
const SLOW = { timeout: 120_000 };

let work: Workspace;
beforeEach(async () => {
  work = await workspace();
});
afterEach(() => work.remove());

test('settings are printed, changed and reset', SLOW, async () => {
  const { store } = work;
  await ok('load', store, await work.file('one.nt', '<urn:a> <urn:p> "1" .\n'));
  expect(await ok('settings', store)).toBe('functional  -\n');
  expect(await ok('settings', store, '--set', 'functional=urn:p  urn:q')).toBe('functional  urn:p urn:q\n');
  expect(await ok('settings', store, '--json')).toBe('{"functional":["urn:p","urn:q"]}\n');
  for (const wrong of [
    ['--set', 'functional'],
    ['--set', 'colour=red'],
    ['--unset', 'colour'],
    ['--set', 'functional=p'],
  ])
    expect(await quadrille(['settings', store, ...wrong])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('INVALID_OPTION'),
    });
  expect(await quadrille(['settings'])).toMatchObject({ code: 2 });
  expect(await ok('settings', store, '--unset', 'functional')).toBe('functional  -\n');
});

test('of a repository of a server', SLOW, async () => {
  const { store } = work;
  await ok('load', store, await work.file('one.nt', '<urn:a> <urn:p> "1" .\n'));
  const served = await work.serve(['--open', '--no-workbench']);
  const place = ['--server', new URL(served.url).origin];
  expect(await ok('settings', ...place, '--set', 'functional=urn:p')).toBe('functional  urn:p\n');
  expect(await ok('settings', ...place)).toBe('functional  urn:p\n');
  const wrong = await quadrille(['settings', ...place, '--set', 'functional=p']);
  expect(wrong.stderr).toContain('INVALID_OPTION');
  const held = await quadrille(['settings', store]);
  expect(held.stderr).toMatch(/give --server URL/);
});
