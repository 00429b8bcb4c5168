/** What a sequence of operations runs on: seeds, a clock and chance that they determine, storages, sizes. */
import type { Env, Tuning } from '@quadrille/core';
import { yieldTurn } from '@quadrille/model';
import { MemoryDriver } from '@quadrille/storage';
import type {
  Bytes,
  Entry,
  KeyRange,
  RangeOptions,
  StorageCapabilities,
  StorageDriver,
  WriteOp,
  WriteOptions,
  WriteOutcome,
} from '@quadrille/storage';
import { seededRandom } from '@quadrille/storage/testing';
import type { Random } from './operations.mjs';
import { below } from './operations.mjs';

/** The seed of the suite, so that every run tries the same: `QUADRILLE_SEED`, or 1. In a browser there is no environment. */
export const SEED = Number(globalThis.process?.env['QUADRILLE_SEED'] ?? 1);

/** The random numbers of one sequence. */
export const randomOf = (sequence: number, seed = SEED): Random =>
  seededRandom((seed ^ Math.imul(sequence + 1, 0x9e37_79b1)) >>> 0);

/** Time and chance that a seed determines. The clock jumps, also backwards; every slice of work may be over at once. */
export function seededEnv(random: Random): Env {
  let now = Date.parse('2026-01-01T00:00:00Z');
  let ticks = 0;
  return {
    now: () => (now += random() < 0.05 ? -5000 : below(random, 2000)),
    ticks: () => (ticks += random() < 0.1 ? 5 : 0),
    random: (bytes) => {
      for (let i = 0; i < bytes.length; i++) bytes[i] = below(random, 256);
      return bytes;
    },
    yieldTurn: () => (random() < 0.5 ? Promise.resolve() : yieldTurn()),
  };
}

/** Sizes with which a few quads already make runs, merges, large changes and checkpoints. */
export function tinyTuning(random: Random): Partial<Tuning> {
  return {
    memtableRows: 4 + below(random, 20),
    tailTerms: 2 + below(random, 12),
    tierRuns: 2 + below(random, 3),
    deltaBytes: 5 + below(random, 40),
    chunkRows: 3 + below(random, 12),
    loadTailTerms: below(random, 6),
    arenaBytes: 1 + below(random, 400),
    checkpointRevisions: 1 + below(random, 5),
    wholeStatistics: 3,
    sparedRepositories: 0,
  };
}

/** A storage that answers reads later, as one over a network does: there is no `getSync`. */
export class AsynchronousDriver implements StorageDriver {
  readonly name = 'asynchronous';
  readonly capabilities: StorageCapabilities;

  constructor(
    private readonly inner: StorageDriver = new MemoryDriver(),
    private readonly random: Random = () => 0,
  ) {
    this.capabilities = { ...inner.capabilities, getSync: false };
  }

  open(): Promise<void> {
    return this.inner.open();
  }

  close(): Promise<void> {
    return this.inner.close();
  }

  async get(key: Bytes): Promise<Bytes | undefined> {
    await this.#later();
    return this.inner.get(key);
  }

  async getMany(keys: readonly Bytes[]): Promise<(Bytes | undefined)[]> {
    await this.#later();
    return this.inner.getMany(keys);
  }

  async *range(range: KeyRange, options: Required<RangeOptions>): AsyncGenerator<readonly Entry[], void, undefined> {
    for await (const chunk of this.inner.range(range, options)) {
      await this.#later();
      // Chunks as small as they can be.
      for (const entry of chunk) yield [entry];
    }
  }

  async write(ops: readonly WriteOp[], options: WriteOptions): Promise<WriteOutcome> {
    await this.#later();
    const outcome = await this.inner.write(ops, options);
    // It can be read by now.
    await this.#later();
    return outcome;
  }

  approximateSize(range: KeyRange): Promise<number> {
    return this.inner.approximateSize(range);
  }

  async #later(): Promise<void> {
    for (let turns = below(this.random, 3); turns > 0; turns--) await Promise.resolve();
    if (this.random() < 0.02) await yieldTurn();
  }
}

/** Turns of the event loop by which a write is held back at most. */
const MOST_TURNS = 30;

/** A storage whose writes wait, and are answered some time after they can be read, as under a heavy load of the machine. */
export function underLoad<D extends StorageDriver>(driver: D, random: Random): D {
  const writeNow = driver.write.bind(driver);
  const turns = async (): Promise<void> => {
    if (random() < 0.7) return;
    for (let left = below(random, MOST_TURNS); left > 0; left--) await yieldTurn();
  };
  const write = async (ops: readonly WriteOp[], options: WriteOptions): Promise<WriteOutcome> => {
    await turns();
    const outcome = await writeNow(ops, options);
    await turns();
    return outcome;
  };
  return Object.assign(driver, { write });
}
