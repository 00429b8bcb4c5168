/** The language of the documents: no sentence over 35 words, no words to avoid, no riddles that were found before. */
import { toString } from 'mdast-util-to-string';
import type { Nodes, Paragraph } from 'mdast';
import { visit } from 'unist-util-visit';
import { describe, expect, test } from 'vitest';
import { pages, type Page } from './markdown.js';

const LONGEST = 35;
/** Words that say nothing, or that readers take for something else, with what to write in their place. */
const AVOIDED: readonly (readonly [RegExp, string])[] = [
  [/\bthe way of an? \w+/i, 'How a … works'],
  [/\b(?:dear|dearer) to\b/i, 'expensive to'],
  [/\b(?:simply|obviously|of course|easily|just works)\b/i, 'nothing: the word says nothing'],
  [/\b(?:blazing|lightning|seamless|powerful|robust|cutting-edge|leverage|utili[sz]e)/i, 'a figure, or a plain word'],
  [/\bmisspelt\b/i, 'misspelled'],
  [/\b(?:no longer|any more|not any longer)\b/i, 'what is so now; the changelog has the past'],
  [/\bwhich one may\b|\bone's own machine\b/i, 'you'],
  [/\betc\.|\band so on\b|\band the like\b/i, 'the whole list, or an example with "such as"'],
  [/\be\.g\.|\bi\.e\./i, '"for example", "that is"'],
];
/** Records of what was, and pages that a program writes. */
const RECORDS =
  /^(?:docs\/decisions\/|CHANGELOG\.md|docs\/reference\/rpc\.md|docs\/design\.md|docs\/reference\/file-format\.md)/;

const isDocument = ({ path }: Page): boolean =>
  !RECORDS.test(path) && /^(?:docs\/|README\.md|CONTRIBUTING\.md|SECURITY\.md)/.test(path);

/** Sentences of running text, each with its line. Code counts as one word. */
function sentences({ tree }: Page): { readonly text: string; readonly line: number }[] {
  const found: { text: string; line: number }[] = [];
  visit(tree, 'paragraph', (node: Paragraph) => {
    visit(node, (part: Nodes) => {
      if (part.type === 'inlineCode') part.value = 'code';
    });
    for (const text of toString(node).split(/(?<=[.!?:;])\s+/))
      found.push({ text, line: node.position?.start.line ?? 0 });
  });
  return found;
}

describe.each(
  pages()
    .filter(isDocument)
    .map((page) => [page.path, page] as const),
)('%s', (path, page) => {
  test('is written in plain sentences', () => {
    const faults = sentences(page).flatMap(({ text, line }) => {
      const count = text.split(/\s+/).length;
      const long = count > LONGEST ? [`${path}:${String(line)} ${String(count)} words: ${text}`] : [];
      const words = AVOIDED.flatMap(([word, better]) => {
        const found = word.exec(text);
        return found === null ? [] : [`${path}:${String(line)} "${found[0]}": write ${better}`];
      });
      return [...long, ...words];
    });
    expect(faults).toEqual([]);
  });
});
