/** The words of the glossary stand in the order of the alphabet, and those of the engine are words of its code. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT } from './markdown.js';

const sections = readFileSync(resolve(ROOT, 'docs/glossary.md'), 'utf8')
  .split('\n## ')
  .slice(1)
  .map((section) => ({
    title: section.slice(0, section.indexOf('\n')),
    words: Array.from(section.matchAll(/^\| (?!word |-)([^|]*?) *\|/gm), ([, word]) => word!),
  }));

describe.each(sections)('$title', ({ words }) => {
  test('is in the order of the alphabet, each word once', () => {
    expect(words.length).toBeGreaterThan(30);
    const sorted = [...new Set(words)].toSorted((a, b) => a.localeCompare(b, 'en'));
    expect(words).toEqual(sorted);
  });
});

test('words of the engine are words of its code', () => {
  const code = ['core', 'storage', 'storage-directory', 'storage-shared', 'sparql']
    .map((folder) => join(ROOT, 'packages', folder, 'src'))
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)))
    .filter((file) => file.endsWith('.ts') && !file.includes('.test.'))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  const words = sections.at(-1)!.words.flatMap((word) => word.split(', '));
  expect(words.filter((word) => !new RegExp(`\\b${word.replaceAll(' ', '[\\s-]*')}`, 'i').test(code))).toEqual([]);
});
