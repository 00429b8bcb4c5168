import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { files } from './files.js';
import { playgroundFiles, siteFiles } from './playground-files.js';

const found = playgroundFiles();
const textOf = (path: string): string => new TextDecoder().decode(found.find((file) => file.path === path)!.bytes);

test('the page names its files by relative addresses, has its policy first, and names the worker with the data', () => {
  const page = textOf('index.html');
  const names = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, name]) => name!);
  const worker = /<meta name="quadrille-store" content="([^"]+)"/.exec(page)![1]!;
  for (const name of [...names, worker]) expect(textOf(name)).not.toBe('');
  expect(page).toMatch(
    /<head>\s*<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self' 'wasm-unsafe-eval';/,
  );
  // Browsers ignore it in a page, and complain.
  expect(page).not.toContain('frame-ancestors');
  expect(page).not.toMatch(/<script>|https?:\/\//);
});

test('the service worker knows every file but itself', () => {
  const script = textOf('sw.js');
  for (const { path } of found) expect([path, script.includes(path)]).toEqual([path, path !== 'sw.js']);
});

test('the page of a published store reaches its own host alone, and has no file that only imports need', () => {
  const site = new Map(siteFiles().map(({ path, bytes }) => [path, new TextDecoder().decode(bytes)]));
  expect(site.get('index.html')).toContain("connect-src 'self';");
  expect(site.get('index.html')).toContain('<meta name="quadrille-place" content="./" />');
  expect(textOf('index.html')).toContain("connect-src 'self' https:;");
  for (const path of site.keys()) expect(path).toMatch(/^(?:index\.html|sw\.js|page\/assets\/(?!solar|tables)[^/]+)$/);
  for (const [, name] of site.get('index.html')!.matchAll(/(?:src|href)="([^"]+)"/g))
    expect(site.has(name!)).toBe(true);
});

test('a server shows none of what only a playground has', () => {
  const at = files();
  const own = found.filter(({ path }) => at(`/${path}`) === undefined).map(({ path }) => path);
  expect(own).toContain('sw.js');
  expect(own.some((path) => /\/store-\w+\.js$/.test(path))).toBe(true);
  expect(new TextDecoder().decode(at('/')!.bytes)).not.toContain('quadrille-store');
});

test('all files of the package take at most 1.5 MB', () => {
  const folder = new URL('../dist/pages', import.meta.url).pathname;
  const sizes = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => statSync(join(entry.parentPath, entry.name)).size);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(1_500_000);
});
