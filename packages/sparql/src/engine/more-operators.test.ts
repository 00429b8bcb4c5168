/** When the rest of the operators is loaded: before the first plan that has one, and at the latest when one is opened. */
import { expect, test } from 'vitest';
import { moreOperators, openPlan } from '../execute/open.js';
import { ArrayIdDataset } from '../testing/array-id-dataset.js';
import { answer, datasetOf } from '../testing/fixtures.js';
import { executionOn, rowsOf, rowsPlan } from '../testing/operators.js';

const data = datasetOf('ex:a ex:p 1, 2 ; ex:q ex:b . ex:b ex:p 3 .');

test('a plan of patterns needs no more, an operator that is opened before they are loaded waits for them', async () => {
  const dataset = await data;
  expect(
    await answer('SELECT ?o { { ex:a ex:q ?b . ?b ex:p ?o } UNION { ex:b ex:none ?o } } LIMIT 5', dataset),
  ).toEqual(['o=3']);
  expect(moreOperators.isLoaded).toBe(false);

  const input = rowsPlan(['x']);
  const plan = { ...input, type: 'distinct', input } as const;
  const rows = { columns: [Uint32Array.of(5, 5, 6)], length: 3 };
  const execution = { ...executionOn(new ArrayIdDataset()), seedRows: () => rows };
  const closed = openPlan(plan, execution);
  const first = closed.next();
  closed.close();
  expect(await first).toBeUndefined();
  expect(await rowsOf(openPlan(plan, execution))).toEqual([[5], [6]]);
  expect(moreOperators.isLoaded).toBe(true);
});
