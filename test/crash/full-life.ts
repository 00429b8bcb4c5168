/**
 * A random life of a store on a medium that is full again and again. What finds no room fails with STORAGE_FULL and changes nothing; reads go on; once there is
 * room, writes work without a new opening.
 */
import { Store } from '@quadrille/core';
import { MemoryDriver, StorageEngine } from '@quadrille/storage';
import type { StorageDriver, WriteOp, WriteOptions, WriteOutcome } from '@quadrille/storage';
import { check } from '../model/check.js';
import { AsynchronousDriver, seededEnv, tinyTuning } from '../model/environment.js';
import { applied, below, differenceText, perform, randomOperation, stateAt, vocabulary } from '../model/operations.mjs';
import type { Random, State } from '../model/operations.mjs';

const NAME = 'crash/full';

/** A medium with a number of bytes. What is written takes room, and nothing gives it back but `giveRoom`. */
class Medium {
  #room: number;
  /** Batches that found no room. */
  refused = 0;

  constructor(
    private readonly inner: StorageDriver,
    bytes: number,
    /** Whether it throws as the system does, or answers as drivers do that know it. */
    private readonly throws: boolean,
  ) {
    this.#room = bytes;
  }

  giveRoom(bytes: number): void {
    this.#room = Math.max(0, this.#room) + bytes;
  }

  get driver(): StorageDriver {
    const { inner } = this;
    return new Proxy(inner, {
      get: (_, name) => {
        if (name === 'write') return this.#write;
        const value: unknown = Reflect.get(inner, name, inner);
        return typeof value === 'function' ? (value as () => unknown).bind(inner) : value;
      },
    });
  }

  readonly #write = async (ops: readonly WriteOp[], options: WriteOptions): Promise<WriteOutcome> => {
    const bytes = ops.reduce((sum, op) => sum + 20 + (op.type === 'put' ? op.key.length + op.value.length : 0), 0);
    if (bytes > this.#room && options.frees !== true) {
      this.refused++;
      if (this.throws) throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
      return 'full';
    }
    this.#room -= bytes;
    return this.inner.write(ops, options);
  };
}

export class FullLife {
  readonly plan: string[] = [];
  /** Changes that found no room. */
  refused = 0;
  readonly #states: State[] = [new Set(), new Set()];

  constructor(private readonly random: Random) {}

  /** @throws Error where something is lost, wrong, or does not go on */
  async run(): Promise<void> {
    const { random } = this;
    const words = vocabulary(random, { long: random() < 0.1 });
    const inner = random() < 0.3 ? new AsynchronousDriver() : new MemoryDriver();
    const medium = new Medium(inner, 15_000 + below(random, 40_000), random() < 0.5);
    const options = { env: seededEnv(random), tuning: tinyTuning(random), cacheBytes: 1 };
    const opened = async (): Promise<Store> => Store.open(await StorageEngine.open(medium.driver), options);
    let store = await opened();
    try {
      const repository = await store.repository(NAME, true);
      for (let n = 0; n < 40; n++) {
        if (this.refused > 0 && random() < 0.25) medium.giveRoom(below(random, 12_000));
        const chance = random();
        if (chance < 0.05) await this.#maintain(store, random() < 0.7 ? 'compact' : 'rebuild');
        else {
          const operation = randomOperation(random, words, this.#states);
          this.plan.push(JSON.stringify(operation));
          await perform(repository, operation, {}, `o${n}`).then(
            () => this.#follow(applied(this.#states, operation, `o${n}`)),
            (error: { code?: unknown }) => this.#full(error, medium.refused > 0),
          );
        }
        const { number } = repository.head;
        check(number === this.#head, () => `the head is ${number}, not ${this.#head}: ${this.plan.at(-1)}`);
        if (chance > 0.9) await this.#compare(store, [number, 1 + below(random, number)]);
      }
      await this.#compareAll(store);
      medium.giveRoom(Number.MAX_SAFE_INTEGER);
      const after = { kind: 'change', added: ['<a:z> <a:p> "there is room" .'], removed: [] } as const;
      await perform(repository, after);
      this.#follow(applied(this.#states, after));
      await this.#compareAll(store);
      await store.close();
      store = await opened();
      await this.#compareAll(store);
    } finally {
      await store.close();
    }
  }

  get #head(): number {
    return this.#states.length - 1;
  }

  #follow(next: State): void {
    if (next !== this.#states.at(-1)) this.#states.push(next);
  }

  // The batch that found no room may be one of maintenance, just before or beside the change.
  #full(error: { code?: unknown }, refused: boolean): void {
    check(
      error.code === 'STORAGE_FULL' && refused,
      () => `${String(error)} (${String(error.code)}): ${this.plan.at(-1)}`,
    );
    this.refused++;
  }

  async #maintain(store: Store, kind: 'compact' | 'rebuild'): Promise<void> {
    this.plan.push(kind);
    await perform(await store.repository(NAME), { kind }).catch((error: { code?: unknown }) =>
      check(error.code === 'STORAGE_FULL', () => `${kind}: ${String(error)}`),
    );
  }

  async #compare(store: Store, numbers: readonly number[]): Promise<void> {
    const repository = await store.repository(NAME);
    for (const number of numbers) {
      const difference = differenceText(await stateAt(repository, number), this.#states[number]!);
      check(difference === undefined, () => `revision ${number} of ${this.#head}: ${difference}`);
    }
  }

  async #compareAll(store: Store): Promise<void> {
    const { number } = (await store.repository(NAME)).head;
    check(number === this.#head, () => `the head is ${number}, not ${this.#head}`);
    await this.#compare(
      store,
      Array.from({ length: number }, (_, i) => i + 1),
    );
    const report = await store.verify();
    check(report.ok, () => `verify: ${JSON.stringify(report.problems)}`);
  }
}
