/** The running text of a Markdown document. */
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { toString } from 'mdast-util-to-string';
import { gfm } from 'micromark-extension-gfm';
import { visit } from 'unist-util-visit';

/**
 * Each paragraph and each cell of a table, with its line. Code counts as one word.
 * @param {string} markdown
 * @returns {{ text: string, line: number }[]}
 */
export function passagesOfDocument(markdown) {
  const tree = fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  /** @type {{ text: string, line: number }[]} */
  const found = [];
  visit(tree, (node) => {
    if (node.type !== 'paragraph' && node.type !== 'tableCell' && node.type !== 'heading') return;
    visit(node, 'inlineCode', (part) => {
      part.value = 'code';
    });
    found.push({ text: toString(node).replaceAll(/\s+/g, ' '), line: node.position?.start.line ?? 0 });
  });
  return found;
}
