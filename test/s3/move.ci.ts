/** A repository moves out of a shared store, while the machine is so busy that another server takes that over. */
import { MemoryDriver, StorageEngine } from '@quadrille/storage';
import { SharedStorage } from '@quadrille/storage-shared';
import { S3Driver } from '@quadrille/s3';
import { type MoveProgress, moveRepository, open } from 'quadrille';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { KEYS, S3Server } from './server.js';

let server: S3Server;
beforeAll(async () => {
  server = await S3Server.start();
  vi.stubEnv('AWS_ACCESS_KEY_ID', KEYS.accessKeyId);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', KEYS.secretAccessKey);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await server.stop();
});

/** Takes a store over from a process that lives, and leaves it. */
async function takeOver(url: string): Promise<void> {
  const storage = new SharedStorage(new S3Driver(url, { credentials: KEYS }), { silenceMs: 50 });
  const engine = await StorageEngine.open(storage);
  await engine.close();
}

test('a server that takes the store over before a step of the hand-over does not end the move', async () => {
  const url = server.url('stores/moving');
  const source = await open(url);
  await (await source.repository('people', { create: true })).update('INSERT DATA { <urn:a> <urn:p> 1 }');
  await source.close();
  const to = { storage: new MemoryDriver() };
  const steps: MoveProgress['step'][] = [];
  let times = 0;
  const report = await moveRepository(url, 'people', to, {
    onProgress: ({ step }) => steps.push(step),
    async carry() {
      // The copy is shown in the other store then, and this one has to be taken again to leave the record.
      if (times++ === 0) await takeOver(url);
      return { there: [], here: [] };
    },
  });
  expect([report.outcome, times]).toEqual(['moved', 2]);
  expect(steps).toEqual(['frozen', 'copying', 'copied', 'shown', 'shown', 'moved']);
  const target = await open(to);
  expect(await (await target.repository('people')).count({})).toBe(1);
  await target.close();
  const left = await open(url, { readOnly: true });
  await expect(left.repository('people')).rejects.toMatchObject({ code: 'REPOSITORY_MOVED' });
  await left.close();
});
