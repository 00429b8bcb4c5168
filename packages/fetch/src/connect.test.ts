import { expect, test, vi } from 'vitest';
import { createGuardedFetch } from './guarded-fetch.js';
import { serve } from './testing/server.js';

// Nothing else can make a socket stand elsewhere than where it was told to connect to.
vi.mock(import('./address.js'), async (original) => ({ ...(await original()), isSameAddress: () => false }));

test('a connection that stands elsewhere is closed before anything is sent', async () => {
  const server = await serve((_, response) => response.end('secret'));
  const fetch = createGuardedFetch({ allow: [server.host] });
  await expect(fetch({ url: server.url })).rejects.toMatchObject({ code: 'BLOCKED_ADDRESS' });
  await server.idle();
  expect(server.requests).toEqual([]);
});
