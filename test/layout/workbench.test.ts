/** The folders of the workbench: which may import which, and what no component does. */
import ts from 'typescript';
import { expect, test } from 'vitest';
import { importGraph, type SourceFile, sourceFiles } from './source-files.js';

const files = sourceFiles('workbench');
const SRC = 'packages/workbench/src/';

/** Folders by what they may import; pages may import all of these, but no other page. */
const LOWER: Readonly<Record<string, readonly string[]>> = {
  messages: [],
  ui: ['messages'],
  api: [],
  rows: ['api', 'messages', 'state'],
  state: ['api', 'messages'],
  terms: ['messages', 'rows', 'state', 'ui', 'api'],
  shell: ['messages', 'ui', 'api', 'rows', 'state', 'terms'],
};
const BESIDE = ['router.ts'];

const folderOf = (path: string): string => {
  const inside = path.slice(SRC.length);
  return inside.includes('/') ? inside.slice(0, inside.indexOf('/')) : inside;
};

test('pages import what is below them, and never each other', () => {
  const wrong: string[] = [];
  for (const [from, targets] of importGraph(files)) {
    const folder = folderOf(from);
    if (folder.endsWith('.tsx') || folder.endsWith('.ts')) continue;
    const allowed = LOWER[folder] ?? Object.keys(LOWER).filter((name) => name !== 'shell');
    for (const to of targets) {
      const used = folderOf(to);
      if (used !== folder && !allowed.includes(used) && !BESIDE.includes(used)) wrong.push(`${from} imports ${to}`);
    }
  }
  expect(wrong).toEqual([]);
});

function found(file: SourceFile, wanted: (node: ts.Node) => boolean): string[] {
  const places: string[] = [];
  const visit = (node: ts.Node): void => {
    if (wanted(node)) places.push(`${file.path}: ${node.getText(file.source).slice(0, 60)}`);
    ts.forEachChild(node, visit);
  };
  visit(file.source);
  return places;
}

const MARKUP = /^(?:innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|srcdoc)$/;
const WRITES = /^(?:write|writeln)$/;

test('no text becomes markup', () => {
  const wanted = (node: ts.Node): boolean =>
    (ts.isPropertyAccessExpression(node) && MARKUP.test(node.name.text)) ||
    (ts.isPropertyAccessExpression(node) &&
      WRITES.test(node.name.text) &&
      /\bdocument$/.test(node.expression.getText())) ||
    (ts.isJsxAttribute(node) && MARKUP.test(node.name.getText())) ||
    (ts.isElementAccessExpression(node) &&
      ts.isStringLiteral(node.argumentExpression) &&
      MARKUP.test(node.argumentExpression.text));
  expect(files.flatMap((file) => found(file, wanted))).toEqual([]);
});

test('requests are sent by the client, by the worker of rows, and for the files of a playground alone', () => {
  const wanted = (node: ts.Node): boolean =>
    ts.isIdentifier(node) && /^(?:fetch|XMLHttpRequest|WebSocket|EventSource)$/.test(node.text);
  const places = files
    .filter(({ path }) => !/\/(?:api\/|rows\/worker\.ts|playground\/(?:example|service-worker)\.ts)/.test(path))
    .flatMap((file) => found(file, wanted));
  expect(places).toEqual([]);
});

test('components have no text of their own', () => {
  const wanted = (node: ts.Node): boolean => ts.isJsxText(node) && /[a-z]{2}/i.test(node.text);
  expect(files.flatMap((file) => found(file, wanted))).toEqual([]);
});
