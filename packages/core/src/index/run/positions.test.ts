import { expect, test } from 'vitest';
import { randomInts } from '../../testing/fixture.js';
import { Positions } from './positions.js';

test('what was kept last for the same ids is found, or nothing', () => {
  const seed = 1;
  const draw = randomInts(seed);
  const positions = new Positions();
  const kept = new Map<string, readonly [number, number]>();
  let found = 0;
  for (let i = 0; i < 20_000; i++) {
    const ids = [draw(0, 9), draw(0, 9), 0xffff_fff0 + draw(0, 15), 0];
    const prefix = draw(1, 4);
    const after = draw(0, 2) === 1;
    const key = `${ids.slice(0, prefix).join(' ')} ${after}`;
    if (positions.find(ids, prefix, after)) {
      found++;
      expect([positions.row, positions.end], `seed ${seed}`).toEqual(kept.get(key));
      continue;
    }
    const position = [draw(0, 1000), draw(-1, 1000)] as const;
    positions.keep(ids, prefix, after, ...position);
    kept.set(key, position);
    expect(positions.find(ids, prefix, after)).toBe(true);
  }
  expect(found).toBeGreaterThan(100);
});
