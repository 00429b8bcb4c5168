/** Marks the words of a text that a question asks for. */
import { isWithin } from './edits.js';
import { phraseCount } from './search-text.js';
import { fitsWild, parseTextQuery, type TextQuery } from './text-query.js';
import { type Fold, type Word, wordsOf } from './words.js';

/**
 * A text with marks before and behind its words that a question asks for. Words with other accents are marked where no other word is.
 * @throws ParseError `TEXT_SYNTAX`
 */
export function highlightByText(text: string, question: string, start: string, end: string): string {
  const marked = highlightText(text, parseTextQuery(question, 'case'), 'case', start, end);
  return marked === text
    ? highlightText(text, parseTextQuery(question, 'diacritics'), 'diacritics', start, end)
    : marked;
}

/** Words beside one another, with a space between them, are marked as one. What the text must not have is not marked. */
export function highlightText(
  text: string,
  query: TextQuery | undefined,
  fold: Fold,
  start: string,
  end: string,
): string {
  if (query === undefined) return text;
  const words = [...wordsOf(text, fold)].filter((word) => word.text !== '');
  const isMarked = new Uint8Array(words.length);
  mark(query, words, isMarked);
  let marked = '';
  let at = 0;
  for (let word = 0; word < words.length; word++) {
    if (isMarked[word] === 0) continue;
    const from = words[word]!.start;
    while (isMarked[word + 1] === 1 && text.slice(words[word]!.end, words[word + 1]!.start) === ' ') word++;
    const to = words[word]!.end;
    marked += text.slice(at, from) + start + text.slice(from, to) + end;
    at = to;
  }
  return marked + text.slice(at);
}

function mark(query: TextQuery, words: readonly Word[], isMarked: Uint8Array): void {
  switch (query.type) {
    case 'clauses':
      for (const clause of query.clauses) if (clause.occurs !== 'not') mark(clause.query, words, isMarked);
      return;
    case 'phrase':
      markPhrase(query.words, query.slop, words, isMarked);
      return;
    default: {
      const fits = fitting(query);
      for (const [at, { text }] of words.entries()) if (fits(text)) isMarked[at] = 1;
    }
  }
}

function fitting(query: Exclude<TextQuery, { type: 'clauses' | 'phrase' }>): (word: string) => boolean {
  switch (query.type) {
    case 'word':
      return (word) => word === query.word;
    case 'pattern':
      return (word) =>
        word.startsWith(query.prefix) && fitsWild(Array.from(word.slice(query.prefix.length)), query.rest);
    case 'fuzzy': {
      const characters = [...query.word];
      return (word) => isWithin(characters, [...word], query.edits) !== undefined;
    }
  }
}

function markPhrase(asked: readonly string[], slop: number, words: readonly Word[], isMarked: Uint8Array): void {
  if (slop > 0) {
    const places = asked.map((one) => Uint32Array.from(words.flatMap(({ text }, at) => (text === one ? [at] : []))));
    if (places.some(({ length }) => length === 0) || phraseCount(places, slop) === 0) return;
    for (const at of places.flatMap((own) => [...own])) isMarked[at] = 1;
    return;
  }
  for (let at = 0; at + asked.length <= words.length; at++)
    if (asked.every((one, i) => words[at + i]!.text === one)) isMarked.fill(1, at, at + asked.length);
}
