/** `quadrille copy`: whole stores, from one backend to another, as processes of their own. */
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { jsonLines, ok, quadrille, start, type Workspace, workspace } from '../testing/command.js';

// Every call is a process of its own, and a busy machine starts them slowly.
const SLOW = { timeout: 120_000 };

let work: Workspace;
let store: string;
const at = (name: string): string => join(work.directory, name);
beforeEach(async () => {
  work = await workspace();
  ({ store } = work);
  await ok(
    'load',
    store,
    await work.file('a.nq', '<urn:s> <urn:p> _:b <urn:g> .\n_:b <urn:q> "x"@en .\n'),
    '-m',
    'first',
  );
  await ok('load', store, at('a.nq'), '-r', 'acme/people', '-m', 'second');
  await ok('account', 'add', store, 'ada');
  await ok('token', 'add', store, 'ada', '--name', 'laptop');
});
afterEach(() => work.remove());

/** All that two stores have to have in common. */
async function contentOf(directory: string): Promise<unknown> {
  const content = [
    await ok('account', 'list', directory, '--json'),
    await ok('token', 'list', directory, 'ada', '--json'),
  ];
  for (const name of ['default/default', 'acme/people']) {
    const log = jsonLines(await ok('log', directory, '-r', name, '--json'));
    content.push(JSON.stringify(log));
    for (const { number } of log) content.push(await ok('dump', directory, '-r', name, '--at', String(number)));
  }
  return content;
}

test('a store with accounts and tokens is copied to another backend and back', SLOW, async () => {
  const content = await contentOf(store);
  expect(await ok('copy', store, at('lmdb'), '--backend', 'lmdb')).toBe(
    `${store} is copied to ${at('lmdb')}\n  acme/people #2\n  default/default #2\n`,
  );
  expect(await contentOf(at('lmdb'))).toEqual(content);
  const report = JSON.parse(await ok('copy', at('lmdb'), at('back'), '--json')) as { location: string };
  expect(report).toMatchObject({ location: at('back'), heads: [{ name: 'acme/people' }, { name: 'default/default' }] });
  expect(await contentOf(at('back'))).toEqual(content);
  expect(await ok('verify', at('back'))).toMatch(/everything is in order/);
  // The copy goes on by itself.
  await ok('update', at('back'), 'INSERT DATA { <urn:s> <urn:p> 3 }');
  expect(await contentOf(store)).toEqual(content);
});

test('what exists stays, and a source that is missing or damaged leaves nothing', SLOW, async () => {
  await mkdir(at('there'));
  await writeFile(at('there/mine.txt'), 'mine');
  const exists = await quadrille(['copy', store, at('there')]);
  expect(exists).toMatchObject({ code: 1, stdout: '' });
  expect(exists.stderr).toContain('ALREADY_EXISTS');
  expect(await readFile(at('there/mine.txt'), 'utf8')).toBe('mine');
  const itself = await quadrille(['copy', store, store]);
  expect(itself.stderr).toContain('ALREADY_EXISTS');
  const missing = await quadrille(['copy', at('nothing'), at('new')]);
  expect(missing).toMatchObject({ stdout: '' });
  expect(missing.code).not.toBe(0);
  expect(existsSync(at('new'))).toBe(false);
  expect((await readdir(work.directory)).filter((name) => name.includes('restoring'))).toEqual([]);
});

test('a copy that was killed leaves the source as it was, and the next one is complete', SLOW, async () => {
  const lines = Array.from({ length: 60_000 }, (_, i) => `<urn:s${i}> <urn:p> "${i} ${'x'.repeat(i % 90)}" .\n`);
  await ok('load', store, await work.file('many.nt', lines.join('')));
  const content = await contentOf(store);
  for (const delay of [150, 400, 700, 1000]) {
    const child = start(['copy', store, at('copy')]);
    const ended = new Promise((done) => child.on('close', done));
    await new Promise((done) => setTimeout(done, delay));
    child.kill('SIGKILL');
    await ended;
    if (existsSync(at('copy'))) break;
  }
  if (!existsSync(at('copy'))) await ok('copy', store, at('copy'));
  expect(await contentOf(at('copy'))).toEqual(content);
  expect(await contentOf(store)).toEqual(content);
  expect((await readdir(work.directory)).filter((name) => name.includes('restoring'))).toEqual([]);
});
