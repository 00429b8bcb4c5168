/** Every relative link of the repository's Markdown leads to a file, and its anchor to a heading. */
import { existsSync } from 'node:fs';
import { posix, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { anchors, links, pages, ROOT } from './markdown.js';

const all = pages();
const known = new Map(all.map((page) => [page.path, anchors(page)]));

/** What is wrong with a link, if anything. */
function fault(from: string, url: string): string | undefined {
  if (/^[a-z]+:/.test(url)) return undefined;
  const [path = '', anchor] = url.split('#');
  const target = path === '' ? from : posix.join(posix.dirname(from), decodeURIComponent(path));
  if (target.startsWith('..')) return 'leaves the repository';
  if (!existsSync(resolve(ROOT, target))) return `there is no ${target}`;
  if (anchor === undefined || !target.endsWith('.md')) return undefined;
  return known.get(target)?.has(anchor) === true ? undefined : `${target} has no heading #${anchor}`;
}

test('there are documents, and they link', () => {
  expect(all.length).toBeGreaterThan(40);
  expect(all.flatMap(links).length).toBeGreaterThan(100);
});

describe.each(all.map((page) => [page.path, page] as const))('%s', (path, page) => {
  test('has no dead link', () => {
    const dead = links(page).flatMap(({ url, line }) => {
      const wrong = fault(path, url);
      return wrong === undefined ? [] : `${path}:${String(line)} ${url}: ${wrong}`;
    });
    expect(dead).toEqual([]);
  });
});

test('every page of docs can be reached from the README by links', () => {
  const reached = new Set<string>();
  const visit = (path: string): void => {
    const page = all.find((one) => one.path === path);
    if (page === undefined || reached.has(path)) return;
    reached.add(path);
    for (const { url } of links(page))
      if (!/^[a-z]+:/.test(url)) visit(posix.join(posix.dirname(path), url.split('#')[0] ?? ''));
  };
  visit('README.md');
  expect(all.map(({ path }) => path).filter((path) => path.startsWith('docs/') && !reached.has(path))).toEqual([]);
});
