import { afterEach, beforeEach, expect, test } from 'vitest';
import { ok, quadrille, type Workspace, workspace } from './testing/command.js';

// Every call is a process of its own, and a busy machine starts them slowly.
const SLOW = { timeout: 120_000 };
const SH = 'http://www.w3.org/ns/shacl#';
const SHAPES = `<urn:s> <${SH}targetSubjectsOf> <urn:p> ; <${SH}nodeKind> <${SH}BlankNode> ; <${SH}nodekind> 1 .`;

let work: Workspace;
beforeEach(async () => {
  work = await workspace();
});
afterEach(() => work.remove());

test('a revision is validated against a file, a graph and the settings', SLOW, async () => {
  const { store } = work;
  await ok('load', store, await work.file('one.nt', '_:a <urn:p> "1" .\n'));
  await ok('load', store, await work.file('two.nt', '<urn:a> <urn:p> "1" .\n'));
  const file = await work.file('shapes.ttl', SHAPES);
  const table = await quadrille(['validate', store, '--shapes', file]);
  expect(table).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/warning: <urn:s> sh:nodekind .*sh:nodeKind\?/) as string,
  });
  expect(table.stdout).toMatch(/<urn:s> +<urn:a> .*has not the kind sh:BlankNode[^]*1 row\n$/);
  const before = await quadrille(['validate', store, '--shapes', file, '--at', 'HEAD~1']);
  expect(before).toMatchObject({ code: 0, stdout: 'The data conform to the shapes.\n' });
  expect(await quadrille(['validate', store])).toMatchObject({ code: 2 });
  await ok('load', store, file, '--graph', 'urn:shapes');
  const json = await quadrille(['validate', store, '--graph', 'urn:shapes', '--format', 'json']);
  expect([json.code, JSON.parse(json.stdout)]).toMatchObject([
    1,
    { conforms: false, results: [{ focusNode: '<urn:a>', shape: '<urn:s>' }], truncated: false },
  ]);
  const turtle = await quadrille(['validate', store, '--graph', 'urn:shapes', '-f', 'turtle']);
  expect(turtle.stdout).toMatch(/sh:conforms (?:false|"false")/);
  expect(await quadrille(['validate', store, '--shapes', file, '--strict'])).toMatchObject({ code: 65 });
});

test('the change of a revision is validated alone, and shapes tell what they make a guard do', SLOW, async () => {
  const { store } = work;
  await ok('load', store, await work.file('shapes.ttl', SHAPES), '--graph', 'urn:shapes');
  await ok('settings', store, '--set', 'shapesMode=report', '--set', 'shapes=urn:shapes');
  for (const name of ['ap', 'bp', 'cq'])
    await ok('load', store, await work.file(`${name}.nt`, `<urn:${name}> <urn:${name[1]}> "1" .\n`));
  const nodesOf = async (...options: string[]): Promise<unknown> => {
    const { code, stdout } = await quadrille(['validate', store, '--format', 'json', ...options]);
    const { results } = JSON.parse(stdout) as { results: { focusNode: string }[] };
    return [code, ...results.map(({ focusNode }) => focusNode).toSorted()];
  };
  expect(await nodesOf()).toEqual([1, '<urn:ap>', '<urn:bp>']);
  expect(await nodesOf('--change')).toEqual([0]);
  expect(await nodesOf('--change', '--at', 'HEAD~1')).toEqual([1, '<urn:bp>']);
  expect(await nodesOf('--change', '--at', 'HEAD~2')).toEqual([1, '<urn:ap>']);
  const explained = await quadrille(['validate', store, '--explain']);
  expect(explained).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/<urn:s> .*NodeKindConstraintComponent> .*affected nodes/) as string,
  });
});
