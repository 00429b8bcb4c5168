/** Moves between stores in directories, and what stops them. Servers and other stores: test/postgres/move.ci.ts. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { MemoryDriver } from '@quadrille/storage';
import { FaultDriver } from '@quadrille/storage/testing';
import { expect, test } from 'vitest';
import type { Database, MoveProgress, Repository } from '../index.js';
import { moveRepository, open, QuadrilleError, quad } from '../index.js';
import { directory, ex, lines, many, q } from '../testing/fixtures.js';

const NAME = 'acme/people';

const codeOf = async (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'no error',
    (error: unknown) => (error instanceof QuadrilleError ? error.code : error),
  );

async function using<T>(place: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = await open(place, { create: false });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

const inRepository = <T>(place: string, work: (repository: Repository) => Promise<T>): Promise<T> =>
  using(place, async (database) => work(await database.repository(NAME)));

/** A store with a repository that has of everything. */
async function scene(): Promise<{ from: string; to: string }> {
  const folder = await directory();
  const from = join(folder, 'from');
  const database = await open(from);
  const repository = await database.repository(NAME, {
    create: true,
    metadata: { name: 'People', description: 'all' },
  });
  await repository.namespaces.set('ex', ex('').value);
  await database.account('acme').namespaces.set('own', 'urn:own:');
  await repository.add(many(200), { message: 'the first ones', author: 'jo' });
  await repository.remove([q('s1 p o1')], { message: 'one left' });
  const dev = await repository.branches.open('dev', { create: true });
  await dev.add(q('d p o g'), { message: 'on dev' });
  await repository.add([quad(ex('long'), ex('p'), ex('x'.repeat(8000)))]);
  await repository.tags.set('v1', 2);
  await repository.settings.set({ functional: [ex('name').value], protected: ['main'] });
  await repository.sync.remotes.set('origin', { url: 'http://127.0.0.1:1/acme/people' });
  await repository.maintenance.compact();
  await repository.add(q('after p compaction'));
  await (await database.repository('acme/other', { create: true })).add(q('stays p o'));
  await database.close();
  return { from, to: join(folder, 'to') };
}

/** Everything that can be read of a repository. */
async function everything(repository: Repository): Promise<unknown> {
  const branches: unknown[] = [];
  for (const { name, head } of await repository.branches.list().toArray()) {
    const branch = await repository.branches.open(name);
    const digests: unknown[] = [];
    const log = await branch.log().toArray();
    for (const { number } of log) digests.push(await branch.proof.contentHash(number));
    branches.push([name, head, log, digests, await branch.proof.digest(), await lines(branch.quads({}))]);
  }
  return {
    branches,
    tags: await repository.tags.list().toArray(),
    namespaces: await repository.namespaces.list(),
    settings: await repository.settings.get(),
    metadata: await repository.settings.metadata.get(),
    remotes: await repository.sync.remotes.list().toArray(),
    first: await lines(repository.at(2).quads({})),
  };
}

const bytesIn = async (folder: string): Promise<number> => {
  let bytes = 0;
  for (const name of await readdir(folder, { recursive: true })) bytes += (await stat(join(folder, name))).size;
  return bytes;
};

test('everything of a repository moves, and the first store tells where it is', async () => {
  const { from, to } = await scene();
  const before = await inRepository(from, everything);
  const size = await bytesIn(from);
  const steps: MoveProgress[] = [];
  const report = await moveRepository(from, NAME, to, {
    redirect: 'https://two.example/base/',
    onProgress: (progress) => steps.push(progress),
  });
  expect(report).toMatchObject({ repository: NAME, to, redirect: 'https://two.example/base', outcome: 'moved' });
  expect([...new Set(steps.map(({ step }) => step))]).toEqual(['frozen', 'copying', 'copied', 'shown', 'moved']);
  expect(report.entries).toBeGreaterThan(20);
  await using(to, async (database) => {
    expect(await everything(await database.repository(NAME))).toEqual(before);
    expect(await database.verify()).toMatchObject({ ok: true });
    expect((await database.account('acme').namespaces.list())['own']).toBe('urn:own:');
    await (await database.repository(NAME)).add(q('goes p on'));
  });
  await using(from, async (database) => {
    expect((await database.repositories().toArray()).map(({ name }) => name)).toEqual(['acme/other']);
    const error = await database.repository(NAME).catch((thrown: unknown) => thrown);
    const location = 'https://two.example/base/acme/people';
    expect(error).toMatchObject({ code: 'REPOSITORY_MOVED', details: { to, location } });
    expect((error as Error).message).toContain(location);
    expect(await codeOf(database.repository(NAME, { create: true }))).toBe('REPOSITORY_MOVED');
    expect(await codeOf(database.fork('acme/other', NAME))).toBe('REPOSITORY_MOVED');
    expect(await codeOf(database.rebuild(NAME))).toBe('REPOSITORY_MOVED');
    expect(await database.verify()).toMatchObject({ ok: true });
  });
  expect(await bytesIn(from)).toBeLessThan(size / 2);
  // The same command again says so, and may change the address.
  expect(await moveRepository(from, NAME, to)).toMatchObject({ outcome: 'already', redirect: report.redirect });
  await moveRepository(from, NAME, to, { redirect: 'http://three.example' });
  await using(from, async (database) => {
    expect(await database.repository(NAME).catch((error: Error) => error.message)).toContain(
      'http://three.example/acme',
    );
    // The name is free again.
    expect(await database.deleteRepository(NAME)).toBe(true);
    expect(await database.deleteRepository(NAME)).toBe(false);
    expect((await (await database.repository(NAME, { create: true })).revision()).number).toBe(1);
  });
});

test('a repository that comes back leaves no record of its first move', async () => {
  const { from, to } = await scene();
  const before = await inRepository(from, everything);
  await moveRepository(from, NAME, to);
  await moveRepository(to, NAME, from);
  expect(await inRepository(from, everything)).toEqual(before);
  expect(await codeOf(inRepository(to, everything))).toBe('REPOSITORY_MOVED');
  expect(await using(from, (database) => database.verify())).toMatchObject({ ok: true });
});

test('wrong calls change nothing', async () => {
  const { from, to } = await scene();
  const before = await inRepository(from, everything);
  const taken = join(to, '../taken');
  const other = await open(taken);
  await other.repository(NAME, { create: true });
  await other.close();
  const cases: [string, () => Promise<unknown>][] = [
    ['INVALID_OPTION', () => moveRepository(from, NAME, from)],
    ['INVALID_OPTION', () => moveRepository('http://127.0.0.1:1/', NAME, to)],
    ['INVALID_OPTION', () => moveRepository(from, NAME, new URL('https://two.example/'))],
    ['INVALID_OPTION', () => moveRepository(from, NAME, ':memory:')],
    ['INVALID_OPTION', () => moveRepository(from, NAME, to, { redirect: 'ftp://two.example' })],
    ['INVALID_OPTION', () => moveRepository(from, NAME, to, { redirect: 'two.example' })],
    ['INVALID_OPTION', () => moveRepository(from, NAME, to, { redirect: 'https://me:secret@two.example' })],
    ['INVALID_OPTION', () => moveRepository(from, NAME, to, { redirect: 'https://two.example/?' })],
    ['INVALID_NAME', () => moveRepository(from, 'acme/peo ple', to)],
    ['REPOSITORY_NOT_FOUND', () => moveRepository(from, 'acme/none', to)],
    ['STORE_NOT_FOUND', () => moveRepository(join(from, 'none'), NAME, to)],
    ['PRECONDITION_FAILED', () => moveRepository(from, NAME, to, { cancel: true })],
  ];
  for (const [code, call] of cases) expect([String(call), await codeOf(call())]).toEqual([String(call), code]);
  expect(await codeOf(moveRepository(from, NAME, taken))).toBe('ALREADY_EXISTS');
  expect(await codeOf(moveRepository(from, 'acme/none', to))).toBe('REPOSITORY_NOT_FOUND');
  expect(await stat(to).catch(() => 'not there')).toBe('not there');
  expect(await inRepository(from, everything)).toEqual(before);
  await inRepository(from, (repository) => repository.add(q('still p writable')));
});

test('a store that another process has is left alone', async () => {
  const { from, to } = await scene();
  const holder = await open(from);
  expect(await codeOf(moveRepository(from, NAME, to))).toBe('STORE_LOCKED');
  await holder.close();
  const there = await open(to);
  expect(await codeOf(moveRepository(from, NAME, to))).toBe('STORE_LOCKED');
  await there.close();
  await inRepository(from, (repository) => repository.add(q('still p writable')));
});

/** Proves that all is there, and takes less time than {@link everything}. */
async function digests(repository: Repository): Promise<unknown> {
  const found: Record<string, unknown> = {};
  for (const { name, head } of await repository.branches.list().toArray())
    found[name] = [head, await (await repository.branches.open(name)).proof.digest()];
  return {
    branches: found,
    tags: await repository.tags.list().toArray(),
    namespaces: await repository.namespaces.list(),
  };
}

/** A store in memory with a small repository, which is opened again and again. */
async function small(): Promise<MemoryDriver> {
  const storage = new MemoryDriver();
  const database = await open({ storage });
  const repository = await database.repository(NAME, { create: true });
  await repository.add(many(20), { message: 'the first ones' });
  await (await repository.branches.open('dev', { create: true })).add(q('d p o g'));
  await database.close();
  return storage;
}

const inMemory = async <T>(storage: MemoryDriver, work: (database: Database) => Promise<T>): Promise<T> => {
  const database = await open({ storage });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
};

/** What one store has of the repository: all of it, a record of where it is, or nothing. */
const standing = (storage: MemoryDriver, expected: unknown): Promise<'here' | 'moved' | 'frozen' | 'nothing'> =>
  inMemory(storage, async (database) => {
    expect(await database.verify()).toMatchObject({ ok: true });
    const repository = await database.repository(NAME).catch((error: QuadrilleError) => error.code);
    if (repository === 'REPOSITORY_MOVED') return 'moved';
    if (typeof repository === 'string') return 'nothing';
    expect(await digests(repository)).toEqual(expected);
    const { moving } = await repository.settings.metadata.get();
    if (moving !== undefined) {
      for (const refused of [
        () => repository.add(q('n p o')),
        () => repository.update('INSERT DATA { <urn:a> <urn:b> 1 }'),
        () => repository.load({ text: '<urn:a> <urn:b> 1 .' }, { format: 'turtle' }),
        () => repository.transaction((transaction) => transaction.add(q('n p o'))),
        () => repository.branches.open('new', { create: true }),
        () => repository.tags.set('new', 1),
        () => repository.namespaces.set('new', 'urn:n'),
        () => repository.settings.metadata.set({ name: 'new' }),
        () => repository.settings.set({ protected: ['dev'] }),
        () => repository.maintenance.compact(),
        () => repository.maintenance.trim({ from: 2 }),
        () => repository.maintenance.erase({ term: ex('s1') }, { reason: 'asked for' }),
        () => repository.branches.merge('dev'),
        () => repository.revert(2),
        () => database.deleteRepository(NAME),
      ])
        expect([String(refused), await codeOf(refused())]).toEqual([String(refused), 'REPOSITORY_MOVING']);
      expect(await digests(repository)).toEqual(expected);
    }
    return moving === undefined ? 'here' : 'frozen';
  });

const EFFECTS = ['fail', 'full', 'unknown', 'throwAfterApply'] as const;

test('whichever write of either store fails, one of them has the repository, and the same call ends the move', async () => {
  const seen = new Set<string>();
  for (const side of ['from', 'to'] as const) {
    for (const effect of EFFECTS) {
      for (let at = 1; ; at++) {
        const [from, to] = [await small(), new MemoryDriver()];
        const expected = await inMemory(from, async (database) => digests(await database.repository(NAME)));
        const faulty = new FaultDriver(side === 'from' ? from : to);
        faulty.setFault({ effect, operations: ['write'], at });
        const places = { from: { storage: from }, to: { storage: to }, [side]: { storage: faulty } };
        const outcome = await codeOf(moveRepository(places.from, NAME, places.to));
        if (faulty.fired === 0) break;
        const what = [await standing(from, expected), await standing(to, expected)].join(' ');
        seen.add(what);
        expect([side, effect, at, outcome, what]).toEqual([
          side,
          effect,
          at,
          outcome,
          expect.stringMatching(
            outcome === 'no error' ? /^moved here$/ : /^((here|frozen) nothing|frozen here|moved here)$/,
          ) as string,
        ]);
        expect(['moved', 'already']).toContain(
          (await moveRepository({ storage: from }, NAME, { storage: to })).outcome,
        );
        expect([await standing(from, expected), await standing(to, expected)]).toEqual(['moved', 'here']);
      }
    }
  }
  expect([...seen].toSorted()).toEqual(['frozen here', 'frozen nothing', 'here nothing', 'moved here']);
});

test('a copy that differs is not kept, and a range that ends early is noticed', async () => {
  for (const effect of ['short', 'fail'] as const) {
    for (let at = 1; ; at += 3) {
      const [from, to] = [await small(), new MemoryDriver()];
      const expected = await inMemory(from, async (database) => digests(await database.repository(NAME)));
      const faulty = new FaultDriver(from);
      faulty.setFault({ effect, operations: ['range', 'get', 'getMany'], at });
      const outcome = await codeOf(moveRepository({ storage: faulty }, NAME, { storage: to }));
      if (faulty.fired === 0) break;
      const what = [await standing(from, expected), await standing(to, expected)].join(' ');
      expect([effect, at, outcome, what]).toEqual([
        effect,
        at,
        outcome,
        expect.stringMatching(/^((here|frozen) nothing|frozen here|moved here)$/) as string,
      ]);
    }
  }
});

test('a move that was interrupted goes on to the same store only, or is cancelled', async () => {
  const [from, to, third] = [await small(), new MemoryDriver(), new MemoryDriver()];
  const expected = await inMemory(from, async (database) => digests(await database.repository(NAME)));
  // Nothing can be written any more after the repository is frozen, as after a kill.
  const interrupt = async (step: MoveProgress['step']): Promise<void> => {
    const faulty = new FaultDriver(from);
    const onProgress = (progress: MoveProgress): void => {
      if (progress.step !== step) return;
      faulty.setFault({ effect: 'fail', operations: ['write'], repeat: 'forever' });
      throw new Error('killed');
    };
    await expect(moveRepository({ storage: faulty }, NAME, { storage: to }, { onProgress })).rejects.toThrow('killed');
  };
  await interrupt('frozen');
  expect([await standing(from, expected), await standing(to, expected)]).toEqual(['frozen', 'nothing']);
  expect(await codeOf(moveRepository({ storage: from }, NAME, { storage: third }))).toBe('REPOSITORY_MOVING');
  expect(await codeOf(moveRepository({ storage: from }, NAME, { storage: third }, { cancel: true }))).toBe(
    'REPOSITORY_MOVING',
  );
  const cancelled = await moveRepository({ storage: from }, NAME, { storage: to }, { cancel: true });
  expect(cancelled).toMatchObject({ outcome: 'cancelled' });
  expect([await standing(from, expected), await standing(to, expected)]).toEqual(['here', 'nothing']);
  await interrupt('copied');
  expect(
    await moveRepository({ storage: from }, NAME, { storage: third }, { cancel: true, force: true }),
  ).toMatchObject({ outcome: 'cancelled' });
  await interrupt('shown');
  expect([await standing(from, expected), await standing(to, expected)]).toEqual(['frozen', 'here']);
  // Two stores would have it, and could go different ways.
  expect(await codeOf(moveRepository({ storage: from }, NAME, { storage: to }, { cancel: true }))).toBe(
    'ALREADY_EXISTS',
  );
  // Clients may write to the other store already. Nothing of that is lost.
  await inMemory(to, async (database) => (await database.repository(NAME)).tags.set('v9', 1));
  expect(await moveRepository({ storage: from }, NAME, { storage: to })).toMatchObject({
    outcome: 'moved',
    entries: 0,
  });
  expect(await inMemory(to, async (database) => (await database.repository(NAME)).tags.get('v9'))).toMatchObject({
    number: 1,
  });
  expect(await codeOf(moveRepository({ storage: from }, NAME, { storage: third }))).toBe('REPOSITORY_MOVED');
});

test('a store that the repository has left for a third one does not get an old copy', async () => {
  const [from, to, third] = [await small(), new MemoryDriver(), new MemoryDriver()];
  const faulty = new FaultDriver(from);
  const onProgress = ({ step }: MoveProgress): void => {
    if (step !== 'shown') return;
    faulty.setFault({ effect: 'fail', operations: ['write'], repeat: 'forever' });
    throw new Error('killed');
  };
  await expect(moveRepository({ storage: faulty }, NAME, { storage: to }, { onProgress })).rejects.toThrow('killed');
  await moveRepository({ storage: to }, NAME, { storage: third });
  expect(await codeOf(moveRepository({ storage: from }, NAME, { storage: to }))).toBe('REPOSITORY_MOVED');
});

test('an aborted move leaves both stores as they were', async () => {
  const [from, to] = [await small(), new MemoryDriver()];
  const expected = await inMemory(from, async (database) => digests(await database.repository(NAME)));
  for (const step of ['frozen', 'copying', 'copied'] as const) {
    const stop = new AbortController();
    const onProgress = (progress: MoveProgress): void => (progress.step === step ? stop.abort() : undefined);
    const moved = moveRepository({ storage: from }, NAME, { storage: to }, { onProgress, signal: stop.signal });
    expect([step, await codeOf(moved)]).toEqual([step, 'ABORTED']);
    // Also no byte of the copy stays.
    expect(await to.approximateSize({})).toBeLessThan(500);
    expect([await standing(from, expected), await standing(to, expected)]).toEqual(['here', 'nothing']);
  }
});
