/** Which revision each quad is from: checked against a map of the last insertions. */
import { describe, expect, test } from 'vitest';
import { randomOf, SEED } from '../../../../test/model/environment.js';
import type { BlameEntry, Database, OpenOptions, QuadPattern, Ref, Repository } from '../index.js';
import { blankNode, defaultGraph, open, quad } from '../index.js';
import { all, directory, ex, line, many, memory, q, repository } from '../testing/fixtures.js';

/** `quad: revision`, and ` -revision` where it is gone. */
const shown = ({ quad: blamed, revision, removed }: BlameEntry): string =>
  `${line(blamed)}: ${revision.number}${removed === undefined ? '' : ` -${removed.number}`}`;

const blame = async (
  repo: Pick<Repository, 'blame'>,
  pattern?: QuadPattern,
  options?: Parameters<Repository['blame']>[1],
) => (await all(repo.blame(pattern, options))).map(shown).toSorted();

/** 1 empty, 2 + a b, 3 + c, 4 - a, 5 + a, 6 - b - c */
async function history(): Promise<Repository> {
  const repo = await repository('a p 1', 'b p 1');
  await repo.add(q('c p 1 g'), { author: 'ann', message: 'c comes' });
  await repo.remove(q('a p 1'));
  await repo.add(q('a p 1'));
  await repo.remove([q('b p 1'), q('c p 1 g')]);
  return repo;
}

describe('blame', () => {
  test.each<[Ref | undefined, string[]]>([
    [undefined, ['a p 1: 5']],
    ['HEAD', ['a p 1: 5']],
    [5, ['a p 1: 5', 'b p 1: 2', 'c p 1 g: 3']],
    [4, ['b p 1: 2', 'c p 1 g: 3']],
    ['HEAD~3', ['a p 1: 2', 'b p 1: 2', 'c p 1 g: 3']],
    [2, ['a p 1: 2', 'b p 1: 2']],
    ['TAIL', []],
  ])('at %s', async (at, expected) => {
    const repo = await history();
    expect(await blame(repo, {}, at === undefined ? {} : { at })).toEqual(expected);
    if (at !== undefined) expect(await blame(repo.at(at))).toEqual(expected);
    await repo.maintenance.compact();
    expect(await blame(repo, {}, at === undefined ? {} : { at })).toEqual(expected);
  });

  test.each<[Ref, string[]]>([
    ['HEAD', ['a p 1: 5', 'b p 1: 2 -6', 'c p 1 g: 3 -6']],
    [5, ['a p 1: 5', 'b p 1: 2', 'c p 1 g: 3']],
    [4, ['a p 1: 2 -4', 'b p 1: 2', 'c p 1 g: 3']],
    [1, []],
  ])('with those that are gone, at %s', async (at, expected) => {
    const repo = await history();
    expect(await blame(repo, {}, { at, removed: true })).toEqual(expected);
    await repo.maintenance.compact();
    expect(await blame(repo, {}, { at, removed: true })).toEqual(expected);
  });

  test('of a pattern, in each position and of terms that are not there', async () => {
    const repo = await history();
    const at = { at: 5 };
    expect(await blame(repo, { subject: ex('a') }, at)).toEqual(['a p 1: 5']);
    expect(await blame(repo, { predicate: ex('p'), graph: ex('g') }, at)).toEqual(['c p 1 g: 3']);
    expect(await blame(repo, { object: ex('1'), graph: defaultGraph() }, at)).toEqual(['a p 1: 5', 'b p 1: 2']);
    expect(await blame(repo, q('c p 1 g'), at)).toEqual(['c p 1 g: 3']);
    for (const removed of [false, true]) {
      expect(await blame(repo, { subject: ex('nobody') }, { at: 5, removed })).toEqual([]);
      expect(await blame(repo, { subject: blankNode('nobody') }, { removed })).toEqual([]);
    }
  });

  test('gives the revision whole, and can be paged', async () => {
    const repo = await history();
    const entry = await repo.blame({ graph: ex('g') }, { at: 3 }).first();
    expect(entry?.revision).toEqual(await repo.at(3).revision());
    expect(entry?.revision).toMatchObject({ number: 3, author: 'ann', message: 'c comes' });
    expect(entry).not.toHaveProperty('removed');
    await repo.add(many(5000));
    expect((await all(repo.blame())).length).toBe(5001);
    for await (const { revision } of repo.blame({ subject: ex('s7') })) {
      expect(revision.number).toBe(7);
      break;
    }
  });

  test('does not see what is committed while it is read, nor in its transaction', async () => {
    const repo = await repository();
    await repo.add(many(3000));
    const reading = repo.blame()[Symbol.asyncIterator]();
    await reading.next();
    await repo.remove({});
    let count = 1;
    while ((await reading.next()).done !== true) count++;
    expect(count).toBe(3000);
    expect(await blame(repo)).toEqual([]);
  });

  test('refuses wrong patterns, options and references, and ends with its signal and its store', async () => {
    const db = await memory();
    const repo = await db.repository('acme/people', { create: true });
    await repo.add(many(3000));
    expect(() => repo.blame({ sub: 1 } as QuadPattern)).toThrow(expect.objectContaining({ code: 'INVALID_PATTERN' }));
    expect(() => repo.blame({}, { removed: 1 } as object)).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }));
    await expect(repo.blame({}, { at: 99 }).first()).rejects.toMatchObject({ code: 'REVISION_NOT_FOUND' });
    const aborted = AbortSignal.abort();
    for (const removed of [false, true])
      await expect(repo.blame({}, { signal: aborted, removed }).first()).rejects.toMatchObject({ code: 'ABORTED' });
    const half = repo.blame({}, {})[Symbol.asyncIterator]();
    await half.next();
    await db.close();
    await expect(half.next()).rejects.toMatchObject({ code: 'STORE_NOT_OPEN' });
  });

  test('ends with its signal among quads that each are a lookup', async () => {
    const repo = await repository('z p o');
    const rows = many(40_000);
    const text = rows
      .map((row) => `<${row.subject.value}> <${row.predicate.value}> <${row.object.value}> .\n`)
      .join('');
    async function* chunks(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(text.slice(0, 1000));
      await repo.add(q('s5 p o5'));
      yield Buffer.from(text.slice(1000));
    }
    await repo.load(chunks(), { format: 'nt' });
    const controller = new AbortController();
    let seen = 0;
    const reading = (async () => {
      for await (const _ of repo.blame({}, { signal: controller.signal }))
        if (seen++ === 0) setImmediate(() => controller.abort());
    })();
    await expect(reading).rejects.toMatchObject({ code: 'ABORTED' });
    // Of the batch that was under way, not even all.
    expect(seen).toBeLessThan(8192);
  });

  test('an interval that a load takes over keeps its revision', async () => {
    const repo = await repository('z p o');
    const rows = many(30_000);
    const text = (from: number, to: number): Buffer =>
      Buffer.from(
        rows
          .slice(from, to)
          .map((row) => `<${row.subject.value}> <${row.predicate.value}> <${row.object.value}> .\n`)
          .join(''),
      );
    async function* chunks(): AsyncGenerator<Uint8Array> {
      yield text(0, 15_000);
      // The load began before: it adds these quads, too.
      await repo.add([q('s5 p o5'), q('s29999 p o29999')]);
      yield text(15_000, 30_000);
    }
    const { number } = await repo.load(chunks(), { format: 'nt' });
    expect(number).toBe(4);
    const check = async (): Promise<void> => {
      for (const removed of [false, true]) {
        expect(await blame(repo, { subject: ex('s5') }, { removed })).toEqual(['s5 p o5: 3']);
        expect(await blame(repo, { subject: ex('s6') }, { removed })).toEqual(['s6 p o6: 4']);
        const numbers = (await all(repo.blame({}, { removed }))).map(({ revision }) => revision.number);
        expect(numbers.filter((at) => at === 3)).toHaveLength(2);
        expect(numbers.filter((at) => at === 2)).toHaveLength(1);
        expect(numbers).toHaveLength(30_001);
      }
    };
    await check();
    await repo.maintenance.compact();
    await check();
    await repo.remove(q('s5 p o5'));
    expect(await blame(repo, { subject: ex('s5') }, { removed: true })).toEqual(['s5 p o5: 3 -5']);
    await repo.add(q('s5 p o5'));
    expect(await blame(repo, { subject: ex('s5') })).toEqual(['s5 p o5: 6']);
    expect(await blame(repo, { subject: ex('s5') }, { at: 4 })).toEqual(['s5 p o5: 3']);
  });
});

/** The last life of each quad: the revisions that added and removed it, 0 while it is there. */
type Lives = ReadonlyMap<string, readonly [number, number]>;

const expectedOf = (lives: Lives, removed: boolean): string[] =>
  [...lives]
    .filter(([, [, gone]]) => removed || gone === 0)
    .map(([quadText, [added, gone]]) => `${quadText}: ${added}${gone === 0 ? '' : ` -${gone}`}`)
    .toSorted();

test.each<[string, OpenOptions | undefined]>([
  ['memory', undefined],
  ['LevelDB', { backend: 'leveldb' }],
  ['LMDB', { backend: 'lmdb' }],
])(`agrees with a map of the last insertions: %s (QUADRILLE_SEED=${SEED})`, async (_, options) => {
  const random = randomOf(7);
  const below = (end: number): number => Math.floor(random() * end);
  const path = options === undefined ? ':memory:' : `${await directory()}/store`;
  let db: Database = await open(path, options ?? {});
  try {
    let repo = await db.repository('acme/people', { create: true });
    const revisions: Lives[] = [new Map(), new Map()];
    for (let step = 0; step < 60; step++) {
      const lives = new Map(revisions.at(-1)!);
      const number = revisions.length;
      const some = (): string[] => [
        ...new Set(
          Array.from({ length: 1 + below(5) }, () => `s${below(5)} p${below(2)} o${below(2) === 0 ? '' : ' g'}`),
        ),
      ];
      const isThere = (text: string): boolean => lives.get(text)?.[1] === 0;
      const [added, removed] = [some(), some()].map((texts) => texts.filter(() => random() < 0.7)) as [
        string[],
        string[],
      ];
      await repo.transaction(async (transaction) => {
        await transaction.remove(removed.map(q));
        await transaction.add(added.map(q));
      });
      for (const text of removed)
        if (isThere(text) && !added.includes(text)) lives.set(text, [lives.get(text)![0], number]);
      for (const text of added) if (!isThere(text)) lives.set(text, [number, 0]);
      if ((await repo.revision()).number === number) revisions.push(lives);
      if (step % 23 === 22) await repo.maintenance.compact();
      if (step % 17 === 16 && options !== undefined) {
        await db.close();
        db = await open(path);
        repo = await db.repository('acme/people');
      }
    }
    for (let number = 1; number < revisions.length; number += 1 + below(4)) {
      for (const removed of [false, true]) {
        expect(await blame(repo, {}, { at: number, removed }), `at ${number}`).toEqual(
          expectedOf(revisions[number]!, removed),
        );
      }
    }
    for (const removed of [false, true]) {
      const of = expectedOf(revisions.at(-1)!, removed).filter((text) => text.startsWith('s1 p0 '));
      expect(await blame(repo, { subject: ex('s1'), predicate: ex('p0') }, { removed })).toEqual(of);
    }
    expect(await blame(repo, quad(ex('s1'), ex('p0'), ex('o')))).toEqual(
      expectedOf(revisions.at(-1)!, false).filter((text) => text.startsWith('s1 p0 o:')),
    );
  } finally {
    await db.close();
  }
});
