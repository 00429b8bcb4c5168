/** Revisions that the branch on which they were made has trimmed, and that another branch has taken over before. */
import { MemoryDriver } from '@quadrille/storage';
import { expect, test } from 'vitest';
import type { Database, Repository } from '../index.js';
import { open } from '../index.js';
import { q } from '../testing/fixtures.js';

interface Taken {
  readonly db: Database;
  readonly main: Repository;
  readonly dev: Repository;
  /** Begins with revision 6, before those that were taken over. */
  readonly old: Repository;
  /** Begins with revision 8 of `main`. */
  readonly x: Repository;
  /** Ids of the revisions 7, 8 and 9. */
  readonly ids: Readonly<Record<number, string>>;
}

/** `main` has the revisions 7 to 9 of `dev`, which has kept the last of them. */
async function taken(storage = new MemoryDriver()): Promise<Taken> {
  const db = await open({ storage });
  const main = await db.repository('r', { create: true });
  for (let n = 2; n <= 6; n++) await main.add([q(`s${String(n)} p o`)]);
  const dev = await main.branches.open('dev', { create: true });
  const old = await main.branches.open('old', { create: true });
  const ids: Record<number, string> = {};
  for (const n of [7, 8, 9]) ({ id: ids[n]! } = await dev.add([q(`d${String(n)} p o`)], { message: `d${String(n)}` }));
  await main.branches.merge('dev', { fastForward: true });
  await dev.maintenance.trim({ last: 1 });
  const x = await main.branches.open('x', { create: true, from: 8 });
  await x.add([q('x p o')]);
  await old.add([q('old p o')]);
  return { db, main, dev, old, x, ids };
}

const subjects = async (view: Pick<Repository, 'quads'>): Promise<string> => {
  const all = await view.quads().toArray();
  return all
    .map(({ subject }) => subject.value.split('/').at(-1)!.replace(/^s\d$/, '.'))
    .toSorted()
    .join(' ');
};
const changes = async (calls: ReturnType<Repository['diff']>): Promise<string> =>
  (await calls.toArray()).map(({ op, quad }) => `${op} ${quad.subject.value.split('/').at(-1)!}`).join(', ');

const CALLS: Readonly<Record<string, readonly [string, (of: Taken) => Promise<string>]>> = {
  'a merge of a branch that begins there': [
    '. . . . . d7 d8 d9 x',
    async ({ main }) => {
      expect(await main.branches.merge('x', { dryRun: true })).toMatchObject({
        added: 1,
        removed: 0,
        base: { number: 8 },
      });
      await main.branches.merge('x');
      return subjects(main);
    },
  ],
  'a merge into a branch that begins there': [
    '. . . . . d7 d8 d9 x',
    async ({ x }) => {
      await x.branches.merge('main');
      return subjects(x);
    },
  ],
  'a merge into the branch that has trimmed it': [
    '. . . . . d7 d8 d9 x',
    async ({ dev }) => {
      await dev.branches.merge('x');
      return subjects(dev);
    },
  ],
  'a merge of the revision': [
    '. . . . . d7 d8 old',
    async ({ old, ids }) => {
      await old.branches.merge(ids[8]!);
      return subjects(old);
    },
  ],
  'a merge whose base is what was merged before, after a trim of the branch that has kept it': [
    '. . . . . d7 d8 d9 later old',
    async ({ main, old, ids }) => {
      await old.branches.merge(ids[7]!);
      await main.add([q('later p o')]);
      await main.maintenance.trim({ last: 1 });
      await old.branches.merge('main');
      return subjects(old);
    },
  ],
  'with the strategy theirs': [
    '. . . . . d7 d8 x',
    async ({ main }) => {
      await main.branches.merge('x', { strategy: 'theirs' });
      return subjects(main);
    },
  ],
  'a fast-forward from there': [
    '. . . . . d7 d8 d9',
    async ({ main, dev }) => {
      const y = await main.branches.open('y', { create: true, from: 8 });
      await y.branches.merge('main', { fastForward: true });
      expect((await y.revision()).id).toBe((await main.revision()).id);
      expect((await y.branches.merge('dev')).id).toBe((await dev.revision()).id);
      return subjects(y);
    },
  ],
  'a difference': ['add d9, remove x', ({ x }) => changes(x.diff('HEAD', 'main'))],
  'a difference from the revision': ['add d9', ({ dev, ids }) => changes(dev.diff(ids[8]!, 'HEAD'))],
  'a revert': [
    '. . . . . d7 d9',
    async ({ dev, ids }) => {
      await dev.revert(ids[8]!);
      return subjects(dev);
    },
  ],
  'a reset': [
    '. . . . . d7',
    async ({ dev, ids }) => {
      await dev.branches.reset(ids[7]!);
      return subjects(dev);
    },
  ],
  'a cherry-pick': [
    '. . . . . d8 old',
    async ({ old, ids }) => {
      await old.branches.cherryPick(ids[8]!);
      return subjects(old);
    },
  ],
  'the log of all branches': [
    'dev#7 dev#8 dev#9 main#6 old#7 x#9',
    async ({ main }) => {
      const log = await main.log({ branches: 'all' }).toArray();
      const rest = await main.log({ branches: 'all', before: log[1]! }).toArray();
      expect(rest).toEqual(log.slice(2));
      return log
        .slice(0, 6)
        .map(({ branch, number }) => `${String(branch)}#${String(number)}`)
        .toSorted()
        .join(' ');
    },
  ],
  'a log from there': [
    '9 8',
    async ({ main, ids }) => (await main.log({ from: ids[8]! }).toArray()).map(({ number }) => number).join(' '),
  ],
  'blame after a merge of it': [
    'd8#8 by 8',
    async ({ old, ids }) => {
      await old.branches.merge(ids[8]!);
      const blamed = await old.blame({ subject: q('d8 p o').subject }).toArray();
      return blamed
        .map(({ revision, merged }) => `${revision.message!}#${String(revision.number)} by ${String(merged?.number)}`)
        .join();
    },
  ],
  'history of a quad': [
    'add 8 d8',
    async ({ main }) =>
      (await main.history(q('d8 p o')).toArray())
        .map(({ op, revision }) => `${op} ${String(revision.number)} ${revision.message!}`)
        .join(),
  ],
  'deletion of branches that are merged': [
    'main old',
    async ({ main }) => {
      await main.branches.merge('x');
      for (const name of ['x', 'dev']) await main.branches.delete(name);
      await main.maintenance.compact();
      return (await main.branches.list().toArray()).map(({ name }) => name).join(' ');
    },
  ],
};

test.each(Object.keys(CALLS))('%s', async (name) => {
  const [due, call] = CALLS[name]!;
  const storage = new MemoryDriver();
  const made = await taken(storage);
  expect(await call(made)).toBe(due);
  const log = await made.main.log({ branches: 'all' }).toArray();
  expect(new Set(log.map(({ id }) => id)).size).toBe(log.length);
  await made.db.close();
  const again = await open({ storage });
  expect(await again.verify()).toMatchObject({ ok: true });
  expect(await (await again.repository('r')).log({ branches: 'all' }).toArray()).toEqual(log);
  await again.close();
});
