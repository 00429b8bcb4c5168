/** Cache Storage that is held in memory. */
import { afterEach, expect, test, vi } from 'vitest';
import { openKeptParts } from './browser-kept-parts.js';

const PLACE = 'https://example.org/site/';

class MemoryCache {
  readonly entries = new Map<string, Response>();

  match = async (url: string) => this.entries.get(url)?.clone();
  keys = async () => [...this.entries.keys()].map((url) => new Request(url));
  delete = async (url: string) => this.entries.delete(url);
  put = async (url: string, response: Response) => {
    this.entries.delete(url);
    this.entries.set(url, response);
  };
}

const caches = new Map<string, MemoryCache>();
const open = async (name: string): Promise<MemoryCache> => {
  const cache = caches.get(name) ?? new MemoryCache();
  caches.set(name, cache);
  return cache;
};
const names = (): string[] => [...[...caches.values()][0]!.entries.keys()].map((url) => url.slice(PLACE.length));

afterEach(() => {
  caches.clear();
  vi.unstubAllGlobals();
});

const bytes = (length: number): Uint8Array => new Uint8Array(length).fill(length % 251);

test('what was put is there for whoever opens the same place, and for no other', async () => {
  vi.stubGlobal('caches', { open });
  const parts = (await openKeptParts(PLACE))!;
  await parts.put('a.pack/0-4', Uint8Array.of(1, 2, 3, 4));
  expect(await (await openKeptParts(PLACE))!.get('a.pack/0-4')).toEqual(Uint8Array.of(1, 2, 3, 4));
  expect(await (await openKeptParts('https://example.org/other/'))!.get('a.pack/0-4')).toBeUndefined();
});

test('above the bound what was kept first goes; the manifest and the last start file stay', async () => {
  vi.stubGlobal('caches', { open });
  const first = (await openKeptParts(PLACE, 1_000_000))!;
  await first.put('quadrille.json', bytes(10));
  await first.put('b.start', bytes(10));
  await first.put('c.start', bytes(10));
  for (let at = 0; at < 4; at++) await first.put(`a.pack/${at}-300000`, bytes(300_000));
  expect(names()).toEqual(['quadrille.json', 'c.start', 'a.pack/2-300000', 'a.pack/3-300000']);
  // A later visit counts what is there. The size of a start file is not known then.
  const later = (await openKeptParts(PLACE, 2_000_000))!;
  for (let at = 4; at < 7; at++) await later.put(`a.pack/${at}-300000`, bytes(300_000));
  expect(names()).toEqual(['quadrille.json', 'c.start', 'a.pack/5-300000', 'a.pack/6-300000']);
});

test('a part that is kept again is the newest, and counts once', async () => {
  vi.stubGlobal('caches', { open });
  const parts = (await openKeptParts(PLACE, 1000))!;
  for (const name of ['a.pack/0-400', 'a.pack/400-400', 'a.pack/0-400']) await parts.put(name, bytes(400));
  expect(names()).toEqual(['a.pack/400-400', 'a.pack/0-400']);
  await parts.put('a.pack/800-400', bytes(400));
  expect(names()).toEqual(['a.pack/800-400']);
});

test('nothing is kept where there is no Cache Storage, or where it is refused', async () => {
  expect(await openKeptParts(PLACE)).toBeUndefined();
  vi.stubGlobal('caches', { open: () => Promise.reject(new DOMException('no', 'SecurityError')) });
  expect(await openKeptParts(PLACE)).toBeUndefined();
});
