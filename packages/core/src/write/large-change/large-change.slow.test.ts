/** Large changes (rows written aside as runs) while other writers commit. */
import type * as RDF from '@rdfjs/types';
import { describe, expect, test } from 'vitest';
import { iri, iterate } from '@quadrille/model';
import type { Repository } from '../../repository.js';
import { Pacer, platformEnv } from '../../runtime/env.js';
import { contents, feed, many, openRepository, q, randomInts, show, SMALL } from '../../testing/fixture.js';
import { LargeChange } from './large-change.js';

const shown = (quads: readonly RDF.Quad[]): string[] => [...new Set(quads.map(show))].toSorted();

async function sound(repository: Repository): Promise<void> {
  expect((await repository.maintenance.verify()).problems).toEqual([]);
  const snapshot = repository.snapshot();
  const all = await contents(repository);
  expect(snapshot.record.size).toBe(all.length);
  expect(new Set(all).size).toBe(all.length);
  snapshot.close();
}

describe('intervals on both sides of the border between memtable and runs', () => {
  test('a quad whose interval in the memtable ended, added again by a large change', async () => {
    const { repository } = await openRepository(undefined, { tuning: SMALL });
    await repository.commit([q('x p o')], []);
    await repository.commit([], [q('x p o')]);
    await repository.commit([q('x p o'), ...many('m', 60)], []);
    expect((await repository.commit([q('x p o')], [])).number).toBe(4);
    expect(await repository.commit([], [q('x p o')])).toMatchObject({ number: 5, removed: 1 });
    await sound(repository);
  });

  test('a quad of the memtable, removed by a large change', async () => {
    const { repository } = await openRepository(undefined, { tuning: SMALL });
    await repository.commit([q('x p o')], []);
    await repository.commit(many('m', 60), []);
    expect(await repository.removeMatches({})).toMatchObject({ removed: 61, size: 0 });
    expect((await repository.commit([], [q('x p o')])).number).toBe(4);
    expect(await repository.commit([q('x p o')], [])).toMatchObject({ number: 5, added: 1, size: 1 });
    await sound(repository);
  });

  test('one that comes in two chunks of a load, and had an interval before', async () => {
    const { repository } = await openRepository(undefined, { tuning: { ...SMALL, chunkRows: 64 } });
    await repository.commit([q('x p o'), q('y p o')], []);
    await repository.commit([], [q('x p o')]);
    await repository.commit(many('old', 2000), []);
    const load = await repository.beginLoad();
    for (let chunk = 0; chunk < 4; chunk++) {
      await feed(load, [q('x p o'), q('y p o'), ...many(`c${chunk}-`, 50)]);
      await load.writeChunk();
    }
    expect(await repository.finishLoad(load, {})).toMatchObject({ added: 201, removed: 0, size: 2202 });
    expect(await repository.commit([], [q('x p o')])).toMatchObject({ removed: 1 });
    await sound(repository);
  });
});

/** Begins a load on `base`, lets `meanwhile` happen, commits. */
async function loadWith(
  options: { base: RDF.Quad[]; document: RDF.Quad[]; replace?: boolean; graph?: RDF.NamedNode; chunks?: boolean },
  meanwhile: (repository: Repository) => Promise<unknown>,
): Promise<{ repository: Repository; revision: Awaited<ReturnType<Repository['finishLoad']>> }> {
  const { repository } = await openRepository(undefined, { tuning: SMALL });
  await repository.commit(options.base, []);
  const load = await repository.beginLoad({ replace: options.replace, graph: options.graph });
  if (options.chunks === true) {
    // Two chunks: the first rows are written aside before `meanwhile` commits.
    const half = Math.ceil(options.document.length / 2);
    await feed(load, options.document.slice(0, half));
    await load.writeChunk();
    await feed(load, options.document.slice(half));
    await load.writeChunk();
  } else await feed(load, options.document);
  await meanwhile(repository);
  const revision = await repository.finishLoad(load, {});
  await load.close();
  await sound(repository);
  return { repository, revision };
}

describe.each([true, false])('commits between the base of a load and its commit (written aside: %s)', (chunks) => {
  const document = [q('x p o'), q('k p o'), ...many('d', 60)];

  test('the same quad is added meanwhile: no net addition, its first interval ends where the other begins', async () => {
    const { repository, revision } = await loadWith({ base: [q('k p o')], document, chunks }, (r) =>
      r.commit([q('x p o')], []),
    );
    expect(revision).toMatchObject({ number: 4, added: 60, removed: 0, size: 62 });
    expect(await contents(repository, 3)).toEqual(['k p o', 'x p o']);
    expect(await contents(repository, 4)).toEqual(shown(document));
    expect(await repository.commit([], [q('x p o')])).toMatchObject({ removed: 1, size: 61 });
    await sound(repository);
  });

  test('a quad that the load found there is removed meanwhile: it comes back', async () => {
    const { repository, revision } = await loadWith({ base: [q('k p o')], document, chunks }, (r) =>
      r.commit([], [q('k p o')]),
    );
    expect(revision).toMatchObject({ added: 62, removed: 0 });
    expect(await contents(repository)).toEqual(shown(document));
  });

  test('one is added and removed, or removed and added, meanwhile', async () => {
    const { repository, revision } = await loadWith({ base: [q('k p o')], document, chunks }, async (r) => {
      await r.commit([q('x p o')], [q('k p o')]);
      await r.commit([q('k p o')], [q('x p o')]);
    });
    expect(revision).toMatchObject({ added: 61, removed: 0 });
    expect(await contents(repository)).toEqual(shown(document));
    expect(await repository.commit([q('x p o'), q('k p o')], [])).toMatchObject({ number: 5 });
  });

  test('a replacing load: quads in its scope that came meanwhile go, those that went are not removed twice', async () => {
    const base = [q('k p o'), q('old p o'), q('older p o'), ...many('b', 60)];
    const { repository, revision } = await loadWith({ base, document, replace: true, chunks }, async (r) => {
      await r.commit([q('new p o'), q('x p o')], [q('old p o'), q('k p o')]);
      await r.commit([q('old p o')], []);
      await r.commit([], [q('older p o'), q('b1 p o1')]);
    });
    expect(await contents(repository)).toEqual(shown(document));
    const [before, after] = [repository.head.number - 1, repository.head.number];
    const [old, now] = [await contents(repository, before), await contents(repository, after)];
    expect(revision.added).toBe(now.filter((quad) => !old.includes(quad)).length);
    expect(revision.removed).toBe(old.filter((quad) => !now.includes(quad)).length);
  });

  test('a replacing load of one graph leaves the others alone', async () => {
    const base = [...many('b', 40, 'g1'), ...many('b', 40, 'g2'), q('k p o')];
    const { repository } = await loadWith({ base, document, replace: true, graph: iri('http://e/g1'), chunks }, (r) =>
      r.commit([q('new p o g1'), q('new p o g2')], [q('b1 p o1 g1')]),
    );
    const expected = [
      ...document.map((quad) => `${show(quad)} g1`),
      ...many('b', 40, 'g2').map(show),
      'k p o',
      'new p o g2',
    ];
    expect(await contents(repository)).toEqual(expected.toSorted());
  });

  test('nothing is left to do: no revision', async () => {
    const all = [q('x p o'), q('k p o'), ...many('d', 60)];
    const { revision } = await loadWith({ base: [q('k p o')], document: all, chunks }, (r) => r.commit(all, []));
    expect(revision.number).toBe(3);
  });
});

test('more adjustments than a record holds', async () => {
  const document = many('d', 200);
  const { repository, revision } = await loadWith(
    { base: many('d', 30), document, replace: true, chunks: true },
    async (r) => {
      await r.commit(many('new', 100), many('d', 30));
      await r.commit(many('d', 100), []);
    },
  );
  expect(revision).toMatchObject({ added: 100, removed: 100, size: 200 });
  expect(await contents(repository)).toEqual(shown(document));
});

test('a load of random quads beside random commits, compared with a model', async () => {
  for (let seed = 1; seed <= 15; seed++) {
    const int = randomInts(seed);
    const random = (count: number): RDF.Quad[] =>
      Array.from({ length: count }, () => q(`s${int(0, 9)} p${int(0, 3)} o${int(0, 5)}${int(0, 3) === 0 ? ' g' : ''}`));
    const replace = int(0, 2) === 0;
    const [base, document] = [random(80), random(90)];
    const commits = Array.from({ length: int(1, 5) }, () => [random(int(0, 50)), random(int(0, 50))] as const);
    const model = new Set(base.map(show));
    for (const [added, removed] of commits) {
      const keep = new Set(added.map(show));
      for (const quad of removed) if (!keep.has(show(quad))) model.delete(show(quad));
      for (const quad of added) model.add(show(quad));
    }
    if (replace) model.clear();
    for (const quad of document) model.add(show(quad));
    const { repository } = await loadWith({ base, document, replace, chunks: int(0, 2) === 0 }, async (r) => {
      for (const [added, removed] of commits) await r.commit(added, removed);
    });
    expect(await contents(repository), `seed ${seed}`).toEqual([...model].toSorted());
  }
});

test('commits while a load is being published: each comes before or after all of it', async () => {
  let rebased = 0;
  for (let seed = 1; seed <= 12; seed++) {
    const int = randomInts(seed);
    const random = (count: number): RDF.Quad[] =>
      Array.from({ length: count }, () => q(`s${int(0, 9)} p${int(0, 3)} o${int(0, 5)}`));
    const { repository } = await openRepository(undefined, { tuning: SMALL });
    const replace = int(0, 2) === 0;
    const [base, document] = [random(80), random(90)];
    await repository.commit(base, []);
    const load = await repository.beginLoad({ replace });
    await feed(load, document);
    await load.writeChunk();
    const begun = repository.head.number;
    const finished = repository.finishLoad(load, {});
    const steps: { number: number; apply: (model: Set<string>) => void }[] = [];
    for (let n = 0; n < 25; n++) {
      const [added, removed] = [random(int(1, 4)), random(int(0, 8))];
      const { number, message } = await repository.commit(added, removed, { message: `commit ${n}` });
      // A commit without a net change returns the existing head.
      if (message !== `commit ${n}`) continue;
      const kept = new Set(added.map(show));
      const apply = (model: Set<string>): void => {
        for (const quad of removed) if (!kept.has(show(quad))) model.delete(show(quad));
        for (const quad of added) model.add(show(quad));
      };
      steps.push({ number, apply });
    }
    const { number } = await finished;
    if (number > begun + 1) rebased++;
    steps.push({
      number,
      apply: (model) => {
        if (replace) model.clear();
        for (const quad of document) model.add(show(quad));
      },
    });
    const model = new Set(base.map(show));
    for (const { apply } of steps.toSorted((one, other) => one.number - other.number)) apply(model);
    expect(await contents(repository), `seed ${seed}`).toEqual([...model].toSorted());
    await sound(repository);
  }
  // Fewer rebases would mean that the test has hardly tested them.
  expect(rebased).toBeGreaterThan(3);
});

test('a quad that a large commit removes and adds is present afterwards', async () => {
  const int = randomInts(5);
  const random = (count: number): RDF.Quad[] =>
    Array.from({ length: count }, () => q(`s${int(0, 9)} p${int(0, 2)} o${int(0, 9)} g${int(0, 2)}`));
  for (let round = 0; round < 20; round++) {
    // Chunks of a few rows: what is added and removed comes in several.
    const { repository } = await openRepository(undefined, { tuning: { ...SMALL, chunkRows: 16 + 40 * (round % 2) } });
    const [base, added, removed] = [random(120), random(int(20, 90)), random(int(40, 120))];
    await repository.commit(base, []);
    const before = new Set(base.map(show));
    const model = new Set(before);
    for (const quad of removed) model.delete(show(quad));
    for (const quad of added) model.add(show(quad));
    expect(await repository.commit(added, removed)).toMatchObject({
      added: [...model].filter((quad) => !before.has(quad)).length,
      removed: [...before].filter((quad) => !model.has(quad)).length,
    });
    expect(await contents(repository)).toEqual([...model].toSorted());
    await sound(repository);
  }
});

test('ifRevision of a load is that of its commit', async () => {
  const { repository } = await openRepository(undefined, { tuning: SMALL });
  const load = await repository.beginLoad();
  await feed(load, many('d', 60));
  await repository.commit([q('x p o')], []);
  await expect(repository.finishLoad(load, { ifRevision: 1 })).rejects.toThrow(
    expect.objectContaining({ code: 'REVISION_CONFLICT' }),
  );
  await load.close();
  expect(repository.head.number).toBe(2);
  await sound(repository);
});

describe('revert and diff', () => {
  test.each([5, 60])(
    'revert takes back what is still there and brings back what is still absent (%i quads)',
    async (count) => {
      const { repository } = await openRepository(undefined, { tuning: SMALL });
      await repository.commit([...many('a', count), q('k p o')], []);
      await repository.commit(many('b', count), [...many('a', count)]);
      await repository.commit([q('a1 p o1')], [q('b1 p o1')]);
      expect(await repository.revert(3)).toMatchObject({
        added: count - 1,
        removed: count - 1,
        message: 'Revert revision 3',
      });
      expect(await contents(repository)).toEqual(shown([...many('a', count), q('k p o')]));
      expect((await repository.revert(3)).number).toBe(5);
      expect((await repository.revert(1)).number).toBe(5);
      await sound(repository);
    },
  );

  test('diff at every distance, forwards and backwards, is the difference of the contents', async () => {
    const { repository } = await openRepository(undefined, { tuning: { ...SMALL, memtableRows: 40 } });
    const int = randomInts(4);
    const random = (count: number): RDF.Quad[] =>
      Array.from({ length: count }, () => q(`s${int(0, 6)} p${int(0, 3)} o${int(0, 5)}${int(0, 2) ? ' g' : ''}`));
    for (let round = 0; round < 9; round++) {
      await repository.commit(random(int(1, 45)), random(int(1, 45)));
      if (round === 4) await repository.maintenance.compact();
    }
    const at: string[][] = [];
    for (let number = 1; number <= repository.head.number; number++) at[number] = await contents(repository, number);
    for (let from = 1; from < at.length; from++) {
      for (let to = 1; to < at.length; to++) {
        const found: string[] = [];
        for await (const entries of iterate(repository.history.diff(from, to)))
          found.push(...entries.map(({ op, quad }) => `${op} ${show(quad)}`));
        const added = at[to]!.filter((quad) => !at[from]!.includes(quad)).map((quad) => `add ${quad}`);
        const removed = at[from]!.filter((quad) => !at[to]!.includes(quad)).map((quad) => `remove ${quad}`);
        expect(found.toSorted()).toEqual([...added, ...removed].toSorted());
      }
    }
  });

  test.each([5, 60])('removeMatches of %i quads', async (count) => {
    const { repository } = await openRepository(undefined, { tuning: SMALL });
    await repository.commit([...many('a', count, 'g1'), ...many('a', count, 'g2'), q('a1 r o1')], []);
    expect(await repository.removeMatches({ graph: iri('http://e/g1') })).toMatchObject({ removed: count });
    expect(await repository.removeMatches({ subject: iri('http://e/a1'), predicate: iri('http://e/p') })).toMatchObject(
      { removed: 1 },
    );
    expect(await repository.removeMatches({ predicate: iri('http://e/p') })).toMatchObject({ removed: count - 1 });
    expect(await contents(repository)).toEqual(['a1 r o1']);
    const { number } = repository.head;
    expect((await repository.removeMatches({ predicate: iri('http://e/none') })).number).toBe(number);
    expect((await repository.removeMatches({ graph: iri('http://e/g1') })).number).toBe(number);
    await sound(repository);
  });

  test('removeMatches of any pattern, with commits between its base and its commit', async () => {
    const names = ['subject', 'predicate', 'object', 'graph'] as const;
    const int = randomInts(16);
    const random = (count: number): RDF.Quad[] =>
      Array.from({ length: count }, () => q(`s${int(0, 9)} p${int(0, 2)} o${int(0, 9)} g${int(0, 2)}`));
    // Every set of bound places has its turn.
    for (let bound = 0; bound < 16; bound++) {
      // So few bytes that the quads of a subject do not fit into a record.
      const { repository } = await openRepository(undefined, { tuning: { ...SMALL, deltaBytes: 40 } });
      const base = random(800);
      await repository.commit(base, []);
      const pattern = Object.fromEntries(
        names.flatMap((name, n) => (bound & (1 << n) ? [[name, base[0]![name]]] : [])),
      );
      const snapshot = repository.snapshot();
      const change = new LargeChange(snapshot.timeline, await snapshot.ids(pattern), new Pacer(platformEnv()));
      snapshot.close();
      const model = new Map(base.map((quad) => [show(quad), quad]));
      for (let n = 0; n < 8; n++) {
        const [added, removed] = [random(6), random(6)];
        await repository.commit(added, removed);
        for (const quad of removed) model.delete(show(quad));
        for (const quad of added) model.set(show(quad), quad);
      }
      for (const [text, quad] of model)
        if (names.every((name) => pattern[name]?.equals(quad[name]) ?? true)) model.delete(text);
      await change.commit({});
      await change.close();
      expect(await contents(repository), `the pattern ${bound}`).toEqual([...model.keys()].toSorted());
      await sound(repository);
    }
  });

  test('removeMatches leaves nothing in its revision that matches, whatever others add meanwhile', async () => {
    const { repository } = await openRepository(undefined, { tuning: SMALL });
    const graph = iri('http://e/g');
    for (let round = 0; round < 20; round++) {
      await repository.commit(many(`a${round}-`, round + 5, 'g'), []);
      const commits = Array.from({ length: 3 }, (_, i) => repository.commit([q(`n${round}-${i} p o g`)], []));
      const { number } = await repository.removeMatches({ graph });
      await Promise.all(commits);
      expect(await contents(repository, number)).toEqual([]);
    }
    await sound(repository);
  });
});
