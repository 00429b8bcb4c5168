/** A store whose values are of every kind, as entries of a storage in memory: to damage one value after the other. */
import { Store } from '@quadrille/core';
import { MemoryDriver, StorageEngine } from '@quadrille/storage';
import type { Bytes, Entry, StorageDriver } from '@quadrille/storage';
import { applied, lineOf, perform } from '../model/operations.mjs';
import type { Operation, State } from '../model/operations.mjs';
import { countingEnv } from './scenario.js';

export const NAME = 'crash/corruption';
const DATA = 0x10;
/** Byte 5 of a key of a repository: what the value is (core/src/format.ts). */
export const KINDS: Readonly<Record<string, (key: Bytes) => boolean>> = {
  head: (key) => key[0] === DATA && key[5] === 0x01,
  root: (key) => key[0] === DATA && key[5] === 0x02,
  'log record': (key) => key[0] === DATA && key[5] === 0x03,
  'term block': (key) => key[0] === DATA && key[5] === 0x04,
  'term tail': (key) => key[0] === DATA && key[5] === 0x05,
  'long term': (key) => key[0] === DATA && key[5] === 0x06,
  'hash page': (key) => key[0] === DATA && key[5] === 0x07 && key[10] !== 0xff,
  'hash fences': (key) => key[0] === DATA && key[5] === 0x07 && key[10] === 0xff,
  'run fences': (key) => key[0] === DATA && key[5] === 0x08,
  'block of quads': (key) => key[0] === DATA && key[5] === 0x09,
  statistics: (key) => key[0] === DATA && key[5] === 0x0a,
  namespace: (key) => key[0] === DATA && key[5] === 0x0d,
  tag: (key) => key[0] === DATA && key[5] === 0x0e,
  dictionary: (key) => key[0] === DATA && key[5] === 0x0f,
  'store record': (key) => key[0] === 0x01,
  'account record': (key) => key[0] === 0x02,
  'repository record': (key) => key[0] === 0x03,
};
export const TUNING = {
  memtableRows: 40,
  tailTerms: 30,
  tierRuns: 4,
  deltaBytes: 50,
  chunkRows: 50,
  loadTailTerms: 10,
  arenaBytes: 4000,
  checkpointRevisions: 3,
  wholeStatistics: 3,
};

export const open = async (driver: StorageDriver): Promise<Store> =>
  Store.open(await StorageEngine.open(driver), { env: countingEnv(), tuning: TUNING, cacheBytes: 1 });

function operations(): Operation[] {
  const graphs = ['', '<a:g>', ''];
  const quads = (from: number, to: number): string[] =>
    Array.from({ length: to - from }, (_, i) =>
      lineOf(`<a:s${(from + i) % 40}>`, `<a:p${(from + i) % 4}>`, `"value ${from + i}"`, graphs[(from + i) % 3]!),
    );
  return [
    { kind: 'load', lines: [...quads(0, 90), `<a:long> <a:p0> "${'long '.repeat(26_000)}" .`], replace: false },
    { kind: 'change', added: quads(90, 95), removed: quads(0, 3) },
    { kind: 'load', lines: quads(100, 160), replace: false },
    {
      kind: 'change',
      added: [`<a:long> <a:p1> "${'y'.repeat(5000)}" .`, '<a:t> <a:p0> <<( <a:s1> <a:p0> "value 7" )>> .'],
      removed: quads(30, 36),
    },
    { kind: 'load', lines: quads(140, 200), replace: true, graph: '<a:g>' },
    { kind: 'removeMatches', pattern: { p: '<a:p2>' } },
    { kind: 'compact' },
    { kind: 'change', added: quads(200, 206), removed: quads(60, 64) },
    { kind: 'change', added: ['<a:new> <a:p0> "in the tail" .'], removed: quads(70, 72) },
    { kind: 'load', lines: quads(210, 260), replace: false },
    { kind: 'change', added: ['<a:new> <a:p0> "in the tail too" .'], removed: [] },
  ];
}

/** All of it, and the states of its revisions by number. */
export interface Sample {
  readonly driver: MemoryDriver;
  readonly states: readonly State[];
  readonly entries: readonly Entry[];
}

/** Fills a new store, and closes it. Answers the states by number. */
export async function fillSample(driver: StorageDriver): Promise<State[]> {
  const states: State[] = [new Set(), new Set()];
  const store = await open(driver);
  const repository = await store.repository(NAME, true);
  for (const [n, operation] of operations().entries()) {
    await perform(repository, operation, {}, `l${n}x`);
    const next = applied(states, operation, `l${n}x`);
    if (next !== states.at(-1)) states.push(next);
  }
  await repository.tags.set('v1', (await repository.resolve(3)).id);
  await repository.namespaces.set('ex', new TextEncoder().encode('http://example.org/'));
  await store.close();
  return states;
}

export async function makeSample(): Promise<Sample> {
  const driver = new MemoryDriver();
  const states = await fillSample(driver);
  const entries: Entry[] = [];
  for await (const chunk of driver.range({}, { read: 'entries' }))
    for (const { key, value } of chunk) entries.push({ key: key.slice(), value: value.slice() });
  return { driver, states, entries };
}

/** A value with one bit flipped. */
export function flipped(value: Bytes, bit: number): Bytes {
  const bytes = value.slice();
  bytes[bit >>> 3]! ^= 1 << (bit & 7);
  return bytes;
}
