/** What a registry shows of each package. */
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const PACKAGES = resolve(import.meta.dirname, '../../packages');
const names = (await readdir(PACKAGES, { withFileTypes: true })).flatMap((entry) =>
  entry.isDirectory() ? entry.name : [],
);

test.each(names)('%s says what it is, for whom, and what it contains', async (name) => {
  const described = JSON.parse(await readFile(join(PACKAGES, name, 'package.json'), 'utf8')) as Record<string, unknown>;
  expect(described).toMatchObject({
    name: name === 'quadrille' ? name : `@quadrille/${name}`,
    description: expect.stringMatching(/^.{20,140}$/),
    keywords: expect.arrayContaining(['rdf', 'linked-data']),
    license: 'MIT',
    author: 'Quadrille contributors',
    type: 'module',
    engines: { node: '^20.19.0 || >=22.12.0' },
    files: expect.arrayContaining([expect.stringMatching(/^dist/)]),
  });
  // The public address is not known yet: none is made up.
  for (const unknown of ['repository', 'homepage', 'bugs']) expect(described).not.toHaveProperty(unknown);
});
