import { transactionMemory } from '@quadrille/core';
import { describe, expect, test } from 'vitest';
import type { Results, Transaction } from '../index.js';
import { hostOf } from '../host/index.js';
import { literal, quad, sparql } from '../index.js';
import { ex, line, lines, many, q, repository, term } from '../testing/fixtures.js';

test('reads its own writes, and nobody else does', async () => {
  const repo = await repository('a p b', 'c p d g');
  const revision = await repo.transaction(
    async (tx) => {
      await tx.add([q('e p f'), q('e p f h')]);
      await tx.remove(q('a p b'));
      expect(await tx.size()).toBe(3);
      expect(await tx.count({ predicate: ex('p') })).toBe(3);
      expect(await lines(tx.quads())).toEqual(['c p d g', 'e p f', 'e p f h']);
      expect((await tx.graphs().toArray()).map(term).toSorted()).toEqual(['g', 'h']);
      expect(await tx.select`SELECT ?s { ?s ex:p ?o }`.toArray()).toEqual([{ s: ex('e') }]);
      expect(await tx.ask`ASK { ${ex('a')} ?p ?o }`).toBe(false);
      await tx.update`INSERT { ?s ex:q ${'x'} } WHERE { ?s ex:p ex:f }`;
      await tx.remove({ graph: ex('g') });
      expect(await lines(tx.construct('CONSTRUCT WHERE { ?s ex:q ?o }'))).toEqual(['e q "x"']);
      expect(await tx.describe(sparql`DESCRIBE ${ex('e')}`).toArray()).not.toEqual([]);
      const answer = await tx.query('SELECT ?o { ex:e ex:q ?o }');
      expect(answer.type === 'bindings' && (await answer.rows.toArray())).toEqual([{ o: literal('x') }]);
      expect(await tx.select('SELECT * { ?a ?b ?c }').variables).toEqual(['a', 'b', 'c']);
      expect((await tx.graphs().toArray()).map(term)).toEqual(['h']);
      expect(await lines(repo.quads())).toEqual(['a p b', 'c p d g']);
    },
    { message: 'all at once', author: 'jo' },
  );
  expect(revision).toMatchObject({ number: 3, added: 3, removed: 2, message: 'all at once', author: 'jo' });
  expect(await lines(repo.quads())).toEqual(['e p f', 'e p f h', 'e q "x"']);
});

test('what is thrown drops it all and comes out', async () => {
  const repo = await repository('a p b');
  const mine = new Error('mine');
  const failing = repo.transaction(async (tx) => {
    await tx.add(many(2000));
    await tx.remove({});
    throw mine;
  });
  await expect(failing).rejects.toBe(mine);
  const bad = repo.transaction(async (tx) => {
    await tx.remove({});
    await tx.update('INSERT DATA { oops');
  });
  await expect(bad).rejects.toMatchObject({ code: 'SPARQL_SYNTAX' });
  expect(await lines(repo.quads())).toEqual(['a p b']);
  expect((await repo.revision()).number).toBe(2);
});

test('calls fail when it has ended', async () => {
  const repo = await repository('a p b');
  let kept: Transaction | undefined;
  let quads: Results<unknown> | undefined;
  let rows: Results<unknown> | undefined;
  await repo.transaction(async (tx) => {
    kept = tx;
    quads = tx.quads();
    rows = tx.select('SELECT * { ?s ?p ?o }');
    await tx.add(q('c p d'));
  });
  const tx = kept!;
  const ended = { code: 'SNAPSHOT_CLOSED' };
  for (const call of [
    () => tx.size(),
    () => tx.count(),
    async () => tx.quads().toArray(),
    async () => tx.graphs().toArray(),
    () => tx.select('SELECT * {}').toArray(),
    () => tx.ask('ASK {}'),
    () => tx.query('ASK {}'),
    () => tx.add(q('x p y')),
    () => tx.remove({}),
    () => tx.update('CLEAR ALL'),
    () => quads!.toArray(),
    () => rows!.toArray(),
  ])
    await expect(call()).rejects.toMatchObject(ended);
  expect(await repo.size()).toBe(2);
});

test('one that has read fails where the head has moved, and runs again with retries', async () => {
  const repo = await repository('n value "0"');
  const increment = async (tx: Transaction): Promise<void> => {
    const { object } = (await tx.quads({ subject: ex('n') }).first())!;
    await tx.remove({ subject: ex('n') });
    await tx.add(quad(ex('n'), ex('value'), literal(String(Number(object.value) + 1))));
  };
  let disturbances = 2;
  let runs = 0;
  const disturbed = async (tx: Transaction): Promise<void> => {
    runs++;
    await increment(tx);
    if (disturbances-- > 0) await repo.transaction(increment);
  };
  await expect(repo.transaction(disturbed)).rejects.toMatchObject({ code: 'REVISION_CONFLICT' });
  expect([runs, line((await repo.quads().first())!)]).toEqual([1, 'n value "1"']);
  await repo.transaction(disturbed, { retries: 3 });
  expect([runs, line((await repo.quads().first())!)]).toEqual([3, 'n value "3"']);
  await Promise.all(Array.from({ length: 8 }, () => repo.transaction(increment, { retries: 20 })));
  expect(await lines(repo.quads())).toEqual(['n value "11"']);
});

test('a blind one is rebased on the head', async () => {
  const repo = await repository('a p b', 'c p d');
  const revision = await repo.transaction(async (tx) => {
    await tx.add([q('a p b'), q('e p f')]);
    await tx.remove([q('c p d'), q('g p h')]);
    await repo.remove(q('a p b'));
    await repo.add(q('g p h'));
  });
  // As if it had run after the others: what was no change on its own head is one now.
  expect(await lines(repo.quads())).toEqual(['a p b', 'e p f']);
  expect(revision).toMatchObject({ number: 5, added: 2, removed: 2 });
});

test('ifRevision is compared at the commit, and retries do not help', async () => {
  const repo = await repository('a p b');
  const ifRevision = await repo.revision();
  let runs = 0;
  const blind = repo.transaction(
    async (tx) => {
      runs++;
      await tx.add(q('c p d'));
      await repo.add(q('e p f'));
    },
    { ifRevision, retries: 5 },
  );
  await expect(blind).rejects.toMatchObject({ code: 'REVISION_CONFLICT' });
  expect([runs, await repo.size()]).toEqual([1, 2]);
  await repo.transaction((tx) => tx.add(q('c p d')), { ifRevision: 'HEAD' });
  expect(await repo.size()).toBe(3);
});

test('large ones, read and blind', async () => {
  const repo = await repository('a p b');
  await repo.transaction(async (tx) => {
    await tx.add(many(12_000));
    expect(await tx.count({ predicate: ex('p') })).toBe(12_001);
    await tx.remove(many(6000));
    expect(await tx.size()).toBe(6001);
  });
  await repo.transaction((tx) => tx.remove({ predicate: ex('p') }));
  await repo.transaction((tx) => tx.add(many(9000)));
  expect(await repo.size()).toBe(9000);
  expect(await repo.at(3).size()).toBe(6001);
  expect((await repo.maintenance.verify()).ok).toBe(true);
});

describe('wrong calls inside', () => {
  test.each<[string, (tx: Transaction) => Promise<unknown>]>([
    ['INVALID_PATTERN', (tx) => tx.count({ nothing: 1 } as object)],
    ['INVALID_OPTION', (tx) => tx.select('ASK {}').toArray()],
    ['INVALID_OPTION', (tx) => tx.ask('SELECT * {}')],
    ['INVALID_OPTION', (tx) => tx.update('CLEAR ALL', { message: 'x' } as object)],
    ['INVALID_TERM', (tx) => tx.remove([7 as unknown as ReturnType<typeof q>])],
    ['INVALID_TERM', (tx) => tx.add(7 as unknown as ReturnType<typeof q>)],
  ])('%s', async (code, use) => {
    const repo = await repository('a p b');
    await repo.transaction(async (tx) => {
      await expect(use(tx)).rejects.toMatchObject({ code });
    });
    expect((await repo.revision()).number).toBe(2);
  });
});

test('all open transactions share their memory, and give it back whatever their end', async () => {
  const repo = await repository('a p b');
  const { limitBytes, takenBytes } = transactionMemory;
  transactionMemory.limitBytes = takenBytes + 12_000_000;
  try {
    const held = await hostOf(repo).begin();
    await held.add(many(15_000));
    const failing = repo.transaction((tx) => tx.add(many(15_000, 'other')));
    await expect(failing).rejects.toMatchObject({ code: 'QUERY_MEMORY' });
    await held.rollback();
    expect(transactionMemory.takenBytes).toBe(takenBytes);
    await repo.transaction((tx) => tx.add(many(15_000)));
    expect(transactionMemory.takenBytes).toBe(takenBytes);
  } finally {
    transactionMemory.limitBytes = limitBytes;
  }
});
