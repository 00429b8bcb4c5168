import { expect, test } from 'vitest';
import { DEFAULT_GRAPH, FOREVER } from '../../format/layout.js';
import { randomInts } from '../../testing/fixture.js';
import { ORDERS, orderedIds, SPOG } from '../orders.js';
import { aliveAt } from '../read/row-source.js';
import { Pacer, platformEnv } from '../../runtime/env.js';
import { RowTable } from './row-table.js';
import { SegmentSource } from './segment-source.js';

const pacer = new Pacer(platformEnv());

interface Row {
  readonly ids: readonly [number, number, number, number];
  readonly from: number;
  to: number;
}

function randomTable(seed: number, count: number): { table: RowTable; rows: Row[] } {
  const int = randomInts(seed);
  const table = new RowTable();
  const rows: Row[] = [];
  for (let i = 0; i < count; i++) {
    const ids = [int(2, 12), int(2, 6), int(2, 30), int(1, 4)] as const;
    const latest = table.latest(...ids);
    // There are few ids, so quads are added again after they ended.
    if (latest !== -1 && rows[latest]!.to === FOREVER) {
      rows[latest]!.to = i + 2;
      table.end(latest, i + 2);
    } else {
      expect(table.add(...ids, i + 2, FOREVER)).toBe(rows.length);
      rows.push({ ids, from: i + 2, to: FOREVER });
    }
  }
  return { table, rows };
}

test('latest finds the newest interval of a quad while the table grows', () => {
  const { table, rows } = randomTable(1, 30_000);
  const latest = new Map(rows.map((row, i) => [row.ids.join(' '), i]));
  for (const [key, row] of latest) {
    expect(table.latest(...(key.split(' ').map(Number) as [number, number, number, number]))).toBe(row);
  }
  expect(table.latest(99, 2, 2, 1)).toBe(-1);
  expect(table.ended).toBe(rows.filter(({ to }) => to !== FOREVER).length);
  expect(table.hasNamedGraphs).toBe(true);
});

test('segments hold every row sorted, in each order; allSorted is one list', async () => {
  const { table, rows } = randomTable(2, 12_000);
  for (const order of ORDERS) {
    const expected = rows
      .map((row, i) => ({ i, key: [...order.columns.map((position) => row.ids[position]!), row.from] }))
      .filter(({ i }) => !order.namedOnly || rows[i]!.ids[3] !== DEFAULT_GRAPH)
      .toSorted((x, y) => x.key.map((id, at) => id - y.key[at]!).find((difference) => difference !== 0) ?? 0);
    const segments = table.segments(order);
    expect(segments.reduce((sum, segment) => sum + segment.length, 0)).toBe(expected.length);
    for (const segment of segments) {
      for (let i = 1; i < segment.length; i++)
        expect(table.comparison(order)(segment[i - 1]!, segment[i]!)).toBeLessThan(0);
    }
    expect([...(await table.allSorted(order, pacer))]).toEqual(expected.map(({ i }) => i));
  }
});

test('a table that is sorted later has the same rows in each order, also where reads come between', async () => {
  const { table: usual } = randomTable(2, 30_000);
  const table = new RowTable(true);
  const [s, p, o, g, from, to] = usual.columns;
  let reads = 0;
  const env = {
    ...platformEnv(),
    yieldTurn: async (): Promise<void> => {
      if (reads++ % 3 === 0) for (const order of ORDERS) table.segments(order);
    },
  };
  for (let row = 0; row < usual.rows; row++) {
    table.add(s[row]!, p[row]!, o[row]!, g[row]!, from[row]!, to[row]!);
    if (row % 5000 === 0) await table.sort(row % 10_000 === 0 ? pacer : new Pacer(env, 0));
  }
  expect(reads).toBeGreaterThan(3);
  for (const order of ORDERS) {
    const segments = table.segments(order);
    for (const segment of segments) expect(segment.slice().sort(table.comparison(order))).toEqual(segment);
    const rows = segments.flatMap((segment) => [...segment]).toSorted((x, y) => x - y);
    expect(rows).toEqual([...(await usual.allSorted(order, pacer))].toSorted((x, y) => x - y));
  }
});

test('locate and SegmentSource give the rows of a prefix that live at a revision', () => {
  const { table, rows } = randomTable(3, 3000);
  const int = randomInts(4);
  for (let round = 0; round < 200; round++) {
    const order = ORDERS[int(0, 4)]!;
    const prefix = int(1, 5);
    const ids = orderedIds(order, { s: int(1, 13), p: int(1, 7), o: int(1, 31), g: int(1, 5) });
    const revision = int(1, 3003);
    const found: string[] = [];
    for (const segment of table.segments(order)) {
      const start = table.locate(order, segment, ids, prefix, false);
      const end = table.locate(order, segment, ids, prefix, true);
      const source = new SegmentSource(table, order, segment, start, end, {
        range: aliveAt(revision),
        filters: [],
        revisions: true,
      });
      while (source.fill() > 0) {
        for (let i = source.position; i < source.length; i++)
          found.push(source.columns.map((column) => column[i]!).join(' '));
        source.position = source.length;
      }
      source.close();
    }
    const expected = rows.filter(
      (row) =>
        order.columns.slice(0, prefix).every((position, i) => row.ids[position] === ids[i]) &&
        row.from <= revision &&
        row.to > revision &&
        (!order.namedOnly || row.ids[3] !== DEFAULT_GRAPH),
    );
    const shown = expected.map((row) =>
      [...order.columns.map((position) => row.ids[position]!), row.from, row.to].join(' '),
    );
    expect(found.toSorted()).toEqual(shown.toSorted());
  }
});

test('a reader does not see rows that come after it', () => {
  const table = new RowTable();
  for (let i = 0; i < 255; i++) table.add(i + 2, 2, 2, 1, 2, FOREVER);
  const segments = [...table.segments(SPOG)];
  const sources = segments.map(
    (segment) =>
      new SegmentSource(table, SPOG, segment, 0, segment.length, { range: aliveAt(2), filters: [], revisions: false }),
  );
  for (let i = 0; i < 9000; i++) table.add(i + 1000, 2, 2, 1, 3, FOREVER);
  table.end(table.latest(5, 2, 2, 1), 3);
  let count = 0;
  for (const source of sources) for (let rows = source.fill(); rows > 0; rows = source.fill()) count += rows;
  expect(count).toBe(255);
});
