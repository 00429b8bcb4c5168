import { expect, test } from 'vitest';
import { asciiWords, foldWord, wordsOf } from './words.js';

const words = (text: string, fold: 'case' | 'diacritics' = 'case'): string[] =>
  [...wordsOf(text, fold)].map((word) => word.text);

function wordsOfBytes(text: string): string[] {
  const found: string[] = [];
  const bytes = new TextEncoder().encode(text);
  asciiWords(bytes, 0, bytes.length, (word, length) => found.push(new TextDecoder().decode(word.slice(0, length))));
  return found;
}

test.each<[string, string[]]>([
  ['The quick brown fox', ['the', 'quick', 'brown', 'fox']],
  ["can't won't 'quoted' o'", ["can't", "won't", 'quoted', 'o']],
  ['1,000.50 3.14, 5. x.y a.1', ['1,000.50', '3.14', '5', 'x.y', 'a', '1']],
  ['foo_bar _x_ ___ a_1', ['foo_bar', '_x_', 'a_1']],
  ['wi-fi C++ a:b mail@example.org', ['wi', 'fi', 'c', 'a:b', 'mail', 'example.org']],
  ['日本語 テスト ひらがな', ['日', '本', '語', 'テスト', 'ひ', 'ら', 'が', 'な']],
  ['한국어 текст ΣΊΣΥΦΟΣ', ['한국어', 'текст', 'σίσυφοσ']],
  ['Straße İstanbul ılık ﬁn', ['strasse', 'istanbul', 'ılık', 'fin']],
  ['cafe\u0301 naïve', ['cafe\u0301', 'naïve']],
  ['ภาษาไทย ok', ['ภาษาไทย', 'ok']],
  ['👍🏽 ok 👩‍👩‍👧 🇩🇪🇫🇷', ['👍🏽', 'ok', '👩‍👩‍👧', '🇩🇪', '🇫🇷']],
  ['', []],
  ['.,;:!?', []],
])('%j', (text, expected) => {
  expect(words(text)).toEqual(expected);
});

test('diacritics are left out where they do not count', () => {
  expect(words('Café NAÏVE Ångström 日', 'diacritics')).toEqual(['cafe', 'naive', 'angstrom', '日']);
  expect(foldWord('Señor', 'diacritics')).toBe('senor');
});

test('a word of 256 characters is cut', () => {
  const long = 'x'.repeat(256);
  expect(words(long).map((word) => word.length)).toEqual([255, 1]);
  expect(wordsOfBytes(long).map((word) => word.length)).toEqual([255, 1]);
});

test('words of bytes are those of the text', () => {
  const alphabet = 'aZ09_.,;:\' -"()!';
  let state = 42;
  const next = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  for (let i = 0; i < 5000; i++) {
    const text = Array.from({ length: next(24) }, () => alphabet[next(alphabet.length)]).join('');
    expect(wordsOfBytes(text), text).toEqual(words(text));
  }
});

test('escapes are between words', () => {
  expect(wordsOfBytes(String.raw`one\ntwo\"three\\four\u0007five`)).toEqual(['one', 'two', 'three', 'four', 'five']);
});

test('takes time in proportion to hostile texts', () => {
  for (const text of ['_'.repeat(1e6), "a'".repeat(5e5), `a.${'\u0301'.repeat(1e6)}`, `é${'_'.repeat(1e6)}`])
    expect([...wordsOf(text, 'case')].length).toBeLessThan(1e6);
});
