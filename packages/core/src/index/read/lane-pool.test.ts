/** Seekers that reuse the lanes of closed ones. */
import { expect, test } from 'vitest';
import { MISS } from '../../keyspace/block-cache.js';
import type { Snapshot } from '../../read/snapshot.js';
import { many, openRepository, q, SMALL } from '../../testing/fixture.js';
import type { QuadSeeker } from './quad-seeker.js';

const BY_OBJECT = { s: false, p: false, o: true, g: false };

async function idOf(snapshot: Snapshot, object: string): Promise<number> {
  return (await snapshot.ids({ object: q(`s p ${object}`).object }))?.o ?? 0;
}

async function next(seeker: QuadSeeker): Promise<number> {
  for (let rows = seeker.next(); ; rows = seeker.next()) {
    if (rows !== MISS) return rows;
    await seeker.fetch();
  }
}

/** The subjects of all rows that are left. */
async function rest(seeker: QuadSeeker): Promise<number[]> {
  const found: number[] = [];
  while ((await next(seeker)) > 0) found.push(...seeker.s.slice(seeker.start, seeker.end));
  return found;
}

test('seekers at the same time do not share a lane, also where one was closed twice or half way', async () => {
  const { store, repository } = await openRepository(undefined, { tuning: SMALL });
  await repository.commit(many('s', 2000), []);
  const snapshot = repository.snapshot();
  const [three, four] = [await idOf(snapshot, 'o3'), await idOf(snapshot, 'o4')];
  const fresh = async (object: number): Promise<number[]> => {
    const seeker = (await repository.snapshotAt(repository.head.number)).seeker(BY_OBJECT);
    seeker.seek(0, 0, object, 0);
    return rest(seeker);
  };
  const [ofThree, ofFour] = [await fresh(three), await fresh(four)];
  expect(ofThree.length).toBeGreaterThan(10);
  expect(ofThree).not.toEqual(ofFour);
  for (let round = 0; round < 20; round++) {
    const one = snapshot.seeker(BY_OBJECT);
    one.seek(0, 0, four, 0);
    await next(one);
    one.close();
    one.close();
    const [two, other] = [snapshot.seeker(BY_OBJECT), snapshot.seeker(BY_OBJECT)];
    two.seek(0, 0, three, 0);
    other.seek(0, 0, four, 0);
    expect(await next(two)).toBeGreaterThan(0);
    one.close();
    expect(one.next()).toBe(0);
    expect(await rest(other)).toEqual(ofFour);
    two.seek(0, 0, three, 0);
    expect(await rest(two)).toEqual(ofThree);
    two.close();
    other.close();
  }
  snapshot.close();
  await store.close();
});

test('a seeker sees its own revision, whatever was sought before it, at whatever revision', async () => {
  const { store, repository } = await openRepository(undefined, { tuning: SMALL });
  await repository.commit(many('s', 300), []);
  const found = async (snapshot: Snapshot, object: number): Promise<number> => {
    const seeker = snapshot.seeker(BY_OBJECT);
    seeker.seek(0, 0, object, 0);
    const { length } = await rest(seeker);
    seeker.close();
    return length;
  };
  const first = repository.snapshot();
  const object = await idOf(first, 'o3');
  const expected = await found(first, object);
  for (let i = 1; i <= 40; i++) {
    await repository.commit([q(`t${i} p o3`)], []);
    const after = repository.snapshot();
    for (let round = 0; round < 2; round++) {
      expect(await found(after, object)).toBe(expected + i);
      expect(await found(first, object)).toBe(expected);
    }
    after.close();
  }
  first.close();
  await store.close();
});

test('a lane that a seeker of an older revision gives back late does not come to seekers of the newest one', async () => {
  const { store, repository } = await openRepository(undefined, { tuning: SMALL });
  await repository.commit(many('s', 300), []);
  for (let i = 1; i <= 10; i++) {
    const before = repository.snapshot();
    const object = await idOf(before, 'o3');
    const late = before.seeker(BY_OBJECT);
    late.seek(0, 0, object, 0);
    await next(late);
    await repository.commit([q(`t${i} p o3`)], []);
    const after = repository.snapshot();
    const lengths: number[] = [];
    for (const isLate of [false, true]) {
      if (isLate) late.close();
      const seeker = after.seeker(BY_OBJECT);
      seeker.seek(0, 0, object, 0);
      lengths.push((await rest(seeker)).length);
      seeker.close();
    }
    expect(lengths).toEqual([lengths[0], lengths[0]]);
    expect(lengths[0]).toBe(await after.count({ s: 0, p: 0, o: object, g: 0 }));
    before.close();
    after.close();
  }
  await store.close();
});
