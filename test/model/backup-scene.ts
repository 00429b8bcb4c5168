/** Backups beside the steps of a universe, and restorations of them, each compared with the model. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { platformEnv, Store } from '@quadrille/core';
import { writeBackup } from '@quadrille/core/backup';
import type { Manifest, RestorePoint } from '@quadrille/core/backup';
import { MemoryDriver, StorageEngine } from '@quadrille/storage';
import type { StorageDriver } from '@quadrille/storage';
import { LevelDirectory } from '@quadrille/storage-level';
import { LmdbDirectory } from '@quadrille/lmdb';
import { DirectoryTarget } from '../../packages/quadrille/src/backup/directory-target.js';
import { restoreInto } from '../../packages/quadrille/src/backup/restore.js';
import { check } from './check.js';
import { AsynchronousDriver, randomOf, tinyTuning } from './environment.js';
import { below, differenceText, pick, stateAt } from './operations.mjs';
import type { Random } from './operations.mjs';
import { Universe } from './universe.js';
import type { World } from './world.js';

export const DRIVERS: Record<string, (path: string, random: Random) => () => StorageDriver> = {
  memory: (_, random) => {
    const driver = new AsynchronousDriver(new MemoryDriver(), random);
    return () => driver;
  },
  // Values of all sizes in small blob files that move, and a journal that is emptied all the time.
  leveldb: (path) => () =>
    new LevelDirectory(path, {
      create: true,
      writeBufferBytes: 64 * 1024,
      journal: { fileBytes: 1000, recordBytes: 400 },
      blobs: { valueBytes: 40, batchBytes: 100, fileBytes: 4000 },
    }),
  lmdb: (path) => () => new LmdbDirectory(path, { create: true, noSync: true }),
};

class Scene {
  readonly place: string;
  manifest: Manifest | undefined;
  /** The worlds that the last backup may have seen. */
  #seen: readonly World[] = [];
  reused = 0;

  constructor(
    directory: string,
    private readonly universe: Universe,
    private readonly random: Random,
  ) {
    this.place = join(directory, 'backup');
  }

  /** A backup beside steps of the repositories. Some are ended half-way, or meet a store that is closed. */
  async backup(): Promise<void> {
    const { universe, random } = this;
    const before = [...universe.worlds.values()];
    const made = universe.made.length;
    const target = await DirectoryTarget.open(this.place, 1000 + below(random, 4000));
    const ends = random() < 0.2 ? 1 + below(random, 20) : Infinity;
    const controller = new AbortController();
    let calls = 0;
    const onProgress = (): void => {
      if (++calls === ends) controller.abort();
    };
    const { store } = universe;
    const writing = writeBackup(store.engine, target, {
      env: platformEnv(),
      store: store.id,
      signal: controller.signal,
      onProgress,
    }).then(
      (written) => {
        this.manifest = written.manifest;
        this.reused += written.bytesReused;
        return true;
      },
      (error: { code?: unknown; name?: string }) => {
        check(error.name === 'AbortError' || error.code === 'STORE_NOT_OPEN', () => String(error));
        return false;
      },
    );
    const steps = async (): Promise<void> => {
      for (let left = below(random, 4); left > 0; left--) await universe.step();
    };
    const [done] = await Promise.all([writing, steps()]);
    await target.close();
    // A repository that was made and deleted beside the backup may be in it.
    if (done) this.#seen = [...before, ...universe.made.slice(made)];
  }

  /** Restores the last backup, as it is or set back, and compares all of it. */
  async restore(): Promise<void> {
    const { manifest, random } = this;
    if (manifest === undefined) return;
    const cut = manifest.repositories.length > 0 && random() < 0.5 ? pick(random, manifest.repositories) : undefined;
    const number = cut === undefined ? 0 : 1 + below(random, cut.head);
    const to: RestorePoint | undefined = cut === undefined ? undefined : { [cut.name]: number };
    const engine = await StorageEngine.open(new MemoryDriver());
    await restoreInto(engine, this.place, to === undefined ? {} : { to });
    const store = await Store.open(engine, { env: platformEnv() });
    try {
      const report = await store.verify();
      check(report.ok, () => `the restored store: ${JSON.stringify(report.problems)}`);
      const [found, due] = [[...(await store.repositories()).keys()], manifest.repositories.map(({ name }) => name)];
      check(found.join() === due.join(), () => `${found.join()} is restored, not ${due.join()}`);
      for (const entry of manifest.repositories) {
        const last = entry === cut ? number : entry.head;
        const world = this.#seen.find(
          (known) => known.options.name === entry.name && known.known[entry.head - 1]?.id === entry.revision,
        );
        check(world !== undefined, () => `${entry.name} at ${entry.revision} never was`);
        const repository = await store.repository(entry.name);
        check(
          repository.head.number === last,
          () => `${entry.name} is restored at ${repository.head.number}, not ${last}`,
        );
        for (let revision = 1; revision <= last; revision++) {
          const wrong = differenceText(await stateAt(repository, revision), world!.states[revision]!);
          check(wrong === undefined, () => `${entry.name} restored at ${revision} of ${last}: ${wrong}`);
        }
      }
    } finally {
      await store.close();
    }
  }
}

/** @throws Error with the seed, and with what was done before it failed */
export async function runBackups(
  name: string,
  sequence: number,
  seed: number,
): Promise<{ reused: number; operations: number }> {
  const random = randomOf(sequence, seed);
  const directory = mkdtempSync(join(tmpdir(), 'quadrille-backup-model-'));
  const driver = DRIVERS[name]!(join(directory, 'store'), random);
  const universe = new Universe({ random, driver, tuning: tinyTuning(random), long: sequence % 3 === 0 });
  const scene = new Scene(directory, universe, random);
  try {
    await universe.open();
    for (let round = 0; round < 8; round++) {
      for (let left = below(random, 8); left > 0; left--) await universe.step();
      await scene.backup();
      if (random() < 0.6) await scene.restore();
    }
    await scene.restore();
    await universe.check();
    await universe.close();
    return { reused: scene.reused, operations: universe.operations };
  } catch (error) {
    throw new Error(
      `QUADRILLE_SEED=${seed} sequence ${sequence}: ${(error as Error).message}\nafter\n  ${universe.journal.slice(-60).join('\n  ')}`,
      { cause: error },
    );
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
