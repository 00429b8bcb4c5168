/** The stores between which copies go: each kind gives new stores, which can be closed and opened again. */
import { join } from 'node:path';
import { platformEnv, Store, type Tuning } from '@quadrille/core';
import { lazyEngine } from '../../packages/quadrille/src/sparql/lazy-engine.js';
import { MemoryDriver, StorageEngine, type StorageDriver } from '@quadrille/storage';
import { LevelDirectory } from '@quadrille/storage-level';
import { LmdbDirectory } from '@quadrille/lmdb';
import { OpenDatabase } from '../../packages/quadrille/src/database.js';
import { openFederation } from '../../packages/quadrille/src/federation/federation.js';
import { AsynchronousDriver } from '../model/environment.js';
import { newStore, storageOver, type StoreKind } from '../servers/stores.js';

/** One store. Each driver that it gives is of the same content. */
export interface Place {
  readonly driver: () => StorageDriver;
  stop(): Promise<void>;
}

const stop = async (): Promise<void> => undefined;

const inMemory = (wrap: (driver: MemoryDriver) => StorageDriver): Place => {
  const driver = wrap(new MemoryDriver());
  return { driver: () => driver, stop };
};

const shared = async (kind: StoreKind): Promise<Place> => {
  const store = await newStore(kind);
  return { driver: () => storageOver(store), stop: () => store.stop() };
};

const PLACES = {
  memory: async () => inMemory((driver) => driver),
  asynchronous: async () => inMemory((driver) => new AsynchronousDriver(driver)),
  // Values of all sizes in small blob files that move, and a journal that is emptied all the time.
  leveldb: async (path: string): Promise<Place> => {
    const sizes = {
      create: true,
      writeBufferBytes: 64 * 1024,
      journal: { fileBytes: 4000, recordBytes: 1000 },
      blobs: { valueBytes: 100, batchBytes: 400, fileBytes: 8000 },
    };
    return { driver: () => new LevelDirectory(path, sizes), stop };
  },
  lmdb: async (path: string): Promise<Place> => ({
    driver: () => new LmdbDirectory(path, { create: true, noSync: true }),
    stop,
  }),
  'shared-memory': () => shared('shared-memory'),
  s3: () => shared('s3'),
  postgres: () => shared('postgres'),
};

export type PlaceKind = keyof typeof PLACES;

/** Makes stores of some kinds, and opens them. */
export class Places {
  readonly #made: Place[] = [];

  constructor(
    private readonly directory: string,
    private readonly tuning: Partial<Tuning>,
    private readonly repositoryBytes: number | undefined,
  ) {}

  async make(kind: PlaceKind): Promise<Place> {
    const place = await PLACES[kind](join(this.directory, `store${this.#made.length + 1}`));
    this.#made.push(place);
    return place;
  }

  /** As `open` does it, with sizes of the test. */
  async open(place: Place): Promise<OpenDatabase> {
    const engine = await StorageEngine.open(place.driver());
    const store = await Store.open(engine, {
      env: platformEnv(),
      durable: false,
      tuning: this.tuning,
      repositoryBytes: this.repositoryBytes,
    });
    return new OpenDatabase(
      'test',
      store,
      lazyEngine(await openFederation(undefined, undefined), {}),
      undefined,
      undefined,
    );
  }

  async stop(): Promise<void> {
    for (const place of this.#made) await place.stop();
  }
}
