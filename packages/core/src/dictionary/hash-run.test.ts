/** Hash runs: single lookups, and lookups by a cursor in hash order. */
import { expect, test } from 'vitest';
import { MISS } from '../keyspace/block-cache.js';
import { BatchWriter } from '../keyspace/batch-writer.js';
import { newKeyspace, randomInts } from '../testing/fixture.js';
import { HashRunCursor, HashRunWriter } from './hash-run.js';

test.each([
  ['spread hashes', 0xffff_ffff],
  ['many equal high halves', 40],
])('a cursor finds what each look-up by itself finds: %s', async (_, most) => {
  const int = randomInts(3);
  const count = 10_000;
  const entries = Array.from({ length: count }, (_, id) => [int(0, most), int(0, 9), id] as const).toSorted(
    (x, y) => x[0] - y[0] || x[1] - y[1],
  );
  const columns = {
    high: Uint32Array.from(entries, ([high]) => high),
    low: Uint32Array.from(entries, ([, low]) => low),
    ids: Uint32Array.from(entries, ([, , id]) => id),
  };
  const keyspace = await newKeyspace();
  const batch = new BatchWriter(keyspace);
  const writer = new HashRunWriter(keyspace, batch, 1);
  writer.append(
    columns,
    Uint32Array.from(entries, (_, row) => row),
    0,
    count,
  );
  const run = writer.finish();
  await batch.flush();
  const cursor = new HashRunCursor(run);
  const wanted = entries.map(([high, low]) => [high, low] as const);
  for (let n = 0; n < 3000; n++) wanted.push([int(0, most), int(0, 9)]);
  let found = 0;
  for (const [high, low] of wanted.toSorted((x, y) => x[0] - y[0] || x[1] - y[1])) {
    const [alone, inOrder]: [number[], number[]] = [[], []];
    expect(run.candidates(high, low, alone)).toBe(MISS);
    expect(cursor.candidates(high, low, inOrder)).toBe(MISS);
    expect(inOrder).toEqual(alone);
    found += alone.length;
  }
  expect(found).toBeGreaterThanOrEqual(count);
});
