/**
 * Runs in a worker of each tab: answers the requests of its page, and of the workers of that page. One tab of a playground holds the store
 * under a lock of the browser; the workers of the others wait for the lock, and ask that tab meanwhile.
 */
import { channelOf } from '../api/port/messages.js';
import { Answering } from './answering.js';
import type { FromStoreWorker, StoreState, ToStoreWorker } from './messages.js';
import { aliveLock, channelName, leaderLock, scopeOf, storeName } from './names.js';
import { serveChannel } from './serve-channel.js';
import { type Self, Tabs } from './tabs.js';

const scope = scopeOf(location.href);
const id = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, '0')).join('');
const self: Self = { id, lock: aliveLock(scope, id), version: location.pathname };
const { locks } = navigator as Partial<Navigator>;
const answering = new Answering();
const ends = new Map<number, () => void>();
const alive = locks === undefined ? undefined : holdForever(self.lock);

addEventListener('message', ({ data }: MessageEvent<ToStoreWorker>) => {
  if (data.type === 'start') void start(data.published);
  else if (data.type === 'connect') void connect(data);
  else {
    ends.get(data.id)?.();
    ends.delete(data.id);
  }
});

async function connect({ id: number, port }: Extract<ToStoreWorker, { type: 'connect' }>): Promise<void> {
  await alive;
  const lock = alive === undefined ? undefined : self.lock;
  ends.set(number, serveChannel(channelOf(port), answering.answer, lock));
}

async function start(published: string | undefined): Promise<void> {
  if (published !== undefined) {
    // It is only read: each tab has its own.
    const { openPublished } = await import('./host.js');
    const { answer, state } = await openPublished(published, scope);
    answering.set(answer);
    return tell(state);
  }
  if (locks === undefined) {
    // Browsers have locks, and keep data for good, in secure pages only. Each tab is alone then.
    const { answer, state } = await openStore();
    answering.set(answer);
    return tell(state);
  }
  await alive;
  const tabs = new Tabs(channelName(scope), self, answering, tell);
  await locks.request(leaderLock(scope), async () => {
    const { answer, state } = await openStore();
    tabs.lead(answer, state);
    tell(state);
    // Until this worker ends.
    await new Promise(() => undefined);
  });
}

/** What reads the store is loaded by the tab that holds it. */
async function openStore() {
  const { openHost } = await import('./host.js');
  return openHost(storeName(scope), scope);
}

/** Resolves when the lock is held. */
function holdForever(name: string): Promise<void> {
  return new Promise((resolve) => {
    void locks!.request(name, () => {
      resolve();
      return new Promise(() => undefined);
    });
  });
}

function tell(state: StoreState): void {
  postMessage({ type: 'state', state } satisfies FromStoreWorker);
}
