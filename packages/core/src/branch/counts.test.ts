/** Counts of every pattern on branches whose own changes may be negative in all, in transactions and at old revisions. */
import { expect, test } from 'vitest';
import { termToText } from '@quadrille/model';
import { MemoryDriver } from '@quadrille/storage';
import type { TermPattern } from '../read/snapshot.js';
import type { Repository } from '../repository.js';
import { asyncDriver, many, openRepository, q, randomInts, SMALL } from '../testing/fixture.js';
import { WaitingDriver } from '../testing/storage-keys.js';

type Quad = ReturnType<typeof q>;

const POSITIONS = ['subject', 'predicate', 'object', 'graph'] as const;

/** The patterns of all 16 shapes that are made of the terms of a quad. */
const patternsOf = (of: Quad): TermPattern[] =>
  Array.from({ length: 16 }, (_, shape) =>
    Object.fromEntries(
      POSITIONS.filter((_position, i) => (shape >> i) & 1).map((position) => [position, of[position]]),
    ),
  );

const textOf = (quad: Quad): string => POSITIONS.map((position) => termToText(quad[position])).join(' ');

const matching = (quads: Iterable<Quad>, pattern: TermPattern): number =>
  [...quads].filter((quad) => POSITIONS.every((position) => pattern[position]?.equals(quad[position]) ?? true)).length;

async function expectCounts(
  count: (pattern: TermPattern) => Promise<number>,
  quads: Iterable<Quad>,
  of: Quad,
): Promise<void> {
  const present = [...quads];
  for (const pattern of patternsOf(of)) expect(await count(pattern), textOf(of)).toBe(matching(present, pattern));
}

async function snapshotCount(repository: Repository, number: number, pattern: TermPattern): Promise<number> {
  const snapshot = await repository.snapshotAt(number);
  try {
    const ids = await snapshot.ids(pattern);
    return ids === undefined ? 0 : await snapshot.count(ids);
  } finally {
    snapshot.close();
  }
}

async function branchOf(from: Repository, name: string): Promise<Repository> {
  const place = { keyspace: from.handle.keyspace, record: await from.resolve('HEAD') };
  await (await from.branches()).create(name, place);
  return (await from.lines()).branch(name);
}

const DRIVERS: [string, () => MemoryDriver][] = [
  ['synchronous', () => new MemoryDriver()],
  ['asynchronous', asyncDriver],
];

test.each(DRIVERS)('one removal on a branch, over %s storage', async (_, newDriver) => {
  const driver = newDriver();
  const main = [q('a p 1'), q('b p 2'), q('c p 3')];
  const opened = await openRepository(driver);
  await opened.repository.commit(main, []);
  await opened.repository.maintenance.compact();
  const draft = await branchOf(opened.repository, 'draft');
  await draft.commit([], [main[0]!]);
  await opened.store.close();
  // The block cache is empty, so counting has to fetch.
  const { store, repository } = await openRepository(driver);
  const again = await (await repository.lines()).branch('draft');
  for (const of of main) await expectCounts((pattern) => snapshotCount(again, 3, pattern), main.slice(1), of);
  const transaction = await again.begin();
  for (const of of main) await expectCounts((pattern) => transaction.count(pattern), main.slice(1), of);
  await transaction.close();
  await store.close();
});

test.each(DRIVERS)('random changes on a branch of a branch, over %s storage', async (_, newDriver) => {
  const int = randomInts(newDriver === asyncDriver ? 71 : 72);
  const { store, repository } = await openRepository(newDriver(), { tuning: { ...SMALL, deltaBytes: 300 } });
  const all = Array.from({ length: 60 }, (_, i) =>
    q(`s${i % 7} p${i % 3} o${i % 11}${['', ' g1', ' g2'][i % 5 === 0 ? 1 + (i % 2) : 0]}`),
  );
  const some = (count: number): Quad[] => Array.from({ length: count }, () => all[int(0, all.length)]!);
  const lines = [{ repository, states: new Map<number, Map<string, Quad>>(), now: new Map<string, Quad>() }];
  for (const [i, quad] of all.entries()) if (i % 3 !== 0) lines[0]!.now.set(textOf(quad), quad);
  await repository.commit([...lines[0]!.now.values()], []);
  for (let step = 0; step < 30; step++) {
    if (step === 4 || step === 12) {
      const from = lines.at(-1)!;
      const branch = await branchOf(from.repository, `b${step}`);
      lines.push({ repository: branch, states: new Map(from.states), now: new Map(from.now) });
    }
    const line = lines[int(0, lines.length)]!;
    const [added, removed] = [some(int(0, 3)), some(int(1, 5))];
    await line.repository.commit(added, removed);
    for (const quad of removed) line.now.delete(textOf(quad));
    for (const quad of added) line.now.set(textOf(quad), quad);
    line.states.set(line.repository.head.number, new Map(line.now));
    if (step % 9 === 8) await repository.maintenance.compact();
    for (const { repository: at, now } of lines) {
      const { number } = at.head;
      for (const of of some(2)) await expectCounts((pattern) => snapshotCount(at, number, pattern), now.values(), of);
    }
  }
  for (const { repository: at, states, now } of lines) {
    for (const [number, state] of states)
      await expectCounts((pattern) => snapshotCount(at, number, pattern), state.values(), some(1)[0]!);
    const transaction = await at.begin();
    const gone = some(4);
    await transaction.remove(gone);
    for (const quad of gone) now.delete(textOf(quad));
    for (const of of gone) await expectCounts((pattern) => transaction.count(pattern), now.values(), of);
    await transaction.close();
  }
  await store.close();
});

test.each([2, 3])(
  'a count at revision %i that has to fetch ends where its signal says so, and reads no more',
  async (number) => {
    const driver = new WaitingDriver(false);
    const first = await openRepository(driver);
    await first.repository.commit(many('a', 9000), []);
    await first.repository.commit([], [q('a5 p o5')]);
    await first.repository.maintenance.compact();
    await first.store.close();
    const { store, repository } = await openRepository(driver);
    const snapshot = await repository.snapshotAt(number);
    const ids = (await snapshot.ids({ predicate: q('a p o').predicate, object: q('a p o7').object }))!;
    let reads = 0;
    driver.before = () => void reads++;
    const ends = {
      throwIfAborted: () => {
        if (reads > 0) throw new Error('enough');
      },
    };
    await expect(snapshot.count(ids, ends)).rejects.toThrow('enough');
    expect(reads).toBe(1);
    expect(await snapshot.count(ids)).toBe(93);
    snapshot.close();
    await store.close();
  },
);
