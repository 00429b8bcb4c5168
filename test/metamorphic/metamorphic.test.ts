/** Random queries in other forms and over other forms of their data. The seeds are fixed; `npm run campaign -- metamorphic` has others. */
import { expect, test } from 'vitest';
import { Chance } from '../sparql-random/chance.js';
import { printData, randomData } from '../sparql-random/data.js';
import { randomQuery } from '../sparql-random/generate/query.js';
import { checkMetamorphic } from './check-metamorphic.js';
import { perhapsInGraph } from './relations.js';

const SEEDS = [2, 3, 4, 5];
const QUERIES = 16;

test.each(SEEDS)('data set %i', async (seed) => {
  const data = randomData(new Chance(0, seed));
  const chance = new Chance(1, seed);
  const queries = Array.from({ length: QUERIES }, () => perhapsInGraph(randomQuery(chance, data), chance));
  const { differing, rows } = await checkMetamorphic(data, queries, new Chance(2, seed));
  expect(differing, printData(data)).toEqual([]);
  expect(rows).toBeGreaterThan(0);
});
