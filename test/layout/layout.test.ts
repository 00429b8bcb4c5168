/** The layout of the packages: who imports whom, how many files stand side by side, how long a function may be. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { importName, readConfig, readTable, withRules } from './lint-rules.mjs';
import type { SourceFile } from './source-files.js';
import { findCircle, importGraph, packageFolders, ROOT, sourceFiles, specifiers } from './source-files.js';

const table = readTable();
const folders = packageFolders();
const files = new Map(folders.map((folder) => [folder, sourceFiles(folder)]));

const MOST_FILES = 20;
/** Files beside the folders of `src`. */
const MOST_BESIDE: Readonly<Record<string, number>> = { core: 7, server: 8, quadrille: 8, sparql: 8 };
const MOST_MUTABLE_FIELDS = 12;
const MOST_LINES = 60;

interface Manifest {
  readonly name: string;
  readonly dependencies?: Record<string, string>;
  readonly peerDependencies?: Record<string, string>;
  readonly devDependencies?: Record<string, string>;
  readonly peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}

const manifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(ROOT, 'packages', folder, 'package.json'), 'utf8')) as Manifest;

test('every package stands in the table, and the table names no other', () => {
  expect(Object.keys(table).toSorted()).toEqual(folders.toSorted());
});

test('a package may use only those that stand above it in the table', () => {
  const names = Object.keys(table);
  for (const [at, name] of names.entries()) {
    const later = table[name]!.uses.filter((used) => used !== 'bench' && names.indexOf(used) >= at);
    expect(later, `${name} uses a package that comes after it`).toEqual([]);
  }
});

test('the lint has the rules that the table gives; `node test/layout/lint-rules.mjs` writes them', () => {
  expect(readConfig()).toEqual(withRules(readConfig(), table));
});

test('a file of core imports only from its folder and from those above it in the table of the design', () => {
  const design = readFileSync(join(ROOT, 'docs/design.md'), 'utf8');
  const rows = design.slice(design.indexOf('The folders of `core`'), design.indexOf('The folders of `quadrille`'));
  const layers = Array.from(rows.matchAll(/^\| `(\w+)\/`/gm), ([, name]) => name!);
  const folderOf = (path: string): string | undefined => /^packages\/core\/src\/([^/]+)\//.exec(path)?.[1];
  // What stands beside the folders may import all of them.
  const layerOf = (path: string): number => {
    const name = folderOf(path);
    return name === undefined ? layers.length : layers.indexOf(name);
  };
  const own = files.get('core')!.filter((file) => !isTesting(file));
  expect([...new Set(own.map(({ path }) => folderOf(path)))].filter(Boolean).toSorted()).toEqual(layers.toSorted());
  const upward = [...importGraph(own)].flatMap(([from, imported]) =>
    imported.filter((to) => layerOf(to) > layerOf(from)).map((to) => `${from} imports ${to}`),
  );
  expect(upward).toEqual([]);
});

describe.each(folders)('packages/%s', (folder) => {
  const own = files.get(folder)!;
  const allowed = (table[folder]?.uses ?? []).map(importName);

  test('its package.json depends on packages of the table only', () => {
    const { name, dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = manifest(folder);
    expect(name).toBe(importName(folder));
    const optional = Object.keys(peerDependencies).filter((peer) => peerDependenciesMeta[peer]?.optional !== true);
    const used = [...Object.keys(dependencies), ...optional].filter((dependency) => isOurs(dependency));
    expect(used.filter((dependency) => !allowed.includes(dependency))).toEqual([]);
  });

  test('it depends on each package that it imports, and on no other of ours', () => {
    const { name, dependencies = {}, peerDependencies = {}, devDependencies = {} } = manifest(folder);
    // What a package ships in its own files, nobody has to install.
    const bundled = table[folder]?.bundles === true ? devDependencies : {};
    const declared = Object.keys({ ...dependencies, ...peerDependencies, ...bundled }).filter((name) => isOurs(name));
    const imported = new Set(
      own
        .filter((file) => !isTesting(file))
        .flatMap((file) => specifiers(file))
        .map(packageOf),
    );
    imported.delete(name);
    const ours = [...imported].filter((used) => isOurs(used));
    expect(ours.filter((used) => !declared.includes(used))).toEqual([]);
    const unused = Object.keys(dependencies).filter((dependency) => isOurs(dependency) && !imported.has(dependency));
    expect(unused).toEqual([]);
  });

  test('its tsconfig refers to the packages that it depends on', () => {
    const { dependencies = {} } = manifest(folder);
    const config = JSON.parse(readFileSync(join(ROOT, 'packages', folder, 'tsconfig.json'), 'utf8')) as {
      references?: { path: string }[];
    };
    const referred = (config.references ?? []).map(({ path }) => path.replace('../', ''));
    const needed = folders.filter((other) => dependencies[importName(other)] !== undefined);
    expect(needed.filter((other) => !referred.includes(other))).toEqual([]);
  });

  test('its files import one another without a circle, types included', () => {
    expect(findCircle(importGraph(own))).toBeUndefined();
  });

  test(`no folder holds more than ${MOST_FILES} source files`, () => {
    const counts = new Map<string, number>();
    for (const { path } of own) {
      const inside = path.slice(0, path.lastIndexOf('/'));
      counts.set(inside, (counts.get(inside) ?? 0) + 1);
    }
    expect([...counts].filter(([, count]) => count > MOST_FILES)).toEqual([]);
    const beside = counts.get(`packages/${folder}/src`) ?? 0;
    expect(beside, 'files beside the folders of src').toBeLessThanOrEqual(MOST_BESIDE[folder] ?? MOST_FILES);
  });

  test(`no class has more than ${MOST_MUTABLE_FIELDS} mutable fields`, () => {
    expect(own.flatMap(crowdedClasses)).toEqual([]);
  });

  test(`no function is longer than ${MOST_LINES} lines, but for token switches and codecs that say so`, () => {
    expect(own.flatMap(longFunctions)).toEqual([]);
  });
});

function isOurs(name: string): boolean {
  return name === 'quadrille' || name.startsWith('@quadrille/');
}

const isTesting = ({ path }: SourceFile): boolean => /\/testing(\/|\.ts$)/.test(path);
const packageOf = (specifier: string): string => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');

function* nodes(root: ts.Node): Generator<ts.Node> {
  yield root;
  const children: ts.Node[] = [];
  ts.forEachChild(root, (child) => void children.push(child));
  for (const child of children) yield* nodes(child);
}

const modifiers = (node: ts.HasModifiers): Set<ts.SyntaxKind> =>
  new Set((node.modifiers ?? []).map((modifier) => modifier.kind));

// A field without `readonly`; also one that a parameter of the constructor declares.
function isMutableField(node: ts.Node): boolean {
  if (ts.isPropertyDeclaration(node)) {
    const found = modifiers(node);
    return !found.has(ts.SyntaxKind.ReadonlyKeyword) && !found.has(ts.SyntaxKind.StaticKeyword);
  }
  if (!ts.isParameter(node)) return false;
  const found = modifiers(node);
  const declares = [ts.SyntaxKind.PublicKeyword, ts.SyntaxKind.PrivateKeyword, ts.SyntaxKind.ProtectedKeyword];
  return declares.some((kind) => found.has(kind)) && !found.has(ts.SyntaxKind.ReadonlyKeyword);
}

function crowdedClasses({ path, source }: SourceFile): string[] {
  const found: string[] = [];
  for (const node of nodes(source)) {
    if (!ts.isClassLike(node)) continue;
    const parameters = node.members.filter(ts.isConstructorDeclaration).flatMap((member) => [...member.parameters]);
    const fields = [...node.members, ...parameters].filter(isMutableField).length;
    if (fields > MOST_MUTABLE_FIELDS) found.push(`${path}: ${node.name?.text ?? 'class'} has ${fields}`);
  }
  return found;
}

function longFunctions({ path, source }: SourceFile): string[] {
  const found: string[] = [];
  const lineAt = (position: number): number => source.getLineAndCharacterOfPosition(position).line;
  for (const node of nodes(source)) {
    if (!ts.isFunctionLike(node) || !('body' in node) || node.body === undefined) continue;
    const lines = lineAt(node.end) - lineAt(node.getStart(source)) + 1;
    if (lines <= MOST_LINES || isExempt(node, source)) continue;
    found.push(`${path}:${lineAt(node.getStart(source)) + 1} has ${lines} lines`);
  }
  return found;
}

// The comment above the function, or above the statement that it stands in, says `token switch` or `codec`.
function isExempt(node: ts.Node, source: ts.SourceFile): boolean {
  for (let at: ts.Node = node; !ts.isSourceFile(at); at = at.parent) {
    const comments = ts.getLeadingCommentRanges(source.text, at.getFullStart()) ?? [];
    if (comments.some(({ pos, end }) => /\b(token switch|codec)\b/.test(source.text.slice(pos, end)))) return true;
    if (ts.isStatement(at) || ts.isClassElement(at)) return false;
  }
  return false;
}
