/** What a bundler makes of the packages for a page. Asks for the built packages: `npm run build`. */
import { expect, test } from 'vitest';
import { bundlePages } from './bundle.js';

const entry = (contents: string) => bundlePages([], { stdin: { contents, resolveDir: import.meta.dirname } });

test('the library pulls no module of Node.js into a page', async () => {
  const { builtins, metafile } = await entry(`export * from 'quadrille';`);
  expect(builtins).toEqual([]);
  const inputs = Object.keys(metafile.inputs);
  const has = (part: string) => inputs.some((path) => path.includes(part));
  // It is the whole library that was looked at, with what is loaded later.
  for (const part of ['packages/core/', 'sparql/dist/', 'storage-browser/', '/n3/', 'platform-browser.js']) {
    expect(has(part), part).toBe(true);
  }
  for (const part of ['platform-node.js', 'classic-level', 'lmdb', 'storage-directory', 'packages/fetch/']) {
    expect(has(part), part).toBe(false);
  }
});

test.each(
  ['storage-level', 'storage-browser', 'formats', 'formats-extra', 'server', 'server/host'].map(
    (name) => `@quadrille/${name}`,
  ),
)('%s pulls no module of Node.js into a page', async (name) => {
  expect((await entry(`export * from '${name}';`)).builtins).toEqual([]);
});

test('the check sees modules of Node.js, by both of their names', async () => {
  const { builtins } = await entry(`import 'node:fs'; import 'path'; import 'events';`);
  expect(builtins.map((line) => line.split(' ')[0])).toEqual(['node:fs', 'path']);
});
