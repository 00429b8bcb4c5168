/** What runs in a page: the conformance suite over both ways to IndexedDB, and random operations against the model. */
import { StorageEngine } from '@quadrille/storage';
import type { StorageDriver } from '@quadrille/storage';
import { deleteIndexedDb, IndexedDbDriver } from '@quadrille/storage-browser';
import { LevelDriver } from '@quadrille/storage-level';
import { storageConformance } from '@quadrille/storage/testing';
import type { ConformanceStore } from '@quadrille/storage/testing';
import { BrowserLevel } from 'browser-level';
import { randomOf, tinyTuning } from '../../model/environment.js';
import { below } from '../../model/operations.mjs';
import { Universe } from '../../model/universe.js';
import { PageTests } from './page-tests.js';
import type { PageResult } from './page-tests.js';

let stores = 0;
const freshName = (): string => `test-${performance.now()}-${++stores}`;

async function indexedDbStore(): Promise<ConformanceStore> {
  const name = freshName();
  const again = (): StorageDriver => new IndexedDbDriver(name, { create: true });
  return { driver: again(), again, dispose: () => deleteIndexedDb(name) };
}

async function browserLevelStore(): Promise<ConformanceStore> {
  const name = freshName();
  const again = (): StorageDriver => new LevelDriver(new BrowserLevel(name));
  return { driver: again(), again, dispose: () => BrowserLevel.destroy(name).then(() => undefined) };
}

const stored = { indexeddb: indexedDbStore, 'browser-level': browserLevelStore } as const;

async function conformance(backend: keyof typeof stored): Promise<PageResult[]> {
  const tests = new PageTests();
  storageConformance(tests, backend, stored[backend], { persistent: true });
  return tests.run();
}

/** Answers the number of operations; fails with what was done before the difference. */
async function model(backend: keyof typeof stored, seed: number, operations: number): Promise<number> {
  let done = 0;
  for (let sequence = 0; done < operations; sequence++) {
    const random = randomOf(sequence, seed);
    const { again, dispose } = await stored[backend]();
    const universe = new Universe({
      random,
      driver: again!,
      // Every third one with the sizes of real life.
      ...(sequence % 3 === 2 ? {} : { tuning: tinyTuning(random) }),
      long: sequence % 4 === 0,
    });
    try {
      await universe.open();
      for (let steps = 10 + below(random, 40); steps > 0 && done + universe.operations < operations; steps--) {
        await universe.step();
      }
      await universe.check();
      await universe.close();
    } catch (error) {
      const before = universe.journal.slice(-50).join('\n');
      throw new Error(`seed ${seed}, sequence ${sequence}: ${String(error)}\n${before}`, { cause: error });
    }
    done += universe.operations;
    await dispose?.();
  }
  return done;
}

/**
 * Reads ranges of a store slowly while it is changed, forwards and backwards, and compares them with what was there when
 * they were begun. Answers how many entries were read.
 */
async function rangesBesideWrites(seed: number, rounds: number): Promise<number> {
  const random = randomOf(0, seed);
  const { driver, dispose } = await indexedDbStore();
  const engine = await StorageEngine.open(driver);
  const state = new Map<number, number>();
  const key = (n: number): Uint8Array => Uint8Array.of(n >>> 8, n & 255);
  let read = 0;
  const change = async (): Promise<void> => {
    const from = below(random, 1000);
    const value = below(random, 256);
    if (random() < 0.1) {
      await engine.write([{ type: 'deleteRange', gte: key(from), lt: key(from + 40) }], { durable: false });
      for (let n = from; n < from + 40; n++) state.delete(n);
    } else if (random() < 0.5) {
      await engine.write([{ type: 'put', key: key(from), value: new Uint8Array(3000).fill(value) }], {
        durable: false,
      });
      state.set(from, value);
    } else {
      await engine.write([{ type: 'delete', key: key(from) }], { durable: false });
      state.delete(from);
    }
  };
  const readRange = async (): Promise<void> => {
    const [gte, lt] = [below(random, 500), 500 + below(random, 600)];
    const reverse = random() < 0.5;
    const limit = random() < 0.3 ? 1 + below(random, 300) : Infinity;
    const expected = [...state].filter(([n]) => n >= gte && n < lt).sort(([a], [b]) => (reverse ? b - a : a - b));
    const range = { gte: key(gte), lt: key(lt), reverse, ...(limit < Infinity && { limit }) };
    const found: [number, number][] = [];
    for await (const chunk of engine.range(range)) {
      for (const entry of chunk) found.push([(entry.key[0]! << 8) | entry.key[1]!, entry.value[0]!]);
      for (let n = below(random, 4); n > 0; n--) await change();
    }
    read += found.length;
    const [got, wanted] = [found.join(' '), expected.slice(0, limit).join(' ')];
    if (got !== wanted) throw new Error(`seed ${seed}, ${JSON.stringify(range)}:\n${got}\nis not\n${wanted}`);
  };
  for (let n = 0; n < 600; n++) await change();
  for (let n = 0; n < rounds; n++) await readRange();
  await engine.close();
  await dispose?.();
  return read;
}

const suites = { conformance, model, rangesBesideWrites };
export type Suites = typeof suites;
Object.assign(globalThis, { suites });
