import { expect, test } from 'vitest';
import { paced } from './paced.js';

test('a loop over many items gives the event loop a turn, and keeps their order', async () => {
  let turns = 0;
  const count = setInterval(() => turns++, 1);
  const seen: number[] = [];
  const items = Array.from({ length: 50 }, (_, i) => i);
  for await (const item of paced(items)) {
    const end = performance.now() + 2;
    while (performance.now() < end);
    seen.push(item);
  }
  clearInterval(count);
  expect(seen).toEqual(items);
  expect(turns).toBeGreaterThan(1);
});
