/** The Markdown of the repository: its files, headings, links and blocks of code. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import GithubSlugger from 'github-slugger';
import type { Code, Nodes, Parent, Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { toString } from 'mdast-util-to-string';
import { gfm } from 'micromark-extension-gfm';
import { visit } from 'unist-util-visit';

export const ROOT = resolve(import.meta.dirname, '../..');
/** Folders without documents of ours. `bench/results` are reports, which stay as they were written; `site/src/content` is collected from the documents. */
const SKIPPED = /^(?:node_modules|dist|results|content|\..*)$/;

export interface Block {
  readonly language: string;
  /** What follows the language on the first line of the block. */
  readonly meta: string;
  readonly code: string;
  readonly line: number;
  /** The text that the block prints: the block after it, behind a paragraph "prints". */
  readonly prints: string | undefined;
}
export interface Page {
  /** From the root of the repository, with slashes. */
  readonly path: string;
  readonly text: string;
  readonly tree: Root;
}

export const pages = (folder = ROOT): Page[] => pageFiles(folder).map(page);

export function pageFiles(folder = ROOT): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return SKIPPED.test(entry.name) ? [] : pageFiles(path);
    return entry.name.endsWith('.md') ? [path] : [];
  });
}

function page(path: string): Page {
  const text = readFileSync(path, 'utf8');
  const tree = fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  return { path: relative(ROOT, path).replaceAll('\\', '/'), text, tree };
}

/** The anchors of a page, as GitHub and the site make them. */
export function anchors({ tree }: Page): Set<string> {
  const slugger = new GithubSlugger();
  const found = new Set<string>();
  visit(tree, (node: Nodes) => {
    if (node.type === 'heading') found.add(slugger.slug(toString(node)));
  });
  return found;
}

export function links({ tree }: Page): { readonly url: string; readonly line: number }[] {
  const found: { url: string; line: number }[] = [];
  visit(tree, (node: Nodes) => {
    if (node.type === 'link' || node.type === 'image' || node.type === 'definition')
      found.push({ url: node.url, line: node.position?.start.line ?? 0 });
  });
  return found;
}

/** The blocks of code of a page, in order. */
export function blocks({ tree }: Page): Block[] {
  const found: Block[] = [];
  visit(tree, 'code', (node: Code, index: number | undefined, parent: Parent | undefined) => {
    const [between, after] = parent?.children.slice((index ?? 0) + 1) ?? [];
    const printed = between?.type === 'paragraph' && toString(between) === 'prints' && after?.type === 'code';
    found.push({
      language: node.lang ?? '',
      meta: node.meta ?? '',
      code: node.value,
      line: node.position?.start.line ?? 0,
      prints: printed ? after.value : undefined,
    });
  });
  return found;
}
