import { EventEmitter, once } from 'node:events';
import { Readable } from 'node:stream';
import type * as RDF from '@rdfjs/types';
import { Store, StreamParser, Writer } from 'n3';
import type { Quad_Graph, Quad_Object, Quad_Predicate, Quad_Subject } from 'n3';
import { describe, expect, test } from 'vitest';
import { asStore, dataFactory, defaultGraph, literal } from '../index.js';
import { all, ex, line, lines, many, memory, q, repository } from '../testing/fixtures.js';

const DATA = ['a p b', 'a p c', 'b p c g', 'c q "1" g'];
const variable = dataFactory.variable!;
const iterable = <T>(stream: unknown): AsyncIterable<T> => stream as AsyncIterable<T>;

function gathered<T>(stream: EventEmitter): Promise<T[]> {
  const items: T[] = [];
  return new Promise((resolve, reject) => {
    stream.on('data', (item: T) => items.push(item));
    stream.on('end', () => resolve(items));
    stream.on('error', reject);
  });
}

describe('match', () => {
  test.each<[Parameters<RDF.Source['match']>, string[]]>([
    [[], DATA],
    [[null, undefined, variable('o')], DATA],
    [[ex('a')], ['a p b', 'a p c']],
    [
      [null, null, ex('c')],
      ['a p c', 'b p c g'],
    ],
    [
      [null, null, null, ex('g')],
      ['b p c g', 'c q "1" g'],
    ],
    [
      [null, null, null, defaultGraph()],
      ['a p b', 'a p c'],
    ],
    [[ex('z')], []],
  ])('%#', async (pattern, found) => {
    const repo = await repository(...DATA);
    expect((await gathered<RDF.Quad>(asStore(repo).match(...pattern))).map(line).toSorted()).toEqual(found);
    expect(await lines(iterable<RDF.Quad>(asStore(repo).match(...pattern)))).toEqual(found);
  });

  test('read() and readable', async () => {
    const repo = await repository();
    await repo.add(many(5000));
    const stream = asStore(repo).match();
    let seen = 0;
    stream.on('readable', () => {
      while (stream.read() !== null) seen++;
    });
    await once(stream, 'end');
    expect(seen).toBe(5000);
  });

  test('is paused within a batch, and goes on', async () => {
    const repo = await repository();
    await repo.add(many(5000));
    const stream = asStore(repo).match() as unknown as Readable;
    let seen = 0;
    stream.on('data', () => {
      if (++seen === 10) stream.pause();
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(seen).toBe(10);
    stream.resume();
    await once(stream, 'end');
    expect(seen).toBe(5000);
  });

  test('a listener that throws ends it with that error', async () => {
    const repo = await repository(...DATA);
    const stream = asStore(repo).match() as unknown as Readable;
    stream.on('data', () => {
      throw new Error('mine');
    });
    await expect(once(stream, 'end')).rejects.toThrow('mine');
    expect(stream.destroyed).toBe(true);
  });

  test('is destroyed midway', async () => {
    const repo = await repository();
    await repo.add(many(5000));
    const stream = asStore(repo).match() as unknown as Readable;
    let seen = 0;
    stream.on('data', () => {
      if (++seen === 10) stream.destroy();
    });
    await once(stream, 'close');
    // What Node's Readable has buffered may still come.
    expect(seen).toBeLessThan(5000);
  });

  test('emits an error where it cannot read', async () => {
    const db = await memory();
    const repo = await db.repository('people', { create: true });
    await repo.add(DATA.map(q));
    const stream = asStore(repo).match();
    await db.close();
    await expect(gathered(stream)).rejects.toMatchObject({ code: 'STORE_NOT_OPEN' });
  });

  test('a wrong pattern is refused', async () => {
    const repo = await repository(...DATA);
    expect(() => asStore(repo).match('a' as unknown as RDF.Term)).toThrow(
      expect.objectContaining({ code: 'INVALID_PATTERN' }),
    );
  });
});

describe('import', () => {
  const store = new Store(DATA.map(q));
  test.each<[string, () => RDF.Stream<RDF.Quad>]>([
    ['Store.match of N3', () => store.match() as unknown as RDF.Stream<RDF.Quad>],
    ['a Readable', () => Readable.from(DATA.map(q)) as unknown as RDF.Stream<RDF.Quad>],
    [
      'StreamParser',
      () => {
        const text = DATA.map(q)
          .map((quad) =>
            new Writer({ format: 'N-Quads' }).quadToString(
              quad.subject as Quad_Subject,
              quad.predicate as Quad_Predicate,
              quad.object as Quad_Object,
              quad.graph as Quad_Graph,
            ),
          )
          .join('');
        return Readable.from([text]).pipe(new StreamParser({ format: 'N-Quads' })) as unknown as RDF.Stream<RDF.Quad>;
      },
    ],
    [
      'an emitter',
      () => {
        const emitter = new EventEmitter();
        setTimeout(() => {
          for (const text of DATA) emitter.emit('data', q(text));
          emitter.emit('end');
        }, 5);
        return emitter as unknown as RDF.Stream<RDF.Quad>;
      },
    ],
  ])('from %s', async (_, stream) => {
    const repo = await repository();
    await once(asStore(repo).import(stream()), 'end');
    expect(await lines(repo.quads())).toEqual(DATA);
    expect(await repo.revision()).toMatchObject({ number: 2, added: 4 });
    await once(asStore(repo).remove(stream()), 'end');
    expect(await repo.revision()).toMatchObject({ number: 3, removed: 4, size: 0 });
  });

  test.each<[string, () => EventEmitter | Readable]>([
    [
      'a Readable',
      () =>
        Readable.from(
          (async function* () {
            yield q('a p b');
            throw new Error('broken');
          })(),
        ),
    ],
    [
      'an emitter',
      () => {
        const emitter = new EventEmitter();
        setTimeout(() => {
          emitter.emit('data', q('a p b'));
          emitter.emit('error', new Error('broken'));
        }, 5);
        return emitter;
      },
    ],
  ])('of an error: %s', async (_, stream) => {
    const repo = await repository('z p z');
    for (const call of ['import', 'remove'] as const) {
      const result = asStore(repo)[call](stream() as unknown as RDF.Stream<RDF.Quad>);
      await expect(gathered(result)).rejects.toThrow('broken');
    }
    expect(await repo.size()).toBe(1);
    expect((await repo.revision()).number).toBe(2);
  });

  test('blank nodes of two streams are different nodes, unless their labels are kept', async () => {
    const repo = await repository();
    const parsed = (): RDF.Stream<RDF.Quad> => {
      const text =
        '@prefix e: <http://example.org/> . [] e:name "one" ; e:knows _:x . _:x e:says <<( _:x e:p _:y )>> .';
      const parser = new StreamParser({ format: 'text/turtle', blankNodePrefix: '' });
      return Readable.from([text]).pipe(parser) as unknown as RDF.Stream<RDF.Quad>;
    };
    await once(asStore(repo).import(parsed()), 'end');
    await once(asStore(repo).import(parsed()), 'end');
    expect(await repo.select('SELECT DISTINCT ?s { ?s ex:name "one" }').toArray()).toHaveLength(2);
    expect(await repo.ask('ASK { ?a ex:knows ?b . ?b ex:says ?t FILTER(SUBJECT(?t) = ?b) }')).toBe(true);
    expect(await repo.size()).toBe(6);
    await once(asStore(repo).import(asStore(repo).match(), { blankNodes: 'keep', message: 'the same again' }), 'end');
    expect(await repo.size()).toBe(6);
    await once(asStore(repo).import(asStore(repo).match(), { message: 'a copy' }), 'end');
    expect(await repo.revision()).toMatchObject({ size: 12, message: 'a copy' });
    await expect(gathered(asStore(repo).import(parsed(), { blankNodes: 'drop' as 'keep' }))).rejects.toMatchObject({
      code: 'INVALID_OPTION',
    });
  });

  test('from one repository into another, and into itself', async () => {
    const [one, two] = [await repository(...DATA), await repository()];
    await once(asStore(two).import(asStore(one).match(null, null, null, ex('g'))), 'end');
    expect(await lines(two.quads())).toEqual(['b p c g', 'c q "1" g']);
    await once(asStore(one).import(asStore(one).match()), 'end');
    expect((await one.revision()).number).toBe(2);
  });
});

describe('a revision', () => {
  test('is read as a source, as a dataset and by queries', async () => {
    const repo = await repository(...DATA);
    const old = repo.at(await repo.revision());
    await repo.update('CLEAR ALL');
    expect((await gathered<RDF.Quad>(asStore(old).match(null, null, null, ex('g')))).map(line)).toEqual([
      'b p c g',
      'c q "1" g',
    ]);
    expect((await asStore(old).toDataset({ subject: ex('a') })).size).toBe(2);
    expect(await gathered(await asStore(old).queryBindings('SELECT * { ?s ?p ?o }'))).toHaveLength(2);
    expect(await gathered(await asStore(old).queryQuads('CONSTRUCT WHERE { ?s ?p ?o }'))).toHaveLength(2);
    expect(await asStore(old).queryBoolean('ASK { ex:a ?p ?o }')).toBe(true);
    expect(await asStore(repo).queryBoolean('ASK { ex:a ?p ?o }')).toBe(false);
    expect(() => asStore(old).match('a' as unknown as RDF.Term)).toThrow(
      expect.objectContaining({ code: 'INVALID_PATTERN' }),
    );
    await expect(gathered(asStore(repo.at(99)).match())).rejects.toMatchObject({ code: 'REVISION_NOT_FOUND' });
  });

  test('is not written', async () => {
    const repo = await repository(...DATA);
    const before = await repo.revision();
    // A program without types has no other warning.
    const old = repo.at('HEAD') as unknown as typeof repo;
    const prepared = await old.prepare('CLEAR ALL');
    const calls: Record<string, () => unknown> = {
      add: () => old.add(q('x p y')),
      remove: () => old.remove({}),
      load: () => old.load({ text: '' }, { format: 'nt' }),
      update: () => old.update('CLEAR ALL'),
      template: () => old.update`CLEAR ALL`,
      prepared: () => prepared.update(),
      transaction: () => old.transaction(() => undefined),
      revert: () => old.revert('HEAD'),
      queryVoid: () => asStore(old).queryVoid('CLEAR ALL'),
      import: () => gathered(asStore(old).import(Readable.from([q('x p y')]) as unknown as RDF.Stream<RDF.Quad>)),
      'remove a stream': () => gathered(asStore(old).remove(Readable.from([]) as unknown as RDF.Stream<RDF.Quad>)),
      removeMatches: () => gathered(asStore(old).removeMatches()),
      deleteGraph: () => gathered(asStore(old).deleteGraph(ex('g'))),
    };
    for (const [name, call] of Object.entries(calls))
      await expect(call(), name).rejects.toMatchObject({ code: 'READ_ONLY' });
    expect(await repo.revision()).toEqual(before);
  });
});

test('removeMatches and deleteGraph', async () => {
  const repo = await repository(...DATA, 'a p b _', 'd p e h');
  await once(asStore(repo).removeMatches(ex('a'), null, ex('c')), 'end');
  expect(await repo.size()).toBe(5);
  await once(asStore(repo).deleteGraph(ex('g')), 'end');
  await once(asStore(repo).deleteGraph('http://example.org/h'), 'end');
  expect(await lines(repo.quads())).toEqual(['a p b', 'a p b _']);
  await once(asStore(repo).deleteGraph(''), 'end');
  expect(await lines(repo.quads())).toEqual(['a p b _']);
  await repo.add(q('a p b'));
  await once(asStore(repo).deleteGraph(defaultGraph()), 'end');
  await once(asStore(repo).deleteGraph('http://example.org/none'), 'end');
  expect(await lines(repo.quads())).toEqual(['a p b _']);
  await once(asStore(repo).removeMatches(), 'end');
  expect(await repo.size()).toBe(0);
});

describe('queries', () => {
  test('queryBindings gives Bindings', async () => {
    const repo = await repository(...DATA);
    const stream = await asStore(repo).queryBindings('SELECT ?s ?o ?none { ?s ex:p ?o } ORDER BY ?o');
    const [first, second] = await gathered<RDF.Bindings>(stream);
    expect(first!.type).toBe('bindings');
    expect(first!.size).toBe(2);
    expect([first!.get('s'), first!.get('?o'), first!.get(variable('o'))]).toEqual([ex('a'), ex('b'), ex('b')]);
    expect([first!.has('s'), first!.has(variable('none')), first!.get('none')]).toEqual([true, false, undefined]);
    expect([...first!.keys()]).toEqual([variable('s'), variable('o')]);
    expect([...first!.values()]).toEqual([ex('a'), ex('b')]);
    expect([...first!]).toEqual([
      [variable('s'), ex('a')],
      [variable('o'), ex('b')],
    ]);
    const each: string[] = [];
    first!.forEach((value, key) => each.push(`${key.value}=${value.value}`));
    expect(each).toEqual(['s=http://example.org/a', 'o=http://example.org/b']);
    const changed = first!.set('x', literal('1')).delete(variable('o'));
    expect([first!.size, changed.size, changed.has('x'), changed.has('o')]).toEqual([2, 2, true, false]);
    expect(first!.equals(first!.set('o', ex('b')))).toBe(true);
    expect([first!.equals(second), first!.equals(undefined), first!.equals(changed)]).toEqual([false, false, false]);
    expect(first!.merge(changed)!.size).toBe(3);
    expect(first!.merge(second!)).toBeUndefined();
    expect(first!.mergeWith((own) => own, second!).equals(first!)).toBe(true);
    expect(first!.mergeWith((_, other) => other, second!).get('o')).toEqual(second!.get('o'));
    expect(first!.filter((_, key) => key.value === 's').size).toBe(1);
    expect(first!.map(() => literal('x')).get('o')).toEqual(literal('x'));
  });

  test('queryQuads, queryBoolean, queryVoid, and options in the context', async () => {
    const repo = await repository(...DATA);
    expect(await lines(iterable<RDF.Quad>(await asStore(repo).queryQuads('CONSTRUCT WHERE { ?s ex:p ?o }')))).toEqual([
      'a p b',
      'a p c',
    ]);
    expect(await asStore(repo).queryBoolean('ASK { ex:a ?p ?o }')).toBe(true);
    const context = { bindings: { s: ex('z') }, sources: ['of another engine'] };
    expect(await asStore(repo).queryBoolean('ASK { ?s ?p ?o }', context)).toBe(false);
    expect(await asStore(repo).queryVoid('CLEAR ALL', { message: 'cleared' })).toBeUndefined();
    expect(await repo.revision()).toMatchObject({ message: 'cleared', size: 0 });
    await expect(asStore(repo).queryBindings('ASK {}')).rejects.toMatchObject({ code: 'INVALID_OPTION' });
    await expect(asStore(repo).queryQuads('SELECT * {')).rejects.toMatchObject({ code: 'SPARQL_SYNTAX' });
    await expect(asStore(repo).queryVoid('ASK {}')).rejects.toMatchObject({ code: expect.any(String) as string });
  });

  test('a result stream is left midway', async () => {
    const repo = await repository();
    await repo.add(many(3000));
    const stream = await asStore(repo).queryBindings('SELECT * { ?s ?p ?o }');
    for await (const bindings of iterable<RDF.Bindings>(stream)) {
      expect(bindings.size).toBe(3);
      break;
    }
    expect((stream as unknown as Readable).destroyed).toBe(true);
  });
});

test('toDataset gives a DatasetCore', async () => {
  const repo = await repository(...DATA);
  const dataset = await asStore(repo).toDataset({ graph: ex('g') });
  expect(dataset.size).toBe(2);
  expect(dataset.has(q('b p c g'))).toBe(true);
  expect([...dataset.match(ex('c'))].map(line)).toEqual(['c q "1" g']);
  dataset.add(q('x p y'));
  expect(await repo.size()).toBe(4);
  expect((await asStore(repo).toDataset()).size).toBe(4);
  expect(await all(repo.quads())).toHaveLength(4);
});
