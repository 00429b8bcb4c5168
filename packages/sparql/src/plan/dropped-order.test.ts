/** An order by a column that a sub-select drops is no order of what it gives. */
import { expect, test } from 'vitest';
import { answer, datasetOf, PREFIXES } from '../testing/fixtures.js';

test('a variable of a sub-select that is not selected is another one than that of its name outside', async () => {
  const data = await datasetOf('ex:a ex:size 1 , 2 . ex:b ex:size 1 . ex:c ex:size 3 .');
  const query = 'SELECT ?x ?n { ?x ex:size ?n { SELECT DISTINCT ?x { ?x ex:size ?n . ?y ex:size ?n } } }';
  const rows = (await answer(query, data, { prefixes: PREFIXES })) as string[];
  expect(rows).toHaveLength(4);
});
