/** Every pattern and its count, compared with a filter of all quads. */
import { describe, expect, test } from 'vitest';
import type { Repository } from '../repository.js';
import { MISS } from '../keyspace/block-cache.js';
import { ANY, ACCESS_PATHS, accessPath, G, GSPO } from '../index/orders.js';
import type { IdPattern } from '../index/orders.js';
import { flushMemtable } from '../maintenance/flush.js';
import { mergeAll } from '../maintenance/merge-tiers.js';
import { Pacer, platformEnv } from '../runtime/env.js';
import type { Snapshot } from '../read/snapshot.js';
import { asyncDriver, openRepository, q, randomInts, SMALL } from '../testing/fixture.js';

type Ids = readonly [number, number, number, number];

test('the table of the 16 patterns is total and consistent', () => {
  expect(ACCESS_PATHS.length).toBe(16);
  for (let bound = 0; bound < 16; bound++) {
    for (const graph of bound & 8 ? [1, 7] : [0]) {
      const pattern = { s: bound & 1 ? 5 : 0, p: bound & 2 ? 5 : 0, o: bound & 4 ? 5 : 0, g: graph };
      const { order, prefix, residual } = accessPath(pattern);
      const positions = [0, 1, 2, 3].filter((position) => [pattern.s, pattern.p, pattern.o, pattern.g][position] !== 0);
      expect([...order.columns.slice(0, prefix), ...residual].toSorted()).toEqual(positions);
      if (graph === 1) expect(order).not.toBe(GSPO);
      if (residual.length > 0) expect(residual).toEqual([G]);
    }
  }
});

async function rowsOf(snapshot: Snapshot, pattern: IdPattern): Promise<Ids[]> {
  const { order } = accessPath(pattern);
  const scan = snapshot.scan(pattern);
  const found: Ids[] = [];
  let last = '';
  for (;;) {
    const rows = scan.next();
    if (rows === 0) return found;
    if (rows === MISS) {
      await scan.fetch();
      continue;
    }
    const { columns, start, end } = scan.batch;
    for (let i = start; i < end; i++) {
      const ids = [0, 0, 0, 0];
      for (let place = 0; place < 4; place++) ids[order.columns[place]!] = columns[place]![i]!;
      const key = [0, 1, 2, 3].map((place) => String(columns[place]![i]).padStart(10, '0')).join();
      expect(key > last).toBe(true);
      last = key;
      found.push(ids as unknown as Ids);
    }
  }
}

const show = (rows: readonly Ids[]): string[] => rows.map((ids) => ids.join(' ')).toSorted();

async function checkPatterns(repository: Repository, revision: number, seed: number): Promise<void> {
  const snapshot = await repository.snapshotAt(revision);
  const all = await rowsOf(snapshot, ANY);
  expect(all.length).toBe(snapshot.record.size);
  const int = randomInts(seed);
  const values = [0, 1, 2, 3].map((position) => [...new Set(all.map((ids) => ids[position]!))]);
  const pick = (position: number): number =>
    int(0, 8) === 0 ? 999 : (values[position]![int(0, values[position]!.length)] ?? 999);
  for (let bound = 0; bound < 16; bound++) {
    for (let round = 0; round < 5; round++) {
      const ids =
        round < 3 && all.length > 0 ? all[int(0, all.length)]! : ([pick(0), pick(1), pick(2), pick(3)] as const);
      const pattern = {
        s: bound & 1 ? ids[0] : 0,
        p: bound & 2 ? ids[1] : 0,
        o: bound & 4 ? ids[2] : 0,
        g: bound & 8 ? (round === 4 ? 1 : ids[3]) : 0,
      };
      const expected = all.filter(
        ([s, p, o, g]) =>
          (pattern.s === 0 || s === pattern.s) &&
          (pattern.p === 0 || p === pattern.p) &&
          (pattern.o === 0 || o === pattern.o) &&
          (pattern.g === 0 || g === pattern.g),
      );
      expect(show(await rowsOf(snapshot, pattern))).toEqual(show(expected));
      expect(await snapshot.count(pattern)).toBe(expected.length);
      const newest =
        snapshot.number === repository.head.number ? snapshot.index.countNewest(pattern, snapshot.number) : undefined;
      if (newest !== undefined && newest !== MISS) expect(newest).toBe(expected.length);
    }
  }
  snapshot.close();
}

describe.each([true, false])('patterns and counts (getSync: %s)', (sync) => {
  test.each(['', 'g'])(
    'default graph and named graphs %j: in memtable, runs and history, at every revision',
    async (graph) => {
      const { repository } = await openRepository(sync ? undefined : asyncDriver(), {
        tuning: { ...SMALL, checkpointRevisions: 4, memtableRows: 1e9, tierRuns: 99 },
      });
      const int = randomInts(sync ? 1 : 2);
      const random = (): ReturnType<typeof q> => {
        const named = graph === '' ? '' : ['', ' g1', ' g2'][int(0, 3)]!;
        return q(`s${int(0, 8)} p${int(0, 3)} o${int(0, 9)}${named}`);
      };
      const pacer = new Pacer(platformEnv());
      for (let round = 1; round <= 12; round++) {
        const quads = (count: number): ReturnType<typeof q>[] => Array.from({ length: count }, random);
        // Some rounds exceed `deltaBytes`, so their deltas are stored as runs.
        await repository.commit(quads(round % 4 === 0 ? 40 : 8), quads(round % 5 === 0 ? 60 : 8));
        if (round === 5 || round === 9)
          await repository.handle.maintenance.run(() => flushMemtable(repository.handle.timeline, pacer));
        if (round === 7 || round === 10)
          await repository.handle.maintenance.run(() => mergeAll(repository.handle.timeline, pacer));
        await checkPatterns(repository, repository.head.number, round);
      }
      for (let revision = 1; revision <= repository.head.number; revision++)
        await checkPatterns(repository, revision, revision);
      await repository.removeMatches({});
      await checkPatterns(repository, repository.head.number, 1);
      expect((await repository.maintenance.verify()).problems).toEqual([]);
    },
  );
});

test('default-graph patterns count by position while there is no named graph, by scan afterwards', async () => {
  const { repository } = await openRepository();
  await repository.commit([q('a p x'), q('b p x')], []);
  const pattern = { s: 0, p: 0, o: 0, g: 1 };
  expect(repository.handle.timeline.index.countNewest(pattern, 2)).toBe(2);
  await repository.commit([q('a p x g')], []);
  expect(repository.handle.timeline.index.countNewest(pattern, 3)).toBeUndefined();
  expect(await repository.snapshot().count(pattern)).toBe(2);
});
