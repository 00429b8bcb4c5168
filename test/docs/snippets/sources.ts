/** Where snippets stand: in pages, and in the `@example` of TSDoc comments. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { blocks, pages, ROOT, type Block } from '../markdown.js';

export interface Source {
  readonly path: string;
  readonly blocks: readonly Block[];
  /** What the page needs in its folder: a comment `snippets: store` of the page. */
  readonly needs: readonly string[];
}

/** Not for readers who try things: records of decisions and of changes. */
const RECORDS = /^(?:docs\/decisions\/|CHANGELOG\.md)/;

export function sources(): Source[] {
  const written = pages()
    .filter(({ path }) => !RECORDS.test(path))
    .map((page) => ({
      path: page.path,
      blocks: blocks(page),
      needs: (/[<]!-- snippets: ([\w ]+) -->/.exec(page.text)?.[1] ?? '').split(' '),
    }));
  return [...written, ...examples(join(ROOT, 'packages'))].filter(({ blocks }) => blocks.length > 0);
}

/** Comments with an `@example` that has blocks of code. */
function examples(folder: string): Source[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return /^(?:node_modules|dist)$/.test(entry.name) ? [] : examples(path);
    if (!entry.name.endsWith('.ts') || entry.name.endsWith('.test.ts')) return [];
    const text = readFileSync(path, 'utf8');
    return text.includes('@example') ? comments(relative(ROOT, path), text) : [];
  });
}

function comments(path: string, text: string): Source[] {
  return [...text.matchAll(/\/\*\*[^]*?\*\//g)].flatMap((found) => {
    if (!/@example\b[^]*```/.test(found[0])) return [];
    const line = text.slice(0, found.index).split('\n').length - 1;
    const markdown = found[0].replaceAll(/^[ \t]*(?:\/\*\*|\*\/|\*) ?/gm, '');
    const tree = fromMarkdown(markdown);
    const own = blocks({ path, text: markdown, tree }).map((block) => ({ ...block, line: block.line + line }));
    return [{ path: `${path}:${String(line + 1)}`, blocks: own, needs: [] }];
  });
}
