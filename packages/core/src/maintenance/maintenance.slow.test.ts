/** Flushes and merges while snapshots are open; verify, rebuild and compact. */
import type * as RDF from '@rdfjs/types';
import { describe, expect, test } from 'vitest';
import { iri } from '@quadrille/model';
import { StorageEngine } from '@quadrille/storage';
import { compactRepository } from '../compact/compact.js';
import { Pacer, platformEnv } from '../runtime/env.js';
import { Tag } from '../format/layout.js';
import type { RowColumns } from '../index/block/block-codec.js';
import { blockRows, decodeColumn, encodeBlock, newRowColumns } from '../index/block/block-codec.js';
import { flushMemtable } from './flush.js';
import { mergeAll } from './merge-tiers.js';
import { netChange } from '../timeline/change.js';
import { QuadColumns } from '../index/quad-columns.js';
import type { Repository } from '../repository.js';
import { encodeHead, encodeRecord } from '../revision/record.js';
import { readRecord } from '../revision/log.js';
import { encodeManifest } from '../timeline/manifest.js';
import { Statistics } from '../index/statistics.js';
import { Store } from '../store.js';
import {
  asyncDriver,
  contents,
  feed,
  many,
  openRepository,
  q,
  randomInts,
  readAll,
  show,
  SMALL,
} from '../testing/fixture.js';

const pacer = new Pacer(platformEnv());
const flush = (repository: Repository): Promise<void> =>
  repository.handle.maintenance.run(() => flushMemtable(repository.handle.timeline, pacer));
const merge = (repository: Repository): Promise<void> =>
  repository.handle.maintenance.run(() => mergeAll(repository.handle.timeline, pacer));
const settled = (repository: Repository): Promise<void> => repository.handle.maintenance.run(async () => undefined);

async function blocksOf(repository: Repository): Promise<Set<string>> {
  const runs = new Set<string>();
  for await (const { rest } of repository.handle.keyspace.entries(Tag.block)) runs.add(rest.subarray(0, 4).join());
  return runs;
}

describe('flushes and merges', () => {
  test.each([true, false])(
    'random commits with flushes and merges behind them: every revision reads right (getSync: %s)',
    async (sync) => {
      const { store, repository, driver } = await openRepository(sync ? undefined : asyncDriver(), {
        tuning: { ...SMALL, checkpointRevisions: 5 },
      });
      const int = randomInts(1);
      const model: string[][] = [[], []];
      let now = new Set<string>();
      for (let round = 0; round < 60; round++) {
        const random = (count: number): RDF.Quad[] =>
          Array.from({ length: count }, () =>
            q(`s${int(0, 30)} p${int(0, 3)} o${int(0, 9)}${int(0, 3) === 0 ? ' g' : ''}`),
          );
        const [added, removed] = [random(int(0, 40)), random(int(0, 40))];
        const { number } = await repository.commit(added, removed);
        const next = new Set(now);
        for (const quad of removed) next.delete(show(quad));
        for (const quad of added) next.add(show(quad));
        now = next;
        model[number] = [...now].toSorted();
      }
      await settled(repository);
      expect(repository.handle.scheduler.failures).toEqual([]);
      expect(repository.handle.timeline.flushed).toBeGreaterThan(1);
      expect(repository.handle.timeline.index.runs.some((run) => run.entry.kind === 'history')).toBe(true);
      const check = async (open: Repository): Promise<void> => {
        for (let number = 1; number <= open.head.number; number++)
          expect(await contents(open, number)).toEqual(model[number]);
        expect((await open.maintenance.verify()).problems).toEqual([]);
      };
      await check(repository);
      await store.close();
      const again = await openRepository(driver);
      await check(again.repository);
      await again.repository.maintenance.compact();
      await check(again.repository);
      await again.repository.maintenance.rebuild();
      await check(again.repository);
    },
  );

  test('commits go on while the memtable is written out', async () => {
    const { repository } = await openRepository(undefined, { tuning: { ...SMALL, memtableRows: 1e9 } });
    await repository.commit(many('a', 15), []);
    await repository.commit([q('b p o')], [q('a1 p o1')]);
    const writing = flush(repository);
    const commits = [];
    for (let i = 0; i < 30; i++) {
      commits.push(repository.commit([q(`c${i} p o`), q('a1 p o1')], [q(`a${i} p o${i}`), q('b p o')]));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all(commits);
    await writing;
    expect(repository.handle.timeline.flushed).toBeLessThan(repository.head.number);
    const expected = ['a1 p o1', ...Array.from({ length: 30 }, (_, i) => `c${i} p o`)].toSorted();
    expect(await contents(repository)).toEqual(expected);
    await flush(repository);
    await merge(repository);
    expect(await contents(repository)).toEqual(expected);
    expect((await repository.maintenance.verify()).problems).toEqual([]);
  });

  test.each([true, false])(
    'an open snapshot reads right through merges; blocks are deleted only when it closes (getSync: %s)',
    async (sync) => {
      const { repository } = await openRepository(sync ? undefined : asyncDriver(), {
        tuning: { ...SMALL, memtableRows: 1e9, tierRuns: 99 },
      });
      for (let round = 0; round < 4; round++) {
        await repository.commit(many(`r${round}-`, 15, 'g'), round === 0 ? [] : many(`r${round - 1}-`, 5, 'g'));
        await flush(repository);
      }
      const before = await contents(repository);
      const snapshot = repository.snapshot();
      const reader = snapshot.read({ s: 0, p: 0, o: 0, g: 0 });
      await reader.next();
      const old = await blocksOf(repository);
      await merge(repository);
      await repository.commit([q('late p o')], before.length > 0 ? many('r3-', 15, 'g') : []);
      await flush(repository);
      await merge(repository);
      await new Promise((resolve) => setTimeout(resolve, 5));
      const during = await blocksOf(repository);
      expect([...old].every((run) => during.has(run))).toBe(true);
      expect(await readAll(snapshot)).toEqual(before);
      expect(await snapshot.count({ s: 0, p: 0, o: 0, g: (await snapshot.ids({ graph: iri('http://e/g') }))!.g })).toBe(
        before.length,
      );
      reader.close();
      snapshot.close();
      expect(() => snapshot.scan({ s: 0, p: 0, o: 0, g: 0 })).toThrow(
        expect.objectContaining({ code: 'SNAPSHOT_CLOSED' }),
      );
      await new Promise((resolve) => setTimeout(resolve, 5));
      const after = await blocksOf(repository);
      expect([...old].some((run) => after.has(run))).toBe(false);
      expect((await repository.maintenance.verify()).problems).toEqual([]);
    },
  );

  test('a write inside a read of the same repository', async () => {
    const { repository } = await openRepository(undefined, { tuning: SMALL });
    for (let round = 0; round < 6; round++) await repository.commit(many(`m${round}-`, 19), []);
    const snapshot = repository.snapshot();
    const reader = snapshot.read({ s: 0, p: 0, o: 0, g: 0 });
    let read = 0;
    for (let batch = await reader.next(); batch !== undefined; batch = await reader.next()) {
      read += batch.length;
      for (const quad of batch) await repository.commit([], [quad]);
    }
    snapshot.close();
    expect(read).toBe(114);
    expect(repository.head.size).toBe(0);
    await settled(repository);
    expect((await repository.maintenance.verify()).problems).toEqual([]);
  });
});

test('netChange: what is there is no addition, what is absent no removal, both means there', async () => {
  const { repository } = await openRepository();
  await repository.commit([q('a p o'), q('b p o')], []);
  const { timeline } = repository.handle;
  const ids = async (quads: RDF.Quad[]): Promise<QuadColumns> => {
    const columns = new QuadColumns();
    for (const { subject, predicate, object, graph } of quads) {
      const [s, p, o, g] = [
        await timeline.encoder.intern(subject),
        await timeline.encoder.intern(predicate),
        await timeline.encoder.intern(object),
        await timeline.encoder.intern(graph),
      ];
      columns.push(s, p, o, g);
    }
    return columns;
  };
  const net = async (added: RDF.Quad[], removed: RDF.Quad[]): Promise<[number, number]> => {
    const at = { index: timeline.index, number: timeline.staged.number };
    const change = await netChange(at, await ids(added), await ids(removed), pacer);
    return [change.added.length, change.removed.length];
  };
  expect(await net([q('a p o')], [])).toEqual([0, 0]);
  expect(await net([q('c p o'), q('c p o')], [q('b p o'), q('b p o')])).toEqual([1, 1]);
  expect(await net([q('a p o')], [q('a p o')])).toEqual([0, 0]);
  expect(await net([q('c p o')], [q('c p o')])).toEqual([1, 0]);
  expect(await net([], [q('c p o')])).toEqual([0, 0]);
});

test('statistics of every revision, across checkpoints and large commits', async () => {
  const { repository } = await openRepository(undefined, { tuning: { ...SMALL, checkpointRevisions: 3 } });
  for (let round = 0; round < 12; round++)
    await repository.commit(
      many(`m${round}-`, round % 5 === 0 ? 40 : 6, round % 2 ? 'g' : ''),
      many(`m${round - 2}-`, 4),
    );
  const checkpoints: number[] = [];
  for await (const { rest } of repository.handle.keyspace.entries(Tag.statistics)) checkpoints.push(rest[3]!);
  expect(checkpoints.length).toBeGreaterThan(3);
  for (let number = 1; number <= repository.head.number; number++) {
    const snapshot = await repository.snapshotAt(number);
    const all = await readAll(snapshot);
    const { predicates, graphs } = await snapshot.statistics();
    expect([...predicates].reduce((sum, [, count]) => sum + count, 0)).toBe(all.length);
    const g = (await snapshot.ids({ graph: iri('http://e/g') }))!.g;
    expect(graphs.get(g) ?? 0).toBe(all.filter((quad) => quad.endsWith(' g')).length);
    snapshot.close();
  }
});

describe('verify finds planted damage, rebuild restores what is derived', () => {
  /** A repository with live, tombstone and history runs in every order, and a memtable. */
  async function damaged(
    damage: (repository: Repository) => Promise<void>,
  ): Promise<{ store: Store; before: string[]; codes: string[] }> {
    const { store, repository, driver } = await openRepository(undefined, {
      tuning: { ...SMALL, memtableRows: 1e9, tierRuns: 99 },
    });
    await repository.commit(many('a', 60, 'g'), []);
    await repository.commit([], many('a', 7, 'g'));
    await flush(repository);
    await merge(repository);
    await repository.commit(many('b', 10), many('a', 9, 'g'));
    await flush(repository);
    await repository.commit([q('mem p o')], []);
    const before = await contents(repository);
    expect((await repository.maintenance.verify()).problems).toEqual([]);
    await damage(repository);
    await store.close();
    const again = await Store.open(await StorageEngine.open(driver), { env: platformEnv() });
    const report = await again.verify();
    expect(report.ok).toBe(report.problems.length === 0);
    return { store: again, before, codes: [...new Set(report.problems.map(({ code }) => code))] };
  }

  async function restored(store: Store, before: string[]): Promise<void> {
    const repository = await store.repository('a/r');
    await repository.maintenance.rebuild();
    expect(await contents(repository)).toEqual(before);
    expect((await repository.maintenance.verify()).problems).toEqual([]);
  }

  for (const orderNumber of [0, 1, 2, 3]) {
    for (const kind of ['live', 'tombstone', 'history'] as const) {
      test(`a changed ${kind} row in order ${orderNumber}`, async () => {
        const { store, before, codes } = await damaged(async ({ handle: { timeline } }) => {
          const run = timeline.index.runs.find(
            ({ entry }) => entry.order.number === orderNumber && entry.kind === kind,
          )!;
          const key = timeline.keyspace.key(Tag.block, run.entry.id, 0);
          const words = new Uint32Array((await timeline.keyspace.engine.get(key))!.slice().buffer);
          const rows = blockRows(words, 0);
          const columns: RowColumns = newRowColumns(Math.ceil(rows / 128) * 128);
          for (let column = 0; column < 6; column++)
            decodeColumn(words, 0, column, 0, Math.ceil(rows / 128), columns[column]!);
          columns[3][rows - 1]!++;
          await timeline.keyspace.write([{ type: 'put', key, value: encodeBlock(columns, 0, rows) }]);
        });
        expect(codes).toContain('INDEX_DISAGREES');
        await restored(store, before);
      });
    }
  }

  test('a missing block, a missing run, a run that nothing names', async () => {
    const missingBlock = await damaged(async ({ handle: { timeline } }) => {
      const run = timeline.index.runs.find(({ entry }) => entry.kind === 'live' && !entry.logOwned)!;
      await timeline.keyspace.write([{ type: 'delete', key: timeline.keyspace.key(Tag.block, run.entry.id, 0) }]);
    });
    expect(missingBlock.codes).toContain('INDEX_DISAGREES');
    await restored(missingBlock.store, missingBlock.before);
    const missingRun = await damaged(async ({ handle: { timeline } }) => {
      const runs = timeline.index.runs.map((run) => run.entry).filter((entry) => entry.kind !== 'tombstone');
      const root = {
        flushed: timeline.flushed,
        checkpoint: timeline.checkpoints.number,
        nextRun: timeline.numbers.next,
        runs,
      };
      await timeline.keyspace.write([
        { type: 'put', key: timeline.keyspace.key(Tag.root), value: encodeManifest(root) },
      ]);
    });
    expect(missingRun.codes).toContain('INDEX_DISAGREES');
    await restored(missingRun.store, missingRun.before);
    const stray = await damaged(async ({ handle: { timeline } }) => {
      await timeline.keyspace.write([
        { type: 'put', key: timeline.keyspace.key(Tag.runMeta, 9999, 0), value: new Uint8Array(8) },
      ]);
    });
    expect(stray.codes).toEqual(['INDEX_DISAGREES']);
  });

  test('wrong statistics', async () => {
    const { store, before, codes } = await damaged(async ({ handle: { timeline } }) => {
      const wrong = timeline.statistics.copy();
      wrong.predicates.set(3, 12_345);
      const key = timeline.keyspace.key(Tag.statistics, timeline.checkpoints.number, 0);
      await timeline.keyspace.write([
        { type: 'put', key, value: await new Statistics(wrong.predicates, wrong.graphs).encode(pacer) },
      ]);
    });
    expect(codes).toContain('INDEX_DISAGREES');
    await restored(store, before);
  });

  test('a term that its hash does not find, or not under its id', async () => {
    const { store, before, codes } = await damaged(async (open) => {
      await compactRepository(await open.lines());
      const { timeline } = open.handle;
      const key = timeline.keyspace.key(Tag.hashPage, timeline.dictionary.root.runs[0]!.entry.id, 0);
      const page = (await timeline.keyspace.engine.get(key))!.slice();
      for (let at = (page.length / 3) * 2; at < page.length; at += 4) page[at]! ^= 1;
      await timeline.keyspace.write([{ type: 'put', key, value: page }]);
    });
    expect(codes).toContain('INDEX_DISAGREES');
    await restored(store, before);
  });

  test('a gap in the log, a changed record, a broken chain', async () => {
    const gap = await damaged(({ handle: { timeline } }) =>
      timeline.keyspace.write([{ type: 'delete', key: timeline.keyspace.key(Tag.log, 3) }]),
    );
    expect(gap.codes).toContain('LOG_BROKEN');
    const changed = await damaged(async ({ handle: { timeline } }) => {
      const key = timeline.keyspace.key(Tag.log, 3);
      const bytes = (await timeline.keyspace.engine.get(key))!.slice();
      bytes[40]! ^= 1;
      await timeline.keyspace.write([{ type: 'put', key, value: bytes }]);
    });
    expect(changed.codes).toContain('LOG_BROKEN');
    // A valid record with another message: its digest differs from the parent digest in the next record.
    const forged = await damaged(async ({ handle: { timeline } }) => {
      const { digest: _digest, ...record } = await readRecord(timeline.keyspace, 3);
      const { bytes } = encodeRecord({ ...record, message: 'forged' });
      await timeline.keyspace.write([{ type: 'put', key: timeline.keyspace.key(Tag.log, 3), value: bytes }]);
    });
    expect(forged.codes).toContain('LOG_BROKEN');
    const miscounted = await damaged(async ({ handle: { timeline } }) => {
      const { digest: _digest, ...record } = await readRecord(timeline.keyspace, timeline.published.number);
      const { bytes, digest } = encodeRecord({ ...record, size: record.size + 1 });
      await timeline.keyspace.write([
        { type: 'put', key: timeline.keyspace.key(Tag.log, record.number), value: bytes },
        { type: 'put', key: timeline.keyspace.key(Tag.head), value: encodeHead({ number: record.number, digest }) },
      ]);
    });
    expect(miscounted.codes).toEqual(expect.arrayContaining(['LOG_BROKEN', 'INDEX_DISAGREES']));
  });

  test('a changed payload of the log', async () => {
    const { codes } = await damaged(async ({ handle: { timeline } }) => {
      const { payload } = await readRecord(timeline.keyspace, 2);
      const key = timeline.keyspace.key(Tag.block, payload!.added[0]!.run, 0);
      const bytes = (await timeline.keyspace.engine.get(key))!.slice();
      bytes[bytes.length - 1]! ^= 1;
      await timeline.keyspace.write([{ type: 'put', key, value: bytes }]);
    });
    expect(codes).toContain('LOG_BROKEN');
  });

  test('a head that names another digest is refused at open', async () => {
    const { store, repository, driver } = await openRepository();
    await repository.commit([q('a p o')], []);
    const { keyspace } = repository.handle;
    await keyspace.write([
      { type: 'put', key: keyspace.key(Tag.head), value: encodeHead({ number: 2, digest: new Uint8Array(16) }) },
    ]);
    await store.close();
    await expect(openRepository(driver)).rejects.toThrow(expect.objectContaining({ code: 'LOG_BROKEN' }));
  });

  test('damaged term and tag', async () => {
    const { codes } = await damaged(async (open) => {
      await open.tags.set('bad', Uint8Array.of(1));
    });
    expect(codes).toEqual(['INDEX_DISAGREES']);
    const term = await damaged(async (open) => {
      await compactRepository(await open.lines());
      const { timeline } = open.handle;
      await timeline.keyspace.write([
        { type: 'deleteRange', gte: timeline.keyspace.key(Tag.termTail), lt: timeline.keyspace.key(Tag.longTerm) },
      ]);
    });
    expect(term.codes).toContain('UNKNOWN_ID');
  });
});

test('compact: one live and one history run an order, no tombstones, every revision kept, less space', async () => {
  const { store, repository, driver } = await openRepository(undefined, {
    tuning: { ...SMALL, memtableRows: 50, tierRuns: 99 },
  });
  const sets: string[][] = [];
  for (let round = 0; round < 25; round++) {
    await repository.commit(many(`m${round}-`, round === 7 ? 60 : 12, 'g'), many(`m${round - 1}-`, 10, 'g'));
    sets[repository.head.number] = await contents(repository);
  }
  await settled(repository);
  const { bytesBefore, bytesAfter } = await repository.maintenance.compact();
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(bytesAfter).toBeLessThan(bytesBefore);
  expect(
    repository.handle.timeline.index.runs.map(({ entry }) => `${entry.order.name} ${entry.kind}`).toSorted(),
  ).toEqual(['gspo', 'ospg', 'posg', 'spog'].flatMap((order) => [`${order} history`, `${order} live`]));
  expect(repository.handle.timeline.dictionary.root.runs.length).toBe(1);
  for (let number = 2; number < sets.length; number++) expect(await contents(repository, number)).toEqual(sets[number]);
  await store.close();
  const again = await openRepository(driver);
  for (let number = 2; number < sets.length; number++)
    expect(await contents(again.repository, number)).toEqual(sets[number]);
  expect((await again.repository.maintenance.verify()).problems).toEqual([]);
});

test('compact, rebuild and verify beside a load', async () => {
  const { repository } = await openRepository(undefined, { tuning: { ...SMALL, chunkRows: 64 } });
  await repository.commit(many('a', 60), []);
  const load = await repository.beginLoad({ replace: true });
  for (let chunk = 0; chunk < 6; chunk++) {
    await feed(load, many(`c${chunk}-`, 60));
    await Promise.all([
      load.writeChunk(),
      chunk % 2 === 0 ? repository.maintenance.compact() : repository.maintenance.rebuild(),
    ]);
    expect((await repository.maintenance.verify()).problems).toEqual([]);
  }
  expect(await repository.finishLoad(load, {})).toMatchObject({ added: 360, removed: 60, size: 360 });
  await load.close();
  expect((await repository.maintenance.verify()).problems).toEqual([]);
  const abandoned = await repository.beginLoad();
  await feed(abandoned, many('never', 200));
  await abandoned.writeChunk();
  await abandoned.writeChunk();
  await abandoned.close();
  expect(repository.head.size).toBe(360);
  expect((await repository.maintenance.verify()).problems).toEqual([]);
});
