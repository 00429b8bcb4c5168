/** Plans stay in a cache beyond their query. They must not keep its dataset, which has all terms that the query has made. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { answer, datasetOf } from '../testing/fixtures.js';
import { QUERIES_OF_ALL_KINDS, subjectsWithNumbers } from '../testing/queries-of-all-kinds.js';

const FEW = subjectsWithNumbers(300, 60);
const MANY = subjectsWithNumbers(3000, 3000);
/** A join by a hash table that becomes seeks where few rows come, and the other way round. */
const ADAPTIVE = 'SELECT ?v { ?a ex:p ?x . ?a ex:q ?b FILTER(?x > 7) BIND(CONCAT(STR(?x), "v") AS ?v) } ORDER BY ?v';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const CASES = [[ADAPTIVE, MANY] as const, ...QUERIES_OF_ALL_KINDS.map((query) => [query, FEW] as const)];

test.each(CASES)('%s', async (query, data) => {
  // What plans are kept for lives on.
  const planKey = {};
  const ask = async (): Promise<WeakRef<object>> => {
    const dataset = await datasetOf(data);
    Object.defineProperty(dataset.ids, 'planKey', { value: planKey });
    await answer(query, dataset);
    return new WeakRef(dataset.ids);
  };
  const dataset = await ask();
  await expect
    .poll(() => {
      collect();
      return dataset.deref() === undefined;
    })
    .toBe(true);
  expect(planKey).toBeDefined();
});
