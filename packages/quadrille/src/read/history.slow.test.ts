import { describe, expect, test } from 'vitest';
import type { HistoryEvent, HistoryOptions, LogOptions, QuadPattern, Ref } from '../index.js';
import { defaultGraph, open } from '../index.js';
import { all, changes, directory, ex, line, lines, many, q, repository } from '../testing/fixtures.js';

/** 1 empty, 2 + a b, 3 + c, 4 - a, 5 + a, 6 - b - c */
async function history(): Promise<Awaited<ReturnType<typeof repository>>> {
  const repo = await repository('a p 1', 'b p 1');
  await repo.add(q('c p 1 g'));
  await repo.remove(q('a p 1'));
  await repo.add(q('a p 1'));
  await repo.remove([q('b p 1'), q('c p 1 g')]);
  return repo;
}

test.each<[LogOptions, number[]]>([
  [{}, [6, 5, 4, 3, 2, 1]],
  [{ limit: 0 }, []],
  [{ limit: 1 }, [6]],
  [{ limit: 2 }, [6, 5]],
  [{ limit: 99 }, [6, 5, 4, 3, 2, 1]],
  [{ before: 3 }, [2, 1]],
  [{ before: 'HEAD', limit: 2 }, [5, 4]],
  [{ before: 4, limit: 0 }, []],
  [{ before: 1 }, []],
])('log %j', async (options, numbers) => {
  const repo = await history();
  expect((await repo.log(options).toArray()).map(({ number }) => number)).toEqual(numbers);
});

test('log of a wrong reference', async () => {
  const repo = await history();
  await expect(repo.log({ before: 99 }).toArray()).rejects.toMatchObject({ code: 'REVISION_NOT_FOUND' });
  await expect(repo.diff(1, 'no-tag').first()).rejects.toMatchObject({ code: 'REVISION_NOT_FOUND' });
});

test.each<[Ref, Ref | undefined, string[]]>([
  [2, 3, ['+ c p 1 g']],
  [3, 2, ['- c p 1 g']],
  [3, 4, ['- a p 1']],
  [4, 3, ['+ a p 1']],
  [3, 5, []],
  [2, 2, []],
  [1, 5, ['+ a p 1', '+ b p 1', '+ c p 1 g']],
  ['HEAD', 'TAIL', ['- a p 1']],
  [2, 6, ['- b p 1']],
  [5, undefined, ['- b p 1', '- c p 1 g']],
])('diff %s to %s', async (from, to, expected) => {
  const repo = await history();
  expect(await changes(repo.diff(from, to))).toEqual(expected);
  await repo.maintenance.compact();
  expect(await changes(repo.diff(from, to))).toEqual(expected);
});

describe('revert', () => {
  test('an addition, a removal, a revert, and what is undone already', async () => {
    const repo = await history();
    expect(await repo.revert(6)).toMatchObject({ number: 7, added: 2, message: 'Revert revision 6' });
    expect(await lines(repo.quads())).toEqual(['a p 1', 'b p 1', 'c p 1 g']);
    expect(await repo.revert(7, { message: 'no', author: 'jo' })).toMatchObject({ message: 'no', author: 'jo' });
    expect(await lines(repo.quads())).toEqual(['a p 1']);
    const head = await repo.revision();
    expect(await repo.revert(6)).toMatchObject({ added: 2 });
    expect(await repo.revert(head)).toEqual(await repo.revision());
    expect(await repo.revert(1)).toEqual(await repo.revision());
    // Of what revision 2 added both are there, of what 4 removed nothing is missing.
    expect(await repo.revert(4)).toMatchObject({ number: 9 });
    await repo.revert(2);
    expect(await lines(repo.quads())).toEqual(['c p 1 g']);
    await expect(repo.revert(99)).rejects.toMatchObject({ code: 'REVISION_NOT_FOUND' });
    expect((await repo.maintenance.verify()).ok).toBe(true);
  });

  test('an import and a replacement', async () => {
    const repo = await repository('s0 p o0', 'z p z');
    const imported = await repo.add(many(10_000));
    await repo.remove(q('s5 p o5'));
    expect(await repo.revert(imported)).toMatchObject({ removed: 9998 });
    expect(await lines(repo.quads())).toEqual(['s0 p o0', 'z p z']);
    const replaced = await repo.load({ text: '<urn:a> <urn:b> 1 .' }, { format: 'ttl', replace: true });
    await repo.revert(replaced);
    expect(await lines(repo.quads())).toEqual(['s0 p o0', 'z p z']);
  });
});

describe('reset', () => {
  test('brings back any content as a new revision, and nothing where it is the same', async () => {
    const repo = await history();
    expect(await repo.branches.reset(4, { author: 'jo' })).toMatchObject({
      number: 7,
      message: 'Reset to revision 4',
      author: 'jo',
    });
    expect(await lines(repo.quads())).toEqual(['b p 1', 'c p 1 g']);
    expect(await repo.branches.reset('HEAD~2')).toMatchObject({ number: 8, added: 1, removed: 0 });
    expect(await lines(repo.quads())).toEqual(['a p 1', 'b p 1', 'c p 1 g']);
    expect(await repo.branches.reset('HEAD')).toMatchObject({ number: 8 });
    expect(await repo.branches.reset(5)).toMatchObject({ number: 8 });
    expect(await repo.branches.reset(1, { message: 'empty' })).toMatchObject({
      number: 9,
      removed: 3,
      message: 'empty',
    });
    expect(await repo.size()).toBe(0);
    await expect(repo.branches.reset(99)).rejects.toMatchObject({ code: 'REVISION_NOT_FOUND' });
    await expect(repo.branches.reset(2, { ifRevision: 8 })).rejects.toMatchObject({ code: 'REVISION_CONFLICT' });
    expect((await repo.maintenance.verify()).ok).toBe(true);
  });

  test('a large one, beside commits that come between', async () => {
    const repo = await repository('s0 p o0');
    const imported = await repo.add(many(10_000));
    await repo.remove({ predicate: ex('p') });
    const work = repo.branches.reset(imported);
    const between = repo.add(q('x p y'));
    const [done] = await Promise.all([work, between]);
    expect(await repo.at(done).size()).toBe(10_000);
    expect(await changes(repo.diff(imported, done))).toEqual([]);
    expect((await repo.maintenance.verify()).ok).toBe(true);
  });
});

describe('history of a pattern', () => {
  const told = async (entries: AsyncIterable<HistoryEvent>): Promise<string[]> =>
    (await all(entries)).map(
      ({ op, quad, revision }) => `${revision.number} ${op === 'add' ? '+' : '-'} ${line(quad)}`,
    );

  test.each<[QuadPattern, HistoryOptions, string[]]>([
    [{ subject: ex('a') }, {}, ['2 + a p 1', '4 - a p 1', '5 + a p 1']],
    [{ graph: ex('g') }, {}, ['3 + c p 1 g', '6 - c p 1 g']],
    [{ predicate: ex('p'), graph: defaultGraph() }, { from: 5 }, ['5 + a p 1', '6 - b p 1']],
    [{ subject: ex('a') }, { to: 4 }, ['2 + a p 1', '4 - a p 1']],
    [{ subject: ex('b'), predicate: ex('p'), object: ex('1') }, { from: 3, to: 5 }, []],
    [{ object: ex('1'), graph: ex('g') }, {}, ['3 + c p 1 g', '6 - c p 1 g']],
    [{ subject: ex('nobody') }, {}, []],
    [{}, { from: 6 }, ['6 - b p 1', '6 - c p 1 g']],
  ])('%#', async (pattern, options, expected) => {
    const repo = await history();
    expect(await told(repo.history(pattern, options))).toEqual(expected);
    await repo.maintenance.compact();
    expect(await told(repo.history(pattern, options))).toEqual(expected);
    await repo.add(q('z q z'));
    expect(await told(repo.history(pattern, { to: 6, ...options }))).toEqual(expected);
  });

  test('a wrong revision or pattern', async () => {
    const repo = await history();
    await expect(repo.history({}, { from: 99 }).first()).rejects.toMatchObject({ code: 'REVISION_NOT_FOUND' });
    expect(() => repo.history({ subj: ex('a') } as QuadPattern)).toThrow('no member');
  });
});

describe('tags', () => {
  test('set, get, move, list, delete', async () => {
    const repo = await history();
    const third = await repo.tags.set('v1', 3);
    expect(third.number).toBe(3);
    expect(await repo.tags.get('v1')).toEqual(third);
    expect((await repo.tags.set('v1', 'HEAD~2')).number).toBe(4);
    await repo.tags.set('übergabe/2026', third);
    await repo.tags.set('__proto__', 'v1');
    expect((await repo.tags.list().toArray()).map(({ name }) => name)).toEqual(['__proto__', 'v1', 'übergabe/2026']);
    expect(await lines(repo.at('v1').quads())).toEqual(['b p 1', 'c p 1 g']);
    expect(await changes(repo.diff('übergabe/2026', 'v1'))).toEqual(['- a p 1']);
    expect(await repo.tags.delete('v1')).toBe(true);
    expect(await repo.tags.delete('v1')).toBe(false);
    expect(await repo.tags.get('v1')).toBeUndefined();
    expect(await repo.tags.get('constructor')).toBeUndefined();
    await expect(repo.at('v1').size()).rejects.toMatchObject({ code: 'REVISION_NOT_FOUND' });
  });

  test.each([
    '',
    '7',
    '#7',
    'HEAD',
    'HEAD~1',
    'TAIL',
    '2026-01-01',
    '2026-01-01T00:00:00Z',
    '01234567-89ab-7def-8123-456789abcdef',
    'a b',
    'a\nb',
    '-a',
    'x'.repeat(101),
    null,
    7,
  ])('%s cannot be one', async (name) => {
    const repo = await history();
    await expect(repo.tags.set(name as string, 2)).rejects.toMatchObject({ code: 'INVALID_NAME' });
    expect(await repo.tags.list().toArray()).toEqual([]);
  });
});

test('verify, rebuild and compact keep every revision', async () => {
  const path = await directory();
  const db = await open(path);
  const repo = await db.repository('people', { create: true });
  for (let i = 0; i < 4; i++) await repo.add(many(3000, `s${i}-`));
  await repo.remove({ object: ex('o7') });
  await repo.load({ text: '<urn:a> <urn:b> "x" .' }, { format: 'ttl', replace: true });
  await repo.tags.set('v1', 3);
  const sizes = async (): Promise<number[]> =>
    Promise.all([1, 2, 3, 4, 5, 6, 7].map((number) => repo.at(number).count({})));
  const expected = [0, 3000, 6000, 9000, 12_000, 11_996, 1];
  for (const work of ['verify', 'rebuild', 'verify', 'compact', 'verify'] as const) {
    const report = await repo.maintenance[work]();
    if ('ok' in report) {
      expect(report).toMatchObject({ ok: true, problems: [] });
      for (const count of Object.values(report.checked)) expect(count).toBeGreaterThanOrEqual(0);
    } else {
      expect(report.bytesBefore).toBeGreaterThan(0);
      expect(report.bytesAfter).toBeGreaterThan(0);
    }
    expect(await sizes()).toEqual(expected);
    expect((await repo.at('v1').revision()).number).toBe(3);
  }
  expect(await db.rebuild('people')).toMatchObject({ bytesAfter: expect.any(Number) as number });
  expect(await sizes()).toEqual(expected);
  expect(await db.verify()).toMatchObject({ ok: true, checked: { repositories: 1 } });
  expect(await repo.maintenance.stats()).toMatchObject({ quads: 1, revisions: 7, namedGraphs: 0, failures: [] });
  expect(db.metrics().backgroundFailures).toEqual([]);
  await db.close();
});
