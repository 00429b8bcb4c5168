/** The files and bounds that documents name exist. The design leaves out `packages/` and `src/`. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { pages, ROOT } from './markdown.js';

const PACKAGES = resolve(ROOT, 'packages');
const sources = readdirSync(PACKAGES).flatMap((folder) =>
  readdirSync(join(PACKAGES, folder, 'src'), { recursive: true, encoding: 'utf8' }).map((file) => ({
    name: `/${folder}/${file.replaceAll('\\', '/')}`,
    path: join(PACKAGES, folder, 'src', file),
  })),
);
const NAME = /(?<![\w./-])[\w-]+(?:\/[\w.-]+)*\.(?:ts|mjs)\b/g;

const isThere = (name: string): boolean =>
  existsSync(resolve(ROOT, name)) || sources.some((file) => file.name.endsWith(`/${name}`));

const inside = pages(resolve(ROOT, 'docs')).filter(({ path }) =>
  /^docs\/(?:design|glossary|decisions\/.*)\.md$/.test(path),
);
const design = inside.find(({ path }) => path === 'docs/design.md')!.text;

describe.each(inside.map((page) => [page.path, page] as const))('%s', (_, { text }) => {
  test('names files that exist', () => {
    const names = new Set(text.replaceAll(/\]\([^)]*\)/g, '').match(NAME));
    expect([...names].filter((name) => !isThere(name))).toEqual([]);
  });
});

test('the design names files', () => {
  expect(design.match(NAME)?.length).toBeGreaterThan(50);
});

test('each bound has the name of a constant or an option', () => {
  const rows = design.slice(design.indexOf('\n## Bounds\n'), design.indexOf('\n### Without a bound\n'));
  const cells = rows.split('\n').flatMap((row) => row.split('|')[3] ?? []);
  const names = cells.flatMap((cell) => Array.from(cell.matchAll(/`(?:\w+\.)*(\w+)`/g), ([, name]) => name!));
  expect(names.length).toBeGreaterThan(100);
  const code = sources
    .filter(({ name }) => name.endsWith('.ts') && !name.includes('.test.'))
    .map(({ path }) => readFileSync(path, 'utf8'))
    .join('\n');
  const words = new Set(code.match(/\w+/g));
  expect(names.filter((name) => !words.has(name))).toEqual([]);
});
