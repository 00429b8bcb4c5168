/** A store whose repositories come and go, each beside its model, several of them at work at once. */
import { platformEnv, Store } from '@quadrille/core';
import type { Repository, Tuning } from '@quadrille/core';
import { StorageEngine } from '@quadrille/storage';
import type { StorageDriver } from '@quadrille/storage';
import { seededRandom } from '@quadrille/storage/testing';
import { check } from './check.js';
import { seededEnv } from './environment.js';
import { below } from './operations.mjs';
import type { Random } from './operations.mjs';
import { checkRevision } from './revisions.js';
import { checkAll, step } from './steps.js';
import { World } from './world.js';

export interface UniverseOptions {
  readonly random: Random;
  /** Makes the storage, or opens it again. */
  readonly driver: () => StorageDriver | Promise<StorageDriver>;
  readonly tuning?: Partial<Tuning> | undefined;
  /** Repositories are unloaded whenever nothing uses them. */
  readonly forgetful?: boolean;
  /** Terms that are stored in parts. */
  readonly long?: boolean;
  /** Quads of a large operation. */
  readonly most?: number;
}

const NAMES = ['model/one', 'model/two', 'other/three'];
/** First byte of the keys of all repositories, whose number follows. */
const DATA = 0x10;

export class Universe {
  readonly journal: string[] = [];
  readonly random: Random;
  /** All worlds so far, in the order in which they were made. Those of deleted repositories are among them. */
  readonly made: World[] = [];
  readonly #worlds = new Map<string, World>();
  /** Handles of repositories that were deleted. */
  #gone: Repository[] = [];
  #store!: Store;
  /** Of worlds that are gone. */
  #operations = 0;
  #timesUnloaded = 0;

  constructor(private readonly options: UniverseOptions) {
    this.random = options.random;
  }

  get store(): Store {
    return this.#store;
  }

  /** By name. */
  get worlds(): ReadonlyMap<string, World> {
    return new Map(this.#worlds);
  }

  get operations(): number {
    return this.#total((world) => world.operations, this.#operations);
  }

  get timesUnloaded(): number {
    return this.#total((world) => world.timesUnloaded, this.#timesUnloaded);
  }

  #total(of: (world: World) => number, gone: number): number {
    return [...this.#worlds.values()].reduce((sum, world) => sum + of(world), gone);
  }

  async open(): Promise<void> {
    const { driver, tuning, forgetful = false } = this.options;
    // With chance of its own: when work in the background asks for it must not change the operations.
    const env = tuning === undefined ? platformEnv() : seededEnv(seededRandom(below(this.random, 2 ** 31)));
    const engine = await StorageEngine.open(await driver());
    const repositoryBytes = forgetful ? 0 : undefined;
    this.#store = await Store.open(engine, { env, tuning, cacheBytes: 1, repositoryBytes, durable: false });
    for (const world of this.#worlds.values()) await world.open(this.#store);
    if (this.#worlds.size === 0) await this.#make(NAMES[0]!);
  }

  async close(): Promise<void> {
    for (const world of this.#worlds.values()) world.close();
    this.#gone = [];
    await this.#store.close();
    const { openIterators } = this.#store.engine;
    check(openIterators === 0, () => `${openIterators} iterators are open after close`);
  }

  /** One random step, on one repository or on several at once. */
  async step(): Promise<void> {
    const chance = this.random();
    const name = NAMES[below(this.random, NAMES.length)]!;
    const worlds = [...this.#worlds.values()];
    if (chance < 0.04) return this.#worlds.has(name) ? this.#delete(name) : this.#make(name);
    if (chance < 0.06) return this.#reopen();
    if (chance < 0.12) {
      this.journal.push('all of them at once');
      await Promise.all(worlds.map((world) => step(world)));
      return undefined;
    }
    return step(this.#worlds.get(name) ?? worlds[0]!);
  }

  async #make(name: string): Promise<void> {
    this.journal.push(`make ${name}`);
    const { forgetful, long, most } = this.options;
    // Of its own, so that repositories that work at once do not change each other's chance.
    const random = seededRandom(below(this.random, 2 ** 31));
    const world = new World({ name, random, journal: this.journal, forgetful, long, most });
    await world.open(this.#store);
    check(world.repository.head.number === 1, () => `${name} begins at revision ${world.repository.head.number}`);
    this.#worlds.set(name, world);
    this.made.push(world);
  }

  // Beside the work of the others.
  async #delete(name: string): Promise<void> {
    if (this.#worlds.size === 1) return;
    this.journal.push(`delete ${name}`);
    const world = this.#worlds.get(name)!;
    this.#worlds.delete(name);
    const others = [...this.#worlds.values()].map((other) => step(other));
    const [deleted] = await Promise.all([this.#store.deleteRepository(name), ...others]);
    check(deleted, () => `${name} was not deleted`);
    const { repository } = world;
    for (const snapshot of world.snapshots) {
      const { code } = await codeOf(() => snapshot.count({ s: 0, p: 0, o: 0, g: 0 }));
      check(code === 'REPOSITORY_DELETED', () => `a snapshot of a deleted repository says ${code}`);
    }
    world.close();
    this.#gone.push(repository);
    this.#operations += world.operations;
    this.#timesUnloaded += world.timesUnloaded;
    if (this.random() < 0.5) await this.#make(name);
  }

  async #reopen(): Promise<void> {
    this.journal.push('reopen');
    await this.close();
    await this.open();
    for (const world of this.#worlds.values()) {
      const { number } = world.repository.head;
      check(number === world.head, () => `${world.options.name} is reopened at ${number}, not ${world.head}`);
      await checkRevision(world, world.head);
    }
  }

  /** All that every repository holds, and that nothing else is stored. */
  async check(): Promise<void> {
    for (const world of this.#worlds.values()) await checkAll(world);
    for (const repository of this.#gone) {
      const { code } = await codeOf(() => repository.resolve('HEAD'));
      check(code === 'REPOSITORY_DELETED', () => `a deleted repository says ${code}`);
    }
    const known = [...(await this.#store.repositories()).values()].map(({ id }) => id);
    const stored = new Set<number>();
    const range = { gte: Uint8Array.of(DATA), lt: Uint8Array.of(DATA + 1) };
    for await (const chunk of this.#store.engine.range(range, { read: 'keys' }))
      for (const { key } of chunk) stored.add(new DataView(key.buffer, key.byteOffset).getUint32(1));
    check(
      known.length === this.#worlds.size && known.every((id) => stored.delete(id)) && stored.size === 0,
      () => `the store has repositories ${known.join()}, and keys of ${[...stored].join()} beside them`,
    );
  }
}

async function codeOf(call: () => Promise<unknown>): Promise<{ code: string }> {
  return call().then(
    () => ({ code: 'nothing' }),
    (error: unknown) => error as { code: string },
  );
}
