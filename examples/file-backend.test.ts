import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StorageEngine } from 'quadrille/storage';
import { storageConformance } from 'quadrille/storage/testing';
import { describe, expect, it, test } from 'vitest';
import { FileDriver } from './file-backend.mjs';

// This is all that it takes to prove a backend.
storageConformance(
  { describe, it, expect },
  'a file',
  async () => {
    const directory = await mkdtemp(join(tmpdir(), 'quadrille-file-'));
    const again = () => new FileDriver(directory);
    return { driver: again(), again, dispose: () => rm(directory, { recursive: true }) };
  },
  { persistent: true },
);

test('a line that was cut off is dropped', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'quadrille-file-'));
  const key = Uint8Array.of(1);
  const open = () => StorageEngine.open(new FileDriver(directory));
  for (const value of [Uint8Array.of(1), Uint8Array.of(2)]) {
    const engine = await open();
    await engine.write([{ type: 'put', key, value }], { durable: true });
    await engine.close();
    await appendFile(join(directory, 'log.jsonl'), '[{"type":"put","key":"AQ==","val');
  }
  const engine = await open();
  expect(await engine.get(key)).toEqual(Uint8Array.of(2));
  await engine.close();
  await rm(directory, { recursive: true });
});

test('it has under 150 lines', async () => {
  const text = await readFile(join(import.meta.dirname, 'file-backend.mjs'), 'utf8');
  expect(text.split('\n').length).toBeLessThan(150);
});
