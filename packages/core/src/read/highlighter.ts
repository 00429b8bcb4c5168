import type { highlightByText as Highlighter } from '../words/highlight.js';

/** Loads what marks words, which is a part of the index of words. */
export async function loadHighlighter(): Promise<typeof Highlighter> {
  const { highlightByText } = await import('../texts.js');
  return highlightByText;
}
