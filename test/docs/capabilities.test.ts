/** What Quadrille can do has a page and a test, and no page denies it. */
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { RESOURCES } from '../../packages/server/src/resources/index.js';
import { capabilities } from './capabilities.mjs';
import { ROOT } from './markdown.js';

const text = (path: string): string => readFileSync(resolve(ROOT, path), 'utf8');

/** Pages that tell strangers what they get. */
const FRONT = [
  'README.md',
  'packages/quadrille/README.md',
  'packages/client/README.md',
  'docs/start/what-it-is.md',
  'docs/start/install.md',
  'docs/start/choose.md',
  'docs/start/tour.md',
  'docs/compare/stores.md',
  'docs/explanation/architecture.md',
  'docs/explanation/revisions.md',
];

test('each capability has a page and a test', () => {
  const all = capabilities();
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
  expect(all.filter(({ page }) => !existsSync(resolve(ROOT, 'docs', page)))).toEqual([]);
  expect(
    all.filter(({ test: file }) => !existsSync(resolve(ROOT, file)) || !text(file).includes("from 'vitest'")),
  ).toEqual([]);
});

test('each feature that a server tells of itself is one of a capability, and each feature of a capability is told', () => {
  const told = [...RESOURCES.flatMap((resource) => resource.features ?? []), 'servers'];
  expect(
    capabilities()
      .flatMap(({ features = [] }) => features)
      .toSorted(),
  ).toEqual(told.toSorted());
});

/** Sentences that say that something is not to be had: `no branches`, `does not support merges`, `branches are not supported`. */
const denials = (words: readonly string[]): RegExp => {
  const word = `(?:${words.join('|')})`;
  const before = String.raw`\b(?:no|without|lacks?|(?:has|have|is|are) no|(?:does|do|did) not (?:have|support|offer)|cannot (?:have|do|make)) ${word}\b`;
  const after = String.raw`\b${word} (?:is|are) (?:not (?:supported|possible|there|implemented)|missing|planned)\b`;
  const alone = String.raw`\b${word} (?:is|are|come) (?:in )?(?:a |npm )?packages? of (?:its|their) own\b`;
  return new RegExp([before, after, alone].join('|'), 'i');
};

test.each(FRONT)('%s denies no capability', (path) => {
  // In a comparison, the column of Quadrille is the second one.
  const ours = text(path).replaceAll(/^\|([^|]*)\|([^|]*)\|.*$/gm, '$1 $2');
  const found = capabilities().flatMap(({ name, words }) => {
    const denied = words.length === 0 ? null : denials(words).exec(ours);
    return denied === null ? [] : [`${name}: ${denied[0]}`];
  });
  expect(found).toEqual([]);
});

test('a page that denies a capability is noticed', () => {
  expect(denials(['branch(?:es|ing)?']).test('It has no branches yet.')).toBe(true);
  expect(denials(['merg(?:es?|ing)']).test('Merges are not supported.')).toBe(true);
  expect(denials(['command']).test('The command is a package of its own.')).toBe(true);
  expect(denials(['command']).test('The command is in a package of its own.')).toBe(true);
  expect(denials(['SHACL']).test('It checks SHACL.')).toBe(false);
});
