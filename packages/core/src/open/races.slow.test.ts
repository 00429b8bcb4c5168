/**
 * Concurrent random calls on repositories that are created and deleted, on a storage that answers in random order.
 * Afterwards all acknowledged commits are stored, and no key of a deleted repository is. QUADRILLE_SEED repeats a
 * run.
 */
import { QuadrilleError, yieldTurn } from '@quadrille/model';
import { StorageEngine } from '@quadrille/storage';
import { expect, test } from 'vitest';
import type { Repository } from '../repository.js';
import { platformEnv } from '../runtime/env.js';
import { Store } from '../store.js';
import { contents, feed, many, q, randomInts, SMALL } from '../testing/fixture.js';
import { repositoryIds, WaitingDriver } from '../testing/storage-keys.js';

const SEED = Number(process.env['QUADRILLE_SEED'] ?? 1);
const RUNS = Number(process.env['QUADRILLE_RACES'] ?? 5);
const NAMES = ['a/x', 'a/y', 'b/z'];
const ACTORS = 8;
const CALLS = 25;
/** Codes with which a call may fail, in addition to `STORE_NOT_OPEN` while the store is being closed. */
const REFUSALS = ['REPOSITORY_NOT_FOUND', 'REPOSITORY_DELETED', 'PRECONDITION_FAILED', 'ALREADY_EXISTS'];

type Int = (low: number, high: number) => number;

class Races {
  /** Quads of acknowledged commits, by the number of their repository. */
  readonly acknowledged = new Map<number, string[]>();
  /** All repositories that a call returned, by number. */
  readonly held = new Map<number, Repository>();
  readonly counts: Record<string, number> = {};
  store!: Store;
  closing = false;
  #quads = 0;

  constructor(
    readonly int: Int,
    readonly driver: WaitingDriver,
  ) {
    const wait = (): Promise<void> | undefined => (int(0, 4) === 0 ? undefined : this.#wait());
    driver.before = driver.after = wait;
  }

  async #wait(): Promise<void> {
    for (let turns = this.int(0, 6); turns > 0; turns--) await (this.int(0, 3) === 0 ? yieldTurn() : Promise.resolve());
  }

  async open(): Promise<void> {
    const engine = await StorageEngine.open(this.driver);
    const budget = this.int(0, 2) === 0 ? { repositoryBytes: 0 } : {};
    const tuning = { ...SMALL, memtableRows: 10, sparedRepositories: 0 };
    this.store = await Store.open(engine, { env: platformEnv(), cacheBytes: 1, tuning, ...budget });
    this.closing = false;
  }

  /** Makes one call after another. */
  async actor(): Promise<void> {
    const kinds = Object.entries(this.calls);
    for (let n = 0; n < CALLS && !this.closing; n++) {
      const name = NAMES[this.int(0, NAMES.length)]!;
      const [kind, call] = kinds[this.int(0, kinds.length)]!;
      await this.#wait();
      try {
        await call(name);
        this.counts[kind] = (this.counts[kind] ?? 0) + 1;
      } catch (error) {
        const code = error instanceof QuadrilleError ? error.code : String(error);
        if (!REFUSALS.includes(code) && !(this.closing && code === 'STORE_NOT_OPEN'))
          throw new Error(`${kind} ${name} was refused: ${code}`, { cause: error });
        this.counts[code] = (this.counts[code] ?? 0) + 1;
      }
    }
  }

  async #repository(name: string, create = false): Promise<Repository> {
    // Half of the calls use a repository that an earlier call returned; it may have been deleted.
    const old = [...this.held.values()].filter((repository) => repository.name === name);
    if (!create && old.length > 0 && this.int(0, 2) === 0) return old[this.int(0, old.length)]!;
    const repository = await this.store.repository(name, create);
    this.held.set(repository.handle.keyspace.id, repository);
    return repository;
  }

  #acknowledge(repository: Repository, quad: string): void {
    const { id } = repository.handle.keyspace;
    this.acknowledged.set(id, [...(this.acknowledged.get(id) ?? []), quad]);
  }

  readonly #newQuad = (): string => `q${++this.#quads} p o`;

  readonly calls: Record<string, (name: string) => Promise<unknown>> = {
    open: (name) => this.#repository(name),
    make: (name) => this.#repository(name, true),
    'make, too': (name) => this.#repository(name, true),
    delete: (name) => this.store.deleteRepository(name),
    commit: async (name) => {
      const repository = await this.#repository(name);
      const quad = this.#newQuad();
      await repository.commit([q(quad)], []);
      this.#acknowledge(repository, quad);
    },
    load: async (name) => {
      const repository = await this.#repository(name);
      const quad = this.#newQuad();
      const load = await repository.beginLoad();
      try {
        await feed(load, many(quad.split(' ')[0]!, 30));
        await feed(load, [q(quad)]);
        await load.writeChunk();
        await this.#wait();
        await repository.finishLoad(load, {});
        this.#acknowledge(repository, quad);
      } finally {
        await load.close();
      }
    },
    transaction: async (name) => {
      const repository = await this.#repository(name);
      const quad = this.#newQuad();
      const transaction = await repository.begin();
      try {
        await transaction.add([q(quad)]);
        await this.#wait();
        await repository.commitTransaction(transaction, {});
        this.#acknowledge(repository, quad);
      } finally {
        transaction.close();
      }
    },
    read: async (name) => {
      const repository = await this.#repository(name);
      const known = [...(this.acknowledged.get(repository.handle.keyspace.id) ?? [])];
      const found = new Set(await contents(repository));
      for (const quad of known) if (!found.has(quad)) throw new Error(`${quad} of ${name} is missing`);
    },
    tag: async (name) => (await this.#repository(name)).tags.set('t', new Uint8Array(16)),
    metadata: async (name) => (await this.#repository(name)).metadata.set({ summary: 's' }),
    compact: async (name) => (await this.#repository(name)).maintenance.compact(),
    verify: async (name) => {
      const { problems } = await (await this.#repository(name)).maintenance.verify();
      if (problems.length > 0) throw new Error(`verify: ${JSON.stringify(problems)}`);
    },
    'delete account': (name) => this.store.accounts.delete(name.split('/')[0]!),
    'verify all': async () => {
      const { problems } = await this.store.verify();
      if (problems.length > 0) throw new Error(`verify all: ${JSON.stringify(problems)}`);
    },
  };

  /** Checks, while no call is running, that the stored quads are exactly the acknowledged ones. */
  async check(): Promise<void> {
    const records = await this.store.repositories();
    const ids = new Set(Array.from(records.values(), ({ id }) => id));
    const { data, marked } = await repositoryIds(this.driver);
    expect([...marked]).toEqual([]);
    expect([...data].toSorted()).toEqual([...ids].toSorted());
    const accounts = new Set(await this.store.accounts.list());
    for (const [name, { id }] of records) {
      expect(accounts).toContain(name.split('/')[0]);
      const found = new Set(await contents(await this.store.repository(name)));
      for (const quad of this.acknowledged.get(id) ?? []) expect(found.has(quad), `${quad} of ${name}`).toBe(true);
    }
    expect((await this.store.verify()).problems).toEqual([]);
    for (const [id, repository] of this.held) {
      const outcome = await repository.resolve('HEAD').then(
        () => 'open',
        (error: QuadrilleError) => error.code,
      );
      expect(outcome).toBe(ids.has(id) ? 'open' : 'REPOSITORY_DELETED');
    }
  }
}

test.each([true, false])(
  `acknowledged commits are there, deleted repositories are not (getSync: %s, QUADRILLE_SEED=${SEED})`,
  async (sync) => {
    const total: Record<string, number> = {};
    for (let run = 0; run < RUNS; run++) {
      const races = new Races(randomInts(SEED + run * 7919), new WaitingDriver(sync));
      try {
        for (let round = 0; round < 2; round++) {
          await races.open();
          await Promise.all(Array.from({ length: ACTORS }, () => races.actor()));
          await races.check();
          // Closes the store while calls are running.
          const actors = Array.from({ length: ACTORS }, () => races.actor());
          await new Promise((resolve) => setTimeout(resolve, races.int(0, 20)));
          races.closing = true;
          await races.store.close();
          await Promise.all(actors);
          races.held.clear();
        }
        await races.open();
        await races.check();
        await races.store.close();
      } catch (error) {
        throw new Error(`run ${run} of QUADRILLE_SEED=${SEED}: ${(error as Error).message}`, { cause: error });
      }
      for (const [what, count] of Object.entries(races.counts)) total[what] = (total[what] ?? 0) + count;
    }
    // The run is meaningful only if each of these occurred.
    for (const what of ['commit', 'load', 'transaction', 'delete', 'REPOSITORY_DELETED', 'REPOSITORY_NOT_FOUND'])
      expect(total[what], JSON.stringify(total)).toBeGreaterThan(0);
  },
  120_000,
);
