/**
 * One flipped bit in any stored value, below the engine, is found: by the call that reads it, with a CorruptionError, and
 * by verify(). No answer is ever wrong.
 */
import { Store } from '@quadrille/core';
import type { Repository } from '@quadrille/core';
import { CorruptionError, termToText } from '@quadrille/model';
import { MemoryDriver, StorageEngine } from '@quadrille/storage';
import type { Bytes, Entry } from '@quadrille/storage';
import { seededRandom } from '@quadrille/storage/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { SEED } from '../model/environment.js';
import { applied, below, differenceText, lineOf, perform, stateAt, termsOf } from '../model/operations.mjs';
import type { Operation, State } from '../model/operations.mjs';
import { countingEnv } from './scenario.js';

const NAME = 'crash/corruption';
const DATA = 0x10;
/** Byte 5 of a key of a repository: what the value is (core/src/format.ts). */
const KINDS: Readonly<Record<string, (key: Bytes) => boolean>> = {
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
  'repository record': (key) => key[0] === 0x03,
};
/** Without these the store or its catalogue does not open: verify has nothing to look at. */
const UNOPENABLE = new Set(['store record', 'repository record']);
const TUNING = {
  memtableRows: 40,
  tailTerms: 30,
  tierRuns: 4,
  deltaBytes: 50,
  chunkRows: 50,
  loadTailTerms: 10,
  arenaBytes: 4000,
  checkpointRevisions: 3,
};

const open = async (driver: MemoryDriver): Promise<Store> =>
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

/** Everything that can be asked; what is answered is right, or the question fails with a CorruptionError. */
async function ask(driver: MemoryDriver, states: readonly State[]): Promise<CorruptionError[]> {
  const found: CorruptionError[] = [];
  const attempt = async (question: () => Promise<void>): Promise<void> => {
    try {
      await question();
    } catch (error) {
      if (!(error instanceof CorruptionError)) throw error;
      found.push(error);
    }
  };
  const store = await open(driver).catch((error: unknown) => {
    if (!(error instanceof CorruptionError)) throw error;
    found.push(error);
    return undefined;
  });
  if (store === undefined) return found;
  try {
    await attempt(async () => expect([...(await store.repositories()).keys()]).toEqual([NAME]));
    let repository: Repository | undefined;
    await attempt(async () => void (repository = await store.repository(NAME)));
    if (repository !== undefined) await askRepository(repository, states, attempt);
    await attempt(async () => {
      const report = await store.verify();
      for (const { code, message } of report.problems)
        found.push(new CorruptionError(code as 'CHECKSUM', `verify: ${message}`));
    });
  } finally {
    await store.close();
  }
  return found;
}

async function askRepository(
  repository: Repository,
  states: readonly State[],
  attempt: (question: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const head = states.length - 1;
  for (let number = 1; number <= head; number++) {
    await attempt(async () =>
      expect(differenceText(await stateAt(repository, number), states[number]!)).toBeUndefined(),
    );
    await attempt(async () => {
      const snapshot = await repository.snapshotAt(number);
      try {
        for (const predicate of ['<a:p0>', '<a:p2>']) {
          const ids = await snapshot.ids(termsOf({ p: predicate }));
          const count = ids === undefined ? 0 : await snapshot.count(ids);
          expect(count).toBe([...states[number]!].filter((line) => line.split(' ')[1] === predicate).length);
        }
      } finally {
        snapshot.close();
      }
    });
  }
  await attempt(async () => {
    let [added, removed] = [0, 0];
    for await (const entries of repository.history.diff(2, head))
      for (const { op } of entries) {
        if (op === 'add') added++;
        else removed++;
      }
    const [first, last] = [states[2]!, states[head]!];
    expect([added, removed]).toEqual([
      [...last].filter((line) => !first.has(line)).length,
      [...first].filter((line) => !last.has(line)).length,
    ]);
  });
  await attempt(async () => {
    const snapshot = repository.snapshot();
    try {
      const ids = await snapshot.ids(termsOf({ s: '<a:new>' }));
      const quads = ids === undefined ? [] : await snapshot.read(ids).next();
      expect(quads?.map((quad) => termToText(quad.object)).sort()).toEqual(['"in the tail too"', '"in the tail"']);
    } finally {
      snapshot.close();
    }
  });
  await attempt(async () => expect((await repository.resolve('v1')).number).toBe(3));
  await attempt(async () =>
    expect([...(await repository.namespaces.list()).values()].map((iri) => new TextDecoder().decode(iri))).toEqual([
      'http://example.org/',
    ]),
  );
}

describe(`one flipped bit (QUADRILLE_SEED=${SEED})`, () => {
  const driver = new MemoryDriver();
  const states: State[] = [new Set(), new Set()];
  const entries: Entry[] = [];

  beforeAll(async () => {
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
    for await (const chunk of driver.range({}, { read: 'entries' }))
      for (const { key, value } of chunk) entries.push({ key: key.slice(), value: value.slice() });
    expect(await ask(driver, states)).toEqual([]);
  });

  for (const [kind, isKind] of Object.entries(KINDS)) {
    it(`in a ${kind}`, async () => {
      const random = seededRandom(SEED);
      const values = entries.filter(({ key }) => isKind(key));
      expect(values.length, 'values of this kind').toBeGreaterThan(0);
      for (const { key, value } of values) {
        const bit = below(random, value.length * 8);
        const flipped = value.slice();
        flipped[bit >>> 3]! ^= 1 << (bit & 7);
        await driver.write([{ type: 'put', key, value: flipped }], { durable: true });
        const found = await ask(driver, states);
        await driver.write([{ type: 'put', key, value }], { durable: true });
        expect(
          found.length,
          `bit ${bit} of ${value.length * 8} under ${Buffer.from(key).toString('hex')}`,
        ).toBeGreaterThan(0);
        // By verify, or nothing that verify needs could be opened.
        const byVerify = found.some(({ message }) => message.startsWith('verify'));
        expect(
          byVerify || UNOPENABLE.has(kind),
          `verify does not find bit ${bit}: ${found.map(String).join('; ')}`,
        ).toBe(true);
      }
      expect(await ask(driver, states), 'all is well again').toEqual([]);
    }, 60_000);
  }
});
