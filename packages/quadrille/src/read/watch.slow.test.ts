/** `watch` against the log: each revision once, ascending, without a gap, whatever happens meanwhile. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { MemoryDriver } from '@quadrille/storage';
import { FaultDriver } from '@quadrille/storage/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Change, DiffEntry, Repository } from '../index.js';
import { open } from '../index.js';
import { all, changes, directory, ex, line, lines, many, memory, q, repository } from '../testing/fixtures.js';

const numbers = (found: readonly Change[]): number[] => found.map(({ revision }) => revision.number);

/** The next changes of a watch that goes on. */
async function take(watch: AsyncIterator<Change>, count: number): Promise<Change[]> {
  const found: Change[] = [];
  while (found.length < count) {
    const { value, done } = await watch.next();
    if (done === true) throw new Error('the watch has ended');
    found.push(value as Change);
  }
  return found;
}

/** Whether a promise is still pending after the event loop has turned a few times. */
async function isPending(promise: Promise<unknown>): Promise<boolean> {
  let pending = true;
  const settle = (): void => void (pending = false);
  void promise.then(settle, settle);
  for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
  return pending;
}

describe('watch', () => {
  test('yields each revision after the call, with its changes, and waits for the next one', async () => {
    const repo = await repository('a p b');
    const watch = repo.watch();
    const next = watch.next();
    expect(await isPending(next)).toBe(true);
    const revision = await repo.add(q('c p d g'), { author: 'jo', message: 'more' });
    const { value } = await next;
    expect((value as Change).revision).toEqual(revision);
    expect(await changes((value as Change).quads())).toEqual(['+ c p d g']);
    await repo.remove(q('a p b'));
    await repo.add([q('x p y'), q('x p z')]);
    const [removed, added] = await take(watch, 2);
    expect(await changes(removed!.quads())).toEqual(['- a p b']);
    expect(await changes(added!.quads())).toEqual(['+ x p y', '+ x p z']);
    expect(await changes(removed!.quads())).toEqual(['- a p b']);
    expect(await watch.return?.()).toEqual({ value: undefined, done: true });
    expect(await watch.next()).toEqual({ value: undefined, done: true });
  });

  test('a loop that is left ends it, also while a call waits', async () => {
    const repo = await repository('a p b', 'c p d');
    for await (const { revision } of repo.watch({ since: 1 })) {
      expect(revision.number).toBe(2);
      break;
    }
    const watch = repo.watch();
    const waiting = [watch.next(), watch.next()];
    expect(await isPending(waiting[0]!)).toBe(true);
    await watch.return?.();
    expect(await Promise.all(waiting)).toEqual([
      { value: undefined, done: true },
      { value: undefined, done: true },
    ]);
    const unused = repo.watch();
    await unused.return?.();
    expect((await unused.next()).done).toBe(true);
  });

  test.each([
    ['a number', 2],
    ['a UUID', undefined],
    ['a tag', 'v1'],
    ['HEAD~n', 'HEAD~2'],
  ])('begins after %s', async (_, since) => {
    const repo = await repository('a p b');
    const { id } = await repo.revision();
    await repo.tags.set('v1', id);
    for (const text of ['c p d', 'e p f']) await repo.add(q(text));
    const watch = repo.watch({ since: since ?? id });
    expect(numbers(await take(watch, 2))).toEqual([3, 4]);
    expect(await isPending(watch.next())).toBe(true);
    await watch.return?.();
  });

  test('an unknown revision is an error of the first call, and ends it', async () => {
    const repo = await repository('a p b');
    const watch = repo.watch({ since: '018bcfe5-8358-738e-9154-8181177da82e' });
    await expect(watch.next()).rejects.toMatchObject({ code: 'REVISION_NOT_FOUND' });
    expect((await watch.next()).done).toBe(true);
    await expect(repo.watch({ since: 'no ref!' }).next()).rejects.toMatchObject({ code: 'INVALID_REF' });
    expect(() => repo.watch({ form: 1 } as never)).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }));
    expect(() => repo.watch({ pattern: { subject: 'a' } as never })).toThrow(
      expect.objectContaining({ code: 'INVALID_PATTERN' }),
    );
    repo.watch({ since: 99 });
  });

  test('a pattern leaves out revisions and quads', async () => {
    const repo = await repository('a p b');
    const watch = repo.watch({ pattern: { predicate: ex('q') } });
    await repo.add(q('s p o'));
    await repo.add([q('s q o'), q('s p o2')]);
    await repo.remove(q('a p b'));
    await repo.remove([q('s q o'), q('s p o')]);
    const found = await take(watch, 2);
    expect(numbers(found)).toEqual([4, 6]);
    expect(await changes(found[0]!.quads())).toEqual(['+ s q o']);
    expect(await changes(found[1]!.quads())).toEqual(['- s q o']);
    expect(await isPending(watch.next())).toBe(true);
    await watch.return?.();
  });
});

describe('the end of a watch', () => {
  test('the signal: with ABORTED, before and while it waits; then it is over', async () => {
    const repo = await repository('a p b');
    const aborted = { code: 'ABORTED' };
    await expect(all(repo.watch({ since: 1, signal: AbortSignal.abort() }))).rejects.toMatchObject(aborted);
    const controller = new AbortController();
    const { signal } = controller;
    const found: number[] = [];
    const watch = repo.watch({ since: 1, signal });
    found.push((await watch.next()).value!.revision.number);
    const waiting = watch.next();
    expect(await isPending(waiting)).toBe(true);
    controller.abort();
    await expect(waiting).rejects.toMatchObject(aborted);
    expect([found, (await watch.next()).done]).toEqual([[2], true]);
    const left = repo.watch({ since: 1, signal });
    await left.return?.();
    expect((await left.next()).done).toBe(true);
  });

  test('close(): without an error; later calls fail', async () => {
    const db = await open(':memory:');
    const repo = await db.repository('people', { create: true });
    const [waiting, idle, begun] = [repo.watch(), repo.watch(), repo.watch({ since: 1 })];
    const next = waiting.next();
    await repo.add(q('a p b'));
    const [{ value }, [change]] = [await next, await take(begun, 1)];
    const last = waiting.next();
    expect(await isPending(last)).toBe(true);
    await db.close();
    expect(await last).toEqual({ value: undefined, done: true });
    expect((await idle.next()).done).toBe(true);
    expect((await begun.next()).done).toBe(true);
    await expect(all((value as Change).quads())).rejects.toMatchObject({ code: 'STORE_NOT_OPEN' });
    await expect(all(change!.quads())).rejects.toMatchObject({ code: 'STORE_NOT_OPEN' });
    await expect(repo.watch().next()).rejects.toMatchObject({ code: 'STORE_NOT_OPEN' });
  });

  test('deletion: REPOSITORY_DELETED, once', async () => {
    const db = await memory();
    const repo = await db.repository('people', { create: true });
    const [waiting, idle] = [repo.watch(), repo.watch()];
    const next = waiting.next();
    const refused = expect(next).rejects.toMatchObject({ code: 'REPOSITORY_DELETED' });
    expect(await isPending(next)).toBe(true);
    await db.deleteRepository('people');
    await refused;
    await expect(idle.next()).rejects.toMatchObject({ code: 'REPOSITORY_DELETED' });
    expect((await waiting.next()).done).toBe(true);
    const again = await db.repository('people', { create: true });
    const watch = again.watch();
    await again.add(q('a p b'));
    expect(numbers(await take(watch, 1))).toEqual([2]);
    await expect(repo.watch().next()).rejects.toMatchObject({ code: 'REPOSITORY_DELETED' });
  });
});

/** A repository with small revisions, large ones, and one whose quads another commit has added meanwhile. */
async function history(repo: Repository): Promise<void> {
  await repo.add(many(30));
  await repo.update(
    'PREFIX : <http://example.org/> DELETE DATA { :s1 :p :o1 } ; INSERT DATA { GRAPH :g { :s1 :q :o1 } }',
  );
  const large = many(12_000, 'l');
  const handedOver = repo.add(
    (async function* () {
      yield* large.slice(0, 9000);
      // Another commit adds quads that the large change adds too.
      await repo.add([large[11_000]!, q('other p o')]);
      yield* large.slice(9000);
    })(),
  );
  await handedOver;
  await repo.remove({ predicate: ex('p'), subject: ex('l7') });
  await repo.remove({ predicate: ex('p') });
  await repo.add(many(20));
}

const PATTERNS = [
  undefined,
  {},
  { subject: ex('s1') },
  { predicate: ex('p') },
  { predicate: ex('q') },
  { object: ex('o11000') },
  { subject: ex('l7'), predicate: ex('p') },
  { graph: ex('g') },
  { subject: ex('s1'), object: ex('o1'), graph: ex('g') },
  { subject: ex('unknown') },
];

test('equals the differences of neighbours, also of large revisions, whatever the pattern', async () => {
  const repo = await repository();
  await history(repo);
  const head = (await repo.revision()).number;
  for (const compacted of [false, true]) {
    if (compacted) await repo.maintenance.compact();
    for (const pattern of PATTERNS) {
      const expected: [number, string[]][] = [];
      for (let number = 2; number <= head; number++) {
        const matching = (entry: DiffEntry): boolean =>
          Object.entries(pattern ?? {}).every(([member, term]) => entry.quad[member as 'subject'].equals(term));
        const entries = (await all(repo.diff(number - 1, number))).filter(matching);
        const sorted = entries.map(({ op, quad }) => `${op === 'add' ? '+' : '-'} ${line(quad)}`).toSorted();
        if (sorted.length > 0) expected.push([number, sorted]);
      }
      const found: [number, string[]][] = [];
      const watch = repo.watch({ since: 1, ...(pattern && { pattern }) });
      for (const change of await take(watch, expected.length))
        found.push([change.revision.number, await changes(change.quads())]);
      expect(found).toEqual(expected);
      expect(await isPending(watch.next())).toBe(true);
      await watch.return?.();
    }
  }
});

test('while many commit at once: each revision once and in order, and the changes lead to the content', async () => {
  const path = await directory();
  const db = await open(path, { durability: 'process' });
  onTestFinished(() => db.close());
  const repo = await db.repository('people', { create: true });
  const fast = repo.watch();
  const slow = repo.watch();
  const total = 300;
  const content = new Set<string>();
  const following = (async (): Promise<number[]> => {
    const seen: number[] = [];
    while (seen.length < total) {
      const [change] = await take(fast, 1);
      // What is yielded is published: it can be read at once.
      expect((await repo.revision()).number).toBeGreaterThanOrEqual(change!.revision.number);
      for await (const { op, quad } of change!.quads()) {
        if (op === 'add') content.add(line(quad));
        else content.delete(line(quad));
      }
      seen.push(change!.revision.number);
    }
    return seen;
  })();
  await Promise.all(
    Array.from({ length: 10 }, async (_, writer) => {
      for (let i = 0; i < total / 10; i++) {
        if (i % 5 === 4) await repo.remove(q(`s${String(writer)} p o${String(i - 1)}`));
        else await repo.add(q(`s${String(writer)} p o${String(i)}`));
      }
    }),
  );
  const expected = Array.from({ length: total }, (_, i) => i + 2);
  expect(await following).toEqual(expected);
  expect([...content].toSorted()).toEqual(await lines(repo.quads()));
  expect(numbers(await take(slow, total))).toEqual(expected);
});

test('resumes by UUID after the store was closed', async () => {
  const path = await directory();
  let since: string | undefined;
  const seen: number[] = [];
  for (let round = 0; round < 4; round++) {
    const db = await open(path);
    const repo = await db.repository('people', { create: true });
    await repo.add(q(`a p o${String(round)}`));
    await repo.add(q(`b p o${String(round)}`));
    const watch = repo.watch({ since: since ?? 1 });
    // One is left for the next round.
    for (const { revision } of await take(watch, round === 0 ? 1 : 2)) {
      seen.push(revision.number);
      since = revision.id;
    }
    await db.close();
  }
  expect(seen).toEqual([2, 3, 4, 5, 6, 7, 8]);
});

test('a failed write: its revisions are not seen, those after it are', async () => {
  const driver = new FaultDriver(new MemoryDriver());
  const db = await open({ storage: driver });
  onTestFinished(() => db.close());
  const repo = await db.repository('people', { create: true });
  const watch = repo.watch();
  const seen: string[] = [];
  const following = (async () => {
    for await (const change of watch) seen.push(...(await changes(change.quads())));
  })();
  await repo.add(q('a p b'));
  driver.setFault({ effect: 'fail', operations: ['write'] });
  await expect(repo.add(q('lost p b'))).rejects.toMatchObject({ code: 'STORAGE_IO' });
  driver.setFault();
  await repo.add(q('c p d'));
  // The write was done, but its commit got an error: the revision is there when the store is read again.
  driver.setFault({ effect: 'throwAfterApply', operations: ['write'] });
  await expect(repo.add(q('unsure p b'))).rejects.toMatchObject({ code: 'STORAGE_IO' });
  driver.setFault();
  await repo.add(q('e p f'));
  await isPending(following);
  await watch.return?.();
  await following;
  expect(seen).toEqual(['+ a p b', '+ c p d', '+ unsure p b', '+ e p f']);
});

test('a watch that waits does not keep its repository in memory, and is not forgotten with it', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const db = await open(':memory:', { repositoryBytes: 0 });
  onTestFinished(() => db.close());
  const names = Array.from({ length: 12 }, (_, i) => `people${String(i)}`);
  const waiting: Promise<IteratorResult<Change, undefined>>[] = [];
  for (const name of names) {
    // Nothing but the waiting call refers to the watch and to its repository.
    waiting.push((await db.repository(name, { create: true })).watch().next());
    await (await db.repository('other', { create: true })).add(q(`${name} p o`));
  }
  for (let turn = 0; turn < 20; turn++) {
    await new Promise((resolve) => setImmediate(resolve));
    collect();
  }
  expect(db.metrics().openRepositories).toBe(4);
  for (const name of names) await (await db.repository(name)).add(q(`a p ${name}`));
  const found = (await Promise.all(waiting)).map(({ value }) => value as Change);
  expect(numbers(found)).toEqual(names.map(() => 2));
  for (const [i, name] of names.entries()) expect(await changes(found[i]!.quads())).toEqual([`+ a p ${name}`]);
});

test('races of commits, close, deletion, signals and leaving: every watch ends, nothing is out of order', async () => {
  for (let round = 0; round < 30; round++) {
    const db = await open(':memory:');
    const repo = await db.repository('people', { create: true });
    const controller = new AbortController();
    const ends = Array.from({ length: 12 }, async (_, i) => {
      const watch = repo.watch({
        since: 1,
        ...(i % 3 === 0 && { signal: controller.signal }),
        ...(i % 4 === 0 && { pattern: { predicate: ex('p') } }),
      });
      let last = 1;
      try {
        for await (const { revision, quads } of watch) {
          expect(revision.number).toBe(last + 1);
          last = revision.number;
          if (i % 5 === 0) await all(quads());
          if (i % 6 === 5 && last > 4) return 'left';
        }
        return 'end';
      } catch (error) {
        return (error as { code: string }).code;
      }
    });
    const commits = Array.from({ length: 10 }, async (_, i) => repo.add(q(`s p o${String(i)}`)).catch(() => undefined));
    const turns = round % 6;
    for (let i = 0; i < turns; i++) await new Promise((resolve) => setImmediate(resolve));
    controller.abort();
    const deleted = round % 2 === 0 ? db.deleteRepository('people').catch(() => false) : undefined;
    await db.close();
    await Promise.all([...commits, deleted]);
    for (const end of await Promise.all(ends))
      expect(['end', 'left', 'ABORTED', 'REPOSITORY_DELETED', 'STORE_NOT_OPEN']).toContain(end);
  }
});
