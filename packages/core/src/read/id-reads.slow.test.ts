/** Scans, seeks, counts and estimates by ids, compared with a filter of all quads, over random histories. */
import type * as RDF from '@rdfjs/types';
import { expect, test } from 'vitest';
import { MISS } from '../keyspace/block-cache.js';
import { Pacer, platformEnv } from '../runtime/env.js';
import { ANY } from '../index/orders.js';
import type { IdPattern, OrderName, ScanOptions } from '../index/orders.js';
import { flushMemtable } from '../maintenance/flush.js';
import { mergeAll } from '../maintenance/merge-tiers.js';
import type { QuadScan } from '../index/read/quad-scan.js';
import type { QuadSeeker } from '../index/read/quad-seeker.js';
import { Snapshot } from '../read/snapshot.js';
import type { StagedReads } from '../write/transaction/staged-reads.js';
import { asyncDriver, many, openRepository, q, randomInts, SMALL } from '../testing/fixture.js';

type Ids = readonly [number, number, number, number];
type Reads = Snapshot | StagedReads;

const ORDERS: Readonly<Record<OrderName, readonly number[]>> = {
  spog: [0, 1, 2, 3],
  posg: [1, 2, 0, 3],
  ospg: [2, 0, 1, 3],
  gspo: [3, 0, 1, 2],
};
const NAMES = Object.keys(ORDERS) as OrderName[];

async function rowsOf(scan: QuadScan | QuadSeeker): Promise<Ids[]> {
  const found: Ids[] = [];
  for (;;) {
    const rows = scan.next();
    if (rows === 0) return found;
    if (rows === MISS) {
      await scan.fetch();
      continue;
    }
    expect(scan.end - scan.start).toBe(rows);
    for (let i = scan.start; i < scan.end; i++) found.push([scan.s[i]!, scan.p[i]!, scan.o[i]!, scan.g[i]!]);
  }
}

const toPattern = ([s, p, o, g]: Ids): IdPattern => ({ s, p, o, g });

function sorted(rows: readonly Ids[], order: OrderName): Ids[] {
  const places = ORDERS[order];
  return rows.toSorted((x, y) => places.map((at) => x[at]! - y[at]!).find((difference) => difference !== 0) ?? 0);
}

function matching(all: readonly Ids[], pattern: Ids): Ids[] {
  return all.filter((row) => row.every((id, at) => pattern[at] === 0 || pattern[at] === id));
}

function within(rows: readonly Ids[], pattern: Ids, order: OrderName, { least, greatest }: ScanOptions): Ids[] {
  const open = ORDERS[order].find((at) => pattern[at] === 0);
  if (open === undefined) return [...rows];
  return rows.filter((row) => row[open]! >= (least ?? 0) && row[open]! <= (greatest ?? 0xffff_ffff));
}

/** Patterns that bind the positions in the bit set `bound`; some match quads and some match none. */
function patternsOf(all: readonly Ids[], bound: number, int: (low: number, high: number) => number): Ids[] {
  return Array.from({ length: 5 }, (_, round): Ids => {
    const pick = (position: number): number => {
      const row = all[int(0, all.length)];
      if (round >= 4 && int(0, 4) === 0) return int(0, 2) === 0 ? 1 : 900 + int(0, 50);
      return row?.[position] ?? 999;
    };
    const row =
      all.length > 0 && round < 4 ? all[int(0, all.length)]! : ([pick(0), pick(1), pick(2), pick(3)] as const);
    const kept = (position: number): number => (bound & (1 << position) ? row[position]! : 0);
    return [kept(0), kept(1), kept(2), round === 3 && bound & 8 ? 1 : kept(3)];
  });
}

// Samples may have quads of other revisions, but only such that match.
async function checkSamples(snapshot: Snapshot, pattern: Ids, expected: readonly Ids[]): Promise<void> {
  for (const count of [3, 1e6]) {
    const { s, p, o, g, length } = await snapshot.sample(toPattern(pattern), count);
    const rows = Array.from({ length }, (_, i): Ids => [s[i]!, p[i]!, o[i]!, g[i]!]);
    expect(length).toBeLessThanOrEqual(count);
    expect(matching(rows, pattern)).toEqual(rows);
    if (count === 1e6) expect(expected.every((row) => new Set(rows.map(String)).has(String(row)))).toBe(true);
  }
}

// A part ends at an object of the right side, and the parts that follow one another have every row once.
async function checkObjectParts(snapshot: Snapshot, predicate: number, expected: readonly Ids[]): Promise<void> {
  for (const descending of [false, true]) {
    const found: Ids[] = [];
    for (let from: number | undefined = descending ? 0xffff_ffff : 0, rows = 1; from !== undefined; rows *= 2) {
      const to: number | undefined = snapshot.stepObjects({ predicate, from, rows, descending });
      if (to !== undefined) expect(descending ? to <= from : to >= from).toBe(true);
      const end = to ?? (descending ? 0 : 0xffff_ffff);
      const bounds = descending ? { least: end, greatest: from } : { least: from, greatest: end };
      const pattern = { s: 0, p: predicate, o: 0, g: 0 };
      const part = await rowsOf(snapshot.scanQuads(pattern, { order: 'posg', ...bounds }));
      found.push(...part);
      const estimate = await snapshot.estimateObjects(predicate, bounds.least, bounds.greatest);
      expect(estimate > 0 || part.length === 0).toBe(true);
      from = end === 0 || end === 0xffff_ffff ? undefined : end + (descending ? -1 : 1);
    }
    expect(sorted(found, 'posg')).toEqual(sorted(expected, 'posg'));
  }
  // All objects together are what is estimated of the predicate, as far as the number of all quads does not bound that.
  const all = await snapshot.estimateObjects(predicate, 0, 0xffff_ffff);
  const estimate = await snapshot.estimate({ s: 0, p: predicate, o: 0, g: 0 });
  expect(Math.min(all, snapshot.record.size)).toBe(estimate);
}

async function checkReads(reads: Reads, all: readonly Ids[], seed: number): Promise<void> {
  const int = randomInts(seed);
  const anyId = (): number => all[int(0, all.length)]?.[int(0, 4)] ?? int(0, 99);
  for (let bound = 0; bound < 16; bound++) {
    const positions = { s: !!(bound & 1), p: !!(bound & 2), o: !!(bound & 4), g: !!(bound & 8) };
    const seeker = reads.seeker(positions);
    const byGraph = positions.g ? reads.seeker({ ...positions, order: 'gspo' }) : undefined;
    for (const pattern of patternsOf(all, bound, int)) {
      const expected = matching(all, pattern);
      const ids = toPattern(pattern);
      expect(sorted(await rowsOf(reads.scanQuads(ids)), 'spog')).toEqual(sorted(expected, 'spog'));
      seeker.seek(...pattern);
      // Some seeks are abandoned before all rows are read.
      if (int(0, 4) > 0) expect(sorted(await rowsOf(seeker), 'spog')).toEqual(sorted(expected, 'spog'));
      else seeker.next();
      byGraph?.seek(...pattern);
      if (byGraph !== undefined) {
        // The default graph is not in that order.
        const isNamed = pattern[3] !== 1;
        const rows = await rowsOf(byGraph);
        expect(isNamed ? rows : sorted(rows, 'spog')).toEqual(sorted(expected, isNamed ? 'gspo' : 'spog'));
      }
      expect(await reads.count(ids)).toBe(expected.length);
      const estimate = await reads.estimate(ids);
      expect(estimate > 0 || expected.length === 0).toBe(true);
      if (reads instanceof Snapshot) await checkSamples(reads, pattern, expected);
      if (reads instanceof Snapshot && bound === 2) await checkObjectParts(reads, pattern[1], expected);
      for (const order of NAMES) {
        const there = order === 'gspo' ? expected.filter(([, , , g]) => g !== 1) : expected;
        const bounds = [{}, { least: anyId() }, { least: anyId(), greatest: anyId() }, { greatest: anyId() }][
          int(0, 4)
        ]!;
        const rows = await rowsOf(reads.scanQuads(ids, { order, ...bounds }));
        expect(rows).toEqual(sorted(within(there, pattern, order, bounds), order));
      }
    }
    seeker.close();
    byGraph?.close();
  }
}

test.each([
  [true, ''],
  [true, 'g'],
  [false, 'g'],
])(
  'every pattern, order and bound (getSync: %s, graphs %j) at every revision and in transactions',
  async (sync, graph) => {
    const { repository } = await openRepository(sync ? undefined : asyncDriver(), {
      tuning: { ...SMALL, checkpointRevisions: 4, memtableRows: 1e9, tierRuns: 99 },
    });
    const int = randomInts(sync ? 11 : 12);
    const random = (): RDF.Quad => {
      const named = graph === '' ? '' : ['', ' g1', ' g2'][int(0, 3)]!;
      return q(`s${int(0, 9)} p${int(0, 3)} o${int(0, 11)}${named}`);
    };
    const quads = (count: number): RDF.Quad[] => Array.from({ length: count }, random);
    const pacer = new Pacer(platformEnv());
    for (let round = 1; round <= 11; round++) {
      await repository.commit(quads(round % 4 === 0 ? 50 : 12), quads(round % 5 === 0 ? 70 : 10));
      if (round === 4 || round === 8)
        await repository.handle.maintenance.run(() => flushMemtable(repository.handle.timeline, pacer));
      if (round === 6 || round === 9)
        await repository.handle.maintenance.run(() => mergeAll(repository.handle.timeline, pacer));
      const transaction = await repository.begin();
      await transaction.add(quads(9));
      await transaction.remove(quads(14));
      await transaction.add(quads(5));
      await transaction.beginReading();
      const { reads } = transaction;
      const all = await rowsOf(reads.scanQuads(ANY));
      expect(all.length).toBe(transaction.size);
      await checkReads(reads, all, round);
      const { predicates } = await reads.statistics();
      for (const [predicate, count] of predicates) expect(matching(all, [0, predicate, 0, 0]).length).toBe(count);
      transaction.close();
    }
    for (let revision = 1; revision <= repository.head.number; revision++) {
      const snapshot = await repository.snapshotAt(revision);
      const all = await rowsOf(snapshot.scanQuads(ANY));
      expect(all.length).toBe(snapshot.record.size);
      expect(await snapshot.statistics()).toEqual(await repository.handle.timeline.revisionStatistics.read(revision));
      await checkReads(snapshot, all, revision);
      snapshot.close();
    }
  },
);

function groups(rows: readonly Ids[], position: number): Map<number, Ids[]> {
  const found = new Map<number, Ids[]>();
  for (const row of rows) {
    const group = found.get(row[position]!);
    if (group === undefined) found.set(row[position]!, [row]);
    else group.push(row);
  }
  return found;
}

test('seeks over many groups and blocks, ascending and at random', async () => {
  const { repository } = await openRepository();
  const pacer = new Pacer(platformEnv());
  await repository.commit([...many('a', 6000), ...many('b', 900, 'g')], []);
  await repository.handle.maintenance.run(() => flushMemtable(repository.handle.timeline, pacer));
  await repository.commit(many('c', 300), many('a', 100));
  const int = randomInts(5);
  for (const revision of [2, 3]) {
    const snapshot = await repository.snapshotAt(revision);
    const all = await rowsOf(snapshot.scanQuads(ANY));
    const bySubject = groups(all, 0);
    const byObject = groups(all, 2);
    const subjects = snapshot.seeker({ s: true, p: true, o: false, g: false });
    const objects = snapshot.seeker({ s: false, p: false, o: true, g: false });
    const [, p] = all[0]!;
    const keys = [...bySubject.keys()].toSorted((x, y) => x - y);
    for (const s of [...keys, ...keys.map(() => int(1, keys.at(-1)! + 9))]) {
      subjects.seek(s, p, 0, 0);
      expect(await rowsOf(subjects)).toEqual(bySubject.get(s) ?? []);
    }
    for (const o of [...byObject.keys(), ...byObject.keys()]) {
      objects.seek(0, 0, o, 0);
      expect(await rowsOf(objects)).toEqual(sorted(byObject.get(o) ?? [], 'ospg'));
    }
    snapshot.close();
  }
});

test('seeks in runs whose rows came and went with many revisions', async () => {
  const { repository } = await openRepository();
  const pacer = new Pacer(platformEnv());
  const int = randomInts(6);
  const quads = many('a', 1500);
  await repository.commit(quads.slice(0, 700), []);
  // Consecutive rows of a scan come from distant revisions.
  for (let commit = 0; commit < 40; commit++) {
    const some = Array.from({ length: 30 }, () => quads[int(0, quads.length - 1)]!);
    await repository.commit(some.slice(0, 18), some.slice(18));
  }
  await repository.handle.maintenance.run(() => flushMemtable(repository.handle.timeline, pacer));
  await repository.handle.maintenance.run(() => mergeAll(repository.handle.timeline, pacer));
  expect(repository.handle.timeline.index.runs.some(({ entry }) => entry.kind === 'history')).toBe(true);
  for (const revision of [2, 9, 23, 41]) {
    const snapshot = await repository.snapshotAt(revision);
    const all = await rowsOf(snapshot.scanQuads(ANY));
    const bySubject = groups(all, 0);
    const seeker = snapshot.seeker({ s: true, p: true, o: false, g: false });
    const [, p] = all[0]!;
    const keys = [...groups(await rowsOf((await repository.snapshotAt(41)).scanQuads(ANY)), 0).keys()];
    for (const s of [...keys, ...keys.map(() => keys[int(0, keys.length - 1)]!)]) {
      seeker.seek(s, p, 0, 0);
      expect(await rowsOf(seeker)).toEqual(bySubject.get(s) ?? []);
    }
    snapshot.close();
  }
});

test('samples are spread evenly over many blocks', async () => {
  const { repository } = await openRepository();
  await repository.commit([...many('a', 20_000)], []);
  await repository.handle.maintenance.run(() => flushMemtable(repository.handle.timeline, new Pacer(platformEnv())));
  await repository.commit(many('b', 500), []);
  const snapshot = await repository.snapshotAt(3);
  const all = sorted(await rowsOf(snapshot.scanQuads(ANY)), 'spog');
  const { s, length } = await snapshot.sample(ANY, 100);
  expect(length).toBe(100);
  const old = all.slice(0, 20_000).map(([id]) => id);
  const ranks = [...s].map((id) => old.indexOf(id)).filter((rank) => rank !== -1);
  expect(ranks.length).toBeGreaterThan(90);
  for (const [i, rank] of ranks.entries()) expect(Math.abs(rank - i * 205)).toBeLessThan(420);
  snapshot.close();
});
