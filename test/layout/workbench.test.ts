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
  editor: ['messages'],
  rows: ['api', 'messages', 'state'],
  state: ['api', 'messages'],
  terms: ['messages', 'rows', 'state', 'ui', 'api'],
  shell: ['messages', 'ui', 'api', 'rows', 'state', 'terms'],
};
const BESIDE = ['pages.ts', 'router.ts'];

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

/** A word or a sentence of English. */
const isEnglish = (text: string): boolean =>
  /^[A-Z][a-z]+(?: [a-z(]|[.:?!…]?$)/.test(text.trim()) || /[a-z]{2} [a-z]{2}/.test(text);
/** Keys, formats, functions of SPARQL, types of XSD, a command, and what stands in styles and selectors. */
const NAMES =
  /^(?:Arrow(?:Up|Down|Left|Right)|Backspace|Delete|End|Enter|Escape|Home|Mod|Page(?:Up|Down)|Space|Tab|Turtle|Var|integer decimal .*|NOW UUID .*|quadrille playground )$|\dpx |\bvar\(--|^\.cm-|^chosen near$/;
/** Attributes and members that nobody reads. */
const SILENT = /^(?:class|className|data-\w+|href|rel|src|style|type|id|for|name|role|key|viewBox|d)$/;

test('texts stand in messages/ alone, also those of attributes', () => {
  const isSilent = (node: ts.Node): boolean => {
    for (let at = node.parent; !ts.isSourceFile(at); at = at.parent) {
      if (ts.isJsxAttribute(at)) return SILENT.test(at.name.getText());
      if (ts.isImportDeclaration(at) || ts.isTypeNode(at) || ts.isThrowStatement(at)) return true;
      if (ts.isNewExpression(at) && /(?:Error|Exception)$/.test(at.expression.getText())) return true;
      if (ts.isPropertyAssignment(at) && SILENT.test(at.name.getText())) return true;
      if (ts.isStatement(at) && !ts.isVariableStatement(at)) return false;
    }
    return false;
  };
  const wanted = (node: ts.Node): boolean =>
    (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) &&
    isEnglish(node.text) &&
    !NAMES.test(node.text) &&
    !isSilent(node);
  // Requests have headers, which look like words.
  const shown = files.filter(({ path }) => !/\/src\/(?:messages|api)\//.test(path));
  expect(shown.flatMap((file) => found(file, wanted))).toEqual([]);
});
