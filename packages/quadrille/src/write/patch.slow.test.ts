/** RDF Patch as one revision: all of it, or nothing and the line that does not apply. */
import { gzipSync } from 'node:zlib';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { patchRowText } from '@quadrille/formats/patch';
import { expect, it, onTestFinished, vi } from 'vitest';
import { randomOf, SEED } from '../../../../test/model/environment.js';
import type { Repository } from '../index.js';
import { all, changes, directory, EX, ex, lines, many, memory, q, repository } from '../testing/fixtures.js';

/** `A s p o g` becomes a row with IRIs below `EX`; literals, blank nodes and other rows stay. */
const patch = (...rows: string[]): string =>
  rows
    .map((row) => {
      const [operation = '', ...terms] = row.split(' ');
      const texts = terms.map((text) => (!/^[AD]$/.test(operation) || /^["<_]/.test(text) ? text : `<${EX}${text}>`));
      return `${[operation, ...texts].join(' ')} .\n`;
    })
    .join('');

const apply = (repo: Repository, ...rows: string[]): ReturnType<Repository['patch']> =>
  repo.patch({ text: patch(...rows) });

async function refused(
  repo: Repository,
  ...rows: string[]
): Promise<{ code: unknown; line: unknown; message: string }> {
  const before = [await repo.revision(), await lines(repo.quads()), await repo.namespaces.list()];
  const error = await apply(repo, ...rows).then(
    () => expect.fail('the patch was applied'),
    (reason: unknown) => reason as { code: string; details: { line?: number }; message: string },
  );
  expect([await repo.revision(), await lines(repo.quads()), await repo.namespaces.list()]).toEqual(before);
  return { code: error.code, line: error.details.line, message: error.message };
}

it('makes one revision of all its transactions, with message and author', async () => {
  const repo = await repository('a p o', 'b p o g');
  const before = await repo.revision();
  const text = patch('H note "x"', 'TX', 'D a p o', 'A c p "é" g', 'TC', 'TX', 'A d p o', 'D b p o g', 'TC', 'A e p o');
  const revision = await repo.patch({ text }, { message: 'moved', author: 'ann' });
  expect(revision).toMatchObject({ number: before.number + 1, added: 3, removed: 2, message: 'moved', author: 'ann' });
  expect(await changes(repo.diff(before))).toEqual(['+ c p "é" g', '+ d p o', '+ e p o', '- a p o', '- b p o g']);
});

it('counts the rows before each row', async () => {
  const repo = await repository('a p o');
  await apply(repo, 'D a p o', 'A a p o', 'D a p o', 'A b p o', 'D b p o', 'A c p o');
  expect(await lines(repo.quads())).toEqual(['c p o']);
  expect(await refused(repo, 'A d p o', 'D c p o', 'D c p o')).toMatchObject({ code: 'PATCH_CONFLICT', line: 3 });
  expect(await refused(repo, 'A d p o', 'A e p o', 'A d p o')).toMatchObject({ code: 'PATCH_CONFLICT', line: 3 });
});

it('refuses what is there already and what is not there, with the line and the quad', async () => {
  const repo = await repository('a p o', 'a p o g');
  expect(await refused(repo, 'TX', 'A b p o', 'A a p o', 'TC')).toEqual({
    code: 'PATCH_CONFLICT',
    line: 3,
    message: `line 3: the quad to add is there already: <${EX}a> <${EX}p> <${EX}o>`,
  });
  expect(await refused(repo, 'A b p o', 'D a p o h')).toEqual({
    code: 'PATCH_CONFLICT',
    line: 2,
    message: `line 2: the quad to delete is not there: <${EX}a> <${EX}p> <${EX}o> <${EX}h>`,
  });
  expect(await refused(repo, 'D a p "new"')).toMatchObject({ code: 'PATCH_CONFLICT', line: 1 });
});

it('drops blocks that end with TA, whatever is in them', async () => {
  const repo = await repository('a p o');
  const nothing = ['A a p o', 'D x p o'];
  await apply(repo, 'A b p o', 'TX', 'A c p o', 'D a p o', 'TA', 'TX', ...nothing, 'TA', 'TX', 'A c p o', 'TC');
  expect(await lines(repo.quads())).toEqual(['a p o', 'b p o', 'c p o']);
});

it('drops blocks that are longer than what is staged at once', async () => {
  const repo = await repository('a p o');
  const block = Array.from({ length: 1500 }, (_, i) => `A s${i} p o`);
  await apply(repo, 'A b p o', 'TX', ...block, 'D a p o', 'D b p o', 'D s1 p o', 'TA', 'A s2 p o');
  expect(await lines(repo.quads())).toEqual(['a p o', 'b p o', 's2 p o']);
  await apply(repo, 'TX', ...block.slice(3), 'TC', 'TX', 'D s7 p o', ...block.slice(0, 2), 'A s7 p o', 'TA');
  expect(await repo.size()).toBe(3 + 1497);
  const revision = await apply(repo, 'TX', 'D s7 p o', 'A t p o', 'TA');
  expect(revision).toEqual(await repo.revision());
});

it('changes prefixes, which have no revisions', async () => {
  const repo = await repository();
  await repo.namespaces.set('old', 'urn:old:');
  const before = await repo.revision();
  const text = 'PA "a" "urn:a:" .\nPD old .\nPD unknown .\nTX .\nPA b <urn:b:> .\nTA .\nTX .\nPA "" <urn:c:> .\nTC .\n';
  expect(await repo.patch({ text })).toEqual(before);
  expect(await repo.namespaces.list()).toEqual({ a: 'urn:a:', '': 'urn:c:', ex: EX });
  expect(await refused(repo, 'PA z <urn:z:>', 'D no p o')).toMatchObject({ code: 'PATCH_CONFLICT', line: 2 });
});

const OTHER_ID = '5b6c1f0a-2f7e-4f5e-9a2b-1b6d1c0f7a11';

it('applies a patch with an id once, and keeps the id with the revision', async () => {
  const repo = await repository('a p o');
  const text = patch(
    `H id <uuid:${OTHER_ID.toUpperCase()}>`,
    'H prev <uuid:0c3e7c52-94a5-4c1d-8a55-2f0a9d6b7e22>',
    'TX',
    'A b p o',
    'TC',
  );
  const applied = await repo.patch({ text });
  expect(applied).toMatchObject({ origin: OTHER_ID, added: 1 });
  await apply(repo, 'A c p o');
  expect(await repo.patch({ text: text.replace('uuid:', 'urn:uuid:') })).toEqual(applied);
  expect(await lines(repo.quads())).toEqual(['a p o', 'b p o', 'c p o']);
  // An id that is no UUID, and a patch that is taken back.
  const named = ['H id "patch 7"', 'TX', 'D a p o', 'TC', 'TX', 'D b p o', 'TA'];
  expect(await apply(repo, ...named)).toMatchObject({ removed: 1 });
  expect(await apply(repo, ...named)).toEqual(await repo.revision());
  expect(await lines(repo.quads())).toEqual(['b p o', 'c p o']);
  expect(await refused(repo, `H id "${'x'.repeat(300)}"`, 'A d p o')).toMatchObject({ code: 'RDF_SYNTAX', line: 1 });
});

it('applies once on each branch, and again where the revision was taken back with its branch', async () => {
  const repo = await repository('a p o');
  const dev = await repo.branches.open('dev', { create: true });
  const rows = [`H id <uuid:${OTHER_ID}>`, 'A b p o'];
  const there = await apply(dev, ...rows);
  const here = await apply(repo, ...rows);
  expect(here.id).not.toBe(there.id);
  expect(await apply(dev, ...rows)).toEqual(there);
  expect(await apply(repo, ...rows)).toEqual(here);
});

it('takes the revision that prev names as a condition, if it is one of this repository', async () => {
  const repo = await repository('a p o');
  const before = await repo.revision();
  const rows = [`H id <uuid:${OTHER_ID}>`, `H prev <uuid:${before.id}>`, 'TX', 'A b p o', 'TC'];
  await apply(repo, 'A c p o');
  expect(await refused(repo, ...rows)).toMatchObject({ code: 'REVISION_CONFLICT' });
  await apply(repo, 'H id "x"', `H prev <uuid:${(await repo.revision()).id}>`, 'A b p o');
  // The id of a patch that was applied here names a revision too.
  await apply(repo, 'H prev "x"', 'H id "y"', 'A d p o');
  expect(await refused(repo, 'H id "z"', 'H prev "x"', 'A e p o')).toMatchObject({ code: 'REVISION_CONFLICT' });
});

it('makes a revision of each patch with an id, and goes on behind those that were applied', async () => {
  // An id of another store is taken over where it is later than the head: two revisions of one millisecond are in no order.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 0, 1) });
  onTestFinished(() => void vi.useRealTimers());
  const [from, to] = [await repository('a p o'), await repository()];
  const text = async (): Promise<string> => {
    const rows: string[] = [];
    const end = (await from.revision()).number;
    for await (const { revision, quads } of from.watch({ since: 0 })) {
      rows.push(`H prev <urn:uuid:${revision.parent}> .\nH id <urn:uuid:${revision.id}> .\n`);
      if (revision.author !== undefined)
        rows.push(`H author "${revision.author}" .\nH message "${revision.message}" .\n`);
      for await (const { op, quad } of quads())
        rows.push(patchRowText({ type: op === 'add' ? 'add' : 'delete', quad }));
      if (revision.number === end) break;
    }
    return rows.join('');
  };
  await from.add([q('b p o'), q('c p _:b')], { author: 'ann', message: 'two' });
  await to.patch({ text: await text() });
  expect(await lines(to.quads())).toEqual(await lines(from.quads()));
  expect(await to.revision()).toMatchObject({ author: 'ann', message: 'two', added: 2 });
  vi.setSystemTime(Date.now() + 1000);
  await from.remove(q('a p o'));
  await from.add(q('d p o'));
  const all = await text();
  const head = await to.patch({ text: all });
  expect(head).toMatchObject({ number: 5, id: (await from.revision()).id });
  expect(await to.patch({ text: all })).toEqual(head);
  expect(await from.patch({ text: all })).toEqual(await from.revision());
  expect(await lines(to.quads())).toEqual(await lines(from.quads()));
});

it('refuses prefixes of graphs and faults, with the line', async () => {
  const repo = await repository('a p o');
  const raw = async (text: string): Promise<unknown> =>
    repo.patch({ text }, { sourceName: 'my.rdfp' }).catch((e: unknown) => e);
  expect(await raw('A <a:s> <a:p> 1 .\nPA x <a:x> <a:g> .')).toMatchObject({
    code: 'UNSUPPORTED',
    message: 'my.rdfp:2: a prefix of a single graph, which is not supported',
  });
  expect(await raw('A <a:s> <a:p> 1 .\nTX .\nA <a:s> .')).toMatchObject({ code: 'RDF_SYNTAX', line: 3, column: 9 });
  expect(await raw('TX .\nA <a:s> <a:p> 1 .\n')).toMatchObject({ code: 'RDF_SYNTAX', line: 3 });
  expect(await lines(repo.quads())).toEqual(['a p o']);
});

it('names nodes of the store, also within triple terms', async () => {
  const repo = await repository();
  await repo.patch({ text: 'A _:b1 <a:p> <<( <_:b1> <a:q> _:b2 )>> .\nA <_:x:1> <a:p> _:b2 .' });
  await repo.patch({ text: 'D <_:b1> <a:p> <<( <_:b1> <a:q> <_:b2> )>> .\nA _:b2 <a:p> <_:x:1> .' });
  expect(await lines(repo.quads())).toEqual(['_:b2 <a:p> _:patch-783a31', '_:patch-783a31 <a:p> _:b2']);
});

it('reads files, gzip, bytes and streams', async () => {
  const repo = await repository();
  const path = join(await directory(), 'p.rdfp.gz');
  await writeFile(path, gzipSync(patch('A a p o')));
  await repo.patch(path);
  await repo.patch(Buffer.from(patch('A b p o')));
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (const byte of Buffer.from(patch('A c p o', 'D a p o'))) yield Uint8Array.of(byte);
  }
  await repo.patch(chunks());
  expect(await lines(repo.quads())).toEqual(['b p o', 'c p o']);
  await writeFile(path, patch('A a p o', 'A b p o'));
  await expect(repo.patch(path)).rejects.toThrow(/p\.rdfp\.gz:2: the quad to add is there already/);
  await expect(repo.patch(5 as unknown as string)).rejects.toMatchObject({ code: 'INVALID_OPTION' });
});

it('with ifRevision tells that the head moved before it tells what is absent', async () => {
  const repo = await repository('a p o');
  const old = await repo.revision();
  await repo.remove(q('a p o'));
  await expect(repo.patch({ text: patch('D a p o') }, { ifRevision: old })).rejects.toMatchObject({
    code: 'REVISION_CONFLICT',
  });
  const head = await repo.revision();
  expect(await repo.patch({ text: patch('A a p o') }, { ifRevision: head })).toMatchObject({ parent: head.id });
});

it('is aborted by its signal, and refuses views and wrong options', async () => {
  const repo = await repository('a p o');
  const aborted = AbortSignal.abort();
  await expect(repo.patch({ text: patch('D a p o') }, { signal: aborted })).rejects.toMatchObject({ code: 'ABORTED' });
  const controller = new AbortController();
  async function* slow(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(patch('D a p o'));
    controller.abort();
    yield Buffer.from(patch('A b p o'));
  }
  await expect(repo.patch(slow(), { signal: controller.signal })).rejects.toMatchObject({ code: 'ABORTED' });
  await expect(repo.patch({ text: '' }, { wrong: 1 } as object)).rejects.toMatchObject({ code: 'INVALID_OPTION' });
  const view = repo.at('HEAD') as unknown as Repository;
  await expect(view.patch({ text: '' })).rejects.toMatchObject({ code: 'READ_ONLY' });
  expect(await lines(repo.quads())).toEqual(['a p o']);
});

it('many at once: each is applied whole, or not at all', async () => {
  const repo = await repository(...Array.from({ length: 20 }, (_, i) => `s${i} p o`));
  // Every patch moves the token of its number; two of them compete for each token.
  const outcomes = await Promise.allSettled(
    Array.from({ length: 40 }, (_, i) => apply(repo, `D s${i >> 1} p o`, `A s${i >> 1} p o${i & 1}`)),
  );
  const applied = outcomes.flatMap((outcome, i) => (outcome.status === 'fulfilled' ? [i] : []));
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') expect(['PATCH_CONFLICT', 'REVISION_CONFLICT']).toContain(outcome.reason.code);
  }
  expect(new Set(applied.map((i) => i >> 1)).size).toBe(applied.length);
  const moved = applied.map((i) => `s${i >> 1} p o${i & 1}`);
  const kept = Array.from({ length: 20 }, (_, i) => i).filter((i) => !applied.some((other) => other >> 1 === i));
  expect(await lines(repo.quads())).toEqual([...moved, ...kept.map((i) => `s${i} p o`)].toSorted());
});

it('other commits do not stand in its way, unless they change its quads', async () => {
  const repo = await repository('a p o');
  const beside = (rows: string[], ...added: string[]) =>
    repo.patch(
      (async function* chunks(): AsyncGenerator<Uint8Array> {
        yield Buffer.from(patch(...rows.slice(0, -1)));
        for (const one of added) await repo.add(q(one));
        yield Buffer.from(patch(rows.at(-1)!));
      })(),
    );
  await beside(['D a p o', 'A b p o', 'A c p o'], 'x other o', 'y p o');
  expect(await lines(repo.quads())).toEqual(['b p o', 'c p o', 'x other o', 'y p o']);
  const conflict = { code: 'PATCH_CONFLICT', details: { line: 2 } };
  await expect(beside(['D b p o', 'A z p o', 'A w p o'], 'z p o')).rejects.toMatchObject(conflict);
  // Rows that take each other back must have had an effect too.
  await expect(beside(['D b p o', 'A v p o', 'D v p o'], 'v p o')).rejects.toMatchObject(conflict);
  await expect(beside(['D b p o', 'A u p o', 'D u p o', 'A b p o', 'D t p o'], 't p o')).resolves.toMatchObject({
    removed: 1,
  });
  expect(await lines(repo.quads())).toEqual(['b p o', 'c p o', 'v p o', 'x other o', 'y p o', 'z p o']);
});

it.each([1, 4000])('of many commits at once, each has all of its effect or none: %i rows', async (count) => {
  const repo = await repository('first p o');
  const row = (name: string): string[] => many(count).map((_, i) => `A ${name}${i} p o${i}`);
  const outcomes = await Promise.allSettled([
    ...[1, 2, 3].map(() => apply(repo, ...row('s'), 'D first p o')),
    ...[1, 2, 3].map((n) => apply(repo, ...row(`t${n}-`))),
    ...[1, 2, 3].map((n) => repo.add(q(`s0 p o0 g${n}`))),
  ]);
  const failed = outcomes.filter((one) => one.status === 'rejected');
  expect(failed).toHaveLength(2);
  for (const { reason } of failed) expect(reason).toMatchObject({ code: 'PATCH_CONFLICT' });
  expect(await repo.size()).toBe(4 * count + 3);
  expect((await repo.maintenance.verify()).problems).toEqual([]);
});

it('takes more quads than a record holds', async () => {
  const repo = await repository();
  await repo.add(many(20_000));
  const rows = many(20_000).map((_, i) => `D s${i} p o${i}`);
  const added = many(20_000).map((_, i) => `A t${i} p o${i}`);
  expect(await apply(repo, ...rows, ...added)).toMatchObject({ added: 20_000, removed: 20_000, size: 20_000 });
  expect(await refused(repo, ...many(3000).map((_, i) => `D t${i} p o${i}`), 'A t19999 p o19999')).toMatchObject({
    line: 3001,
  });
  expect((await repo.maintenance.verify()).problems).toEqual([]);
});

it('the difference of two revisions is a patch from one to the other', async () => {
  const repo = await repository('a p o', 'b p o g', 'c p "x"');
  const first = await repo.revision();
  await apply(repo, 'D a p o', 'A d p "y" h');
  const { patchRowText } = await import('@quadrille/formats/patch');
  const back = (await all(repo.diff('HEAD', first)))
    .map(({ op, quad }) => patchRowText({ type: op === 'add' ? 'add' : 'delete', quad }))
    .join('');
  await repo.patch({ text: back });
  expect(await changes(repo.diff(first))).toEqual([]);
});

it(`agrees with a set (QUADRILLE_SEED=${SEED})`, async () => {
  const db = await memory();
  for (let run = 0; run < 150; run++) {
    const random = randomOf(run);
    const below = (end: number): number => Math.floor(random() * end);
    const repo = await db.repository(`acme/r${run}`, { create: true });
    let state = new Set(Array.from({ length: below(6) }, () => `s${below(6)} p o`));
    if (state.size > 0) await repo.add([...state].map(q));
    const start = new Set(state);
    const rows: string[] = [];
    let fault: number | undefined;
    for (let block = below(5); block > 0; block--) {
      const saved = new Set(state);
      const kind = ['', 'TC', 'TA'][below(3)]!;
      if (kind !== '') rows.push('TX');
      for (let left = below(5); left > 0; left--) {
        const quad = `s${below(6)} p o${below(4) === 0 ? ' g' : ''}`;
        // Mostly a change that has an effect.
        const added = state.has(quad) === (below(12) === 0);
        rows.push(`${added ? 'A' : 'D'} ${quad}`);
        if (kind !== 'TA' && state.has(quad) === added) fault ??= rows.length;
        if (added) state.add(quad);
        else state.delete(quad);
      }
      if (kind !== '') rows.push(kind);
      if (kind === 'TA') state = saved;
    }
    if (fault === undefined) await apply(repo, ...rows);
    else expect(await refused(repo, ...rows), `run ${run}`).toMatchObject({ code: 'PATCH_CONFLICT', line: fault });
    expect(await lines(repo.quads()), `run ${run}`).toEqual([...(fault === undefined ? state : start)].toSorted());
    await db.deleteRepository(repo.name);
  }
});

it('reads a long patch behind one that was applied before, with the same predicates', async () => {
  const repo = await repository();
  const rows = (name: string): string[] => many(2000).map((_, i) => `A ${name}${i} p${i % 3} o${i}`);
  const first = ['H id "one"', 'TX', ...rows('s'), 'TC'];
  await apply(repo, ...first);
  const second = ['H id "two"', 'TX', ...rows('t'), ...rows('s').map((row) => row.replace('A', 'D')), 'TC'];
  const revision = await apply(repo, ...first, ...second);
  expect(revision).toMatchObject({ added: 2000, removed: 2000, size: 2000 });
  expect(await repo.count({ predicate: ex('p1') })).toBe(667);
  expect(await lines(repo.quads({ subject: ex('t5') }))).toEqual(['t5 p2 o5']);
  expect(await refused(repo, ...rows('u'), 'D t1999 p1 o1999', ...rows('v'), 'A t1998 p0 o1998')).toMatchObject({
    line: 4002,
  });
});
