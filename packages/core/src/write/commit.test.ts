import { beforeAll, describe, expect, test } from 'vitest';
import { Tag } from '../format/layout.js';
import { EndedColumns, QuadColumns, sortQuads } from '../index/quad-columns.js';
import { loadDigest } from '../format/digest.js';
import { readRecord } from '../revision/log.js';
import { encodeRecord, fitsInRecord, mostRowsIn } from '../revision/record.js';
import { commitFields } from '../revision/record-fields.js';
import type { RevisionRecord } from '../revision/record.js';
import { DEFAULT_TUNING } from '../runtime/tuning.js';
import { contents, openRepository, q, randomInts, show, turnCountingEnv } from '../testing/fixture.js';
import { manyTurns, WaitingDriver } from '../testing/storage-keys.js';
import { commitIds } from './commit.js';
import { MAX_AUTHOR_BYTES, MAX_MESSAGE_BYTES } from './commit-info.js';

beforeAll(loadDigest);

const LIMIT = DEFAULT_TUNING.deltaBytes;
/** The longest message and author that are allowed, in characters of three bytes. */
const LONGEST = {
  message: '€'.repeat(MAX_MESSAGE_BYTES / 3),
  author: 'Jo '.repeat(MAX_AUTHOR_BYTES / 3),
};

/** Quads of random ids: deltas between them take the most bytes. */
function farApart(count: number, seed: number): EndedColumns {
  const int = randomInts(seed);
  const quads = new EndedColumns();
  const id = (): number => int(2, 0xe000_0000);
  for (let i = 0; i < count; i++) quads.pushEnded(id(), id(), id(), id(), int(2, 0x7fff_ffff));
  return sortQuads(quads);
}

const NO_QUADS = new EndedColumns();

describe('the size of a record', () => {
  test('is known before it is encoded', () => {
    const body = (added: QuadColumns, removed: EndedColumns): RevisionRecord => ({
      ...commitFields(new Uint8Array(16)),
      number: 7,
      id: new Uint8Array(16),
      parentId: new Uint8Array(16),
      time: 5,
      author: undefined,
      message: undefined,
      addedCount: 0,
      removedCount: 0,
      size: 0,
      termMark: 2,
      added,
      removed,
      payload: undefined,
      parentDigest: new Uint8Array(16),
      digest: new Uint8Array(16),
    });
    const length = (added: QuadColumns, removed: EndedColumns): number =>
      encodeRecord(body(added, removed)).bytes.length;
    const empty = length(NO_QUADS, NO_QUADS);
    for (let count = 1; count < 200; count += 7) {
      const [added, removed] = [farApart(count, count), farApart(count % 50, count + 1)];
      // The difference includes at most two bytes for the row counts.
      const bytes = length(added, removed) - empty;
      expect(fitsInRecord(added, removed, bytes)).toBe(true);
      expect(fitsInRecord(added, removed, bytes - 3)).toBe(false);
    }
    expect(fitsInRecord(NO_QUADS, NO_QUADS, 0)).toBe(true);
  });

  test('stays below that of a value, whatever the commit says of itself', async () => {
    // The row count is below that of a full record of close ids, and the bytes exceed the limit.
    let most = Math.floor(LIMIT / 25);
    while (fitsInRecord(farApart(most, 3), NO_QUADS, LIMIT)) most += 20;
    expect(most).toBeLessThan(mostRowsIn(LIMIT) / 2);
    for (const count of [most - 40, most, most + 500]) {
      const { repository, store } = await openRepository();
      const { timeline } = repository.handle;
      const quads = farApart(count, 3);
      const revision = await commitIds(timeline, quads, NO_QUADS, LONGEST);
      expect(revision).toMatchObject({ number: 2, added: count, ...LONGEST });
      const record = await readRecord(timeline.keyspace, 2);
      expect(record.payload === undefined).toBe(count < most);
      expect(record.added.length).toBe(count < most ? count : 0);
      expect((await timeline.keyspace.get(Tag.log, 2))!.length).toBeLessThanOrEqual(60_000);
      const removal = await commitIds(timeline, NO_QUADS, quads, LONGEST);
      expect(removal).toMatchObject({ number: 3, removed: count, size: 0 });
      await store.close();
    }
  });
});

test('a commit that cannot be written fails alone, not those that wait with it', async () => {
  const { repository } = await openRepository();
  const tooLong = 'x'.repeat(70_000);
  const commits = Array.from({ length: 9 }, (_, i) =>
    repository.commit([q(`s${i} p o`)], [], {
      records: () => (i === 4 ? [{ key: 'too long', value: tooLong }] : [{ key: `r${i}`, value: i }]),
    }),
  );
  const outcomes = await Promise.allSettled(commits);
  expect(outcomes.map(({ status }) => status)).toEqual(
    [4].reduce<string[]>((all, i) => all.with(i, 'rejected'), Array(9).fill('fulfilled')),
  );
  expect(outcomes[4]).toMatchObject({ reason: { code: 'STORAGE_LIMIT' } });
  expect(await repository.commit([q('later p o')], [])).toMatchObject({ number: 10 });
  const expected = ['later p o', ...[0, 1, 2, 3, 5, 6, 7, 8].map((i) => show(q(`s${i} p o`)))];
  expect(await contents(repository)).toEqual(expected);
});

test('a commit without a change waits until the head that it has seen is durable, and fails with it', async () => {
  const driver = new WaitingDriver();
  const { repository } = await openRepository(driver);
  for (const fails of [false, true]) {
    const held = driver.holdWrite(() => true);
    const settled: string[] = [];
    const first = repository.commit([q(`s${fails} p o`)], []).finally(() => settled.push('first'));
    await held.begun;
    const second = repository.commit([q(`s${fails} p o`)], []).finally(() => settled.push('second'));
    await manyTurns();
    expect(settled).toEqual([]);
    if (fails) driver.after = () => Promise.reject(new Error('the disk is gone'));
    held.release();
    const outcomes = await Promise.allSettled([first, second]);
    expect(outcomes.map(({ status }) => status)).toEqual(Array(2).fill(fails ? 'rejected' : 'fulfilled'));
    expect(settled).toEqual(['first', 'second']);
  }
});

test('commits in a row let the event loop turn, also where the storage never waits', async () => {
  const env = turnCountingEnv();
  const { store, repository } = await openRepository(undefined, { env });
  const before = env.turns;
  for (let i = 0; i < 5; i++) await repository.commit([q(`s${i} p o`)], []);
  expect(env.turns - before).toBeGreaterThanOrEqual(4);
  const changed = env.turns;
  for (let i = 0; i < 5; i++) await repository.commit([q('s1 p o')], []);
  expect(env.turns - changed).toBeGreaterThanOrEqual(5);
  await store.close();
});
