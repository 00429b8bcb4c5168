import { expect, test } from 'vitest';
import { isSlug, slugOf } from './slug.js';

test.each([
  ['People', 'people'],
  ['My Data Set!', 'my-data-set'],
  ['Éclairs à la crème', 'eclairs-a-la-creme'],
  ['a.b.ttl', 'a-b-ttl'],
  ['snake_case__twice', 'snake_case__twice'],
  ['--x--', 'x'],
  ['日本語', 'repository-'],
  ['x'.repeat(150), 'x'.repeat(100)],
])('%s becomes %s', (name, slug) => {
  expect(slugOf(name)).toMatch(slug === 'repository-' ? /^repository-[0-9a-f]{8}$/ : new RegExp(`^${slug}$`));
  expect(isSlug(slugOf(name))).toBe(true);
});

test('names in other scripts get slugs of their own', () => {
  expect(slugOf('日本語')).not.toBe(slugOf('日本'));
});

test.each(['sparql', 'repositories', 'jobs', 'Upper', 'a/b', '', '-x', 'a.b', 'x'.repeat(101)])(
  '%s is no slug',
  (text) => {
    expect(isSlug(text)).toBe(false);
  },
);
