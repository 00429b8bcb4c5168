/** Every call and option that takes a reference takes each of its forms, and finds the same revision. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Database, Ref, Repository } from '../index.js';
import { hostOf } from '../host/index.js';
import { answerDiff, open, restore } from '../index.js';
import { directory, q } from '../testing/fixtures.js';

let db: Database;
let main: Repository;
let dev: Repository;
const START = Date.parse('2026-03-01T10:00:00Z');

// Revisions 2 to 6 of main, a minute apart. The branch begins with revision 5 and has its own revisions 6 and 7.
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: START });
  db = await open(':memory:');
  main = await db.repository('r', { create: true });
  const next = async (branch: Repository, name: string): Promise<void> => {
    vi.setSystemTime(Date.now() + 60_000);
    await branch.add([q(`${name} p o`)]);
  };
  for (const name of ['two', 'three', 'four', 'five']) await next(main, name);
  dev = await main.branches.open('dev', { create: true });
  await next(main, 'six');
  for (const name of ['x', 'y']) await next(dev, name);
  await main.tags.set('v4', 4);
});
afterEach(async () => {
  await db.close();
  vi.useRealTimers();
});

/** Forms of a reference to revision 4, which both branches have. */
async function formsOf4(): Promise<Record<string, Ref>> {
  const revision = await main.at(4).revision();
  return {
    number: 4,
    digits: '4',
    ordinal: '#4',
    'a tag': 'v4',
    'after a tag': 'dev~3',
    'a branch, back': 'main~2',
    'a branch, numbered': 'main#4',
    'another branch, numbered': 'dev#4',
    UUID: revision.id,
    URN: `urn:uuid:${revision.id}`,
    'a revision': revision,
    Date: revision.time,
    time: revision.time.toISOString(),
    'time in braces': `@{${revision.time.toISOString()}}`,
  };
}

const numbers = async (log: { toArray(): Promise<readonly { number: number }[]> }): Promise<number[]> =>
  (await log.toArray()).map(({ number }) => number);
const text = async (pieces: { toArray(): Promise<readonly string[]> }): Promise<string> =>
  (await pieces.toArray()).join('').replaceAll(/^H sha256 .*$/gm, '');
const content = async (repository: Repository): Promise<string> =>
  (await repository.dump('nq').toArray()).join('').split('\n').toSorted().join('\n');

type Call = (on: Repository, ref: Ref) => Promise<unknown>;

/** Calls that change nothing. */
const READS: Readonly<Record<string, Call>> = {
  at: (on, ref) => on.at(ref).size(),
  'log before': (on, ref) => numbers(on.log({ before: ref })),
  'log from': (on, ref) => numbers(on.log({ from: ref })),
  'log to': (on, ref) => numbers(on.log({ to: ref })),
  'log with a filter': (on, ref) => numbers(on.log({ before: ref, pattern: q('two p o') })),
  'log of all branches': (on, ref) => numbers(on.log({ branches: 'all', before: ref })),
  'diff from': async (on, ref) => (await on.diff(ref).toArray()).length,
  'diff to': async (on, ref) => (await on.diff(1, ref).toArray()).length,
  'history from': async (on, ref) => (await on.history({}, { from: ref }).toArray()).length,
  'history to': async (on, ref) => (await on.history({}, { to: ref }).toArray()).length,
  'blame at': async (on, ref) => (await on.blame({}, { at: ref }).toArray()).map((each) => each.revision.number),
  watch: async (on, ref) => (await on.watch({ since: ref })[Symbol.asyncIterator]().next()).value?.revision.number,
  digest: (on, ref) => on.proof.digest(ref),
  contentHash: (on, ref) => on.proof.contentHash(ref),
  'export since': (on, ref) => text(on.sync.exportHistory({ since: ref })),
  'export to': (on, ref) => text(on.sync.exportHistory({ to: ref })),
  'trim from': (on, ref) => on.maintenance.trim({ from: ref, dryRun: true }),
  previewMerge: async (on, ref) => (await on.branches.merge(ref, { dryRun: true })).base.number,
  refresh: (on, ref) => hostOf(db).refresh({ atLeast: { repository: on.name, revision: ref } }),
  answerDiff: async (on, ref) => (await answerDiff(on, 'SELECT * { ?s ?p ?o }', ref)).added.length,
};

/** Calls that change something, and what is there then. */
const WRITES: Readonly<Record<string, Call>> = {
  revert: async (on, ref) => [(await on.revert(ref)).removed, await content(on)],
  reset: async (on, ref) => [(await on.branches.reset(ref)).removed, await content(on)],
  merge: async (on, ref) => (await on.branches.merge(ref)).number,
  cherryPick: async (on, ref) => (await on.branches.cherryPick(ref)).number,
  'branches.create': async (on, ref) => (await on.branches.create('new', { from: ref })).fork?.number,
  branch: async (on, ref) => (await (await on.branches.open('new', { create: true, from: ref })).revision()).number,
  'tags.set': async (on, ref) => (await on.tags.set('new', ref)).number,
  sign: async (on, ref) =>
    (await on.proof.sign({ keyId: 'k', sign: async () => new Uint8Array(64) }, { ref })).revision.number,
  fork: async (on, ref) => numbers((await db.fork(on.name, 'copy', { at: ref })).log()),
  restore: async (on, ref) => {
    const place = await directory();
    await db.backup(`${place}/backup`);
    await restore(`${place}/backup`, `${place}/store`, { to: { [on.name]: ref } });
    const again = await open(`${place}/store`);
    const log = await numbers((await again.repository(on.name)).log());
    await again.close();
    return log;
  },
};

const UNKNOWN: readonly [Ref, string][] = [
  [99, 'REVISION_NOT_FOUND'],
  ['nobody', 'REVISION_NOT_FOUND'],
  ['main~99', 'REVISION_NOT_FOUND'],
  ['dev#99', 'REVISION_NOT_FOUND'],
  ['0197a000-0000-7000-8000-000000000000', 'REVISION_NOT_FOUND'],
  ['a b', 'INVALID_REF'],
  ['', 'INVALID_REF'],
];

test.each(Object.entries({ ...READS, ...WRITES }))('%s', async (name, call) => {
  for (const on of [main, dev]) {
    const before = await content(on);
    const forms = Object.entries(await formsOf4());
    if (READS[name] !== undefined) {
      const due = await call(on, 4);
      for (const [form, ref] of forms) expect(await call(on, ref), `${form} on ${on.branch}`).toEqual(due);
    }
    for (const [ref, code] of UNKNOWN) {
      const failed = await Promise.resolve()
        .then(() => call(on, ref))
        .catch((error: unknown) => error as { code: string });
      const known = name === 'refresh' ? { code: expect.stringMatching(/STALE_READ|INVALID_REF/) } : { code };
      expect(failed, `${String(ref)} on ${on.branch}`).toMatchObject(known);
    }
    expect(await content(on)).toBe(before);
  }
});

test.each(Object.keys(WRITES).filter((name) => name !== 'restore'))(
  '%s, with each form in a new copy',
  async (name) => {
    const call = WRITES[name]!;
    const results: unknown[] = [];
    const forms = Object.entries(await formsOf4());
    for (const [, ref] of forms) {
      const copy = await db.fork('r', 'c');
      results.push(await call(await copy.branches.open('dev'), ref));
      await db.deleteRepository('c');
      await db.deleteRepository('copy');
    }
    for (const [i, [form]] of forms.entries()) expect(results[i], form).toEqual(results[0]);
  },
);

test.each(['a branch, back', 'another branch, numbered', 'a tag', 'time'])('restore to %s', async (form) => {
  expect(await WRITES['restore']!(main, (await formsOf4())[form]!)).toEqual([4, 3, 2, 1]);
});

test('revisions of another branch, where any branch may be read', async () => {
  for (const ref of ['main', (await main.revision()).id, 'main#6']) {
    expect(await dev.proof.digest(ref)).toBe(await main.proof.digest());
    expect(await dev.proof.contentHash(ref)).toBe(await main.proof.contentHash());
    expect((await dev.proof.sign({ keyId: 'k', sign: async () => new Uint8Array(64) }, { ref })).revision.number).toBe(
      6,
    );
  }
  expect((await main.proof.signatures().toArray()).map(({ revision }) => revision.number)).toEqual([6]);
  const made = await dev.branches.reset('main');
  expect(made).toMatchObject({ number: 8, added: 1, removed: 2, message: 'Reset to revision 6' });
  expect(await content(dev)).toBe(await content(main));
  expect((await dev.branches.reset('main')).number).toBe(8);
});

test('revisions of another branch, where only those of this one can be', async () => {
  const ref = (await dev.revision()).id;
  const wrong = { code: 'REVISION_NOT_FOUND', message: expect.stringContaining('on another branch') };
  for (const name of ['log before', 'log from', 'history from', 'export to', 'trim from', 'watch', 'fork'])
    await expect((READS[name] ?? WRITES[name])!(main, ref), name).rejects.toMatchObject(wrong);
});
