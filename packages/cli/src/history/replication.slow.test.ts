import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { jsonLines, ok, quadrille, type Workspace, workspace } from '../testing/command.js';

let work: Workspace;
beforeEach(async () => {
  work = await workspace();
});
afterEach(() => work.remove());

test('clone, pull, push and remote, with a server', { timeout: 90_000 }, async () => {
  const { store } = work;
  await ok('load', store, await work.file('one.nt', '<urn:a> <urn:p> "1" .\n'), '--repository', 'acme/people');
  const token = (await ok('token', 'add', store, 'acme')).match(/\S{20,}/)![0];
  const tokenFile = await work.file('token.txt', `${token}\n`);
  const { url } = await work.serve();
  const address = `${url}/acme/people`;
  const copy = join(work.directory, 'copy');
  const at = ['--repository', 'acme/people'];
  const asked = ['--token-file', tokenFile];
  expect(await ok('clone', address, copy, ...asked)).toMatch(/^acme\/people: 2 revisions cloned; the head is #2 /);
  expect(await ok('remote', copy, ...at)).toBe(`origin  ${address}\n`);
  expect(await ok('pull', copy, ...at, ...asked)).toMatch(/^nothing to pull; the head is #2 /);
  await ok('update', copy, 'INSERT DATA { <urn:b> <urn:p> 2 }', ...at);
  expect(await ok('push', copy, 'origin', ...at, ...asked)).toMatch(/^1 revision pushed; the head is #3 /);
  await ok('remote', copy, 'other', address, ...at);
  expect(jsonLines(await ok('pull', copy, 'other', ...at, ...asked, '--json'))).toMatchObject([
    { transferred: 0, revision: { number: 3 } },
  ]);
  await ok('remote', copy, 'other', '--delete', ...at);

  // Both have revisions of their own.
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/n-triples' };
  const body = '<urn:c> <urn:p> "3" .\n';
  expect((await fetch(`${address}/statements`, { method: 'POST', headers, body })).status).toBe(204);
  await ok('update', copy, 'INSERT DATA { <urn:d> <urn:p> 4 }', ...at);
  const refused = await quadrille(['pull', copy, ...at, ...asked]);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/HISTORY_DIVERGED/) });
  expect(await ok('pull', copy, '--merge', ...at, ...asked)).toMatch(/^1 revision pulled; the head is #5 /);
  expect(await ok('branch', copy, ...at)).toMatch(/^remote\/origin {2}#4 /m);

  const cases: readonly [readonly string[], number, RegExp][] = [
    [['pull', copy, 'other', ...at], 2, /has no remote other.*INVALID_OPTION/],
    [['remote', copy, 'other', '--delete', ...at], 2, /there is no remote other/],
    [['remote', copy, 'other', ...at], 2, /a name with its address/],
    [['clone', `${url}/acme/none`, `${copy}2`, ...asked], 1, /REPOSITORY_NOT_FOUND/],
    [['clone', 'people', `${copy}2`], 2, /no address of http or https/],
    [['clone', address, copy, ...asked], 1, /ALREADY_EXISTS/],
  ];
  for (const [args, code, text] of cases)
    expect(await quadrille(args), args.join(' ')).toMatchObject({
      code,
      stdout: '',
      stderr: expect.stringMatching(text),
    });
});
