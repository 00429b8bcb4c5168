/** Lookups that reuse seekers from the pool. */
import { expect, test } from 'vitest';
import { many, openRepository, q, readAll, show, SMALL } from '../../testing/fixture.js';

test('a lookup sees its own revision, whatever was looked up before it, at whatever revision', async () => {
  const { store, repository } = await openRepository(undefined, { tuning: SMALL });
  await repository.commit(many('s', 300), []);
  const pattern = { subject: q('s7 p o').subject };
  for (let i = 0; i < 40; i++) {
    const before = repository.snapshot();
    const expected = await readAll(before, pattern);
    await repository.commit([q(`s7 p x${i}`)], i % 3 === 0 ? [q(`s7 p x${i - 1}`)] : []);
    const after = repository.snapshot();
    const wanted = [...expected.filter((row) => i % 3 !== 0 || row !== `s7 p x${i - 1}`), `s7 p x${i}`].toSorted();
    for (let round = 0; round < 2; round++) {
      expect(await readAll(after, pattern)).toEqual(wanted);
      expect(await readAll(before, pattern)).toEqual(expected);
    }
    before.close();
    after.close();
  }
  await store.close();
});

test('readers that overlap do not share a seeker; one that was left half way serves the next', async () => {
  const { store, repository } = await openRepository();
  await repository.commit(many('s', 2000), []);
  const snapshot = repository.snapshot();
  const lookup = async (object: string) => snapshot.read((await snapshot.ids({ object: q(`s p ${object}`).object }))!);
  const [one, two] = [await lookup('o3'), await lookup('o4')];
  const [first, second] = [await one.next(), await two.next()];
  expect(new Set(first!.map((quad) => show(quad).split(' ')[2]))).toEqual(new Set(['o3']));
  expect(new Set(second!.map((quad) => show(quad).split(' ')[2]))).toEqual(new Set(['o4']));
  one.close();
  one.close();
  expect(await one.next()).toBeUndefined();
  const [three, four] = [await lookup('o5'), await lookup('o6')];
  expect(show((await three.next())![0]!)).toContain('o5');
  expect(show((await four.next())![0]!)).toContain('o6');
  expect(await readAll(snapshot, { object: q('s p o3').object })).toHaveLength(21);
  for (const reader of [two, three, four]) reader.close();
  snapshot.close();
  await store.close();
});

test('a seeker that an older revision gives back late does not come to readers of the newest one', async () => {
  const { store, repository } = await openRepository(undefined, { tuning: SMALL });
  await repository.commit(many('s', 300), []);
  const pattern = { object: q('s p o3').object };
  for (let i = 0; i < 10; i++) {
    const before = repository.snapshot();
    const expected = await readAll(before, pattern);
    const late = before.read((await before.ids(pattern))!);
    await late.next();
    await repository.commit([q(`t${i} p o3`)], []);
    const after = repository.snapshot();
    const wanted = [...expected, `t${i} p o3`].toSorted();
    expect(await readAll(after, pattern)).toEqual(wanted);
    late.close();
    expect(await readAll(after, pattern)).toEqual(wanted);
    expect(await readAll(before, pattern)).toEqual(expected);
    before.close();
    after.close();
  }
  await store.close();
});
