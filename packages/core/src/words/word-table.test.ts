/** Each word has one number, also where many have the same hash. */
import { expect, test } from 'vitest';
import { WordTable } from './word-table.js';

const utf8 = new TextEncoder();
const texts = Array.from({ length: 5000 }, (_, i) => `word${(i * 7919) % 5000}${'é'.repeat(i % 4)}`);

test.each([
  ['of words', undefined],
  ['that are all equal', () => 5],
  ['that are close', (bytes: Uint8Array) => bytes.length % 3],
  ['that part in a larger table', (bytes: Uint8Array) => (bytes[4]! % 4) * 1024 + 3],
])('hashes %s', (_, hash) => {
  const table = new WordTable(9, hash);
  const numbers = new Map<string, number>();
  for (let round = 0; round < 2; round++)
    for (const text of texts) {
      const bytes = utf8.encode(`${text}+`);
      const number = table.add(bytes, bytes.length - 1);
      expect(number).toBe(numbers.get(text) ?? numbers.size);
      numbers.set(text, number);
    }
  expect(table.size).toBe(5000);
  for (const [text, number] of numbers) expect(table.wordOf(number)).toEqual(utf8.encode(text));
});
