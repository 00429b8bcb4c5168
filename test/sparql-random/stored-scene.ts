/** A stored repository with a random history, in which every revision is known: layers, runs, branches and copies of few quads. */
import type { Repository, Snapshot } from '@quadrille/core';
import { MemoryDriver, StorageEngine, type StorageDriver } from '@quadrille/storage';
import { asyncDriver, SMALL } from '../../packages/core/src/testing/fixture.js';
import { platformEnv } from '../../packages/core/src/runtime/env.js';
import { Store } from '../../packages/core/src/store.js';
import type { Chance } from './chance.js';
import { toQuads, type QuadText } from './data.js';

/** So small that few quads make several layers of an index. */
const TUNING = { ...SMALL, memtableRows: 12, tailTerms: 20, loadTailTerms: 4, chunkRows: 16, checkpointRevisions: 3 };
const STEPS = 9;

interface Line {
  readonly repository: Repository;
  /** The quads of each revision, by its number. */
  readonly states: Map<number, readonly QuadText[]>;
}

export class StoredScene {
  readonly #lines: Line[] = [];

  private constructor(
    private readonly store: Store,
    private readonly chance: Chance,
  ) {}

  /** @param data the quads from which each revision has some */
  static async make(data: readonly QuadText[], chance: Chance): Promise<StoredScene> {
    const driver: StorageDriver = chance.in(0.5) ? asyncDriver() : new MemoryDriver();
    const cacheBytes = chance.in(0.5) ? 0 : 1024 * 1024;
    const engine = await StorageEngine.open(driver);
    const store = await Store.open(engine, { env: platformEnv(), tuning: TUNING, cacheBytes });
    const scene = new StoredScene(store, chance);
    const main = await store.repository('a/r', true);
    scene.#lines.push({ repository: main, states: new Map([[main.head.number, []]]) });
    for (let step = 0; step < STEPS; step++) {
      const choice = step < 2 ? 9 : chance.below(10);
      if (choice < 2) await scene.#branch(`b${step}`);
      else if (choice < 4) await scene.#maintain();
      else await scene.#commit(data);
    }
    return scene;
  }

  /** A random revision of a random line, and its quads. The caller closes the snapshot. */
  async revision(): Promise<{ readonly snapshot: Snapshot; readonly quads: readonly QuadText[] }> {
    const { repository, states } = this.chance.among(this.#lines);
    const number = this.chance.in(0.5) ? Math.max(...states.keys()) : this.chance.among([...states.keys()]);
    return { snapshot: await repository.snapshotAt(number), quads: states.get(number)! };
  }

  /** A random line, and the quads of its head. It is not told of later changes. */
  head(): { readonly repository: Repository; readonly quads: readonly QuadText[] } {
    const { repository, states } = this.chance.among(this.#lines);
    return { repository, quads: states.get(Math.max(...states.keys()))! };
  }

  async close(): Promise<void> {
    await this.store.close();
  }

  async #commit(data: readonly QuadText[]): Promise<void> {
    const { repository, states } = this.chance.among(this.#lines);
    const before = states.get(Math.max(...states.keys()))!;
    const share = this.chance.among([0.1, 0.4, 0.9]);
    const added = data.filter((quad) => !before.includes(quad) && this.chance.in(share));
    const removed = before.filter(() => this.chance.in(share / 3));
    const { number } = await repository.commit(toQuads(added), toQuads(removed));
    states.set(number, [...before.filter((quad) => !removed.includes(quad)), ...added]);
  }

  async #branch(name: string): Promise<void> {
    const { repository, states } = this.chance.among(this.#lines);
    const number = this.chance.among([...states.keys()]);
    const branches = await this.#lines[0]!.repository.branches();
    const record = await repository.resolve(number);
    await branches.create(name, { keyspace: repository.handle.keyspace, record });
    const known = [...states].filter(([earlier]) => earlier <= number);
    const made = (await this.#lines[0]!.repository.lines()).branch(name);
    this.#lines.push({ repository: await made, states: new Map(known) });
  }

  async #maintain(): Promise<void> {
    const { repository } = this.chance.among(this.#lines);
    await (this.chance.in(0.5) ? repository.maintenance.compact() : repository.maintenance.rebuild());
  }
}
