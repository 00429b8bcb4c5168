import { MemoryDriver } from '@quadrille/storage';
import { expect, test } from 'vitest';
import { asyncDriver, openRepository, q, randomInts, SMALL } from '../../testing/fixture.js';
import { Pacer, platformEnv } from '../../runtime/env.js';
import { newRowColumns } from '../block/block-codec.js';
import { ANY, SPOG } from '../orders.js';
import type { SortedRows } from '../run/write-orders.js';
import type { IndexAt } from './find-interval.js';
import { batches } from './batches.js';
import { markIntervals } from './mark-intervals.js';

const pacer = new Pacer(platformEnv());

/** Quads of a revision as `s p o g` → `from`, by a scan that merges all sources. */
async function present({ index, number }: IndexAt): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  const scan = index.scan(ANY, number, { order: SPOG, prefix: 0, residual: [] }, true);
  for await (const { columns, start, end } of batches(scan, pacer)) {
    for (let i = start; i < end; i++) {
      const [s, p, o, g, from] = columns.map((column) => column[i]!);
      found.set([s, p, o, g].join(' '), from!);
    }
  }
  return found;
}

function rowsOf(quads: readonly string[]): SortedRows {
  const columns = newRowColumns(quads.length);
  const byIds = quads
    .map((quad) => quad.split(' ').map(Number))
    .toSorted((x, y) => x[0]! - y[0]! || x[1]! - y[1]! || x[2]! - y[2]! || x[3]! - y[3]!);
  for (const [row, ids] of byIds.entries()) for (const [place, id] of ids.entries()) columns[place]![row] = id;
  return { columns, length: quads.length };
}

async function marked(rows: SortedRows, open: Uint32Array, at: IndexAt): Promise<[number, number][]> {
  const marks = new Uint8Array(rows.length);
  await markIntervals(rows, open, marks, 1, at, pacer);
  return Array.from(open, (row) => [marks[row]!, marks[row] === 1 ? rows.columns[4][row]! : 0]);
}

test.each([
  ['at once', new MemoryDriver()],
  ['later', asyncDriver()],
])('many quads are found as few are, at every revision, in a storage that answers %s', async (_, driver) => {
  const { store, repository } = await openRepository(driver, { tuning: SMALL });
  const next = randomInts(20261130);
  const some = (count: number): ReturnType<typeof q>[] =>
    Array.from({ length: count }, () => q(`s${next(0, 40)} p${next(0, 2)} o${next(0, 6)} g${next(0, 3)}`));
  const ever = new Set<string>();
  for (let round = 0; round < 12; round++) {
    await repository.commit(some(next(1, 90)), some(next(0, 60)));
    const { index, published } = repository.handle.timeline;
    index.retain();
    for (const quad of (await present({ index, number: published.number })).keys()) ever.add(quad);
    const rows = rowsOf([...ever]);
    const all = Uint32Array.from(ever.keys(), (_, row) => row);
    for (const number of [published.number, 1 + next(0, published.number)]) {
      const expected = await present({ index, number });
      const wanted = Array.from(all, (row) => {
        const from = expected.get([0, 1, 2, 3].map((place) => rows.columns[place]![row]!).join(' '));
        return from === undefined ? [0, 0] : [1, from];
      });
      const at = { index, number };
      expect(await marked(rows, all, at), `all at ${number}`).toEqual(wanted);
      for (let i = 0; i < 10; i++) {
        const row = next(0, all.length);
        expect(await marked(rows, all.subarray(row, row + 1), at), `row ${row} at ${number}`).toEqual([wanted[row]]);
      }
    }
    index.release();
  }
  await store.close();
});
