/** Which folder of this package may import from which: docs/design.md, "How a query works". */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  algebra: [],
  control: [],
  // An address of another repository is a part of the request.
  dataset: ['algebra'],
  syntax: ['algebra'],
  optimize: ['algebra'],
  plan: ['operators/plan', 'optimize', 'algebra', 'dataset'],
  // The nodes of plans.
  'operators/plan': ['plan', 'algebra', 'dataset'],
  expression: ['algebra', 'control'],
  // The plan is what is executed; a SERVICE is sent as text, which syntax/write makes.
  // What a row names is planned when the row comes.
  operators: ['operators/plan', 'execute', 'expression', 'plan', 'optimize', 'algebra', 'dataset', 'control', 'syntax'],
  execute: ['operators', 'expression', 'plan', 'algebra', 'dataset', 'control'],
  engine: ['execute', 'operators', 'expression', 'plan', 'optimize', 'syntax', 'algebra', 'dataset', 'control'],
  delta: ['engine', 'expression', 'algebra', 'dataset'],
  prebound: ['engine', 'algebra'],
  mapping: ['algebra', 'engine', 'expression', 'optimize', 'syntax'],
};
const ROOT = import.meta.dirname;
const IMPORT = /(?:from|import\()\s*'(\.[^']+)'/g;

const sources = readdirSync(ROOT, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.includes('/') && file.endsWith('.ts') && !/\.test\.ts$|testing/.test(file),
);
const folderOf = (file: string): string =>
  /^operators\/[^/]+\/plan\.[jt]s$/.test(file) ? 'operators/plan' : file.split('/')[0]!;

test.each(Object.keys(MAY_IMPORT))('%s imports only from the layers below it', (folder) => {
  const wrong = sources
    .filter((file) => folderOf(file) === folder)
    .flatMap((file) => importsOf(file).map((target) => ({ file, target })))
    .filter(({ target }) => folderOf(target) !== folder && !MAY_IMPORT[folder]!.includes(folderOf(target)));
  expect(wrong).toEqual([]);
});

test('every folder has its place in the order', () => {
  expect([...new Set(sources.map(folderOf))].toSorted()).toEqual(Object.keys(MAY_IMPORT).toSorted());
});

test('MINUS stands where its shape, its record, its syntax and its planner are: no walk and no rule names it', () => {
  const named = /(?:type(?:: | === )|case |Plans<.*|Family<.*)'minus'/;
  expect(sources.filter((file) => named.test(readFileSync(join(ROOT, file), 'utf8'))).toSorted()).toEqual([
    'algebra/algebra.ts',
    'algebra/operations/two-sided.ts',
    'plan/parts/two-sided-plans.ts',
    'syntax/grammar/group-parser.ts',
  ]);
});

function importsOf(file: string): string[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  return [...text.matchAll(IMPORT)].map(([, path]) => relative(ROOT, resolve(ROOT, dirname(file), path!)));
}
