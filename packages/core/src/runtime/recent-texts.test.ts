import { expect, it } from 'vitest';
import { RecentTexts } from './recent-texts.js';

it('gives the number of a text to an equal text, and never that of another one', () => {
  const recent = new RecentTexts();
  const texts = Array.from(
    { length: 5000 },
    (_, i) => `http://example.org/${i % 2 === 0 ? 'a' : 'b'}${i}${'x'.repeat(i % 9)}`,
  );
  let kept = 0;
  for (const [i, text] of texts.entries()) {
    expect(recent.get(text)).toBe(0);
    recent.set(text, i + 1);
    expect(recent.get(`${text.slice(0, 7)}${text.slice(7)}`)).toBe(i + 1);
  }
  for (const [i, text] of texts.entries()) {
    const found = recent.get(text);
    expect([0, i + 1]).toContain(found);
    if (found !== 0) kept++;
  }
  expect(kept).toBeGreaterThan(500);
});

it('keeps short texts, and none that are long', () => {
  const recent = new RecentTexts();
  for (const text of ['', 'a', 'a:bcdef']) {
    recent.set(text, 7);
    expect(recent.get(text)).toBe(7);
  }
  const long = 'x'.repeat(600);
  recent.set(long, 8);
  expect(recent.get(long)).toBe(0);
});
