import { afterEach, beforeEach, expect, test } from 'vitest';
import { ok, quadrille, type Workspace, workspace } from './testing/command.js';

// Every call is a process of its own, and a busy machine starts them slowly.
const SLOW = { timeout: 120_000 };

let work: Workspace;
beforeEach(async () => {
  work = await workspace();
});
afterEach(() => work.remove());

const shown = (functional: string, shapes: string): string =>
  `functional     ${functional}\nshapes         ${shapes}\ndefaultBranch  main\nprotected      -\nretention      -\n`;

test('settings are printed, changed and reset', SLOW, async () => {
  const { store } = work;
  await ok('load', store, await work.file('one.nt', '<urn:a> <urn:p> "1" .\n'));
  expect(await ok('settings', store)).toBe(shown('-', '-'));
  expect(await ok('settings', store, '--set', 'functional=urn:p  urn:q')).toBe(shown('urn:p urn:q', '-'));
  expect(await ok('settings', store, '--json')).toBe(
    '{"functional":["urn:p","urn:q"],"shapesStrict":false,"shapesMode":"refuse","shapesSince":"always","shapesWarnings":[],"defaultBranch":"main","protected":[]}\n',
  );
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
  expect(await ok('settings', store, '--unset', 'functional')).toBe(shown('-', '-'));
});

test('a load that breaks the shapes is 65, and the store stays as it was', SLOW, async () => {
  const { store } = work;
  const sh = 'http://www.w3.org/ns/shacl#';
  const shapes = `<urn:s> <${sh}targetSubjectsOf> <urn:p> ; <${sh}nodeKind> <${sh}IRI> .`;
  await ok('load', store, await work.file('shapes.ttl', shapes), '--graph', 'urn:shapes');
  expect(await ok('settings', store, '--set', 'shapes=urn:shapes')).toBe(shown('-', 'urn:shapes'));
  await ok('load', store, await work.file('one.nt', '<urn:a> <urn:p> "1" .\n'));
  const refused = await quadrille(['load', store, await work.file('two.nt', '_:a <urn:p> "1" .\n')]);
  expect(refused).toMatchObject({ code: 65, stdout: '' });
  expect(refused.stderr).toMatch(
    /violates the shapes of <urn:shapes>: 1 result, .*has not the kind sh:IRI \(SHAPES_VIOLATED\)/,
  );
  expect(await ok('size', store)).toMatch(/^3/);
  const misspelled = `<urn:t> <${sh}targetSubjectsOf> <urn:q> ; <${sh}nodekind> <${sh}IRI> .`;
  await ok('load', store, await work.file('more.ttl', misspelled), '--graph', 'urn:shapes');
  expect(await ok('settings', store)).toMatch(
    /\nwarning +<urn:t> sh:nodekind sh:IRI: .* did you mean sh:nodeKind\?\n$/,
  );
  expect(await quadrille(['settings', store, '--set', 'shapesStrict=true'])).toMatchObject({ code: 65 });
  expect(await quadrille(['settings', store, '--set', 'shapesStrict=maybe'])).toMatchObject({ code: 2 });
});

test('of a repository of a server', SLOW, async () => {
  const { store } = work;
  await ok('load', store, await work.file('one.nt', '<urn:a> <urn:p> "1" .\n'));
  const served = await work.serve(['--open', '--no-workbench']);
  const place = `${new URL(served.url).origin}/default/default`;
  expect(await ok('settings', place, '--set', 'functional=urn:p')).toBe(shown('urn:p', '-'));
  expect(await ok('settings', place)).toBe(shown('urn:p', '-'));
  const wrong = await quadrille(['settings', place, '--set', 'functional=p']);
  expect(wrong.stderr).toContain('INVALID_OPTION');
  expect(await ok('settings', store)).toBe(shown('urn:p', '-'));
});
