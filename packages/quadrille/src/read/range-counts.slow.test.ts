/** How many quads pass a comparison with a number is counted by the index, and decides with what a join begins. */
import { expect, test } from 'vitest';
import { open } from '../index.js';

const PREFIX = 'PREFIX : <http://example.org/>\n';
const text = (condition: string): string =>
  `${PREFIX}SELECT ?i ?p { ?i :shop :shop1 ; :price ?p FILTER(${condition}) }`;

test('a join begins with a comparison that few quads pass, also where a text of the same shape was planned otherwise', async () => {
  const db = await open(':memory:');
  try {
    const repository = await db.repository('a/b', { create: true });
    const items = Array.from({ length: 4000 }, (_, i) => `:item${i} :price ${i} ; :shop :shop${i % 8} .`);
    await repository.load({ text: `@prefix : <http://example.org/> .\n${items.join('\n')}` }, { format: 'ttl' });
    const planOf = async (condition: string): Promise<string> => (await repository.explain(text(condition))).text;
    const few = await planOf('?p < 10');
    expect(few).toMatch(/scan .*price> \?p, posg, range of \?p {2}\[about 12 rows\]/);
    const many = await planOf('?p < 3900');
    expect(many).toMatch(/scan .*shop> .*shop1>, posg {2}\[about 500 rows\]/);
    expect(many).not.toBe(few);
    const withoutCounts = (plan: string): string => plan.replaceAll(/\d+/g, '');
    expect(withoutCounts(await planOf('?p < 11'))).toBe(withoutCounts(few));
    // Another side of the comparison, two of them, and one that nothing passes.
    for (const [condition, rows] of [
      ['3989 < ?p', 1],
      ['?p >= 100 && ?p < 110', 1],
      ['?p > 5000', 0],
    ] as const) {
      expect(await planOf(condition)).toContain('range of ?p');
      expect(await (await repository.select(text(condition))).toArray()).toHaveLength(rows);
    }
    // Strings may pass nothing, but how many do is not known: the comparison is taken to keep a part of all.
    expect(await planOf('?p < "x"')).toMatch(/scan .*shop> .*shop1>, posg/);
  } finally {
    await db.close();
  }
});
