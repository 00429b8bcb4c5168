/** Numbers of blob files that are used up are refused before anything is harmed. */
import { loadChecksum, MemoryDriver, StorageEngine, type WriteOp } from '@quadrille/storage';
import { expect, test } from 'vitest';
import { SimulatedBlobFiles } from '../testing/simulated-blob-files.js';
import { BlobDriver } from './blob-driver.js';
import { BlobLedger, LEDGER_KEY } from './blob-ledger.js';
import { LAST_FILE } from './blob-writer.js';

const TINY = { valueBytes: 8, batchBytes: 8, fileBytes: 100 };
const LIMIT = { code: 'STORAGE_LIMIT', message: expect.stringContaining('blob files') };

const bytes = (value: string): Uint8Array => new TextEncoder().encode(value);
const put = (key: string, length: number, lasting = false): WriteOp => ({
  type: 'put',
  key: bytes(key),
  value: bytes(key.repeat(length)),
  lasting,
});

async function lengths(engine: StorageEngine): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for await (const chunk of engine.range())
    for (const { key, value } of chunk) found[new TextDecoder().decode(key)] = value.length;
  return found;
}

/** A store in which only so many numbers are left. */
async function nearTheEnd(left: number): Promise<{ engine: StorageEngine; again: () => Promise<StorageEngine> }> {
  const [memory, files] = [new MemoryDriver(), new SimulatedBlobFiles()];
  const again = (): Promise<StorageEngine> => StorageEngine.open(new BlobDriver(memory, files, TINY));
  const first = await again();
  await first.write([put('a', 90)], { durable: true });
  await first.close();
  await memory.open();
  const checksum = await loadChecksum();
  const ledger = BlobLedger.decode((await memory.get(LEDGER_KEY))!, checksum);
  const value = new BlobLedger(LAST_FILE + 1 - left, ledger.files).encode(checksum);
  await memory.write([{ type: 'put', key: LEDGER_KEY, value }], { durable: true });
  await memory.close();
  return { engine: await again(), again };
}

test('the last number is used, and then large values are refused; all else goes on', async () => {
  const { engine, again } = await nearTheEnd(1);
  await engine.write([put('b', 90)], { durable: true });
  for (let times = 0; times < 2; times++)
    await expect(engine.write([put('s', 2), put('c', 90)], { durable: true })).rejects.toMatchObject(LIMIT);
  expect(engine.state).toBe('open');
  await engine.write([put('d', 2)], { durable: true });
  expect(await lengths(engine)).toEqual({ a: 90, b: 90, d: 2 });
  await engine.close();
  const reopened = await again();
  await expect(reopened.write([put('c', 90)], { durable: true })).rejects.toMatchObject(LIMIT);
  await reopened.write([{ type: 'delete', key: bytes('a') }], { durable: true });
  expect(await lengths(reopened)).toEqual({ b: 90, d: 2 });
  await reopened.close();
});

test('a batch whose second file has no number leaves nothing of the first one', async () => {
  const { engine, again } = await nearTheEnd(1);
  await expect(engine.write([put('b', 90), put('l', 90, true)], { durable: true })).rejects.toMatchObject(LIMIT);
  expect(await lengths(engine)).toEqual({ a: 90 });
  await engine.write([put('c', 90)], { durable: true });
  await engine.close();
  const reopened = await again();
  expect(await lengths(reopened)).toEqual({ a: 90, c: 90 });
  await reopened.close();
});
