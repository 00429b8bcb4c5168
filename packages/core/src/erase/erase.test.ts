/** Erasures of quads from all revisions and branches: what is left equals the history without them, and nothing else changes. */
import { expect, test, vi } from 'vitest';
import { iri, literal, quad, yieldTurn } from '@quadrille/model';
import { MemoryDriver } from '@quadrille/storage';
import { FaultDriver } from '@quadrille/storage/testing';
import type { Repository } from '../repository.js';
import { toRevision } from '../revision/record.js';
import { platformEnv } from '../runtime/env.js';
import { contents, many, openRepository, q, SMALL } from '../testing/fixture.js';
import { manyTurns } from '../testing/storage-keys.js';
import { vectorLiteral } from '../testing/vectors.js';
import { VectorChunk } from '../vectors/vector-chunk.js';
import type { EraseTarget } from './selection.js';

const erase = (repository: Repository, target: EraseTarget) =>
  repository.maintenance.erase({ target, message: (quads) => `${quads} gone`, attest: async () => new Map() });

const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'none',
    (error: unknown) => (error as { code: string }).code,
  );

async function create(main: Repository, name: string): Promise<Repository> {
  const record = await main.resolve('HEAD');
  await (await main.branches()).create(name, { keyspace: main.handle.keyspace, record });
  return (await main.lines()).branch(name);
}

/** All values of a storage, as text. */
async function bytesOf(driver: MemoryDriver): Promise<string> {
  const found: string[] = [];
  for await (const chunk of driver.range({}, { read: 'entries' }))
    for (const { value } of chunk) found.push(Buffer.from(value).toString('latin1'));
  return found.join('\n');
}

const SEED = Number(process.env['QUADRILLE_SEED'] ?? 1);
const LONG = 'long'.repeat(2000);

async function fill(main: Repository): Promise<{ states: Map<string, string[]>; lines: Repository[] }> {
  const states = new Map<string, string[]>();
  await main.commit([q('secret p o'), q('a p secret'), q('b p o')], [], { author: 'ann', message: 'one' });
  await main.commit(many('x', 500), []);
  await main.commit([q('c p o secret')], [q('secret p o')]);
  await main.commit([q('a p "only-here"')], []);
  const dev = await create(main, 'dev');
  await dev.commit([q('d p o')], [q('a p secret')]);
  await dev.commit([q('secret p o'), q(`e p "${LONG}secret"`)], [q('x1 p o1')]);
  const quiet = await create(main, 'quiet');
  await main.commit([q('e p o')], [q('b p o')]);
  for (const line of [main, dev, quiet])
    for (let n = 1; n <= line.head.number; n++) states.set(`${line.branchName} ${n}`, await contents(line, n));
  return { states, lines: [main, dev, quiet] };
}

const isLeft = (quad: string): boolean => !quad.split(' ').includes('secret');

test('erases a term from every revision of every branch', async () => {
  const driver = new MemoryDriver();
  const { store, repository: main } = await openRepository(driver, { tuning: SMALL });
  const { states, lines } = await fill(main);
  const heads = lines.map((line) => line.head.number);
  expect(await bytesOf(driver)).toContain('http://e/secret');
  const report = await erase(main, { term: iri('http://e/secret') });
  expect(report).toMatchObject({ quads: 3, terms: 2, branches: 2 });
  const check = async (of: Repository): Promise<void> => {
    const all = [of, await (await of.lines()).branch('dev'), await (await of.lines()).branch('quiet')];
    for (const [i, line] of all.entries()) {
      const isChanged = i < 2 ? 1 : 0;
      expect(line.head.number).toBe(heads[i]! + isChanged);
      for (let n = 1; n <= heads[i]!; n++)
        expect(await contents(line, n), `${line.branchName} ${n}`).toEqual(
          states.get(`${line.branchName} ${n}`)!.filter(isLeft),
        );
      expect(await contents(line)).toEqual(states.get(`${line.branchName} ${heads[i]!}`)!.filter(isLeft));
      for (let n = 1; n <= heads[i]!; n++) expect((await line.resolve(n)).size).toBe((await contents(line, n)).length);
    }
    const last = await of.resolve('HEAD');
    expect(last).toMatchObject({ kind: 'erase', message: '3 gone', addedCount: 0, removedCount: 0 });
    expect((await of.maintenance.verify()).problems).toEqual([]);
  };
  await check(main);
  expect(await bytesOf(driver)).not.toContain('http://e/secret');
  expect(await codeOf(erase(main, { term: iri('http://e/secret') }))).toBe('NOTHING_TO_ERASE');
  await main.maintenance.rebuild();
  await check(main);
  await store.close();
  const again = await openRepository(driver, { tuning: SMALL });
  await check(again.repository);
  await again.repository.commit([q('secret p new')], []);
  expect((await again.repository.maintenance.verify()).problems).toEqual([]);
  await again.store.close();
});

test('erases some quads and a pattern', async () => {
  const driver = new MemoryDriver();
  const { store, repository: main } = await openRepository(driver, { tuning: SMALL });
  const { states, lines } = await fill(main);
  const heads = lines.map((line) => line.head.number);
  expect(await erase(main, { quads: [q('b p o'), q('nobody p o')] })).toMatchObject({ quads: 1 });
  expect(await erase(main, { pattern: { object: iri('http://e/o1') } })).toMatchObject({ quads: 6 });
  for (const [i, line] of lines.entries())
    for (let n = 1; n <= heads[i]!; n++)
      expect(await contents(line, n)).toEqual(
        states.get(`${line.branchName} ${n}`)!.filter((quad) => quad !== 'b p o' && !quad.endsWith(' o1')),
      );
  const [, dev] = lines;
  const object = q(`e p "${LONG}secret"`).object;
  expect(await erase(dev!, { pattern: { subject: iri('http://e/e'), object } })).toMatchObject({ quads: 1, terms: 1 });
  expect(await bytesOf(driver)).not.toContain(LONG.slice(0, 100));
  expect((await main.maintenance.verify()).problems).toEqual([]);
  await main.commit([q('b p o')], []);
  expect(await contents(main)).toContain('b p o');
  await main.merge('dev', {});
  expect((await main.maintenance.verify()).problems).toEqual([]);
  await store.close();
});

test('a quad counts once that has the term at several places, and each of many quads', async () => {
  const driver = new MemoryDriver();
  const { store, repository: main } = await openRepository(driver, { tuning: SMALL });
  await main.commit([q('secret secret secret secret'), q('secret secret o'), q('s p secret secret'), q('b p o')], []);
  await main.commit(many('x', 1200), [q('secret secret o')]);
  await main.commit([q('secret secret o')], []);
  expect(await erase(main, { term: iri('http://e/secret') })).toMatchObject({ quads: 3, terms: 2 });
  const dev = await create(main, 'dev');
  await dev.commit([], many('x', 1100));
  expect(await erase(main, { quads: many('x', 1150) })).toMatchObject({ quads: 1150 });
  expect(await contents(dev)).toHaveLength(51);
  expect(await contents(main, 3)).toHaveLength(51);
  expect((await main.maintenance.verify()).problems).toEqual([]);
  await store.close();
});

test(`a full storage ends it at any write (QUADRILLE_SEED=${String(SEED)}); then it can be repeated, or is in effect and ended by the next write`, async () => {
  const seen = new Set<string>();
  for (let at = 1 + (SEED % 3), isWhole = false; !isWhole; at += 3) {
    expect(at).toBeLessThan(150);
    const driver = new MemoryDriver();
    const faulty = new FaultDriver(driver);
    const { store, repository: main } = await openRepository(faulty, { tuning: SMALL });
    const { states, lines } = await fill(main);
    const heads = lines.map((line) => line.head.number);
    faulty.setFault({ effect: 'full', operations: ['write'], at, repeat: 'forever' });
    const error = await erase(main, { term: iri('http://e/secret') }).then(
      () => undefined,
      (thrown: unknown) => thrown as { code: string; details: { erased?: boolean } },
    );
    isWhole = error === undefined;
    const isErased = isWhole || error?.details.erased === true;
    if (!isWhole) expect(error, `write ${at}`).toMatchObject({ code: 'STORAGE_FULL' });
    seen.add(isWhole ? 'whole' : isErased ? 'in effect' : 'nothing');
    const check = async (erased: boolean): Promise<void> => {
      for (const [i, line] of lines.entries())
        for (let n = 1; n <= heads[i]!; n++)
          expect(await contents(line, n), `write ${at}: ${line.branchName} ${n}`).toEqual(
            states.get(`${line.branchName} ${n}`)!.filter((quad) => !erased || isLeft(quad)),
          );
    };
    await check(isErased);
    if (isErased && !isWhole) expect(await codeOf(main.commit([q('new p secret')], []))).toBe('STORAGE_FULL');
    faulty.setFault();
    // What comes between the erasure and its end uses no term that the end drops.
    if (isErased) await main.commit([q('new p secret')], []);
    else expect(await erase(main, { term: iri('http://e/secret') })).toMatchObject({ quads: 3 });
    await check(true);
    if (isErased) expect(await contents(main)).toContain('new p secret');
    else expect(await bytesOf(driver)).not.toContain('http://e/secret');
    expect((await main.maintenance.verify()).problems, `write ${at}`).toEqual([]);
    await store.close();
    const again = await openRepository(driver, { tuning: SMALL });
    expect((await again.repository.maintenance.verify()).problems, `write ${at}`).toEqual([]);
    await again.store.close();
  }
  expect([...seen].toSorted()).toEqual(['in effect', 'nothing', 'whole']);
});

/** Timers stand still, unless the test advances them. */
async function withoutTimers(work: () => Promise<void>): Promise<void> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    await work();
  } finally {
    vi.useRealTimers();
  }
}

test('is refused while a writer does not end, and changes nothing', async () => {
  const { store, repository: main } = await openRepository(new MemoryDriver(), { tuning: SMALL });
  await main.commit([q('secret p o')], []);
  const transaction = await main.begin();
  await withoutTimers(async () => {
    const outcome = codeOf(erase(main, { term: iri('http://e/secret') }));
    while (vi.getTimerCount() === 0) await yieldTurn();
    await vi.advanceTimersByTimeAsync(4900);
    expect(main.handle.timeline.changes.closed).toBeDefined();
    await vi.advanceTimersByTimeAsync(100);
    expect(await outcome).toBe('REPOSITORY_BUSY');
  });
  expect([main.head.number, await contents(main)]).toEqual([2, ['secret p o']]);
  await transaction.add([q('late p o')]);
  await main.commitTransaction(transaction, {});
  transaction.close();
  expect(await contents(main)).toEqual(['late p o', 'secret p o']);
  expect(await erase(main, { term: iri('http://e/secret') })).toMatchObject({ quads: 1 });
  expect(await contents(main)).toEqual(['late p o']);
  expect((await main.maintenance.verify()).problems).toEqual([]);
  await store.close();
});

test('revisions from before know how many erasures came after them', async () => {
  const driver = new MemoryDriver();
  const { store, repository: main } = await openRepository(driver, { tuning: SMALL });
  await main.commit([q('a p o'), q('b p o')], []);
  const quiet = await create(main, 'quiet');
  const erasures = async (of: Repository): Promise<(number | undefined)[]> => {
    const line = await (await of.lines()).branch('quiet');
    const found = [line.revision.erasures];
    for (let n = 1; n <= of.head.number; n++) found.push(toRevision(await of.resolve(n)).erasures);
    return found;
  };
  expect(await erasures(main)).toEqual([undefined, undefined, undefined]);
  await erase(main, { quads: [q('a p o')] });
  expect(await contents(quiet)).toEqual(['b p o']);
  expect(await erasures(main)).toEqual([1, 1, 1, undefined]);
  await main.commit([q('c p o')], []);
  await erase(main, { quads: [q('b p o')] });
  const expected = [2, 2, 2, 1, 1, undefined];
  expect(await erasures(main)).toEqual(expected);
  await store.close();
  const again = await openRepository(driver, { tuning: SMALL });
  expect(await erasures(again.repository)).toEqual(expected);
  const log = [];
  for await (const { erasures: count } of again.repository.history.log()) log.push(count);
  expect(log.toReversed()).toEqual(expected.slice(1));
  await again.store.close();
});

test('goes on when the last writer and the last reader end, and takes no turns of the event loop meanwhile', async () => {
  const env = { ...platformEnv(), turns: 0 };
  const { yieldTurn: turn } = env;
  env.yieldTurn = () => (env.turns++, turn());
  const { store, repository: main } = await openRepository(new MemoryDriver(), { tuning: SMALL, env });
  await main.commit([q('secret p o'), q('a p o')], []);
  const transaction = await main.begin();
  const snapshot = main.snapshot();
  await withoutTimers(async () => {
    const report = erase(main, { term: iri('http://e/secret') });
    for (const end of [() => transaction.close(), () => snapshot.close()]) {
      while (vi.getTimerCount() === 0) await yieldTurn();
      const before = env.turns;
      await manyTurns();
      expect(env.turns).toBe(before);
      end();
      expect(vi.getTimerCount()).toBe(0);
    }
    expect(await report).toMatchObject({ quads: 1 });
  });
  expect(await contents(main)).toEqual(['a p o']);
  await store.close();
});

test('long texts are removed in steps, between which other repositories write', async () => {
  const driver = new MemoryDriver();
  const { store, repository } = await openRepository(driver);
  const texts = Array.from({ length: 1000 }, (_, i) => q(`s${i} p "${i}${LONG.slice(0, 5000)}"`));
  await repository.commit([...texts, q('stays p o')], []);
  const ranges: number[] = [];
  const write = driver.write.bind(driver);
  driver.write = (ops, options) => {
    ranges.push(ops.filter(({ type }) => type === 'deleteRange').length);
    return write(ops, options);
  };
  expect(await erase(repository, { pattern: { predicate: iri('http://e/p') } })).toMatchObject({ quads: 1001 });
  expect(ranges.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(1000);
  expect(Math.max(...ranges)).toBeLessThan(300);
  expect((await store.verify()).problems).toEqual([]);
  await store.close();
});

test('no word of an erased literal is left in the index', async () => {
  const driver = new MemoryDriver();
  const { store, repository: main } = await openRepository(driver, { tuning: SMALL });
  await main.changeSettings((before) => ({ ...before, search: { text: {} } }));
  const said = (text: string) => quad(iri('http://e/a'), iri('http://e/p'), literal(text));
  await main.commit([said('confidential zanzibar'), said('public words')], []);
  await main.commit(many('x', 500), []);
  const wordsOf = async (text: string): Promise<number> => {
    const snapshot = main.snapshot();
    const { literals } = await snapshot.search({ text });
    snapshot.close();
    return literals.count;
  };
  expect(await wordsOf('zanzibar')).toBe(1);
  expect((await main.maintenance.verify()).checked['words']).toBeGreaterThan(0);
  expect((await bytesOf(driver)).split('zanzibar').length).toBeGreaterThan(2);
  await erase(main, { quads: [said('confidential zanzibar')] });
  expect(await bytesOf(driver)).not.toContain('zanzibar');
  expect([await wordsOf('zanzibar'), await wordsOf('public')]).toEqual([0, 1]);
  await main.commit(many('y', 500), []);
  expect(await wordsOf('words')).toBe(1);
  expect((await main.maintenance.verify()).problems).toEqual([]);
  await store.close();
});

test('no vector of an erased literal is left in the index', async () => {
  const DIMENSION = 32;
  const driver = new MemoryDriver();
  const { store, repository: main } = await openRepository(driver, { tuning: SMALL });
  const setting = { vectors: { sense: { property: 'http://e/sense', dimension: DIMENSION } } };
  await main.changeSettings((before) => ({ ...before, search: setting }));
  const vectorAt = (n: number) => Float32Array.from({ length: DIMENSION }, (_, i) => Math.sin(n * 37 + i * i));
  const sensed = (n: number) => quad(iri(`http://e/${n}`), iri('http://e/sense'), vectorLiteral(vectorAt(n)));
  const stored = (n: number): string => {
    const chunk = new VectorChunk(DIMENSION);
    chunk.add(0, vectorAt(n));
    return Buffer.from(chunk.take().subarray(0, DIMENSION)).toString('latin1');
  };
  const nearest = async (n: number): Promise<number | undefined> => {
    const snapshot = main.snapshot();
    const { value: vector, datatype } = vectorLiteral(vectorAt(n));
    const { vectors } = await snapshot.nearest({ name: 'sense', vector, datatype: datatype.value });
    const score = (await vectors.next())?.score;
    snapshot.close();
    return score;
  };
  await main.commit(
    Array.from({ length: 2000 }, (_, n) => sensed(n)),
    [],
  );
  await main.maintenance.compact();
  // One in a full chunk, and one in the last one.
  const erased = [7, 1999];
  for (const n of erased) {
    expect(await nearest(n)).toBeCloseTo(1, 9);
    expect(await bytesOf(driver)).toContain(stored(n));
  }
  await erase(main, { quads: erased.map(sensed) });
  for (const n of erased) {
    expect(await bytesOf(driver)).not.toContain(stored(n));
    expect(await nearest(n)).toBeLessThan(0.9999999);
    expect(await bytesOf(driver)).not.toContain(stored(n));
  }
  expect(await nearest(8)).toBeCloseTo(1, 9);
  expect(await bytesOf(driver)).toContain(stored(8));
  expect((await main.maintenance.verify()).problems).toEqual([]);
  await store.close();
});

test('nothing of the vector that a function has made of an erased text stays', async () => {
  const DIMENSION = 8;
  const driver = new MemoryDriver();
  const { store, repository: main } = await openRepository(driver, { tuning: SMALL });
  const setting = { vectors: { sense: { property: 'http://e/label', dimension: DIMENSION, embed: true as const } } };
  await main.changeSettings((before) => ({ ...before, search: setting }));
  const vectorAt = (n: number) => Float32Array.from({ length: DIMENSION }, (_, i) => Math.sin(n * 37 + i * i));
  const stored = (n: number): string => Buffer.from(vectorAt(n).buffer).toString('latin1');
  const labelled = (n: number) => quad(iri(`http://e/${n}`), iri('http://e/label'), literal(String(n)));
  await main.commit(
    Array.from({ length: 100 }, (_, n) => labelled(n)),
    [],
  );
  const embed = (texts: readonly string[]) => texts.map((text) => vectorAt(Number(text)));
  await main.embedNew(embed, () => false);
  // One that is made while its text goes does not come after it.
  await main.commit([labelled(200)], []);
  let begin: (() => void) | undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  let end: (() => void) | undefined;
  const late = main.embedNew(
    async (texts) => {
      begin!();
      await new Promise<void>((resolve) => (end = resolve));
      return embed(texts);
    },
    () => false,
  );
  await begun;
  await erase(main, { quads: [labelled(200)] });
  end!();
  await expect(late).rejects.toThrow('read anew');
  expect(await bytesOf(driver)).not.toContain(stored(200));
  expect(await bytesOf(driver)).toContain(stored(7));
  await erase(main, { quads: [labelled(7)] });
  expect(await bytesOf(driver)).not.toContain(stored(7));
  await main.embedNew(embed, () => false);
  expect(await bytesOf(driver)).not.toContain(stored(7));
  expect(await bytesOf(driver)).toContain(stored(8));
  expect((await main.maintenance.verify()).problems).toEqual([]);
  await store.close();
});
