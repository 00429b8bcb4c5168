/** Histories of all branches in one file. */
import { expect, test } from 'vitest';
import type { Repository } from '../index.js';
import { memory, q } from '../testing/fixtures.js';
import { historyOf, sealed } from '../testing/histories.js';

const emptyRepository = async (): Promise<Repository> => (await memory()).repository('acme/copy', { create: true });
const refused = async (call: Promise<unknown>): Promise<unknown> => call.catch((error: unknown) => error);

/** Two branches that were merged crosswise, one that was fast-forwarded, one on a deleted branch, one without commits. */
async function branched(): Promise<Repository> {
  const main = await (await memory()).repository('acme/people', { create: true });
  await main.add(q('a p o'), { message: 'first' });
  const dev = await main.branches.open('dev', { create: true });
  await dev.add(q('b p o'), { author: 'jo' });
  await main.add(q('c p o'));
  await main.branches.merge('dev');
  await dev.branches.merge('main');
  await dev.add(q('d p o'));
  await main.branches.create('quick');
  const quick = await main.branches.open('quick');
  await quick.remove(q('a p o'));
  await quick.add(q('e p o'));
  await main.branches.merge('quick', { fastForward: true });
  await quick.add(q('f p o'));
  const gone = await main.branches.open('gone', { create: true });
  await gone.add(q('g p o'));
  await main.branches.create('late', { from: 'gone' });
  await (await main.branches.open('late')).add(q('h p o'));
  await main.branches.create('later', { from: 'late~1' });
  await main.branches.delete('gone', { force: true });
  await main.branches.create('bare', { from: 2 });
  await main.tags.set('v1', 2);
  await main.tags.set('of-late', (await (await main.branches.open('late')).revision()).id);
  return main;
}

async function expectSameBranches(copy: Repository, original: Repository): Promise<void> {
  const heads = async (repository: Repository): Promise<Record<string, unknown>> =>
    Object.fromEntries((await repository.branches.list().toArray()).map(({ name, head }) => [name, head]));
  expect(await heads(copy)).toEqual(await heads(original));
  for (const name of (await original.branches.list().toArray()).map(({ name }) => name)) {
    const [mine, theirs] = [await copy.branches.open(name), await original.branches.open(name)];
    expect(await mine.log().toArray(), name).toEqual(await theirs.log().toArray());
    for (const { number } of await theirs.log().toArray()) {
      expect(await mine.proof.contentHash(number), `${name}#${String(number)}`).toBe(
        await theirs.proof.contentHash(number),
      );
    }
    expect(await mine.proof.digest(), name).toBe(await theirs.proof.digest());
  }
  expect(await copy.tags.list().toArray()).toEqual(await original.tags.list().toArray());
  expect(await copy.maintenance.verify()).toMatchObject({ ok: true, problems: [] });
}

test('all branches come back with their ids, merges and tags, and merging goes on', async () => {
  const original = await branched();
  const text = await historyOf(original, { branches: 'all' });
  expect(text).toContain('H history "2"');
  const ids = text.match(/^H id .*$/gm)!;
  expect(new Set(ids).size).toBe(ids.length);
  const copy = await emptyRepository();
  const seen: unknown[] = [];
  const head = await copy.sync.importHistory({ text }, { onProgress: (progress) => void seen.push(progress) });
  expect(head).toEqual(await original.revision());
  expect(seen.at(-1)).toMatchObject({ imported: ids.length, skipped: 0 });
  await expectSameBranches(copy, original);
  // A second import changes nothing.
  await copy.sync.importHistory({ text });
  await expectSameBranches(copy, original);
  const graph = async (repository: Repository): Promise<string[]> =>
    (await repository.log({ branches: 'all' }).toArray()).map(({ id }) => id);
  expect((await graph(copy)).toSorted()).toEqual((await graph(original)).toSorted());
  for (const repository of [copy, original]) {
    const { added, removed } = await repository.branches.merge('dev');
    expect([added, removed]).toEqual([1, 0]);
  }
});

test('a file goes on where branches have grown, and is refused where they differ', async () => {
  const original = await branched();
  const copy = await emptyRepository();
  await copy.sync.importHistory({ text: await historyOf(original, { branches: 'all' }) });
  await (await original.branches.open('dev')).add(q('more p o'));
  await (await original.branches.open('new/er', { create: true, from: 'dev' })).add(q('newer p o'));
  const text = await historyOf(original, { branches: 'all' });
  await copy.sync.importHistory({ text });
  await expectSameBranches(copy, original);
  await (await copy.branches.open('late')).add(q('own p o'));
  await (await original.branches.open('late')).add(q('other p o'));
  const later = await historyOf(original, { branches: 'all' });
  expect(await refused(copy.sync.importHistory({ text: later }))).toMatchObject({ code: 'HISTORY_DIVERGED' });
  const other = await emptyRepository();
  await other.sync.importHistory({ text: await historyOf(original) });
  await other.branches.create('late', { from: 1 });
  expect(await refused(other.sync.importHistory({ text: later }))).toMatchObject({ code: 'HISTORY_DIVERGED' });
  const tagged = await emptyRepository();
  await tagged.sync.importHistory({ text: await historyOf(original, { to: 1 }) });
  await tagged.tags.set('quick', 1);
  expect(await refused(tagged.sync.importHistory({ text: later }))).toMatchObject({ code: 'HISTORY_DIVERGED' });
});

test('what does not fit together is refused', async () => {
  const original = await branched();
  const text = await historyOf(original, { branches: 'all' });
  for (const option of ['from', 'to'])
    expect(await refused(historyOf(original, { branches: 'all', [option]: 1 }))).toMatchObject({
      code: 'INVALID_OPTION',
      details: { option },
    });
  const onBranch = await (await emptyRepository()).branches.open('side', { create: true });
  expect(await refused(onBranch.sync.importHistory({ text }))).toMatchObject({ code: 'INVALID_OPTION' });
  const edits: [RegExp, string][] = [
    [/^H branch "dev"/m, 'H branch "a b"'],
    [/^H base .*$/m, 'H base <urn:uuid:00000000-0000-7000-8000-000000000000> .'],
    [/^H base .*\n/m, ''],
    [/^H branch /m, 'H extra "1" .\nH branch '],
    [/^H history "2"/m, 'H history "3"'],
    [/^H history "2"/m, 'H history "1"'],
  ];
  for (const [what, by] of edits)
    expect(
      await refused((await emptyRepository()).sync.importHistory({ text: sealed(text.replace(what, by)) })),
      by,
    ).toMatchObject({ code: 'LOG_BROKEN' });
});

test('the history of one branch has no tags of others', async () => {
  const text = await historyOf(await branched());
  expect(text).toContain('v1');
  expect(text).not.toContain('of-late');
});
