import { expect, test } from 'vitest';
import { files } from './files.js';

const fileAt = files();
const page = new TextDecoder().decode(fileAt('/')!.bytes);

test('the page names its files by relative addresses, and each of them is there', () => {
  const names = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, name]) => name!);
  expect(names).toHaveLength(3);
  for (const name of names) {
    expect(name).toMatch(/^workbench\/assets\/\w+-\w+\.\w+$/);
    expect(fileAt(`/${name}`)).toMatchObject({ immutable: true });
  }
});

test('the page itself is asked for each time; every file has the policy', () => {
  const file = fileAt('/')!;
  expect(file.immutable).toBe(false);
  expect(file.brotli.length).toBeLessThan(file.bytes.length);
  const policy = file.headers['Content-Security-Policy'];
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain('unsafe');
  expect(page).not.toMatch(/<script>|style="|https?:/);
});

test('nothing else is there', () => {
  for (const path of ['/index.html', '/workbench/assets/', '/../package.json', '/workbench/assets/../index.html', '']) {
    expect(fileAt(path)).toBeUndefined();
  }
});
