/** The sources of all packages as the checks of the layout see them: parsed once, without tests and generated files. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';

export const ROOT = resolve(import.meta.dirname, '../..');

export interface SourceFile {
  /** From the root of the repository, with `/`. */
  readonly path: string;
  readonly source: ts.SourceFile;
}

/** Folders of `packages/` that hold a package. */
export const packageFolders = (): string[] =>
  readdirSync(join(ROOT, 'packages'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(entry.parentPath, entry.name, 'package.json')))
    .map((entry) => entry.name);

const isSource = (name: string): boolean =>
  /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name) && !name.endsWith('.d.ts');

/** The source files of a package. */
export function sourceFiles(folder: string): SourceFile[] {
  const top = join(ROOT, 'packages', folder, 'src');
  return readdirSync(top, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && isSource(entry.name))
    .map((entry) => {
      const file = join(entry.parentPath, entry.name);
      const path = relative(ROOT, file).replaceAll('\\', '/');
      return { path, source: ts.createSourceFile(path, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true) };
    });
}

/** What a file imports, types included, as it is written; with `late` also what it imports while it runs. */
export function specifiers({ source }: SourceFile, late = true): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier !== undefined) {
      found.push((node.moduleSpecifier as ts.StringLiteral).text);
    } else if (late && ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [argument] = node.arguments;
      if (argument !== undefined && ts.isStringLiteral(argument)) found.push(argument.text);
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      found.push((node.argument.literal as ts.StringLiteral).text);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** By file, the files of the same package that it imports before it runs. */
export function importGraph(files: readonly SourceFile[]): Map<string, string[]> {
  const paths = new Set(files.map((file) => file.path));
  const target = (from: string, specifier: string): string => {
    const path = join(dirname(from), specifier).replaceAll('\\', '/').replace(/\.js$/, '.ts');
    return paths.has(path) ? path : path.replace(/\.ts$/, '.tsx');
  };
  return new Map(
    files.map((file) => [
      file.path,
      specifiers(file, false)
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => target(file.path, specifier))
        .filter((path) => paths.has(path)),
    ]),
  );
}

/** One circle of imports, or `undefined` where there is none. */
export function findCircle(graph: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const done = new Set<string>();
  const walk = (file: string, trail: readonly string[]): string[] | undefined => {
    const at = trail.indexOf(file);
    if (at !== -1) return [...trail.slice(at), file];
    if (done.has(file)) return undefined;
    for (const next of graph.get(file) ?? []) {
      const circle = walk(next, [...trail, file]);
      if (circle !== undefined) return circle;
    }
    done.add(file);
    return undefined;
  };
  for (const file of graph.keys()) {
    const circle = walk(file, []);
    if (circle !== undefined) return circle;
  }
  return undefined;
}
