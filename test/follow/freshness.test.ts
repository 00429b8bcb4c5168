/** Which requests make a server that follows look for news first, and which need not. */
import { SharedMemory, SharedMemoryDriver, SharedStorage } from '@quadrille/storage-shared';
import { open, type Database } from 'quadrille';
import { expect, onTestFinished, test } from 'vitest';
import { refreshFor } from '../../packages/server/src/roles/freshness.js';

const REPOSITORY = 'https://data.example/acme/people';

async function connect(memory: SharedMemory, follow: boolean): Promise<Database> {
  const database = await open({ storage: new SharedStorage(new SharedMemoryDriver(memory), { follow }) });
  onTestFinished(() => database.close());
  return database;
}

test('a look is left out where the answer cannot have changed, and nowhere else', async () => {
  const memory = new SharedMemory();
  const writer = await connect(memory, false);
  const repository = await writer.repository('acme/people', { create: true });
  const { id, number } = await repository.update('INSERT DATA { <urn:a> <urn:p> 1 }');
  await repository.branches.create('dev');
  await repository.tags.set('v1', id);
  const follower = await connect(memory, true);

  const looks = async (query: string, headers: Record<string, string> = {}): Promise<boolean> => {
    const before = follower.metrics().shared!.checks;
    const [url, method] = [`${REPOSITORY}/statements${query}`, 'GET'];
    await refreshFor({ method, url, headers: new Headers(headers) } as never, follower);
    return follower.metrics().shared!.checks > before;
  };
  await looks('');
  const fixed = [
    `?revision=${number}`,
    `?revision-id=${encodeURIComponent(`#${number}`)}`,
    `?revision-uuid=${id}`,
    `?revision=${id}~1`,
    `?subj=x&revision=${id}`,
    '?datetime=2020-01-01T00:00:00Z',
  ];
  const others = [
    '',
    '?revision=HEAD',
    '?revision=v1',
    '?revision=dev',
    `?revision=${id}--HEAD`,
    `?revision=${number}--HEAD`,
    `?revision=${id}&revision-id=HEAD`,
    `?revision=${id}&compare=HEAD`,
    `?revision=${number}&branch=dev`,
    `?revision=${number + 1}`,
    '?revision=01a00000-0000-7000-8000-000000000000',
    '?datetime=2999-01-01T00:00:00Z',
    '?datetime=soon',
  ];
  for (const query of fixed) expect([query, await looks(query)]).toEqual([query, false]);
  for (const query of others) expect([query, await looks(query)]).toEqual([query, true]);
  expect(await looks('', { 'Cache-Control': 'max-age=60' })).toBe(false);
  expect(await looks('', { 'Min-Revision': `"${id}"` })).toBe(false);
});
