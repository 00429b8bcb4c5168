/** Tables of reference pages that are read from the sources: members of interfaces, and the values of constants. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import ts from 'typescript';
import { ROOT } from '../markdown.js';

const sources = new Map<string, ts.SourceFile>();
function sourceOf(path: string): ts.SourceFile {
  let source = sources.get(path);
  if (source === undefined) {
    source = ts.createSourceFile(path, readFileSync(resolve(ROOT, path), 'utf8'), ts.ScriptTarget.Latest, true);
    sources.set(path, source);
  }
  return source;
}

/** A member of an interface, with its comment. */
export interface Member {
  readonly name: string;
  /** What `@defaultValue` says, or the last words of the comment behind "Default". */
  readonly byDefault: string;
  readonly text: string;
}

const oneLine = (text: string): string =>
  text
    .replaceAll(/\{@link (?:[^ }]+ )?([^}]+)\}/g, '`$1`')
    .replaceAll(/\s+/g, ' ')
    .replaceAll('|', '\\|')
    .trim();

/** The members of an interface, in their order. */
export function membersOf(path: string, name: string): readonly Member[] {
  const source = sourceOf(path);
  const found = source.statements.find((each) => ts.isInterfaceDeclaration(each) && each.name.text === name);
  if (found === undefined || !ts.isInterfaceDeclaration(found)) throw new Error(`${path} has no interface ${name}`);
  return found.members.map((member) => {
    const [comment] = ts.getJSDocCommentsAndTags(member).filter(ts.isJSDoc);
    const all = oneLine(ts.getTextOfJSDocComment(comment?.comment) ?? '');
    const tag = ts.getJSDocTags(member).find(({ tagName }) => tagName.text === 'defaultValue');
    const [, text = all, last = ''] = /^(.*?)(?: Default:? ([^.]+)\.)?$/.exec(all) ?? [];
    const byDefault = tag === undefined ? last : oneLine(ts.getTextOfJSDocComment(tag.comment) ?? '');
    return { name: member.name!.getText(source), byDefault, text };
  });
}

/** The value of a constant, which is numbers with signs between them. */
export function constant(path: string, name: string): number {
  const text = readFileSync(resolve(ROOT, path), 'utf8');
  const [, value] = new RegExp(`\\b${name}(?:: number)? = ([\\d_x\\sa-f*<-]+?);`).exec(text) ?? [];
  if (value === undefined) throw new Error(`${path} has no constant ${name}`);
  const evaluate = new Function(`return ${value}`) as () => number;
  return evaluate();
}

const UNITS = [
  ['GiB', 1024 ** 3],
  ['MiB', 1024 ** 2],
  ['KiB', 1024],
] as const;

/** 16 MiB. */
export function bytes(count: number): string {
  const [unit, size] = UNITS.find(([, each]) => count >= each && count % each === 0) ?? ['bytes', 1];
  return `${number(count / size)} ${unit}`;
}

/** 4,294,967,280. */
export const number = (value: number): string => value.toLocaleString('en-US');

/** 30 s. */
export function time(ms: number): string {
  for (const [unit, length] of [
    ['h', 3_600_000],
    ['s', 1000],
  ] as const)
    if (ms >= length && ms % length === 0) return `${number(ms / length)} ${unit}`;
  return `${number(ms)} ms`;
}

/** Rows of cells under their heads. */
export const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
