import { afterEach, beforeEach, expect, test } from 'vitest';
import { jsonLines, ok, quadrille, type Workspace, workspace } from '../testing/command.js';

let work: Workspace;
let store: string;
beforeEach(async () => {
  work = await workspace();
  ({ store } = work);
  await ok('load', store, await work.file('one.nt', '<urn:a> <urn:p> "1" .\n'));
});
afterEach(() => work.remove());

const SLOW = { timeout: 60_000 };

test('branch, --branch and merge', SLOW, async () => {
  expect(await ok('branch', store, 'dev')).toMatch(/^dev {2}#2 /);
  await ok('update', store, 'INSERT DATA { <urn:b> <urn:p> "2" }', '--branch', 'dev');
  expect(await ok('size', store)).toMatch(/^1\b/);
  expect(await ok('size', store, '--branch', 'dev')).toMatch(/^2\b/);
  expect(jsonLines(await ok('branch', store, '--json'))).toMatchObject([
    { name: 'dev', head: { number: 3 }, fork: { number: 2 } },
    { name: 'main', head: { number: 2 } },
  ]);
  expect(await ok('diff', store, 'main', 'dev')).toContain('<urn:b> <urn:p> "2"');
  expect(await ok('merge', store, 'dev', '--preview')).toBe('+1 -0  conflicts: 0  base: #2\n');
  expect(jsonLines(await ok('merge', store, 'dev', '--json'))).toMatchObject([{ kind: 'merge', number: 3, added: 1 }]);
  await ok('branch', store, 'next');
  await ok('update', store, 'INSERT DATA { <urn:c> <urn:p> "3" }', '--branch', 'next', '--author', 'kim');
  expect(await ok('merge', store, 'next', '--fast-forward')).toContain('kim');
  expect(await ok('log', store, '--limit', '1')).toBe(await ok('log', store, '--limit', '1', '--branch', 'next'));
  const graph = (await ok('log', store, '--graph')).trimEnd().split('\n');
  const shown = graph.map((line) => /^([*|\\/_ ]+)(\w*#\d+)?/.exec(line)!.slice(1).join('').trimEnd());
  expect(shown).toEqual(['* next#4', '* main#3', '|\\', '| * dev#3', '|/', '* main#2', '* main#1']);
  const first = jsonLines(await ok('log', store, '--graph', '--json', '-n', '2'));
  expect(first).toMatchObject([{ branch: 'next' }, { branch: 'main', kind: 'merge' }]);
  expect(await ok('branch', store, 'dev', '--rename', 'done')).toBe('dev is done now\n');
  expect(await ok('branch', store, 'done', '--delete')).toBe('done is deleted\n');
  expect(await ok('verify', store)).toContain('in order');
});

test('fork', SLOW, async () => {
  await ok('branch', store, 'dev');
  await ok('update', store, 'INSERT DATA { <urn:b> <urn:p> "2" }');
  expect(await ok('fork', store, 'default', 'copy')).toMatch(/^default\/copy: #3 /);
  expect(await ok('log', store, '-r', 'copy')).toBe(await ok('log', store));
  expect(await ok('size', store, '-r', 'copy', '--branch', 'dev')).toMatch(/^1\b/);
  expect(jsonLines(await ok('fork', store, 'default', 'a/early', '--at', '2', '--json'))).toMatchObject([
    { repository: 'a/early', head: { number: 2 } },
  ]);
  expect(await quadrille(['fork', store, 'default', 'copy'])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/ALREADY_EXISTS/),
  });
  expect(await quadrille(['fork', store, 'none', 'other'])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/REPOSITORY_NOT_FOUND/),
  });
  expect(await ok('verify', store)).toContain('in order');
});

test('wrong names and options', SLOW, async () => {
  await ok('branch', store, 'dev');
  await ok('update', store, 'INSERT DATA { <urn:b> <urn:p> "2" }', '--branch', 'dev');
  const cases: readonly [readonly string[], number, RegExp][] = [
    [['branch', store, 'dev'], 1, /ALREADY_EXISTS/],
    [['branch', store, 'HEAD'], 2, /INVALID_NAME/],
    [['branch', store, 'dev', '--delete'], 1, /BRANCH_NOT_MERGED/],
    [['branch', store, 'none', '--delete'], 1, /BRANCH_NOT_FOUND/],
    [['branch', store, 'dev', '--force'], 2, /--force is only for --delete/],
    [['branch', store, '--delete'], 2, /give the name of the branch/],
    [['size', store, '--branch', 'none'], 1, /BRANCH_NOT_FOUND/],
    [['log', store, '--graph', '--from', '1'], 2, /from is for the revisions of one branch/],
    [['log', store, '--graph', '--stat'], 2, /--stat does not go with --graph/],
    [['merge', store, 'main'], 2, /cannot be merged into itself/],
    [['merge', store, 'none'], 1, /REVISION_NOT_FOUND/],
    [['merge', store], 2, /missing required argument 'source'/],
    [['merge', 'http://127.0.0.1:1/a/b', 'dev', '--author', 'x'], 2, /--author is for a store/],
  ];
  for (const [args, code, text] of cases)
    expect(await quadrille(args), args.join(' ')).toMatchObject({
      code,
      stdout: '',
      stderr: expect.stringMatching(text),
    });
});

test('branches of a server: branch, merge, load and watch', SLOW, async () => {
  const served = await work.serve(['--open', '--no-workbench']);
  const repository = `${new URL(served.url).origin}/default/default`;
  expect(await ok('branch', store)).toMatch(/^main {2}#2 /);
  expect(await ok('branch', repository, 'dev')).toMatch(/^dev {2}#2 /);
  const file = await work.file('two.nt', '<urn:b> <urn:p> "2" .\n');
  expect(await ok('load', repository, file, '--branch', 'dev')).toContain('#3 ');
  expect(jsonLines(await ok('branch', repository, '--json'))).toMatchObject([
    { name: 'dev', head: { number: 3 }, fork: { number: 2 } },
    { name: 'main', head: { number: 2 } },
  ]);
  const watched = await ok('watch', repository, '--branch', 'dev', '--since', '2', '-n', '1');
  expect(watched).toContain('A <urn:b> <urn:p> "2" .');
  expect(await ok('merge', repository, 'dev', '--preview')).toBe('+1 -0  conflicts: 0  base: #2\n');
  expect(jsonLines(await ok('merge', repository, 'dev', '--json', '-m', 'take it'))).toMatchObject([
    { kind: 'merge', number: 3, added: 1, message: 'take it' },
  ]);
  expect(await ok('branch', repository, 'dev', '--rename', 'done')).toBe('dev is done now\n');
  expect(await ok('branch', repository, 'done', '--delete')).toBe('done is deleted\n');
  for (const [args, text] of [
    [['branch', repository, 'none', '--delete'], /BRANCH_NOT_FOUND/],
    [['load', repository, file, '--branch', 'none'], /BRANCH_NOT_FOUND/],
    [['watch', repository, '--branch', 'none'], /BRANCH_NOT_FOUND/],
  ] as const)
    expect((await quadrille(args)).stderr, args.join(' ')).toMatch(text);
});

test('the history of a branch is pulled, pushed, exported and imported', SLOW, async () => {
  const served = await work.serve(['--open', '--no-workbench']);
  const address = `${new URL(served.url).origin}/default/default`;
  const copy = `${store}-copy`;
  await ok('branch', address, 'dev');
  await ok('load', address, await work.file('two.nt', '<urn:b> <urn:p> "2" .\n'), '--branch', 'dev');
  await ok('clone', address, copy);
  expect((await quadrille(['pull', copy, '--branch', 'dev'])).stderr).toMatch(/BRANCH_NOT_FOUND/);
  await ok('branch', copy, 'dev');
  expect(await ok('pull', copy, '--branch', 'dev')).toContain('1 revision pulled');
  expect(await ok('size', copy, '--branch', 'dev')).toMatch(/^2/);
  expect(await ok('size', copy)).toMatch(/^1/);
  await ok('update', copy, 'INSERT DATA { <urn:c> <urn:p> "3" }', '--branch', 'dev');
  expect(await ok('push', copy, '--branch', 'dev')).toContain('1 revision pushed');
  const heads = async (...args: string[]): Promise<unknown> =>
    jsonLines(await ok('branch', ...args, '--json')).map(({ name, head }: any) => [name, head.id]);
  expect(await heads(copy)).toEqual(await heads(address));
});
