import { storageConformance } from '@quadrille/storage/testing';
import { describe, expect, it } from 'vitest';
import { SharedMemory, SharedMemoryDriver } from '../memory-driver.js';
import type { Heartbeat, ServerBeat } from '../contract.js';
import { SharedServer } from '../shared-server.js';
import { SharedStorage } from './shared-storage.js';

storageConformance(
  { describe, it, expect },
  'shared memory',
  async () => {
    const memory = new SharedMemory();
    const driver = (): SharedStorage => new SharedStorage(new SharedMemoryDriver(memory));
    return { driver: driver(), again: driver };
  },
  { persistent: true },
);
storageConformance(
  { describe, it, expect },
  'shared memory with a checkpoint after every batch',
  async () => {
    const memory = new SharedMemory();
    const driver = (): SharedStorage =>
      new SharedStorage(new SharedMemoryDriver(memory), { checkpointEntries: 1, graceMs: 0 });
    return { driver: driver(), again: driver };
  },
  { persistent: true },
);

it('a process that was replaced deletes nothing of the one that writes now', async () => {
  const memory = new SharedMemory();
  const storage = (options: object): SharedStorage => new SharedStorage(new SharedMemoryDriver(memory), options);
  const text = (value: string): Uint8Array => new TextEncoder().encode(value);
  const long = text('x'.repeat(1000));
  const put = (key: string) => [{ type: 'put', key: text(key), value: long }] as const;
  const before = storage({ graceMs: 0 });
  await before.open();
  await before.write(put('a'), { durable: true });
  const now = storage({ takesOver: true });
  await now.open();
  await now.write(put('b'), { durable: true });
  for (let i = 0; i < 2; i++) await expect(before.compact()).rejects.toMatchObject({ code: 'LEASE_LOST' });
  for (const key of ['a', 'b']) expect(await now.get(text(key))).toEqual(long);
  await before.close();
  await now.close();
});

describe('signs of life', () => {
  it('nobody is silent while nobody can be heard', async () => {
    const memory = new SharedMemory();
    let isAway = false;
    class Away extends SharedMemoryDriver {
      override async heartbeat(self: Heartbeat): Promise<readonly ServerBeat[]> {
        if (isAway) throw new Error('away');
        return super.heartbeat(self);
      }
    }
    const options = { beatMs: 20, silenceMs: 200 };
    const [one, two] = [1, 2].map(() => new SharedServer(() => new Away(memory), options)) as [
      SharedServer,
      SharedServer,
    ];
    await one.open();
    await two.open();
    await two.beat();
    isAway = true;
    await new Promise((resolve) => setTimeout(resolve, 400));
    isAway = false;
    await two.beat();
    const silentMs = two.servers.find(({ server }) => server === one.id)!.silentMs;
    expect(silentMs).toBeLessThan(200);
    await one.close();
    await two.close();
  });
});

describe('what must not pile up', () => {
  const key = (n: number): Uint8Array => Uint8Array.of(1, n >>> 8, n & 255);
  const large = (n: number): Uint8Array => new Uint8Array(300).fill(n);

  it('failures of the collector are counted until it succeeds', async () => {
    let fails = true;
    class Forbidden extends SharedMemoryDriver {
      override async listPacks(log: number) {
        if (fails) throw new Error('AccessDenied: s3:ListBucket');
        return super.listPacks(log);
      }
    }
    const storage = new SharedStorage(new Forbidden(new SharedMemory()), { checkpointEntries: 2 });
    await storage.open();
    const write = async (n: number): Promise<void> => {
      await storage.write([{ type: 'put', key: key(0), value: large(n) }], { durable: true });
      await new Promise((resolve) => setTimeout(resolve, 0));
    };
    for (let n = 0; n < 6; n++) await write(n);
    const [failure] = storage.backgroundFailures();
    expect(failure).toMatchObject({ job: 'collection of the shared log', error: { message: expect.any(String) } });
    expect(failure!.failures).toBeGreaterThan(1);
    await expect(storage.compact()).rejects.toThrow('AccessDenied');
    fails = false;
    for (let n = 0; n < 4; n++) await write(n);
    expect(storage.backgroundFailures()).toEqual([]);
    await storage.close();
  });

  it('a pack of which nothing is used is kept by nobody, except states that show it', async () => {
    const storage = new SharedStorage(new SharedMemoryDriver(new SharedMemory()), { graceMs: 0 });
    await storage.open();
    const write = (n: number) =>
      storage.write(
        [
          { type: 'put', key: key(0), value: large(n) },
          { type: 'put', key: key(1), value: Uint8Array.of(n) },
        ],
        { durable: true },
      );
    await write(1);
    const range = storage.range({}, { read: 'entries' })[Symbol.asyncIterator]();
    const first = (await range.next()).value as readonly { value: Uint8Array }[];
    expect(first.map(({ value }) => value[0])).toEqual([1, 1]);
    for (let n = 2; n < 50; n++) await write(n);
    expect(await storage.get(key(0))).toEqual(large(49));
    expect((await range.next()).done).toBe(true);
    await storage.close();
  });
});
