/**
 * A load of 100,000 quads in thousands of chunks, in memory and in LevelDB: its runs stay few, a process that dies in its midst leaves
 * nothing, and its revision is like every other one: it can be read, branched, saved, trimmed and erased from.
 */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { platformEnv, Store } from '@quadrille/core';
import type { Repository } from '@quadrille/core';
import { writeBackup } from '@quadrille/core/backup';
import { iri } from '@quadrille/model';
import { MemoryDriver, StorageEngine } from '@quadrille/storage';
import type { StorageDriver } from '@quadrille/storage';
import { openLevelDirectory } from '@quadrille/storage-level';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contents, feed, many, q, show } from '../../packages/core/src/testing/fixture.js';
import { MemoryBackup } from '../simulation/memory-backup.js';

const QUADS = 100_000;
const CHUNK = 32;
const TUNING = { chunkRows: CHUNK, tierRuns: 4, deltaBytes: 200 };
const NAME = 'a/r';
/** Three runs of each of seven levels, in four orders, and what flushes and merges have. */
const FEW = 3 * 7 * 4 + 40;

const env = platformEnv();
const opened = async (driver: StorageDriver): Promise<Store> =>
  Store.open(await StorageEngine.open(driver), { env, tuning: TUNING });

/** Quads in ten graphs, some of them in the first revision, and some of them twice. */
function document(): ReturnType<typeof many> {
  const quads = Array.from({ length: 10 }, (_, i) => many(`s${String(i)}x`, QUADS / 10, `g${String(i)}`)).flat();
  return [...quads, ...quads.slice(50, 900), ...quads.slice(-500)];
}

async function load(repository: Repository, each: (chunk: number) => Promise<void>): Promise<number> {
  const loader = await repository.beginLoad();
  const quads = document();
  for (let at = 0; at < quads.length; at += CHUNK) {
    await feed(loader, quads.slice(at, at + CHUNK));
    await loader.writeChunk();
    await each(at / CHUNK);
  }
  return (await repository.finishLoad(loader, { message: 'many chunks' })).number;
}

const runsOf = (repository: Repository): number => repository.handle.timeline.index.runs.length;

async function sizeOf(repository: Repository, ref: number | 'HEAD' = 'HEAD'): Promise<number> {
  const snapshot = await repository.snapshotAt(ref);
  try {
    return await snapshot.count({ s: 0, p: 0, o: 0, g: 0 });
  } finally {
    snapshot.close();
  }
}

describe('a load of thousands of chunks', () => {
  let directory = '';
  beforeAll(async () => void (directory = await mkdtemp(join(tmpdir(), 'quadrille-chunks-'))));
  afterAll(() => rm(directory, { recursive: true, force: true }));

  it.each(['memory', 'leveldb'])('%s', { timeout: 900_000 }, async (backend) => {
    const memory = new MemoryDriver();
    const path = join(directory, 'store');
    const driver = async (): Promise<StorageDriver> =>
      backend === 'memory' ? memory : openLevelDirectory(path, { create: true });
    const first = await opened(await driver());
    const repository = await first.repository(NAME, true);
    const base = many('s0x', 40, 'g0');
    await repository.commit([...base, q('other p o')], []);
    const killed: string[] = [];
    const number = await load(repository, async (chunk) => {
      if (backend === 'leveldb' && [5, 63, 900, 2500].includes(chunk)) {
        const copy = join(directory, `killed-${String(chunk)}`);
        await cp(path, copy, { recursive: true, filter: (file) => !file.endsWith('.pid') });
        killed.push(copy);
      }
      if (chunk === 2000) await repository.commit([q('meanwhile p o')], [base[3]!]);
    });
    expect(number).toBe(4);
    expect(runsOf(repository)).toBeLessThan(FEW);
    expect(repository.head).toMatchObject({ size: QUADS + 2, addedCount: QUADS - 39 });
    await first.close();

    for (const copy of killed) {
      const store = await opened(await openLevelDirectory(copy));
      const left = await store.repository(NAME);
      expect(left.head.number).toBe(copy.endsWith('2500') ? 3 : 2);
      expect((await store.verify()).problems).toEqual([]);
      expect(runsOf(left)).toBeLessThan(12);
      await store.close();
    }

    const store = await opened(await driver());
    const again = await store.repository(NAME);
    expect((await store.verify()).problems).toEqual([]);
    expect([await sizeOf(again, 1), await sizeOf(again, 2), await sizeOf(again, 3), await sizeOf(again)]).toEqual([
      0,
      41,
      41,
      QUADS + 2,
    ]);
    const expected = [...new Set(document().map(show)), 'other p o', 'meanwhile p o'].toSorted();
    expect(await contents(again)).toEqual(expected);

    const place = { keyspace: again.handle.keyspace, record: await again.resolve('HEAD') };
    await (await again.branches()).create('dev', place);
    const dev = await (await again.lines()).branch('dev');
    await dev.commit([q('dev p o')], []);
    const backup = new MemoryBackup();
    await writeBackup(store.engine, backup, { env, store: store.id });
    const restored = new MemoryDriver();
    const engine = await StorageEngine.open(restored);
    await backup.restore(engine, env);
    await engine.close();
    const copy = await opened(restored);
    expect(await contents(await copy.repository(NAME))).toEqual(expected);
    expect((await copy.verify()).problems).toEqual([]);
    await copy.close();

    const attest = async (): Promise<Map<never, never>> => new Map<never, never>();
    await again.maintenance.erase({ target: { term: iri('http://e/s3x77') }, message: () => 'erased', attest });
    expect(await sizeOf(again)).toBe(QUADS + 1);
    await again.commit([q('last p o')], []);
    await again.maintenance.trim({ last: 1, deleteHistory: false, dryRun: false, attest });
    expect(await contents(again)).toEqual(
      [...expected.filter((text) => !text.startsWith('s3x77 ')), 'last p o'].toSorted(),
    );
    expect(await sizeOf(await (await again.lines()).branch('dev'))).toBe(QUADS + 2);
    await again.maintenance.compact();
    expect((await store.verify()).problems).toEqual([]);
    await store.close();
  });
});
