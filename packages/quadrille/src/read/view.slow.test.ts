import { describe, expect, test } from 'vitest';
import type * as RDF from '@rdfjs/types';
import { asStore, blankNode, dataFactory, defaultGraph, literal, quad, type QuadPattern, type Ref } from '../index.js';
import { hostOf } from '../host/index.js';
import { all, ex, line, lines, many, memory, q, repository, term } from '../testing/fixtures.js';

const DATA = ['a p b', 'a p "1"', 'a q b', 'b p b', 'a p b g', 'c p "1" g', 'c p d h'];

describe('patterns', () => {
  const variable = dataFactory.variable!('x');
  test.each<[QuadPattern, string[]]>([
    [{}, DATA],
    [{ subject: ex('a') }, ['a p "1"', 'a p b', 'a p b g', 'a q b']],
    [{ predicate: ex('q') }, ['a q b']],
    [{ object: literal('1') }, ['a p "1"', 'c p "1" g']],
    [{ graph: ex('g') }, ['a p b g', 'c p "1" g']],
    [{ graph: defaultGraph() }, ['a p "1"', 'a p b', 'a q b', 'b p b']],
    [{ subject: ex('a'), object: ex('b') }, ['a p b', 'a p b g', 'a q b']],
    [{ subject: ex('c'), graph: ex('h') }, ['c p d h']],
    [q('a p b'), ['a p b']],
    [q('a p b g'), ['a p b g']],
    [{ subject: ex('nobody') }, []],
    [{ object: literal('1', 'en') }, []],
    [{ subject: literal('1') as RDF.Term }, []],
    [{ subject: null, predicate: undefined, object: variable, graph: variable }, DATA],
    [{ subject: variable, predicate: ex('q'), object: variable }, ['a q b']],
  ])('%#', async (pattern, found) => {
    const repo = await repository(...DATA);
    expect(await lines(repo.quads(pattern))).toEqual(found.toSorted());
    expect(await repo.count(pattern)).toBe(found.length);
    expect(await lines(repo.at('HEAD').quads(pattern))).toEqual(found.toSorted());
    await repo.transaction(async (tx) => {
      expect(await lines(tx.quads(pattern))).toEqual(found.toSorted());
      expect(await tx.count(pattern)).toBe(found.length);
    });
  });

  test.each([null, 'a', 7, { s: ex('a') }, { subject: 'http://example.org/a' }, { graph: {} }])(
    '%j is refused',
    async (pattern) => {
      const repo = await repository(...DATA);
      const wrong = pattern as unknown as QuadPattern;
      expect(() => repo.quads(wrong)).toThrow(expect.objectContaining({ code: 'INVALID_PATTERN' }));
      await expect(repo.count(wrong)).rejects.toMatchObject({ code: 'INVALID_PATTERN' });
      await expect(repo.remove(wrong)).rejects.toMatchObject({ code: 'INVALID_PATTERN' });
      expect(await repo.size()).toBe(DATA.length);
    },
  );
});

test('size, contexts and revision', async () => {
  const repo = await repository(...DATA);
  expect(await repo.size()).toBe(7);
  expect((await repo.graphs().toArray()).map(term).toSorted()).toEqual(['g', 'h']);
  const head = await repo.revision();
  expect(head).toMatchObject({ number: 2, added: 7, removed: 0, size: 7 });
  expect((await repo.at(1).revision()).id).toBe(head.parent);
  await repo.remove({ graph: ex('h') });
  await repo.add(quad(ex('a'), ex('p'), ex('b'), blankNode('graph')));
  expect((await repo.graphs().toArray()).map(term).toSorted()).toEqual(['_:graph', 'g']);
  expect((await repo.at(2).graphs().toArray()).map(term).toSorted()).toEqual(['g', 'h']);
  expect(await repo.at(1).graphs().toArray()).toEqual([]);
});

describe('lazy results', () => {
  test('are iterated once', async () => {
    const repo = await repository(...DATA);
    const quads = repo.quads();
    expect(await quads.toArray()).toHaveLength(7);
    await expect(quads.toArray()).rejects.toMatchObject({ code: 'SNAPSHOT_CLOSED' });
    await expect(all(quads)).rejects.toMatchObject({ code: 'SNAPSHOT_CLOSED' });
    await expect(quads.first()).rejects.toMatchObject({ code: 'SNAPSHOT_CLOSED' });
  });

  test('first() gives one or undefined', async () => {
    const repo = await repository('a p b');
    expect(line((await repo.quads().first())!)).toBe('a p b');
    expect(await repo.quads({ subject: ex('b') }).first()).toBeUndefined();
    expect(await repo.select`SELECT ?s { ?s ?p ?o }`.first()).toEqual({ s: ex('a') });
  });

  test('leaving the loop frees the snapshot: compact drops what only it held', async () => {
    const repo = await repository();
    for (const prefix of ['a', 'b', 'c']) await repo.add(many(10_000, prefix));
    for await (const first of repo.quads()) {
      expect(first.predicate).toEqual(ex('p'));
      break;
    }
    await repo.maintenance.compact();
    for (const prefix of ['d', 'e', 'f']) await repo.add(many(10_000, prefix));
    const held = repo.quads()[Symbol.asyncIterator]();
    await held.next();
    const { bytesAfter: whileHeld } = await repo.maintenance.compact();
    await held.return?.();
    expect((await repo.maintenance.compact()).bytesAfter).toBeLessThan(whileHeld);
  });

  // Every way to begin and to leave results; none may keep the runs of the state that it read.
  test.each<[string, (repo: Awaited<ReturnType<typeof repository>>) => Promise<unknown>]>([
    ['select', async (repo) => repo.select('SELECT * { ?s ?p ?o }').first()],
    [
      'select, left in the loop',
      async (repo) => {
        for await (const _ of repo.select('SELECT * { ?s ?p ?o }')) break;
      },
    ],
    ['construct', async (repo) => repo.construct('CONSTRUCT WHERE { ?s ?p ?o }').first()],
    ['ask', async (repo) => repo.ask('ASK { ?s ?p ?o }')],
    ['serialize', async (repo) => hostOf(repo).serialize('SELECT * { ?s ?p ?o }', 'text/csv').first()],
    ['dump', async (repo) => repo.dump('text/turtle').first()],
    ['contexts', async (repo) => repo.graphs().first()],
    ['diff', async (repo) => repo.diff(1).first()],
    [
      'failing query',
      async (repo) =>
        repo
          .select('SELECT * {')
          .first()
          .catch(() => undefined),
    ],
    ['wrong form', async (repo) => repo.ask('SELECT * { ?s ?p ?o }').catch(() => undefined)],
    [
      'match, destroyed',
      async (repo) => {
        const stream = asStore(repo).match() as unknown as AsyncIterable<RDF.Quad>;
        for await (const _ of stream) break;
      },
    ],
    [
      'queryBindings, destroyed unread',
      async (repo) => {
        const stream = await asStore(repo).queryBindings('SELECT * { ?s ?p ?o }');
        await new Promise((resolve) => {
          stream.on('close', resolve);
          (stream as unknown as { destroy(): void }).destroy();
        });
      },
    ],
    [
      'query, rows left unread',
      async (repo) => {
        const answer = await repo.query('SELECT * { ?s ?p ?o }');
        if (answer.type === 'bindings') await answer.rows[Symbol.asyncIterator]().return?.();
      },
    ],
    [
      'query, first',
      async (repo) => {
        const answer = await repo.query('SELECT * { ?s ?p ?o }');
        if (answer.type === 'bindings') await answer.rows.first();
      },
    ],
    [
      'failing transaction',
      async (repo) =>
        repo
          .transaction(async (tx) => {
            await tx.quads().first();
            throw new Error('no');
          })
          .catch(() => undefined),
    ],
  ])('%s frees the snapshot', async (_, use) => {
    const repo = await repository();
    for (const prefix of ['a', 'b', 'c']) await repo.add(many(3000, prefix));
    await use(repo);
    const { bytesAfter } = await repo.maintenance.compact();
    const again = await repo.maintenance.compact();
    expect(bytesAfter).toBeLessThanOrEqual(again.bytesAfter * 1.01);
    expect((await repo.maintenance.verify()).ok).toBe(true);
  });

  test('a write inside the loop works and is not seen', async () => {
    const repo = await repository();
    await repo.add(many(3000));
    let seen = 0;
    for await (const { subject } of repo.quads()) {
      seen++;
      if (seen % 100 === 0) await repo.add(quad(subject, ex('seen'), literal(String(seen))));
      if (seen === 1500) await repo.remove({ predicate: ex('p') });
    }
    expect(seen).toBe(3000);
    expect(await repo.count({ predicate: ex('p') })).toBe(0);
    expect(await repo.size()).toBe(30);
  });

  test('calls read the head at the time of the call', async () => {
    const repo = await repository('a p b');
    const text = 'SELECT * { ?s ?p ?o }';
    const graph = 'CONSTRUCT WHERE { ?s ?p ?o }';
    const before = {
      quads: repo.quads(),
      select: repo.select(text),
      construct: repo.construct(graph),
      describe: repo.describe`DESCRIBE ?s { ?s ?p ?o }`,
      dump: repo.dump('nt'),
      serialize: hostOf(repo).serialize(graph, 'nt'),
      log: repo.log(),
      diff: repo.diff(1),
      headView: repo.at('HEAD').quads(),
      match: asStore(repo).match() as unknown as AsyncIterable<RDF.Quad>,
      context: repo.graphs(),
    };
    const query = await repo.query(graph);
    await repo.add([q('c p d'), q('c p d g')]);
    const LINE = '<http://example.org/a> <http://example.org/p> <http://example.org/b> .\n';
    expect(await lines(before.quads)).toEqual(['a p b']);
    expect(await lines(before.headView)).toEqual(['a p b']);
    expect(await lines(before.match)).toEqual(['a p b']);
    expect((await before.dump.toArray()).join('')).toBe(LINE);
    expect(await before.context.toArray()).toEqual([]);
    expect(query.type === 'quads' && (await lines(query.quads))).toEqual(['a p b']);
    expect(await before.select.toArray()).toHaveLength(1);
    expect(await lines(before.construct)).toEqual(['a p b']);
    expect(await lines(before.describe)).toEqual(['a p b']);
    expect((await before.serialize.toArray()).join('')).toBe(LINE);
    expect(await before.log.toArray()).toHaveLength(2);
    expect(await before.diff.toArray()).toHaveLength(1);
  });
});

describe('at(ref)', () => {
  test('every form of a reference', async () => {
    const repo = await repository('a p b');
    const second = await repo.revision();
    await new Promise((resolve) => setTimeout(resolve, 5));
    await repo.add(q('c p d'));
    await new Promise((resolve) => setTimeout(resolve, 5));
    await repo.add(q('e p f'));
    await repo.tags.set('v1.0', 2);
    const refs: Ref[] = [
      second,
      second.id,
      second.id.toUpperCase(),
      `urn:uuid:${second.id}`,
      2,
      '2',
      '#2',
      'HEAD~2',
      second.time,
      second.time.toISOString(),
      'v1.0',
    ];
    for (const ref of refs) {
      expect((await repo.at(ref).revision()).number, String(ref)).toBe(2);
      expect(await lines(repo.at(ref).quads())).toEqual(['a p b']);
      expect(await repo.at(ref).select`SELECT ?s { ?s ?p ?o }`.toArray()).toEqual([{ s: ex('a') }]);
    }
    const numbers: [Ref, number][] = [
      ['HEAD', 4],
      ['HEAD~0', 4],
      ['TAIL', 1],
      [new Date(), 4],
      [new Date().toISOString().slice(0, 10), 4],
    ];
    for (const [ref, number] of numbers) expect((await repo.at(ref).revision()).number).toBe(number);
    expect(await repo.at(3).size()).toBe(2);
    expect(await repo.at(3).count({ subject: ex('e') })).toBe(0);
    expect(await repo.at(3).ask`ASK { ${ex('c')} ?p ?o }`).toBe(true);
    expect((await repo.at(3).dump().toArray()).join('').trim().split('\n')).toHaveLength(2);
  });

  test.each([
    [0, 'REVISION_NOT_FOUND'],
    [99, 'REVISION_NOT_FOUND'],
    ['#99', 'REVISION_NOT_FOUND'],
    ['HEAD~99', 'REVISION_NOT_FOUND'],
    ['no-such-tag', 'REVISION_NOT_FOUND'],
    ['00000000-0000-7000-8000-000000000000', 'REVISION_NOT_FOUND'],
    ['2001-01-01', 'REVISION_NOT_FOUND'],
    [new Date(0), 'REVISION_NOT_FOUND'],
    [1.5, 'INVALID_REF'],
    [Number.NaN, 'INVALID_REF'],
    [new Date(Number.NaN), 'INVALID_REF'],
    ['', 'INVALID_REF'],
    ['HEAD^', 'INVALID_REF'],
    ['a b', 'INVALID_REF'],
    [null, 'INVALID_REF'],
    [{}, 'INVALID_REF'],
    [{ id: 'x' }, 'INVALID_REF'],
  ])('%s is %s', async (ref, code) => {
    const view = (await repository('a p b')).at(ref as unknown as Ref);
    await expect(view.size()).rejects.toMatchObject({ code });
    await expect(view.quads().toArray()).rejects.toMatchObject({ code });
    await expect(view.ask('ASK {}')).rejects.toMatchObject({ code });
    view.quads();
    view.dump();
    view.select('SELECT * {}');
  });

  test('a revision of another repository is not found', async () => {
    const db = await memory();
    const [one, two] = [await db.repository('one', { create: true }), await db.repository('two', { create: true })];
    const revision = await one.add(q('a p b'));
    await two.add(q('a p b'));
    await expect(two.at(revision).size()).rejects.toMatchObject({ code: 'REVISION_NOT_FOUND' });
  });
});

test('a signal ends reading', async () => {
  const repo = await repository();
  await repo.add(many(5000));
  const controller = new AbortController();
  let seen = 0;
  const reading = async (): Promise<void> => {
    for await (const _ of repo.quads({}, { signal: controller.signal })) if (++seen === 10) controller.abort();
  };
  await expect(reading()).rejects.toMatchObject({ code: 'ABORTED' });
  expect(seen).toBeLessThan(5000);
  const signal = AbortSignal.abort(new Error('mine'));
  const aborted = { code: 'ABORTED' };
  await expect(repo.quads({}, { signal }).toArray()).rejects.toMatchObject(aborted);
  await expect(repo.count({}, { signal })).rejects.toMatchObject(aborted);
  await expect(repo.graphs({ signal }).first()).rejects.toMatchObject(aborted);
  await expect(repo.dump('nq', { signal }).toArray()).rejects.toMatchObject(aborted);
  await expect(repo.select('SELECT * {}', { signal }).toArray()).rejects.toMatchObject(aborted);
  await expect(repo.log({ signal }).toArray()).rejects.toMatchObject(aborted);
  await expect(repo.diff(1, 2, {}, { signal }).toArray()).rejects.toMatchObject(aborted);
});

test('unknown options are refused', async () => {
  const repo = await repository('a p b');
  const bad = { limits: 1 } as object;
  const refused = { code: 'INVALID_OPTION' };
  await expect(repo.count({}, bad)).rejects.toMatchObject(refused);
  expect(() => repo.quads({}, bad)).toThrow(expect.objectContaining(refused));
  expect(() => repo.log(bad)).toThrow(expect.objectContaining(refused));
  expect(() => repo.log({ limit: -1 })).toThrow(expect.objectContaining(refused));
  await expect(repo.ask('ASK {}', bad)).rejects.toMatchObject(refused);
  await expect(repo.add(q('a p c'), bad)).rejects.toMatchObject(refused);
  await expect(repo.remove(q('a p b'), bad)).rejects.toMatchObject(refused);
  await expect(repo.update('INSERT DATA {}', bad)).rejects.toMatchObject(refused);
  await expect(repo.transaction(() => undefined, bad)).rejects.toMatchObject(refused);
  await expect(repo.revert(2, bad)).rejects.toMatchObject(refused);
  await expect(repo.load({ text: '' }, bad)).rejects.toMatchObject(refused);
});

test('any RDF/JS term may come back into a pattern, blank nodes and triple terms too', async () => {
  const repo = await repository();
  const triple = quad(blankNode('x'), ex('says'), literal('hi', { language: 'en', direction: 'ltr' }));
  await repo.add(quad(blankNode('x'), ex('p'), triple as unknown as RDF.Quad_Object));
  const found = (await repo.quads().first())!;
  expect(await repo.count({ subject: found.subject })).toBe(1);
  expect(await repo.count({ object: found.object })).toBe(1);
  expect(found.object.equals(triple)).toBe(true);
});
