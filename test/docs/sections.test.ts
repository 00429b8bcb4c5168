/** Comments name sections of published standards only: a section of a page that is not in the repository leads a reader nowhere. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './markdown.js';

const FOLDERS = ['packages', 'bench', 'examples', 'test', 'release', 'site', 'deploy'];
const SKIPPED = /^(?:node_modules|dist|content|\..*)$/;

function filesIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return SKIPPED.test(entry.name) ? [] : filesIn(path);
    return entry.isFile() && /\.(?:ts|tsx|mjs|md|css)$/.test(path) ? [path] : [];
  });
}

const sources = FOLDERS.flatMap(filesIn);

const STANDARD = /RFC \d|SPARQL|SHACL|JSON-LD|RDF|XSD|XPath|XML|Turtle|HTML|Unicode|ECMAScript|\.md\b/;

/** Sections of "the interface", and those in a text that names no standard. */
function unnamed(text: string): string[] {
  return [...text.matchAll(/\bsections? \d[\d.]*/gi)]
    .filter(({ index }) => {
      const near = text.slice(Math.max(0, index - 60), index + 40);
      return (
        !STANDARD.test(text) ||
        /\b(?:interface|specification)[\s,(*/]{1,9}sections? \d|sections? [\d.]+ (?:(?:and|to) [\d.]+ )?of the interface/i.test(
          near,
        )
      );
    })
    .map(([name]) => name);
}

test('each section that a comment names is one of a standard', () => {
  const found = sources
    .filter((path) => !path.endsWith('sections.test.ts'))
    .flatMap((path) => unnamed(readFileSync(join(ROOT, path), 'utf8')).map((name) => `${path}: ${name}`));
  expect(sources.length).toBeGreaterThan(1000);
  expect(found).toEqual([]);
});

test('a section of no page is noticed', () => {
  expect(unnamed('/** The forms of the interface (section 15). */')).toEqual(['section 15']);
  expect(unnamed('// RDF. Sections 8 and 9 of the interface, row by row.')).toEqual(['Sections 8']);
  expect(unnamed('/** Rows of RDF4J (interface, section 2). */')).toEqual(['section 2']);
  expect(unnamed('/** Relative references (RFC 3986, section 5.2). */')).toEqual([]);
});
