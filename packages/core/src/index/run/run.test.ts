import { StorageError } from '@quadrille/model';
import { describe, expect, test } from 'vitest';
import { MISS } from '../../keyspace/block-cache.js';
import { Pacer, platformEnv } from '../../runtime/env.js';
import { DEFAULT_GRAPH, FOREVER, Tag } from '../../format/layout.js';
import { asyncDriver, newKeyspace, randomInts } from '../../testing/fixture.js';
import { RunNumbers, RunSession } from './run-session.js';
import { BatchWriter } from '../../keyspace/batch-writer.js';
import type { Keyspace } from '../../keyspace/keyspace.js';
import { newRowColumns } from '../block/block-codec.js';
import type { RowColumns } from '../block/block-codec.js';
import { mergeRuns, RunOutput } from '../merge/merge-runs.js';
import { ORDERS, SPOG } from '../orders.js';
import type { Order } from '../orders.js';
import { aliveAt, begunBy, compactWindow, endedBy, EVERYTHING, RunSource } from '../read/row-source.js';
import type { Run, RunKind } from './run.js';
import { openRun, RunWriter } from './run-writer.js';
import { MergeScan } from '../read/merge-scan.js';
import { writeOrders } from './write-orders.js';

type Row = readonly [number, number, number, number, number, number];

const byRow = (x: Row, y: Row): number =>
  x.map((value, i) => value - y[i]!).find((difference) => difference !== 0) ?? 0;

function columnsOf(rows: readonly Row[]): RowColumns {
  const columns = newRowColumns(rows.length);
  for (const [at, row] of rows.entries()) for (let i = 0; i < 6; i++) columns[i]![at] = row[i]!;
  return columns;
}

async function writeRun(
  keyspace: Keyspace,
  id: number,
  rows: readonly Row[],
  kind: RunKind = 'live',
  order: Order = SPOG,
): Promise<Run> {
  const batch = new BatchWriter(keyspace);
  const writer = new RunWriter(keyspace, batch, id, order, kind);
  writer.append(columnsOf(rows), 0, rows.length);
  return (await writer.finish({ revision: 0, logOwned: false })).run;
}

async function drain(scan: MergeScan): Promise<Row[]> {
  const found: Row[] = [];
  for (;;) {
    const rows = scan.next();
    if (rows === 0) return found;
    if (rows === MISS) {
      await scan.fetch();
      continue;
    }
    const { columns, start, end } = scan.batch;
    for (let i = start; i < end; i++) found.push(columns.map((column) => column[i]!) as unknown as Row);
  }
}

const whole = (run: Run): RunSource => new RunSource(run, [], 0, { range: EVERYTHING, filters: [], revisions: true });

function randomRows(seed: number, count: number, spread = 20): Row[] {
  const int = randomInts(seed);
  const rows = new Map<string, Row>();
  while (rows.size < count) {
    const row: Row = [int(2, spread), int(2, 8), int(2, spread * 20), int(1, 3), int(2, 50), FOREVER];
    rows.set(row.slice(0, 4).join(' '), row);
  }
  return [...rows.values()].toSorted(byRow);
}

describe('seeks', () => {
  test('Run.locate agrees with a naive search, for every prefix', async () => {
    const rows = randomRows(1, 9000);
    const keyspace = await newKeyspace();
    const written = await writeRun(keyspace, 5, rows);
    const run = await openRun(keyspace, written.entry);
    expect(run.blocks).toBe(5);
    const int = randomInts(2);
    for (let round = 0; round < 600; round++) {
      const prefix = int(1, 5);
      const ids =
        round % 2 === 0 ? rows[int(0, rows.length)]!.slice(0, 4) : [int(0, 23), int(0, 10), int(0, 420), int(0, 4)];
      const after = round % 3 === 0;
      const compare = (row: Row): number => {
        for (let i = 0; i < prefix; i++) if (row[i] !== ids[i]) return row[i]! - ids[i]!;
        return 0;
      };
      const expected = rows.findIndex((row) => (after ? compare(row) > 0 : compare(row) >= 0));
      expect(run.locate(ids, prefix, after)).toBe(expected === -1 ? rows.length : expected);
    }
    for (const row of [0, 1, 2047, 2048, 8191, 8192, 8999]) expect(run.blockOf(row)).toBe(Math.floor(row / 2048));
  });

  test('without getSync a seek says which block it lacks', async () => {
    const rows = randomRows(3, 5000);
    const run = await writeRun(await newKeyspace(asyncDriver()), 5, rows);
    const ids = rows[3000]!.slice(0, 4);
    expect(run.locate(ids, 4, false)).toBe(MISS);
    await run.cache.fetch(run.source, [run.boundaryBlock(ids, 4, false)]);
    expect(run.locate(ids, 4, false)).toBe(3000);
  });
});

test('a source hands out the rows of its prefix, range and filters', async () => {
  const rows = randomRows(4, 6000);
  const run = await writeRun(await newKeyspace(asyncDriver()), 5, rows);
  const int = randomInts(5);
  for (let round = 0; round < 60; round++) {
    const prefix = int(0, 3);
    const ids = rows[int(0, rows.length)]!.slice(0, 4);
    const revision = int(1, 52);
    const filters = round % 2 === 0 ? [] : [{ column: 3, id: 1 }];
    const source = new RunSource(run, ids, prefix, { range: begunBy(revision), filters, revisions: true });
    const found = await drain(new MergeScan([source], []));
    const expected = rows.filter(
      (row) =>
        row.slice(0, prefix).every((id, i) => id === ids[i]) &&
        row[4] <= revision &&
        filters.every(({ column, id }) => row[column] === id),
    );
    expect(found.map((row) => row.slice(0, 5))).toEqual(expected.map((row) => row.slice(0, 5)));
  }
});

test('ranges: compaction of a window keeps what is inside', () => {
  const rows: Row[] = [];
  for (let from = 1; from < 6; from++)
    for (let to = from + 1; to < 8; to++) rows.push([rows.length, 0, 0, 1, from, to === 7 ? FOREVER : to]);
  for (const range of [
    EVERYTHING,
    aliveAt(3),
    begunBy(3),
    endedBy(3),
    { ...EVERYTHING, minFrom: 2, maxFrom: 3, minTo: 4, maxTo: 5 },
  ]) {
    const columns = columnsOf(rows);
    const end = compactWindow(columns, 2, rows.length, range, []);
    const expected = rows
      .slice(2)
      .filter(
        ([, , , , from, to]) =>
          from >= range.minFrom && from <= range.maxFrom && to >= range.minTo && to <= range.maxTo,
      );
    expect([...columns[0].subarray(2, end)]).toEqual(expected.map(([a]) => a));
    expect([...columns[0].subarray(0, 2)]).toEqual([0, 1]);
  }
  expect(rows.filter((row) => row[4] <= 3 && row[5] > 3).length).toBeGreaterThan(3);
});

/** Intervals in several live runs, and tombstones for some of them in tombstone runs. */
async function intervals(
  keyspace: Keyspace,
  seed: number,
): Promise<{ live: Run[]; tombstones: Run[]; rows: Row[]; ended: Row[]; stray: Row[] }> {
  const int = randomInts(seed);
  const rows = randomRows(seed, 7000);
  const ended = rows
    .filter(() => int(0, 3) === 0)
    .map(([a, b, c, d, from]): Row => [a, b, c, d, from, from + int(1, 9)]);
  // `stray`: tombstones without a live row. `again`: second intervals of quads whose first one ended.
  const stray: Row[] = Array.from({ length: 50 }, (_, i): Row => [30, 2, i, 1, 3, 4]);
  const again = ended.filter(() => int(0, 2) === 0).map(([a, b, c, d, , to]): Row => [a, b, c, d, to, FOREVER]);
  const split = (all: Row[], parts: number): Row[][] => {
    const out = Array.from({ length: parts }, (): Row[] => []);
    for (const row of all) out[int(0, parts)]!.push(row);
    return out.map((part) => part.toSorted(byRow));
  };
  const all = [...rows, ...again].toSorted(byRow);
  let id = 10;
  const live: Run[] = [];
  for (const part of split(all, 3)) live.push(await writeRun(keyspace, id++, part));
  const tombstones: Run[] = [];
  for (const part of split([...ended, ...stray], 2)) tombstones.push(await writeRun(keyspace, id++, part, 'tombstone'));
  return { live, tombstones, rows: all, ended, stray };
}

const keyOf = (row: Row): string => row.slice(0, 5).join(' ');

test.each([true, false])('a merging scan takes tombstones away (getSync: %s)', async (sync) => {
  const { live, tombstones, rows, ended } = await intervals(await newKeyspace(sync ? undefined : asyncDriver()), 6);
  const gone = new Set(ended.map(keyOf));
  const found = await drain(new MergeScan(live.map(whole), tombstones.map(whole)));
  expect(found.map(keyOf)).toEqual(rows.filter((row) => !gone.has(keyOf(row))).map(keyOf));
});

test('a merge of runs makes history of ended intervals and keeps tombstones that met none', async () => {
  const keyspace = await newKeyspace();
  const { live, tombstones, rows, ended, stray } = await intervals(keyspace, 7);
  const session = new RunSession({ keyspace, numbers: new RunNumbers(100) });
  const merged = await mergeRuns(session, SPOG, live, tombstones, new Pacer(platformEnv()));
  const byKind = new Map(merged.map((run) => [run.entry.kind, run]));
  const gone = new Map(ended.map((row) => [keyOf(row), row]));
  const contentsOf = (kind: RunKind): Promise<Row[]> => drain(new MergeScan([whole(byKind.get(kind)!)], []));
  expect(await contentsOf('live')).toEqual(rows.filter((row) => !gone.has(keyOf(row))));
  expect(await contentsOf('history')).toEqual(ended.toSorted(byRow));
  expect(await contentsOf('tombstone')).toEqual(stray);
});

test('writeOrders writes the same rows in every order; only named graphs in GSPO', async () => {
  const keyspace = await newKeyspace();
  const rows = randomRows(8, 5000);
  const session = new RunSession({ keyspace, numbers: new RunNumbers(1) });
  const written = await writeOrders(
    session,
    { columns: columnsOf(rows), length: rows.length },
    { kind: 'live', logOwned: true },
    new Pacer(platformEnv()),
  );
  expect(written.runs.map((run) => run.entry.order)).toEqual(ORDERS);
  expect(written.runs.map((run) => run.entry.logOwned)).toEqual([true, false, false, false]);
  expect(written.payload).toMatchObject({ run: 1, rows: 5000 });
  for (const run of written.runs) {
    const { order } = run.entry;
    const expected = rows
      .filter((row) => !order.namedOnly || row[3] !== DEFAULT_GRAPH)
      .map((row) => [...order.columns.map((position) => row[position]!), row[4], row[5]] as unknown as Row);
    expect(await drain(new MergeScan([whole(run)], []))).toEqual(expected.toSorted(byRow));
  }
  const [spog, posg] = written.runs.map((run) => run.table.distinct);
  for (const p of new Set(rows.map((row) => row[1]))) {
    const own = rows.filter((row) => row[1] === p);
    expect(spog!.get(p)).toBe(new Set(own.map((row) => row[0])).size);
    expect(posg!.get(p)).toBe(new Set(own.map((row) => row[2])).size);
  }
});

test('a session writes nothing after a write has failed: its marks are gone by then', async () => {
  const keyspace = await newKeyspace();
  const owner = { keyspace, numbers: new RunNumbers(1), failure: undefined as unknown };
  const session = new RunSession(owner);
  const output = new RunOutput(session, SPOG, 'live');
  const rows = randomRows(9, 500);
  output.take(columnsOf(rows), 0, rows.length);
  const number = await session.take();
  await session.abandon();
  owner.failure = new StorageError('STORAGE_FULL', 'no room');
  await expect(output.finish()).rejects.toThrow('no room');
  const writer = new RunWriter(keyspace, new BatchWriter(session), number, SPOG, 'live');
  writer.append(columnsOf(rows), 0, rows.length);
  await expect(writer.finish({ revision: 0, logOwned: false })).rejects.toThrow('no room');
  for (const tag of [Tag.session, Tag.block, Tag.runMeta])
    for await (const entry of keyspace.entries(tag)) expect.unreachable(`${tag} ${String(entry.rest)}`);
});
