/** Trims through the library: blame, log, diff, feed, export, signatures, settings. */
import { generateKeyPairSync } from 'node:crypto';
import { yieldTurn } from '@quadrille/model';
import { expect, test } from 'vitest';
import type { Repository } from '../index.js';
import { open } from '../index.js';
import { q } from '../testing/fixtures.js';

const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'none',
    (error: unknown) => (error as { code: string }).code,
  );

/** Ten commits after the empty first revision: each adds a quad, and every third one removes the one before. */
async function fill(repo: Repository): Promise<void> {
  for (let n = 2; n <= 11; n++)
    await repo.transaction(
      async (tx) => {
        await tx.add(q(`s${String(n)} p o`));
        if (n % 3 === 2) await tx.remove(q(`s${String(n - 1)} p o`));
      },
      { message: `n ${String(n)}`, author: 'ann' },
    );
}

test('what reads history goes on', async () => {
  const db = await open(':memory:');
  const repo = await db.repository('r', { create: true });
  await fill(repo);
  const states = new Map<number, string>();
  for (let n = 1; n <= 11; n++) states.set(n, await repo.at(n).dump('application/n-quads').toString());
  const digest = await repo.proof.digest();
  const digest9 = await repo.proof.digest(9);
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const key = String(publicKey.export({ type: 'spki', format: 'pem' }));
  await repo.proof.sign(String(privateKey.export({ type: 'pkcs8', format: 'pem' })), { ref: 9 });
  const since = await repo.at(8).revision();
  const feed = repo.watch({ since: 5 })[Symbol.asyncIterator]();
  await feed.next();
  await repo.tags.set('four', 4);

  for (const same of [{ from: 8 }, { to: 7 }, { from: 3, to: 7 }, { from: 8, to: 5 }])
    expect(await repo.maintenance.trim({ ...same, dryRun: true })).toMatchObject({ trimmed: 6, kept: 5 });
  expect(await repo.maintenance.trim({ from: 8 })).toMatchObject({ trimmed: 6, kept: 5 });

  expect((await repo.log().toArray()).map(({ number, kind }) => [number, kind])).toEqual([
    [11, 'commit'],
    [10, 'commit'],
    [9, 'commit'],
    [8, 'squash'],
    [4, 'squash'],
  ]);
  expect((await repo.log({ before: 9 }).toArray()).map(({ number }) => number)).toEqual([8, 4]);
  expect((await repo.log({ pattern: q('s6 p o') }).toArray()).map(({ number }) => number)).toEqual([8]);
  expect((await repo.log({ author: 'ann', limit: 9 }).toArray()).map(({ number }) => number)).toEqual([
    11, 10, 9, 8, 4,
  ]);
  for (const n of [4, 8, 9, 10, 11])
    expect(await repo.at(n).dump('application/n-quads').toString()).toBe(states.get(n));
  expect((await repo.blame(q('s6 p o')).toArray())[0]?.revision.number).toBe(8);
  expect((await repo.blame(q('s3 p o')).toArray())[0]?.revision.number).toBe(4);
  expect((await repo.blame(q('s9 p o')).toArray())[0]?.revision.number).toBe(9);
  expect((await repo.history(q('s4 p o')).toArray()).map(({ op, revision }) => [op, revision.number])).toEqual([
    ['add', 4],
    ['remove', 8],
  ]);
  // It came and went between two revisions that are left.
  expect(await repo.history(q('s7 p o')).toArray()).toEqual([]);
  expect((await repo.diff(4, 8).toArray()).map(({ op }) => op).toSorted()).toEqual(['add', 'add', 'add', 'remove']);
  expect(await codeOf(feed.next())).toBe('REVISION_TRIMMED');
  expect((await repo.watch({ since: since.id })[Symbol.asyncIterator]().next()).value?.revision.number).toBe(9);
  const [first] = [(await repo.watch({ since: 4 })[Symbol.asyncIterator]().next()).value!];
  expect((await first.quads().toArray()).map(({ op }) => op).toSorted()).toEqual(['add', 'add', 'add', 'remove']);
  expect(await codeOf(repo.at(6).quads().toArray())).toBe('REVISION_TRIMMED');

  expect(await repo.proof.digest()).toBe(digest);
  expect(await repo.proof.digest(9)).toBe(digest9);
  const report = await repo.proof.verify({ key });
  expect(report).toMatchObject({ ok: true, problems: [], validSignatures: 1, revisions: 5 });
  expect((await repo.maintenance.verify()).problems).toEqual([]);
  await db.close();
});

test('the setting retention holds for compaction', async () => {
  const db = await open(':memory:');
  const repo = await db.repository('r', { create: true });
  await fill(repo);
  await repo.branches.create('side', { from: 5 });
  await repo.maintenance.compact();
  expect((await repo.log().toArray()).length).toBe(11);
  for (const retention of [{}, { last: 0 }, { last: 1.5 }, { month: 1 }, [], 'all'])
    expect(await codeOf(repo.settings.set({ retention: retention as never }))).toBe('INVALID_OPTION');
  expect(await repo.settings.set({ retention: { last: 2 } })).toMatchObject({ retention: { last: 2 } });
  await repo.maintenance.compact();
  expect((await repo.log().toArray()).map(({ number }) => number)).toEqual([11, 10, 5]);
  expect(await repo.maintenance.trim()).toMatchObject({ trimmed: 0, kept: 3 });
  expect(await (await repo.branches.open('side')).quads().toArray()).toHaveLength(3);
  expect((await repo.maintenance.verify()).problems).toEqual([]);
  await db.close();
});

test('delete-history removes what was there before', async () => {
  const db = await open(':memory:');
  const repo = await db.repository('r', { create: true });
  await fill(repo);
  const report = await repo.maintenance.trim({ from: 9, mode: 'delete-history', author: 'bob' });
  expect(report).toMatchObject({ trimmed: 8, kept: 4 });
  const head = await repo.at('HEAD').revision();
  expect(head).toMatchObject({ number: 12, author: 'bob', message: 'Remove what was added before revision 9' });
  const left = (await repo.quads().toArray()).map(({ subject }) => subject.value.split('/').at(-1));
  expect(left.toSorted()).toEqual(['s11', 's9']);
  await db.close();
});

test('wrong input changes nothing', async () => {
  const db = await open(':memory:');
  const repo = await db.repository('r', { create: true });
  await fill(repo);
  for (const [options, code] of [
    [{}, 'INVALID_OPTION'],
    [{ last: 0 }, 'INVALID_OPTION'],
    [{ last: -1 }, 'INVALID_OPTION'],
    [{ perDay: 0.5 }, 'INVALID_OPTION'],
    [{ mode: 'all', last: 1 }, 'INVALID_OPTION'],
    [{ perDay: 1, mode: 'delete-history' }, 'INVALID_OPTION'],
    [{ from: '*' }, 'INVALID_REF'],
    [{ from: 99 }, 'REVISION_NOT_FOUND'],
    [{ to: 'nothing' }, 'REVISION_NOT_FOUND'],
    [{ last: 1, unknown: 1 }, 'INVALID_OPTION'],
  ] as const)
    expect(await codeOf(repo.maintenance.trim(options as never)), JSON.stringify(options)).toBe(code);
  expect((await repo.log().toArray()).length).toBe(11);
  expect(await repo.maintenance.trim({ last: 1 })).toMatchObject({ trimmed: 10, kept: 1 });
  for (const gone of [{ from: 3 }, { to: 3 }, { to: 'HEAD' }])
    expect(await repo.maintenance.trim(gone)).toMatchObject({ trimmed: 0, kept: 1 });
  await db.close();
});

const rowsOf = (text: string): string[] =>
  text
    .split('\n')
    .filter((row) => !/^H (?:sha256|repository) /.test(row))
    .toSorted();

test.each([10, 300])('a trimmed history of %d quads can be copied and followed', async (size) => {
  const db = await open(':memory:');
  const repo = await db.repository('r', { create: true });
  await repo.add(Array.from({ length: size }, (_, i) => q(`a${String(i)} p o`)));
  await fill(repo);
  await repo.tags.set('six', 6);
  const before = await repo.proof.digest();
  await repo.maintenance.trim({ last: 3 });
  const text = (await repo.sync.exportHistory().toArray()).join('');
  const copy = await db.repository('copy', { create: true });
  await copy.sync.importHistory({ text });
  expect((await copy.log().toArray()).map(({ id, number, kind }) => [id, number, kind])).toEqual(
    (await repo.log().toArray()).map(({ id, number, kind }) => [id, number, kind]),
  );
  expect(await copy.proof.digest()).toBe(before);
  for (const ref of ['six', 10, 12])
    expect(await copy.at(ref).dump('application/n-quads').toString()).toBe(
      await repo.at(ref).dump('application/n-quads').toString(),
    );
  expect(rowsOf((await copy.sync.exportHistory().toArray()).join(''))).toEqual(rowsOf(text));
  expect(await codeOf(copy.at(3).revision())).toBe('REVISION_TRIMMED');
  expect((await copy.maintenance.verify()).problems).toEqual([]);
  await copy.maintenance.rebuild();
  expect((await copy.maintenance.verify()).problems).toEqual([]);
  await copy.sync.importHistory({ text });
  const clone = await db.clone('clone', repo);
  await repo.add(q('later p o'));
  expect(await clone.sync.pull(repo)).toMatchObject({ transferred: 1 });
  expect(await clone.proof.digest()).toBe(await repo.proof.digest());
  expect((await clone.maintenance.verify()).problems).toEqual([]);
  expect((await clone.proof.verify()).problems).toEqual([]);
  await db.close();
});

test('a tag or a branch that comes beside a trim keeps its revision, or is refused', async () => {
  const outcomes = new Set<string>();
  for (let turns = 0; turns < 60; turns += 12) {
    const db = await open(':memory:');
    const repo = await db.repository('r', { create: true });
    await fill(repo);
    const trim = codeOf(repo.maintenance.trim({ last: 1 }));
    for (let turn = 0; turn < turns; turn++) await (turn % 4 === 0 ? yieldTurn() : Promise.resolve());
    const tag = await codeOf(repo.tags.set('t', 5));
    const branch = await codeOf(repo.branches.open('b', { create: true, from: 4 }));
    expect(['none', 'REPOSITORY_BUSY']).toContain(await trim);
    for (const [code, name] of [
      [tag, 't'],
      [branch, 'b'],
    ] as const) {
      outcomes.add(`${name} ${String(code)}`);
      expect(['none', 'REVISION_TRIMMED']).toContain(code);
      if (code === 'none') expect((await repo.at(name).revision()).number).toBe(name === 't' ? 5 : 4);
    }
    expect(await db.verify()).toMatchObject({ ok: true });
    await db.close();
  }
  expect(outcomes.size).toBeGreaterThan(1);
});
