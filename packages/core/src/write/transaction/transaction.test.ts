/** Transactions, the staged head, and terms with local ids. */
import { describe, expect, test } from 'vitest';
import { iri, literal, quad } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import { MemoryDriver } from '@quadrille/storage';
import { FaultDriver } from '@quadrille/storage/testing';
import type { Repository } from '../../repository.js';
import {
  asyncDriver,
  contents,
  many,
  openRepository,
  q,
  randomInts,
  show,
  SMALL,
  turnCountingEnv,
} from '../../testing/fixture.js';
import type { StagedTransaction } from './transaction.js';

async function readIn(transaction: StagedTransaction, pattern = {}): Promise<string[]> {
  const reader = await transaction.read(pattern);
  const found: string[] = [];
  for (let batch = await reader?.next(); batch !== undefined; batch = await reader!.next())
    found.push(...batch.map(show));
  return found.toSorted();
}

async function commit(
  repository: Repository,
  transaction: StagedTransaction,
): ReturnType<Repository['commitTransaction']> {
  try {
    return await repository.commitTransaction(transaction, {});
  } finally {
    transaction.close();
  }
}

const conflict = expect.objectContaining({ code: 'REVISION_CONFLICT' });

test.each([true, false])('a transaction reads its own changes, others do not (getSync: %s)', async (sync) => {
  const { repository } = await openRepository(sync ? undefined : asyncDriver(), { tuning: SMALL });
  await repository.commit([q('a p o'), q('b p o g')], []);
  const tx = await repository.begin();
  await tx.add([q('c new "x" fresh'), q('a p o')]);
  await tx.remove([q('b p o g'), q('none p o')]);
  await tx.beginReading();
  expect(tx.size).toBe(2);
  expect(await readIn(tx)).toEqual(['a p o', 'c new "x" fresh']);
  expect(await readIn(tx, { graph: iri('http://e/fresh') })).toEqual(['c new "x" fresh']);
  expect(await readIn(tx, { predicate: iri('http://e/new') })).toEqual(['c new "x" fresh']);
  expect(await readIn(tx, { object: literal('never') })).toEqual([]);
  expect(await tx.count({})).toBe(2);
  expect((await tx.graphs()).map((term) => term.value)).toEqual(['http://e/fresh']);
  await tx.removeMatches({ predicate: iri('http://e/p') });
  expect(await readIn(tx)).toEqual(['c new "x" fresh']);
  expect(await contents(repository)).toEqual(['a p o', 'b p o g']);
  expect(await commit(repository, tx)).toMatchObject({ number: 3, added: 1, removed: 2, size: 1 });
  expect(await contents(repository)).toEqual(['c new "x" fresh']);
});

test('add, remove, add again inside one transaction', async () => {
  const { repository } = await openRepository();
  await repository.commit([q('a p o')], []);
  const tx = await repository.begin();
  for (const one of [q('a p o'), q('n p o')]) {
    for (let round = 0; round < 3; round++) {
      await tx.remove([one, one]);
      expect(await readIn(tx)).not.toContain(show(one));
      await tx.add([one, one]);
      expect(await readIn(tx)).toContain(show(one));
    }
  }
  await tx.beginReading();
  expect(tx.size).toBe(2);
  expect(await commit(repository, tx)).toMatchObject({ added: 1, removed: 0, size: 2 });
  const back = await repository.begin();
  await back.add([q('x p o')]);
  await back.remove([q('x p o')]);
  expect(await commit(repository, back)).toMatchObject({ number: 3 });
});

test('local terms: triple terms and terms that another commit brings meanwhile', async () => {
  const { repository } = await openRepository();
  const nested = quad(
    iri('http://e/s'),
    iri('http://e/p'),
    quad(iri('http://e/t'), iri('http://e/p'), literal('deep')),
  );
  const tx = await repository.begin();
  await tx.add([nested]);
  await repository.commit([q('t p o')], []);
  await tx.add([q('t p o2')]);
  expect((await commit(repository, tx)).added).toBe(2);
  expect(await contents(repository)).toEqual(['s p <<( t p "deep" )', 't p o', 't p o2']);
});

describe('when the head has moved', () => {
  test('a transaction that has read fails, whatever it read by', async () => {
    const reads: ((tx: StagedTransaction) => unknown)[] = [
      async (tx) => {
        await tx.beginReading();
        return tx.size;
      },
      (tx) => tx.count({}),
      (tx) => readIn(tx),
      (tx) => tx.graphs(),
      (tx) => tx.removeMatches({ predicate: iri('http://e/none') }),
    ];
    for (const read of reads) {
      for (const count of [1, 60]) {
        const { repository } = await openRepository(undefined, { tuning: SMALL });
        const tx = await repository.begin();
        await tx.add(many('n', count));
        await read(tx);
        await repository.commit([q('other p o')], []);
        await expect(commit(repository, tx)).rejects.toThrow(conflict);
        expect(await contents(repository)).toEqual(['other p o']);
      }
    }
  });

  test('a blind one is compared with the new head, as if it had begun there', async () => {
    for (let seed = 1; seed <= 30; seed++) {
      const { repository } = await openRepository(undefined, { tuning: SMALL });
      const int = randomInts(seed);
      const random = (count: number): RDF.Quad[] =>
        Array.from({ length: count }, () => q(`s${int(0, 12)} p o${int(0, 6)}${int(0, 2) ? '' : ' g'}`));
      await repository.commit(random(30), []);
      const tx = await repository.begin();
      const model = new Set<string>();
      const steps: [boolean, RDF.Quad[]][] = Array.from({ length: 4 }, () => [int(0, 2) === 0, random(int(1, 30))]);
      for (const [add, quads] of steps) await (add ? tx.add(quads) : tx.remove(quads));
      await repository.commit(random(int(1, 40)), random(int(1, 40)));
      for (const one of await contents(repository)) model.add(one);
      for (const [add, quads] of steps) for (const one of quads) if (add) model.add(show(one)); else model.delete(show(one)); // prettier-ignore
      await commit(repository, tx);
      expect(await contents(repository), `seed ${seed}`).toEqual([...model].toSorted());
      expect((await repository.maintenance.verify()).problems).toEqual([]);
    }
  });

  test('a large blind removal of quads that others removed meanwhile', async () => {
    const { repository } = await openRepository(undefined, { tuning: SMALL });
    await repository.commit(many('m', 80), []);
    const tx = await repository.begin();
    await tx.remove(many('m', 80));
    await repository.commit([], many('m', 10));
    expect(await commit(repository, tx)).toMatchObject({ removed: 70, size: 0 });
    expect((await repository.maintenance.verify()).problems).toEqual([]);
  });

  test('a large one on the head it began on', async () => {
    const { repository } = await openRepository(undefined, { tuning: SMALL });
    await repository.commit(many('m', 80), []);
    const tx = await repository.begin();
    await tx.remove(many('m', 40));
    await tx.add(many('n', 90));
    expect(await tx.count({})).toBe(130);
    expect(await commit(repository, tx)).toMatchObject({ added: 90, removed: 40, size: 130 });
    expect((await repository.maintenance.verify()).problems).toEqual([]);
  });
});

describe('a transaction that rebases', () => {
  const predicate = (name: string): RDF.NamedNode => iri(`http://e/${name}`);

  test.each([1, 60])('commits on a newer head that has not changed what it has read: %i quads', async (count) => {
    const { repository } = await openRepository(undefined, { tuning: SMALL });
    await repository.commit([q('a p o'), q('gone q o'), q('again r o')], []);
    const tx = await repository.begin({ rebases: true });
    await tx.remove([q('unheard q o')]);
    await tx.beginReading([predicate('p')]);
    await tx.add([...many('n', count), q('again r o')]);
    await tx.remove([q('gone q o')]);
    await tx.beginReading([predicate('p'), predicate('unheard')]);
    await tx.remove([q('late q o')]);
    await repository.commit([q('late q o'), q('unheard q o')], [q('again r o')]);
    expect(await commit(repository, tx)).toMatchObject({ added: count + 1, removed: 3 });
    const expected = [...many('n', count), q('a p o'), q('again r o')].map(show).toSorted();
    expect(await contents(repository)).toEqual(expected);
    expect((await repository.maintenance.verify()).problems).toEqual([]);
  });

  test.each<[string, (repository: Repository) => Promise<unknown>]>([
    ['a quad more', (repository) => repository.commit([q('b p o')], [])],
    ['a quad less', (repository) => repository.commit([], [q('a p o')])],
    ['a predicate that was new', (repository) => repository.commit([q('b unheard o')], [])],
    ['a large commit of something else', (repository) => repository.commit(many('m', 80), [])],
    ['a reset', (repository) => repository.reset('HEAD~1')],
  ])('fails where it has read what others changed: %s', async (name, change) => {
    const { repository } = await openRepository(undefined, { tuning: SMALL });
    await repository.commit([q('a p o')], []);
    const tx = await repository.begin({ rebases: true });
    await tx.beginReading([predicate('p'), predicate('unheard')]);
    await tx.add([q('n q o')]);
    await change(repository);
    const large = name === 'a large commit of something else';
    await expect(commit(repository, tx)).rejects.toThrow(conflict);
    expect((await contents(repository)).filter((quad) => quad.startsWith('n '))).toEqual([]);
    expect(large).toBe(repository.head.size > 10);
  });

  test.each([1, 60])('is before a commit that brings a predicate it has read, or fails: %i quads', async (count) => {
    for (let turns = 0; turns < 200; turns += 5) {
      const { repository } = await openRepository(undefined, { tuning: SMALL });
      const tx = await repository.begin({ rebases: true });
      await tx.beginReading([predicate('unheard')]);
      await tx.add(many('n', count));
      const own = commit(repository, tx).then(
        ({ number }) => number,
        ({ code }: { code: string }) => code,
      );
      for (let turn = 0; turn < turns; turn++) await Promise.resolve();
      const other = await repository.commit([q('b unheard o')], []);
      expect([other.number - 1, 'REVISION_CONFLICT'], `after ${turns} turns`).toContain(await own);
    }
  });

  test('quads that differ in one place alone are changes of their own', async () => {
    const { repository } = await openRepository();
    const quads = ['a p o g', 'b p o g', 'a q o g', 'b q o g', 'a p x g', 'b p x g', 'a p o h', 'b p o h'].map(q);
    for (const [n, one] of quads.entries())
      for (const other of quads.slice(n + 1)) {
        const tx = await repository.begin();
        await tx.remove([one]);
        await tx.add([one, other]);
        expect(await commit(repository, tx)).toMatchObject({ added: 2 });
        const back = await repository.begin();
        await back.add([other]);
        await back.remove([one, other]);
        expect(await commit(repository, back)).toMatchObject({ removed: 2, size: 0 });
      }
  });

  test('fails like any other where it does not say what it reads, clears, or names its head', async () => {
    const reads: ((tx: StagedTransaction) => unknown)[] = [
      (tx) => tx.beginReading(),
      (tx) => tx.count({}),
      (tx) => tx.removeMatches({ predicate: predicate('none') }),
      (tx) => tx.noteReading(),
    ];
    for (const read of reads) {
      const { repository } = await openRepository();
      const tx = await repository.begin({ rebases: true });
      await tx.add([q('n q o')]);
      await read(tx);
      await tx.beginReading([predicate('p')]);
      await repository.commit([q('other r o')], []);
      await expect(commit(repository, tx)).rejects.toThrow(conflict);
    }
    const { repository } = await openRepository();
    const tx = await repository.begin({ rebases: true });
    await tx.beginReading([predicate('p')]);
    await tx.add([q('n q o')]);
    const { number } = repository.head;
    await repository.commit([q('other r o')], []);
    await expect(repository.commitTransaction(tx, { ifRevision: number })).rejects.toThrow(conflict);
    tx.close();
  });

  test('a signal ends a large one before anything of it is staged', async () => {
    const { repository } = await openRepository();
    const abort = new AbortController();
    const tx = await repository.begin({ signal: abort.signal });
    await tx.add(many('n', 40_000));
    const committing = repository.commitTransaction(tx, {});
    abort.abort(new Error('enough'));
    await expect(committing).rejects.toThrow('enough');
    tx.close();
    expect(repository.head.size).toBe(0);
    await repository.commit([q('a p o')], []);
    expect((await repository.maintenance.verify()).problems).toEqual([]);
  });
});

describe('staged and published head', () => {
  test('commits that wait together are grouped; ifRevision compares with the staged head', async () => {
    const driver = new FaultDriver(new MemoryDriver());
    const { repository } = await openRepository(driver);
    const before = driver.calls.write;
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) => repository.commit([q(`s${i % 20} p o`)], [])),
    );
    expect(driver.calls.write - before).toBeLessThan(20);
    expect(new Set(answers.map(({ number }) => number)).size).toBe(20);
    expect(repository.head).toMatchObject({ number: 21, size: 20 });
    const late = await Promise.allSettled([
      repository.commit([q('x p o')], [], { ifRevision: 21 }),
      repository.commit([q('y p o')], [], { ifRevision: 21 }),
    ]);
    expect(late.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect((await repository.maintenance.verify()).problems).toEqual([]);
  });

  test.each(['fail', 'throwAfterApply'] as const)(
    'a write that fails (%s): everything staged on it fails, the next commit goes on',
    async (effect) => {
      const driver = new FaultDriver(new MemoryDriver());
      const { repository } = await openRepository(driver);
      await repository.commit([q('a p o')], []);
      driver.setFault({ effect, operations: ['write'] });
      const answers = await Promise.allSettled([
        repository.commit([q('b p o')], []),
        repository.commit([q('c p o')], [q('a p o')]),
        repository.commit([q('b p o')], []),
      ]);
      expect(answers.every(({ status }) => status === 'rejected')).toBe(true);
      expect(await contents(repository)).toEqual(['a p o']);
      driver.setFault();
      await repository.commit([q('d p o')], []);
      const now = await contents(repository);
      expect(now).toEqual(effect === 'fail' ? ['a p o', 'd p o'] : now);
      expect(now).toContain('d p o');
      expect((await repository.maintenance.verify()).problems).toEqual([]);
    },
  );

  test('a transaction, a load and a recovery that another repository made', async () => {
    const driver = new FaultDriver(new MemoryDriver());
    const { store, repository } = await openRepository(driver);
    const other = await store.repository('a/other', true);
    await repository.commit([q('a p o')], []);
    const tx = await repository.begin();
    await tx.add([q('t p o')]);
    driver.setFault({ effect: 'fail', operations: ['write'] });
    await expect(repository.commit([q('b new o')], [])).rejects.toThrow();
    driver.setFault();
    // The commit in the other repository reopens the storage. This repository still has the revision staged on the
    // failed write.
    await other.commit([q('o p o')], []);
    await expect(commit(repository, tx)).rejects.toThrow(expect.objectContaining({ code: 'STORAGE_IO' }));
    expect(await repository.commit([q('c p o')], [])).toMatchObject({ number: 3 });
    expect(await contents(repository)).toEqual(['a p o', 'c p o']);
    expect((await store.verify()).problems).toEqual([]);
  });

  test('a transaction whose ids are of before a failure is refused', async () => {
    const driver = new FaultDriver(new MemoryDriver());
    const { repository } = await openRepository(driver);
    await repository.commit([q('a p o')], []);
    driver.setFault({ effect: 'delay', operations: ['write'], repeat: 'forever' });
    const failing = repository.commit([q('lost1 lost2 lost3')], []);
    await new Promise((resolve) => setTimeout(resolve, 1));
    const tx = await repository.begin();
    await tx.add([q('lost1 lost2 lost3')]);
    await failing;
    driver.setFault({ effect: 'fail', operations: ['write'] });
    await expect(repository.commit([q('x p o')], [])).rejects.toThrow();
    driver.setFault();
    await repository.commit([q('y p o')], []);
    await expect(commit(repository, tx)).rejects.toThrow(expect.objectContaining({ code: 'STORAGE_IO' }));
    expect((await repository.maintenance.verify()).problems).toEqual([]);
  });

  test('recovery and a maintenance job that waits for the write lock do not wait for each other', async () => {
    const driver = new FaultDriver(new MemoryDriver());
    const { repository } = await openRepository(driver);
    await repository.commit([q('a p o')], []);
    driver.setFault({ effect: 'fail', operations: ['write'] });
    await expect(repository.commit([q('b p o')], [])).rejects.toThrow();
    driver.setFault();
    const { maintenance, writeLock } = repository.handle;
    const job = maintenance.run(async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      await writeLock.run(async () => undefined);
    });
    await Promise.all([job, repository.commit([q('c p o')], [])]);
    expect(await contents(repository)).toEqual(['a p o', 'c p o']);
  });
});

describe('the event loop', () => {
  test.each([true, false])(
    'has a turn after each long literal, also in the commit (read before: %s)',
    async (reads) => {
      const env = turnCountingEnv();
      const { repository } = await openRepository(undefined, { env });
      const tx = await repository.begin();
      if (reads) await tx.beginReading();
      const quads = Array.from({ length: 40 }, (_, n) =>
        quad(iri(`http://e/${n}`), iri('http://e/p'), literal(String(n).padStart(100_000, 'x'))),
      );
      await tx.add(quads);
      expect(env.turns).toBeGreaterThanOrEqual(40);
      env.turns = 0;
      expect(await commit(repository, tx)).toMatchObject({ added: 40 });
      expect(env.turns).toBeGreaterThanOrEqual(40);
    },
  );

  test('has a turn after each long literal that is added by its id', async () => {
    const env = turnCountingEnv();
    const { repository } = await openRepository(undefined, { env });
    const tx = await repository.begin();
    const o = Array.from({ length: 40 }, (_, n) => tx.terms.intern(literal(String(n).padStart(100_000, 'x'))));
    const id = tx.terms.intern(iri('http://e/x'));
    const ids = o.map(() => id);
    env.turns = 0;
    await tx.addIds({ s: ids, p: ids, o, g: ids, length: 40 });
    expect(env.turns).toBeGreaterThanOrEqual(40);
    tx.close();
  });
});

test('the base is opened once for all changes of a transaction, and changes are compared when they are read', async () => {
  const { repository } = await openRepository();
  await repository.commit(many('a', 300), []);
  await repository.maintenance.compact();
  const tx = await repository.begin();
  const { index } = tx.base;
  let opened = 0;
  const runsOf = index.runsOf.bind(index);
  Object.assign(index, { runsOf: (...given: Parameters<typeof runsOf>) => (opened++, runsOf(...given)) });
  for (let n = 0; n < 10; n++) {
    await tx.remove([q(`a${n} p o${n}`)]);
    await tx.add([q(`b${n} p o${n}`), q(`a${n + 10} p o${n + 10}`)]);
    await tx.beginReading();
    expect(tx.size).toBe(300);
  }
  // Removals in the default graph read one source; no removal concerns a named graph.
  expect(opened).toBe(1);
  await tx.add([q('c p o')]);
  expect(await readIn(tx, { subject: iri('http://e/c') })).toEqual(['c p o']);
  expect(await commit(repository, tx)).toMatchObject({ added: 11, removed: 10 });
});
