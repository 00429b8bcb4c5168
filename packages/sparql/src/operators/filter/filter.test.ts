/** A filter whose plan was made for few rows. */
import { dataFactory, XSD } from '@quadrille/model';
import { Family } from '@quadrille/model/order-key';
import { expect, test, vi } from 'vitest';
import type { Expression } from '../../algebra/algebra.js';
import type { KeyRange } from '../../dataset/id-dataset.js';
import { finish } from '../../execute/core/waiting.js';
import { ArrayIdDataset } from '../../testing/array-id-dataset.js';
import { executionOn } from '../../testing/operators.js';
import { BatchFilter } from './filter.js';

const { literal, namedNode, variable } = dataFactory;
const ROWS = 20_000;
const BATCH = 500;

const when = (n: number) => literal(new Date(1e12 + n * 1000).toISOString(), namedNode(`${XSD}dateTime`));
const below: Expression = {
  type: 'expression',
  subType: 'operator',
  operator: '<',
  args: [
    { type: 'expression', subType: 'term', term: variable!('v') },
    { type: 'expression', subType: 'term', term: when(15_000) },
  ],
};

/** The rows that pass, and how many terms were read for that. */
async function passing(isKeyed: boolean): Promise<{ readonly rows: number[]; readonly read: number }> {
  const dataset = new ArrayIdDataset();
  const ids = Uint32Array.from({ length: ROWS }, (_, n) => dataset.terms.store(when((n * 7919) % ROWS)));
  const keys = Float64Array.from({ length: ROWS }, (_, n) => 1e12 + ((n * 7919) % ROWS) * 1000);
  const between = ({ family, least, greatest }: KeyRange): number[] =>
    family === Family.zonedDateTimes
      ? [...keys.keys()].filter((at) => keys[at]! >= least && keys[at]! <= greatest)
      : [];
  if (isKeyed)
    Object.assign(dataset, {
      countKeys: async (range: KeyRange) => between(range).length,
      keysBetween: async (range: KeyRange) => {
        const found = between(range);
        return { ids: Uint32Array.from(found, (at) => ids[at]!), keys: Float64Array.from(found, (at) => keys[at]!) };
      },
    });
  const read = vi.spyOn(dataset, 'term');
  const filter = new BatchFilter([below], ['v'], executionOn(dataset), 10);
  const rows: number[] = [];
  for (let start = 0; start < ROWS; start += BATCH) {
    const columns = [ids.subarray(start, start + BATCH)];
    const selection = await finish(filter.select({ columns, length: BATCH }));
    for (const row of selection ?? columns[0]!.keys()) rows.push(start + row);
  }
  filter.free();
  return { rows, read: read.mock.calls.length };
}

test('reads the index of order after all where more rows come', async () => {
  const byKeys = await passing(true);
  const byValues = await passing(false);
  expect(byKeys.rows).toEqual(byValues.rows);
  expect(byKeys.rows).toHaveLength(15_000);
  expect(byValues.read).toBeGreaterThanOrEqual(ROWS);
  expect(byKeys.read).toBeLessThan(ROWS / 2);
});
