/**
 * History files of repositories that come and go while they are written. A copy in another store follows each by what was exported since,
 * also by files that are cut off. It has the revisions of the model, with their ids, times and content, whatever was merged, compacted
 * or rebuilt between two files.
 *
 * QUADRILLE_SEED repeats a run. QUADRILLE_HISTORY_SEQUENCES: more of them.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Store, toRevision } from '@quadrille/core';
import type { Repository } from '@quadrille/core';
import { MemoryDriver, StorageEngine } from '@quadrille/storage';
import type { StorageDriver } from '@quadrille/storage';
import { LevelDirectory } from '@quadrille/storage-level';
import { LmdbDirectory } from '@quadrille/lmdb';
import { describe, expect, it } from 'vitest';
import { exportHistory } from '../../packages/quadrille/src/history/export-history.js';
import { importHistory } from '../../packages/quadrille/src/history/import-history.js';
import { StoredNamespaces, StoredTags } from '../../packages/quadrille/src/names/namespaces.js';
import { check } from './check.js';
import { AsynchronousDriver, randomOf, SEED, seededEnv, tinyTuning } from './environment.js';
import { below, differenceText, stateAt } from './operations.mjs';
import type { Random } from './operations.mjs';
import { Universe } from './universe.js';
import type { World } from './world.js';

const SEQUENCES = Number(process.env['QUADRILLE_HISTORY_SEQUENCES'] ?? 2);

/** The storage of the copies. */
const drivers: Record<string, (path: string, random: Random) => StorageDriver> = {
  memory: (_, random) => new AsynchronousDriver(new MemoryDriver(), random),
  leveldb: (path) => new LevelDirectory(path, { create: true, writeBufferBytes: 64 * 1024 }),
  lmdb: (path) => new LmdbDirectory(path, { create: true, noSync: true }),
};

class Copies {
  /** Files that were cut off, and files that were read to their end. */
  cut = 0;
  whole = 0;
  /** The copy of each repository: its id names it, because a later one may have the same name. */
  readonly #names = new Map<World, string>();

  constructor(
    private readonly store: Store,
    private readonly random: Random,
  ) {}

  /** Exports what the copy of a repository lacks, beside other work, and imports it, or a part of it. */
  async follow(world: World, beside: () => Promise<void>): Promise<void> {
    const copy = await this.#copyOf(world);
    const from = copy.head.number;
    const [text] = await Promise.all([this.#exported(world, from), beside()]);
    if (text === undefined) return;
    const end = this.random() < 0.3 ? below(this.random, text.length) : text.length;
    const source = { text: text.slice(0, end) };
    const names = { namespaces: new StoredNamespaces(copy.namespaces), tags: new StoredTags(copy) };
    try {
      await importHistory(copy, names, source, {});
      this.whole++;
    } catch (error) {
      if (end === text.length || (error as { code?: unknown }).code !== 'LOG_BROKEN') throw error;
      this.cut++;
    }
    check(copy.head.number >= from, () => `the copy of ${world.options.name} has lost revisions`);
  }

  /** Undefined where the repository was dropped or its store closed on the way. */
  async #exported({ repository }: World, from: number): Promise<string | undefined> {
    let text = '';
    try {
      const head = repository.head.number;
      const since = from > 1 && this.random() < 0.7 ? { since: Math.min(from, head) } : {};
      for await (const piece of exportHistory(repository, head, since)) text += piece;
      return text;
    } catch (error) {
      const code = (error as { code?: unknown }).code;
      expect(['REPOSITORY_DELETED', 'STORE_NOT_OPEN', 'SNAPSHOT_CLOSED'], String(error)).toContain(code);
      return undefined;
    }
  }

  async #copyOf(world: World): Promise<Repository> {
    let name = this.#names.get(world);
    if (name === undefined) {
      name = `copies/n${this.#names.size}`;
      this.#names.set(world, name);
    }
    return this.store.repository(name, true);
  }

  /** Compares every revision of every copy with the model, also of repositories that were dropped since. */
  async check(): Promise<void> {
    for (const world of this.#names.keys()) await this.#check(world);
  }

  async #check(world: World): Promise<void> {
    const copy = await this.#copyOf(world);
    const last = copy.head.number;
    // A copy that has imported nothing has a first revision of its own.
    if (last === 1) return;
    for (let number = 1; number <= last; number++) {
      const { id, time } = toRevision(await copy.resolve(number));
      expect({ id, time: time.getTime() }).toEqual(world.known[number - 1]);
      const wrong = differenceText(await stateAt(copy, number), world.states[number]!);
      check(wrong === undefined, () => `the copy of ${world.options.name} at ${number} of ${last}: ${wrong}`);
    }
  }
}

async function runSequence(name: string, sequence: number): Promise<{ cut: number; whole: number }> {
  const random = randomOf(sequence);
  const directory = mkdtempSync(join(tmpdir(), 'quadrille-history-model-'));
  const source = new MemoryDriver();
  const universe = new Universe({
    random,
    driver: () => source,
    tuning: tinyTuning(random),
    long: sequence % 3 === 0,
  });
  const engine = await StorageEngine.open(drivers[name]!(join(directory, 'copies'), random));
  const store = await Store.open(engine, { env: seededEnv(random), tuning: tinyTuning(random), durable: false });
  const copies = new Copies(store, random);
  try {
    await universe.open();
    for (let round = 0; round < 8; round++) {
      for (let left = below(random, 8); left > 0; left--) await universe.step();
      for (const world of universe.worlds.values())
        await copies.follow(world, async () => {
          for (let left = below(random, 3); left > 0; left--) await universe.step();
        });
    }
    for (const world of universe.worlds.values()) await copies.follow(world, async () => undefined);
    await copies.check();
    const report = await store.verify();
    check(report.ok, () => `the copies: ${JSON.stringify(report.problems)}`);
    await universe.check();
    await universe.close();
    return { cut: copies.cut, whole: copies.whole };
  } catch (error) {
    throw new Error(
      `QUADRILLE_SEED=${SEED} sequence ${sequence}: ${(error as Error).message}\nafter\n  ${universe.journal.slice(-60).join('\n  ')}`,
      { cause: error },
    );
  } finally {
    await store.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

describe(`history files against the model (QUADRILLE_SEED=${SEED})`, () => {
  it.each(Object.keys(drivers))(
    'into %s',
    async (name) => {
      const runs: { cut: number; whole: number }[] = [];
      for (let n = 0; n < SEQUENCES; n++) runs.push(await runSequence(name, n));
      expect(runs.reduce((sum, { whole }) => sum + whole, 0)).toBeGreaterThan(0);
      expect(runs.reduce((sum, { cut }) => sum + cut, 0)).toBeGreaterThan(0);
    },
    60_000 + SEQUENCES * 10_000,
  );
});
