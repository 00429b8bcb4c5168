/** What a guest is told where nobody holds the store any more: what is certain, and nothing else. */
import { expect, test } from 'vitest';
import type { Sent } from '../../packages/server/src/share/exchange.js';
import { GuestFetch } from '../../packages/server/src/share/guest-fetch.js';
import { Lost } from '../../packages/server/src/share/lost.js';

const MADE = '019b76da-a800-7308-9e4d-065dbaf7829f';

function guest(answer: (sent: Sent) => Promise<Response>) {
  const to = { own: () => undefined, readOnly: false, reach: () => Promise.reject(new Error('nobody')) };
  const nothing = (): void => undefined;
  const wire = {
    send: (sent: Sent) => ({ answer: answer(sent), leave: nothing }),
    lives: async () => true,
    renew: nothing,
    close: nothing,
  };
  const { fetch } = new GuestFetch(to, wire);
  const update = { method: 'POST', headers: { 'Content-Type': 'application/sparql-update' }, body: 'CLEAR ALL' };
  return {
    update: () => fetch('http://localhost/a/b/sparql', update),
    read: (id: string) => fetch(`http://localhost/a/b/revisions/${id}`, { headers: {} }),
  };
}

const acknowledged = (): Response => new Response(null, { status: 204, headers: { ETag: `"${MADE}"` } });

test('a write that was acknowledged is not said to be unwritten, when its revision cannot be read any more', async () => {
  const { update, read } = guest(async ({ method }) => {
    if (method === 'POST') return acknowledged();
    throw new Lost('nothing');
  });
  await update();
  await expect(read(MADE)).rejects.toMatchObject({ code: 'COMMIT_UNKNOWN' });
  await expect(read('019b76da-0000-7308-9e4d-065dbaf7829f')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
});

test('nor where the answer with it breaks off', async () => {
  const broken = new ReadableStream({ pull: () => Promise.reject(new Error('cut')) });
  const { update, read } = guest(async ({ method }) => (method === 'POST' ? acknowledged() : new Response(broken)));
  await update();
  await expect(read(MADE)).rejects.toMatchObject({ code: 'COMMIT_UNKNOWN' });
});

test('a write that never left is certainly not written, and one that did may be', async () => {
  const share = { sent: 'nothing' as 'nothing' | 'all' };
  const { update } = guest(() => Promise.reject(new Lost(share.sent)));
  await expect(update()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  share.sent = 'all';
  await expect(update()).rejects.toMatchObject({ code: 'COMMIT_UNKNOWN' });
});
