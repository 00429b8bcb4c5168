/** What a registry shows of each package. */
import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { pageFiles, ROOT } from './markdown.js';

const PACKAGES = resolve(import.meta.dirname, '../../packages');
const names = (await readdir(PACKAGES, { withFileTypes: true })).flatMap((entry) =>
  entry.isDirectory() ? entry.name : [],
);

const described = async (name: string): Promise<Record<string, unknown>> =>
  JSON.parse(await readFile(join(PACKAGES, name, 'package.json'), 'utf8')) as Record<string, unknown>;
const published = new Set<string>();
for (const name of names) if ((await described(name))['private'] !== true) published.add(name);

test('users install five packages; the benchmark is the sixth', () =>
  expect([...published].sort()).toEqual(['client', 'lmdb', 'postgres', 'quadrille', 's3']));

test.each(names)('%s says what it is, for whom, and what it contains', async (name) => {
  const manifest = await described(name);
  expect(manifest).toMatchObject({
    name: name === 'quadrille' ? name : `@quadrille/${name}`,
    description: expect.stringMatching(/^.{20,140}$/),
    license: 'MIT',
    type: 'module',
    engines: { node: '^20.19.0 || >=22.12.0' },
    files: expect.arrayContaining([expect.stringMatching(/^dist/)]),
  });
  // The public address is not known yet: none is made up.
  for (const unknown of ['repository', 'homepage', 'bugs']) expect(manifest).not.toHaveProperty(unknown);
  if (!published.has(name)) return;
  expect(manifest).toMatchObject({
    keywords: expect.arrayContaining(['rdf', 'linked-data']),
    author: 'Quadrille contributors',
  });
});

test('the package has rules for agents, and a skill that their clients read', async () => {
  const { files } = await described('quadrille');
  expect(files).toEqual(expect.arrayContaining(['AGENTS.md', 'skills']));
  const skill = await readFile(join(PACKAGES, 'quadrille/skills/quadrille/SKILL.md'), 'utf8');
  const [, front = ''] = /^---\n(.*?)\n---\n/s.exec(skill) ?? [];
  const { name, description } = Object.fromEntries(
    front.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  ) as Record<string, string>;
  // A skill has the name of its folder, and a description that a client always has in view.
  expect(name).toBe('quadrille');
  expect(description!.length).toBeLessThanOrEqual(1024);
  expect(Buffer.byteLength(skill)).toBeLessThan(6000);
});

test('install lines name packages that are published', () => {
  const lines: string[] = [];
  for (const { path, text } of pageFiles().map((file) => ({
    path: relative(ROOT, file),
    text: readFileSync(file, 'utf8'),
  })))
    for (const [line] of text.matchAll(/\b(?:npm (?:install|i)|(?:pnpm|yarn|bun) add) .*/g))
      for (const [name] of line.matchAll(/@?\bquadrille\/[\w-]+/g)) lines.push(`${path}: ${name}`);
  const known = ['bench', ...published].map((name) => `@quadrille/${name}`);
  expect(lines.length).toBeGreaterThan(5);
  expect(lines.filter((line) => !known.includes(line.slice(line.indexOf(': ') + 2)))).toEqual([]);
});
