// How long requests with a key are kept, and how many.
import { type Database, open } from 'quadrille';
import { hostOf } from 'quadrille/host';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openService } from '../service.js';
import { type KeptRequest, KeptRequests, type RequestPlace } from './kept-requests.js';

const HOUR = 3_600_000;
const REVISION = '0192e4a0-0000-7000-8000-000000000000';
const request = (head: string): KeptRequest => ({ head, answer: { status: 204, revision: REVISION, headers: {} } });
const place = (key: string, account = 'ann'): RequestPlace => ({
  account,
  repository: 'ann/data',
  key,
});

let database: Database;
let time: number;
beforeEach(async () => {
  database = await open(':memory:');
  time = Date.UTC(2026, 0, 1);
});
afterEach(() => database.close());

const stored = async (): Promise<number> => (await hostOf(database).records.list('request/')).size;
const make = (most?: number): KeptRequests => new KeptRequests(hostOf(database), () => time, most);
const put = async (kept: KeptRequests, at: RequestPlace): Promise<void> => {
  await kept.find(at);
  await kept.put(at, request(at.key));
};

test('a key is kept for a day, and then its record goes with a later one', async () => {
  const kept = make();
  await put(kept, place('a'));
  time += 23 * HOUR;
  expect(await kept.find(place('a'))).toMatchObject({ head: 'a' });
  await put(kept, place('b'));
  expect(await stored()).toBe(2);
  time += 2 * HOUR;
  expect(await kept.find(place('a'))).toBe(undefined);
  expect(await kept.find(place('b'))).toMatchObject({ head: 'b' });
  await put(kept, place('c'));
  expect(await stored()).toBe(2);
});

test('old keys of an account that writes no more go with the writes of others', async () => {
  const kept = make();
  for (const name of ['ann', 'bob', 'cid']) await put(kept, place('a', name));
  time += 25 * HOUR;
  for (const key of ['a', 'b', 'c']) await put(kept, place(key, 'dan'));
  const left = [...(await hostOf(database).records.list('request/')).values()];
  expect(left.map((value) => (value as RequestPlace).account)).toEqual(['dan', 'dan', 'dan']);
});

test('an account has a bounded number of keys: its oldest ones go first', async () => {
  const kept = make(3);
  for (const key of ['a', 'b', 'c', 'd', 'e']) {
    time++;
    await put(kept, place(key));
    await put(kept, place('x', 'bob'));
  }
  expect(await Promise.all(['a', 'b', 'c', 'd', 'e'].map(async (key) => (await kept.find(place(key)))?.head))).toEqual([
    undefined,
    undefined,
    'c',
    'd',
    'e',
  ]);
  expect(await kept.find(place('x', 'bob'))).toBeDefined();
  expect(await stored()).toBe(4);
});

test('a later process reads them, in the order of their times', async () => {
  const kept = make();
  for (const key of ['a', 'b', 'c']) {
    time += HOUR;
    await put(kept, place(key));
  }
  const later = make(3);
  expect(await later.find(place('b'))).toMatchObject({ head: 'b' });
  time++;
  await put(later, place('d'));
  expect(await later.find(place('a'))).toBe(undefined);
  expect(await make().find(place('a'))).toBe(undefined);
  expect(await make().find(place('d'))).toMatchObject({ head: 'd' });
});

test('all records have a bounded size: the oldest go of the account that has most', async () => {
  const kept = new KeptRequests(hostOf(database), () => time, 1000, 20_000);
  const long = { head: 'h', answer: { status: 200, revision: REVISION, headers: { Location: 'x'.repeat(2000) } } };
  await put(kept, place('small', 'bob'));
  for (let i = 0; i < 50; i++) {
    time++;
    await kept.find(place(`k${String(i)}`));
    await kept.put(place(`k${String(i)}`), long);
    const sizes = [...(await hostOf(database).records.list('request/')).values()].map(
      (each) => JSON.stringify(each).length,
    );
    expect(sizes.reduce((a, b) => a + b, 0)).toBeLessThan(30_000);
  }
  expect(await kept.find(place('k49'))).toBeDefined();
  expect(await kept.find(place('k0'))).toBeUndefined();
  expect(await kept.find(place('small', 'bob'))).toBeDefined();
});

test('a service removes old records at its start and every hour, also where no request with a key comes', async () => {
  const kept = make();
  for (const name of ['ann', 'bob']) for (const key of ['a', 'b', 'c']) await put(kept, place(key, name));
  time += 20 * HOUR;
  await put(kept, place('young'));
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    const first = await openService(database, { now: () => time });
    await first.close();
    expect(await stored()).toBe(7);
    time += 5 * HOUR;
    const second = await openService(database, { now: () => time });
    await expect.poll(stored).toBe(1);
    time += 25 * HOUR;
    await vi.advanceTimersByTimeAsync(HOUR);
    await second.close();
    expect(await stored()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});
