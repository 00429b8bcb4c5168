/**
 * The conformance suite of shared drivers: every rule of the contract as a test. Each rule gets an empty store and two
 * drivers over it, as two servers have.
 */

import { compareBytes } from '@quadrille/storage';
import type { TestApi } from '@quadrille/storage/testing';
import type { Change, Known, NewEntry, SharedDriver } from '../contract.js';
import { MAX_ENTRY_BYTES, MAX_PACK_BYTES } from '../contract.js';

/** A new, empty shared store for one test. */
export interface SharedConformanceStore {
  /** Makes a driver over the store, not open yet. */
  readonly connect: () => SharedDriver;
  /** Called at the end of the test, after every driver was closed. */
  readonly dispose?: () => Promise<void>;
}

interface Context {
  readonly a: SharedDriver;
  readonly b: SharedDriver;
  readonly expect: TestApi['expect'];
}

type Rules = Record<string, (context: Context) => Promise<void>>;

const LOG = 3;
const ABSENT = '00000000-0000-4000-8000-ffffffffffff';
/** A UUID that ends with a number. */
const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);
const entry = (position: number, id = position, previous = position - 1): NewEntry => ({
  log: LOG,
  position,
  id: uuid(id),
  previous: position === 1 ? undefined : uuid(previous),
  epoch: 1,
  body: bytes(id % 256),
});

async function fill(driver: SharedDriver, count: number): Promise<void> {
  for (let position = 1; position <= count; position++) await driver.append(entry(position));
}

/** All changes of one log. */
async function read(driver: SharedDriver, known: Partial<Known> = {}): Promise<Change> {
  const entries = [];
  let last: Change | undefined;
  let after = known.after ?? 0;
  do {
    [last] = await driver.check([{ log: LOG, rootVersion: 0, ...known, after }]);
    if (last === undefined) break;
    entries.push(...last.entries);
    after = last.entries.at(-1)?.position ?? after;
  } while (last.more);
  return { log: LOG, root: undefined, lost: false, ...last, entries, more: false };
}

const positions = ({ entries }: Change): number[] => entries.map(({ position }) => position);

const logRules: Rules = {
  'an entry has its position, id, epoch and body, also for another server': async ({ a, b, expect }) => {
    expect(await a.append(entry(1))).toBe('ok');
    expect(await a.append({ ...entry(2), epoch: 4, body: bytes() })).toBe('ok');
    const { entries } = await read(b);
    expect(entries.map(({ position, id, epoch, body }) => [position, id, epoch, [...body]])).toEqual([
      [1, uuid(1), 1, [1]],
      [2, uuid(2), 4, []],
    ]);
  },
  'a position takes one entry, and the same entry again': async ({ a, b, expect }) => {
    await a.append(entry(1));
    expect(await b.append(entry(1, 9))).toBe('taken');
    expect(await b.append(entry(1))).toBe('ok');
    expect(positions(await read(a))).toEqual([1]);
  },
  'an entry needs the one before it': async ({ a, expect }) => {
    expect(await a.append(entry(2))).toBe('gone');
    await a.append(entry(1));
    expect(await a.append(entry(2, 2, 9))).toBe('taken');
    expect(await a.append(entry(3))).toBe('gone');
    expect(positions(await read(a))).toEqual([1]);
  },
  'of many appends at one position one succeeds': async ({ a, b, expect }) => {
    await a.append(entry(1));
    const racers = Array.from({ length: 16 }, (_, i) => (i % 2 === 0 ? a : b).append(entry(2, 100 + i, 1)));
    const outcomes = await Promise.all(racers);
    expect(outcomes.filter((outcome) => outcome === 'ok').length).toBe(1);
    expect(outcomes.filter((outcome) => outcome === 'taken').length).toBe(15);
    expect((await read(a)).entries[1]?.id).toBe(uuid(100 + outcomes.indexOf('ok')));
  },
  'an entry has up to 1 MiB': async ({ a, b, expect }) => {
    const body = new Uint8Array(MAX_ENTRY_BYTES).map((_, i) => (i * 31) % 251);
    expect(await a.append({ ...entry(1), body })).toBe('ok');
    expect(compareBytes((await read(b)).entries[0]!.body, body)).toBe(0);
  },
  'trim deletes the entries before a position and keeps the last one': async ({ a, b, expect }) => {
    await fill(a, 5);
    await b.trim(LOG, 4);
    expect(positions(await read(a))).toEqual([4, 5]);
    await b.trim(LOG, 100);
    expect(positions(await read(a))).toEqual([5]);
    expect(await a.append(entry(3, 9))).toBe('gone');
    expect(await a.append(entry(1, 9))).toBe('gone');
    expect(await a.append(entry(6))).toBe('ok');
  },
  'check answers what is behind a position, and is silent without news': async ({ a, b, expect }) => {
    await fill(a, 3);
    expect(positions(await read(b, { after: 1, id: uuid(1) }))).toEqual([2, 3]);
    expect(await b.check([{ log: LOG, after: 3, id: uuid(3), rootVersion: 0 }])).toEqual([]);
    expect(await b.check([{ log: 99, after: 0, rootVersion: 0 }])).toEqual([]);
    expect(await b.check([])).toEqual([]);
  },
  'check of several logs tells which ones have changed': async ({ a, b, expect }) => {
    await fill(a, 2);
    await a.append({ ...entry(1), log: 4 });
    await a.casRoot(5, bytes(1), 0);
    const known = [3, 4, 5, 6].map((log) => ({ log, after: log === 3 ? 2 : 0, rootVersion: 0 }));
    const changes = await b.check(known);
    expect(changes.map(({ log, entries, root }) => [log, entries.length, root?.version])).toEqual([
      [4, 1, undefined],
      [5, 0, 1],
    ]);
  },
  'check tells that a known entry is lost, but not that it was trimmed': async ({ a, b, expect }) => {
    await fill(a, 4);
    expect((await b.check([{ log: LOG, after: 9, id: uuid(9), rootVersion: 0 }]))[0]?.lost).toBe(true);
    expect((await b.check([{ log: LOG, after: 2, id: ABSENT, rootVersion: 0 }]))[0]?.lost).toBe(true);
    await a.trim(LOG, 4);
    expect((await b.check([{ log: LOG, after: 2, id: uuid(2), rootVersion: 0 }]))[0]?.lost).toBe(false);
  },
  'a long log is read in pieces': async ({ a, b, expect }) => {
    const body = new Uint8Array(100_000).fill(7);
    for (let position = 1; position <= 300; position++) {
      await a.append({ ...entry(position), body: position % 10 === 0 ? body : bytes(1) });
    }
    expect(positions(await read(b))).toEqual(Array.from({ length: 300 }, (_, i) => i + 1));
  },
};

const rootRules: Rules = {
  'a root is replaced if its version is known': async ({ a, b, expect }) => {
    expect(await a.casRoot(LOG, bytes(1), 1)).toBe('conflict');
    expect(await a.casRoot(LOG, bytes(1), 0)).toBe('ok');
    expect(await b.casRoot(LOG, bytes(2), 0)).toBe('conflict');
    expect(await b.casRoot(LOG, bytes(2), 1)).toBe('ok');
    const { root } = await read(a);
    expect([root?.version, ...(root?.body ?? [])]).toEqual([2, 2]);
    expect(await a.check([{ log: LOG, after: 0, rootVersion: 2 }])).toEqual([]);
  },
  'of many replacements one succeeds': async ({ a, b, expect }) => {
    const racers = Array.from({ length: 16 }, (_, i) => (i % 2 === 0 ? a : b).casRoot(LOG, bytes(i), 0));
    const outcomes = await Promise.all(racers);
    expect(outcomes.filter((outcome) => outcome === 'ok').length).toBe(1);
    expect((await read(b)).root?.body[0]).toBe(outcomes.indexOf('ok'));
  },
};

const packRules: Rules = {
  'slices of packs come in the order of the question': async ({ a, b, expect }) => {
    await a.putPacks(LOG, [
      { id: uuid(1), bytes: bytes(0, 1, 2, 3, 4) },
      { id: uuid(2), bytes: bytes(9, 8, 7) },
    ]);
    const slices = await b.getPacks(LOG, [
      { pack: uuid(2), from: 1, length: 2 },
      { pack: uuid(1), from: 0, length: 5 },
      { pack: ABSENT, from: 0, length: 1 },
      { pack: uuid(2), from: 1, length: 2 },
      { pack: uuid(1), from: 4, length: 1 },
    ]);
    expect(slices.map((slice) => slice && [...slice])).toEqual([[8, 7], [0, 1, 2, 3, 4], undefined, [8, 7], [4]]);
    expect(await b.getPacks(LOG, [])).toEqual([]);
    expect(await b.getPacks(4, [{ pack: uuid(1), from: 0, length: 1 }])).toEqual([undefined]);
  },
  'a pack is stored again without effect': async ({ a, b, expect }) => {
    const pack = { id: uuid(1), bytes: bytes(1) };
    await Promise.all([a.putPacks(LOG, [pack]), b.putPacks(LOG, [pack]), a.putPacks(LOG, [])]);
    expect((await a.listPacks(LOG)).map(({ id, bytes: length }) => [id, length])).toEqual([[uuid(1), 1]]);
  },
  'packs are listed with their lengths and ages, and deleted': async ({ a, b, expect }) => {
    await a.putPacks(
      LOG,
      [1, 2, 3].map((n) => ({ id: uuid(n), bytes: new Uint8Array(n) })),
    );
    await b.deletePacks(LOG, [uuid(2), ABSENT]);
    const list = [...(await b.listPacks(LOG))].sort((x, y) => (x.id < y.id ? -1 : 1));
    expect(list.map(({ id, bytes: length }) => [id, length])).toEqual([
      [uuid(1), 1],
      [uuid(3), 3],
    ]);
    expect(list.every(({ ageSeconds }) => ageSeconds >= 0 && ageSeconds < 600)).toBe(true);
    expect(await a.listPacks(4)).toEqual([]);
  },
  'a pack has up to 8 MiB, and any bytes': async ({ a, b, expect }) => {
    const large = new Uint8Array(MAX_PACK_BYTES).map((_, i) => (i * 7 + (i >>> 8)) % 256);
    await a.putPacks(LOG, [{ id: uuid(1), bytes: large }]);
    const [whole, part] = await b.getPacks(LOG, [
      { pack: uuid(1), from: 0, length: large.length },
      { pack: uuid(1), from: 4_000_001, length: 70_000 },
    ]);
    expect(compareBytes(whole!, large)).toBe(0);
    expect(compareBytes(part!, large.subarray(4_000_001, 4_070_001))).toBe(0);
  },
};

const serverRules: Rules = {
  'a sign of life that looks for news finds entries, roots, and a log that is another one': async ({
    a,
    b,
    expect,
  }) => {
    if (a.heartbeatAndLook === undefined) return;
    const self = { server: uuid(1), body: bytes(1) };
    const news = async (known: Known): Promise<boolean> => (await a.heartbeatAndLook!(self, known)).news;
    const nothing = { log: LOG, after: 0, rootVersion: 0 };
    expect(await news(nothing)).toBe(false);
    await fill(b, 1);
    expect(await news(nothing)).toBe(true);
    const first = { ...nothing, after: 1, id: uuid(1) };
    expect(await news(first)).toBe(false);
    expect(await news({ ...first, id: uuid(99) })).toBe(true);
    expect(await news({ ...first, after: 2 })).toBe(true);
    await b.casRoot(LOG, bytes(1), 0);
    expect(await news(first)).toBe(true);
    expect(await news({ ...first, rootVersion: 1 })).toBe(false);
    const { servers } = await a.heartbeatAndLook(self, first);
    expect(servers.map(({ server, beats }) => [server, beats])).toEqual([[uuid(1), 8]]);
  },
  'heartbeats are counted by server, and servers are forgotten': async ({ a, b, expect }) => {
    await a.heartbeat({ server: uuid(1), body: bytes(1) });
    await b.heartbeat({ server: uuid(2), body: bytes(2) });
    const beats = await a.heartbeat({ server: uuid(1), body: bytes(3) });
    const sorted = [...beats].sort((x, y) => (x.server < y.server ? -1 : 1));
    expect(sorted.map(({ server, body, beats: count }) => [server, [...body], count])).toEqual([
      [uuid(1), [3], 2],
      [uuid(2), [2], 1],
    ]);
    expect((await b.servers()).length).toBe(2);
    expect((await b.servers()).length).toBe(2);
    await b.forget(uuid(2));
    expect((await a.heartbeat({ server: uuid(1), body: bytes() })).length).toBe(1);
  },
  'a barrier passes': async ({ a, expect }) => {
    await a.append(entry(1));
    expect(await a.barrier()).toBe(undefined);
  },
};

export function sharedConformance(
  testApi: TestApi,
  name: string,
  factory: () => Promise<SharedConformanceStore>,
): void {
  const groups = { log: logRules, root: rootRules, packs: packRules, servers: serverRules };
  testApi.describe(`conformance of a shared store: ${name}`, () => {
    for (const [group, rules] of Object.entries(groups)) {
      testApi.describe(group, () => {
        for (const [rule, body] of Object.entries(rules)) {
          testApi.it(rule, () => runRule(testApi, factory, body));
        }
      });
    }
  });
}

async function runRule(
  { expect }: TestApi,
  factory: () => Promise<SharedConformanceStore>,
  body: (context: Context) => Promise<void>,
): Promise<void> {
  const store = await factory();
  const [a, b] = [store.connect(), store.connect()];
  try {
    // Two servers may start at the same moment over a store that has no tables yet.
    await Promise.all([a.open(), b.open()]);
    await body({ a, b, expect });
  } finally {
    await Promise.all([a.close(), b.close()]);
    await store.dispose?.();
  }
}
