/** Copies of the base of a long branch: every revision of it, and of what it begins on, is as before. */
import { expect, test } from 'vitest';
import { iri } from '@quadrille/model';
import { MemoryDriver } from '@quadrille/storage';
import type { Repository } from '../repository.js';
import type { TermPattern } from '../read/snapshot.js';
import { contents, many, openRepository, q, readAll, SMALL } from '../testing/fixture.js';

async function create(on: Repository, name: string, at = on.head.number): Promise<Repository> {
  const record = await on.resolve(at);
  await (await on.branches()).create(name, { keyspace: on.handle.keyspace, record });
  return (await on.lines()).branch(name);
}

const copies = ({ handle }: Repository): number =>
  handle.timeline.index.runs.filter(({ entry }) => entry.kind === 'base').length;

/** The content of all revisions. */
async function states(...lines: Repository[]): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (const line of lines)
    for (let n = 1; n <= line.head.number; n++) found.set(`${line.branchName} ${n}`, await contents(line, n));
  return found;
}

async function filled(
  driver: MemoryDriver,
): Promise<{ main: Repository; dev: Repository; close: () => Promise<void> }> {
  const { store, repository: main } = await openRepository(driver, { tuning: SMALL });
  await main.commit([...many('a', 80), q('a1 p o1 g'), q('gone p o')], []);
  await main.commit([q('b p o')], [q('gone p o'), q('a2 p o2')]);
  const dev = await create(main, 'dev');
  await main.commit([q('later p o')], [q('a3 p o3')]);
  await dev.commit(many('d', 50), [q('a4 p o4'), q('a1 p o1 g')]);
  await dev.commit([q('a4 p o4'), q('a2 p o2')], [q('d1 p o1')]);
  return { main, dev, close: () => store.close() };
}

test('every revision reads as before, also after changes, merges, trims, rebuilds and erasures', async () => {
  const driver = new MemoryDriver();
  const { main, dev, close } = await filled(driver);
  const before = await states(main, dev);
  await main.maintenance.compact();
  expect(copies(dev)).toBeGreaterThan(0);
  const check = async (line: Repository): Promise<void> => {
    for (let n = 1; n <= line.head.number; n++) {
      const expected = before.get(`${line.branchName} ${n}`);
      if (expected !== undefined) expect(await contents(line, n), `${line.branchName} ${n}`).toEqual(expected);
      expect((await line.resolve(n)).size).toBe((await contents(line, n)).length);
    }
    expect((await line.maintenance.verify()).problems).toEqual([]);
  };
  await check(dev);
  await dev.commit([q('e p o'), q('a1 p o1 g')], [q('a5 p o5'), q('b p o')]);
  expect(await contents(dev)).toEqual(
    [...before.get('dev 5')!.filter((each) => each !== 'a5 p o5' && each !== 'b p o'), 'a1 p o1 g', 'e p o'].toSorted(),
  );
  const patterns: [TermPattern, (quad: string) => boolean][] = [
    [{ subject: iri('http://e/a4') }, (quad) => quad.startsWith('a4 ')],
    [{ object: iri('http://e/o5') }, (quad) => quad.split(' ')[2] === 'o5'],
    [{ predicate: iri('http://e/p') }, () => true],
    [{ graph: iri('http://e/g') }, (quad) => quad.endsWith(' g')],
  ];
  const now = await contents(dev);
  for (const [pattern, matches] of patterns) {
    const snapshot = dev.snapshot();
    const expected = now.filter(matches);
    expect((await readAll(snapshot, pattern)).toSorted()).toEqual(expected);
    expect(await snapshot.count((await snapshot.ids(pattern))!)).toBe(expected.length);
    snapshot.close();
  }
  await main.maintenance.compact();
  await check(dev);
  await main.merge('dev', {});
  expect((await main.maintenance.verify()).problems).toEqual([]);
  await dev.maintenance.trim({ last: 1, deleteHistory: false, dryRun: false, attest: async () => new Map() });
  expect((await dev.maintenance.verify()).problems).toEqual([]);
  await main.maintenance.erase({
    target: { term: iri('http://e/a7') },
    message: () => 'gone',
    attest: async () => new Map(),
  });
  expect(copies(dev)).toBeGreaterThan(0);
  expect((await contents(dev)).some((quad) => quad.startsWith('a7 '))).toBe(false);
  expect((await main.maintenance.verify()).problems).toEqual([]);
  const head = await contents(dev);
  await main.maintenance.rebuild();
  expect(copies(dev)).toBe(0);
  expect(await contents(dev)).toEqual(head);
  await main.maintenance.compact();
  expect(copies(dev)).toBeGreaterThan(0);
  expect(await contents(dev)).toEqual(head);
  await close();
  const again = await openRepository(driver, { tuning: SMALL });
  const line = await (await again.repository.lines()).branch('dev');
  expect([copies(line) > 0, await contents(line)]).toEqual([true, head]);
  expect((await again.repository.maintenance.verify()).problems).toEqual([]);
  await again.store.close();
});

test('a branch on a branch with copies, a deep chain, and a base without quads', async () => {
  const { main, dev, close } = await filled(new MemoryDriver());
  await main.maintenance.compact();
  const lines = [main, dev];
  for (let n = 0; n < 5; n++) {
    const on = await create(lines.at(-1)!, `b${n}`);
    await on.commit([q(`n${n} p o`), ...many(`m${n}x`, 3)], [q(`a${n + 10} p o${n + 10}`)]);
    lines.push(on);
  }
  const before = await states(...lines);
  await main.maintenance.compact();
  expect(lines.slice(2).map((line) => copies(line) > 0)).toEqual([false, false, false, true, false]);
  const after = await states(...lines);
  for (const [name, state] of before) expect(after.get(name), name).toEqual(state);
  expect((await main.maintenance.verify()).problems).toEqual([]);
  await main.commit([], await quadsOf(main));
  const empty = await create(main, 'empty');
  await empty.commit(many('e', 40), []);
  await main.maintenance.compact();
  expect(copies(empty)).toBe(0);
  expect(await contents(empty)).toHaveLength(40);
  expect((await main.maintenance.verify()).problems).toEqual([]);
  await close();
});

const quadsOf = async (line: Repository) => (await contents(line)).map((each) => q(each));

test('copies that differ from the base are told', async () => {
  const { main, dev, close } = await filled(new MemoryDriver());
  await main.maintenance.compact();
  const { timeline } = dev.handle;
  const [run, ...others] = timeline.index.runs;
  expect(run).toBeDefined();
  const without = timeline.index.runs.filter(({ entry }) => entry.kind !== 'base' || entry.order.name !== 'posg');
  expect(without.length).toBeLessThan(others.length + 1);
  timeline.publish({ index: timeline.index.with(without, timeline.index.memtables) });
  const { problems } = await main.maintenance.verify();
  expect(problems.map(({ message }) => message).join()).toMatch(/index posg has copies of 0/);
  await close();
});
