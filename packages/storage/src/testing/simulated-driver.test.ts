import { describe, expect, it } from 'vitest';
import { StorageEngine } from '../engine.js';
import { list, numberKey, put } from './conformance-tools.js';
import { seededRandom } from './random.js';
import { SimulatedDriver } from './simulated-driver.js';

/**
 * Writes batches 0 to count - 1, durable where `durable` returns true, then crashes. Returns the batches that
 * survived.
 */
async function survivors(
  seed: number,
  count: number,
  durable: (i: number) => boolean,
  options: { logBytes: number; hostile?: boolean },
): Promise<number[]> {
  const driver = new SimulatedDriver(options);
  const engine = await StorageEngine.open(driver);
  for (let i = 0; i < count; i++) {
    await engine.write([put(numberKey(i), 'v')], { durable: durable(i) });
  }
  const after = await StorageEngine.open(await driver.crash(seededRandom(seed), { hostile: options.hostile === true }));
  const keys = await list(after, {}, { read: 'keys' });
  await expect(engine.get(numberKey(0))).rejects.toMatchObject({ code: 'STORAGE_IO' });
  return keys.map((key) => Number.parseInt(key.slice(0, -1), 16));
}

const isPrefix = (kept: number[]) => kept.every((value, i) => value === i);
const seeds = Array.from({ length: 60 }, (_, i) => i);

describe('simulated power loss', () => {
  it('keeps all that was written durably', async () => {
    for (const seed of seeds) {
      for (const hostile of [false, true]) {
        expect((await survivors(seed, 40, () => true, { logBytes: 50, hostile })).length).toBe(40);
      }
    }
  });

  it('within one log keeps a prefix, which includes all up to the last durable batch', async () => {
    const lengths = new Set<number>();
    for (const seed of seeds) {
      const kept = await survivors(seed, 30, (i) => i === 9, { logBytes: 1e9 });
      expect(isPrefix(kept)).toBe(true);
      expect(kept.length).toBeGreaterThanOrEqual(10);
      lengths.add(kept.length);
    }
    expect(lengths.size).toBeGreaterThan(10);
  });

  it('across a switch of logs a durable batch can survive the loss of earlier ones', async () => {
    const results = await Promise.all(seeds.map((seed) => survivors(seed, 11, (i) => i === 10, { logBytes: 100 })));
    expect(results.every((kept) => kept.includes(10))).toBe(true);
    expect(results.some((kept) => !isPrefix(kept))).toBe(true);
  });

  it('a log that is two switches old is safe', async () => {
    for (const seed of seeds) {
      const kept = await survivors(seed, 100, () => false, { logBytes: 100, hostile: true });
      expect(isPrefix(kept.slice(0, 70))).toBe(true);
      expect(kept.length).toBeGreaterThanOrEqual(70);
    }
  });

  it('hostile leaves holes', async () => {
    const results = await Promise.all(
      seeds.map((seed) => survivors(seed, 30, () => false, { logBytes: 1e9, hostile: true })),
    );
    expect(results.some((kept) => !isPrefix(kept))).toBe(true);
  });

  it('the same seed gives the same survivors', async () => {
    const run = () => survivors(5, 30, () => false, { logBytes: 1e9, hostile: true });
    expect(await run()).toEqual(await run());
  });

  it('a range deletion after the crash deletes what it named', async () => {
    const driver = new SimulatedDriver();
    await driver.write([put('a', '1'), put('b', '1')], { durable: true });
    await driver.write([{ type: 'deleteRange', gte: Uint8Array.of(98), lt: Uint8Array.of(99) }], { durable: true });
    const survivor = await driver.crash(() => 0);
    expect(await survivor.get(Uint8Array.of(98))).toBe(undefined);
    expect(survivor.unsyncedBatches).toBe(0);
  });
});
