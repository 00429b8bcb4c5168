/** What only stores with an index of words load. */
export { literalsWith, searchTexts } from './read/search-literals.js';
export { highlightByText } from './words/highlight.js';
export { checkTexts } from './words/check-texts.js';
export { TextIndex } from './words/text-index.js';
