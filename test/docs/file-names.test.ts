/** The files that documents name exist. The design leaves out `packages/` and `src/`. */
import { existsSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { pages, ROOT } from './markdown.js';

const sources = readdirSync(resolve(ROOT, 'packages')).flatMap((folder) =>
  readdirSync(resolve(ROOT, 'packages', folder, 'src'), { recursive: true, encoding: 'utf8' }).map(
    (file) => `/${folder}/${file.replaceAll('\\', '/')}`,
  ),
);
const NAME = /(?<![\w./-])[\w-]+(?:\/[\w.-]+)*\.(?:ts|mjs)\b/g;

const isThere = (name: string): boolean =>
  existsSync(resolve(ROOT, name)) || sources.some((file) => file.endsWith(`/${name}`));

const inside = pages(resolve(ROOT, 'docs')).filter(({ path }) =>
  /^docs\/(?:design|glossary|decisions\/.*)\.md$/.test(path),
);

describe.each(inside.map((page) => [page.path, page] as const))('%s', (_, { text }) => {
  test('names files that exist', () => {
    const names = new Set(text.replaceAll(/\]\([^)]*\)/g, '').match(NAME));
    expect([...names].filter((name) => !isThere(name))).toEqual([]);
  });
});

test('the design names files', () => {
  expect(inside.find(({ path }) => path === 'docs/design.md')?.text.match(NAME)?.length).toBeGreaterThan(50);
});
