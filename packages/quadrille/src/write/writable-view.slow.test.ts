import { Readable } from 'node:stream';
import type * as RDF from '@rdfjs/types';
import { describe, expect, test } from 'vitest';
import type { QuadPattern, Repository, Revision } from '../index.js';
import { blankNode, dataFactory, iri, literal, open, quad, sparql } from '../index.js';
import { changes, directory, ex, lines, many, memory, q, repository, term } from '../testing/fixtures.js';

const XSD = 'http://www.w3.org/2001/XMLSchema#';

async function* each<T>(items: Iterable<T>): AsyncGenerator<T> {
  yield* items;
}

describe('add', () => {
  const three = ['a p b', 'a p c', 'a p d g'];
  test.each<[string, () => Parameters<Repository['add']>[0], string[]]>([
    ['a quad', () => q('a p b'), ['a p b']],
    ['an array', () => three.map(q), three],
    ['no quads', () => [], []],
    ['a set', () => new Set(three.map(q)), three],
    ['a generator', () => each(three.map(q)), three],
    ['a stream', () => Readable.from(three.map(q)), three],
  ])('%s', async (_, quads, found) => {
    const repo = await repository();
    const revision = await repo.add(quads());
    expect(await lines(repo.quads())).toEqual(found);
    expect(revision.added).toBe(found.length);
    expect(revision).toEqual(await repo.revision());
  });

  test.each<[string, (quads: RDF.Quad[]) => RDF.Quad[] | AsyncIterable<RDF.Quad>]>([
    ['array', (quads) => quads],
    ['async iterable', each],
  ])('more than fit in one commit record, as an %s', async (_, form) => {
    const repo = await repository('s0 p o0', 'z p z');
    const revision = await repo.add(form([...many(20_000), ...many(5)]));
    expect(revision).toMatchObject({ number: 3, added: 19_999, removed: 0, size: 20_001 });
    expect(await repo.count({ predicate: ex('p') })).toBe(20_001);
    const same = await repo.add(form(many(20_000)));
    expect(same).toEqual(revision);
    expect((await repo.maintenance.verify()).ok).toBe(true);
  });

  test('an iterable that fails adds nothing', async () => {
    const repo = await repository('a p b');
    const failing = async function* (): AsyncGenerator<RDF.Quad> {
      yield* many(9000);
      throw new Error('the source broke');
    };
    await expect(repo.add(failing())).rejects.toThrow('the source broke');
    expect((await repo.revision()).number).toBe(2);
    expect(await repo.size()).toBe(1);
    expect(await repo.count({ subject: ex('s0') })).toBe(0);
    await repo.add(q('c p d'));
    expect((await repo.maintenance.verify()).ok).toBe(true);
  });

  test.each<[string, RDF.Quad]>([
    ['relative IRI', quad(iri('a'), ex('p'), ex('b'))],
    ['IRI with a space', quad(iri('http://e/a b'), ex('p'), ex('b'))],
    ['literal subject', quad(literal('a') as unknown as RDF.NamedNode, ex('p'), ex('b'))],
    ['blank predicate', quad(ex('a'), blankNode('p') as unknown as RDF.NamedNode, ex('b'))],
    ['variable', quad(ex('a'), ex('p'), dataFactory.variable!('x'))],
    ['lone surrogate', quad(ex('a'), ex('p'), literal('\uD800'))],
    ['bad language', quad(ex('a'), ex('p'), literal('x', 'e n'))],
    ['bad label', quad(ex('a'), ex('p'), blankNode('a b'))],
    ['literal graph', quad(ex('a'), ex('p'), ex('b'), literal('g') as unknown as RDF.NamedNode)],
    ['triple term as subject', quad(q('a p b') as unknown as RDF.NamedNode, ex('p'), ex('b'))],
  ])('refuses a %s, and all that came with it', async (_, bad) => {
    const repo = await repository('a p b');
    await expect(repo.add([q('c p d'), bad])).rejects.toMatchObject({ code: 'INVALID_TERM' });
    await expect(repo.add(each([q('c p d'), bad]))).rejects.toMatchObject({ code: 'INVALID_TERM' });
    await expect(repo.transaction((tx) => tx.add([q('c p d'), bad]))).rejects.toMatchObject({ code: 'INVALID_TERM' });
    expect(await lines(repo.quads())).toEqual(['a p b']);
    expect((await repo.revision()).number).toBe(2);
  });

  test.each([null, undefined, 7, 'a p b', {}, new Date()])('%s is no quad', async (input) => {
    const repo = await repository();
    await expect(repo.add(input as unknown as RDF.Quad)).rejects.toMatchObject({ code: 'INVALID_TERM' });
  });
  test.each([null, undefined, 7, 'a p b', {}])('an array with %s is refused', async (input) => {
    const repo = await repository();
    await expect(repo.add([q('a p b'), input as unknown as RDF.Quad])).rejects.toMatchObject({ code: 'INVALID_TERM' });
    await expect(repo.add(each([input as unknown as RDF.Quad]))).rejects.toMatchObject({ code: 'INVALID_TERM' });
    expect(await repo.size()).toBe(0);
  });
});

describe('remove', () => {
  const DATA = ['a p b', 'a p c', 'b p c g', 'c q d g'];
  test.each<[string, RDF.Quad | Iterable<RDF.Quad> | QuadPattern, string[]]>([
    ['a quad', q('a p b'), ['a p b']],
    ['a quad of another graph', q('a p b g'), []],
    ['an array', [q('a p b'), q('c q d g'), q('no p b')], ['a p b', 'c q d g']],
    ['a set', new Set([q('a p b')]), ['a p b']],
    ['the same quad twice', [q('a p b'), q('a p b')], ['a p b']],
    ['no quads', [], []],
    ['a pattern', { predicate: ex('p') }, ['a p b', 'a p c', 'b p c g']],
    ['a graph', { graph: ex('g') }, ['b p c g', 'c q d g']],
    ['a variable', { subject: ex('a'), object: dataFactory.variable!('o') }, ['a p b', 'a p c']],
    ['everything', {}, DATA],
    ['nothing that is there', { subject: ex('z') }, []],
  ])('%s', async (_, input, gone) => {
    const repo = await repository(...DATA);
    const before = await repo.revision();
    const revision = await repo.remove(input, { message: 'gone' });
    expect(await lines(repo.quads())).toEqual(DATA.filter((text) => !gone.includes(text)).toSorted());
    if (gone.length === 0) expect(revision).toEqual(before);
    else expect(revision).toMatchObject({ number: 3, added: 0, removed: gone.length, message: 'gone' });
    expect(await lines(repo.at(before).quads())).toEqual(DATA.toSorted());
  });

  test('many, by quads and by pattern', async () => {
    const repo = await repository('z p z');
    await repo.add(many(12_000));
    expect(await repo.remove(many(12_000).slice(2000))).toMatchObject({ removed: 10_000, size: 2001 });
    expect(await repo.remove({ predicate: ex('p') })).toMatchObject({ removed: 2001, size: 0 });
    expect(await repo.at(3).count()).toBe(12_001);
    expect(await repo.at(4).count({ predicate: ex('p') })).toBe(2001);
    expect((await repo.maintenance.verify()).ok).toBe(true);
  });

  test.each([[[null]], [[{}]], [[7]]])('%j is refused', async (input) => {
    const repo = await repository('a p b');
    await expect(repo.remove(input as unknown as RDF.Quad[])).rejects.toMatchObject({ code: 'INVALID_TERM' });
  });
});

describe('a revision', () => {
  test('counts net changes, and is not made without any', async () => {
    const repo = await repository('a p b', 'a p b', 'c p d');
    const head = await repo.revision();
    expect(head).toMatchObject({ number: 2, added: 2, removed: 0 });
    const calls: (() => Promise<Revision>)[] = [
      () => repo.add(q('a p b')),
      () => repo.add([]),
      () => repo.remove(q('no p b')),
      () => repo.remove([]),
      () => repo.load({ text: '' }, { format: 'nt' }),
      () => repo.update('DELETE DATA { ex:no ex:p ex:b }'),
      () => repo.update('INSERT DATA { ex:n ex:p ex:n } ; DELETE DATA { ex:n ex:p ex:n }'),
      () => repo.update('DELETE DATA { ex:a ex:p ex:b } ; INSERT DATA { ex:a ex:p ex:b }'),
      () => repo.transaction(() => undefined),
      () =>
        repo.transaction(async (tx) => {
          await tx.remove({});
          await tx.add([q('a p b'), q('c p d')]);
        }),
    ];
    for (const call of calls) expect(await call()).toEqual(head);
    const revision = await repo.update('DELETE DATA { ex:a ex:p ex:b } ; INSERT DATA { ex:c ex:p ex:d, ex:e, ex:f }');
    expect(revision).toMatchObject({ number: 3, added: 2, removed: 1, parent: head.id, size: 3 });
  });

  test('keeps message and author', async () => {
    const repo = await repository('a p b');
    const said = { message: 'Grüße 👋\nzwei', author: 'jo' };
    await repo.add(q('c p d'), said);
    await repo.remove(q('a p b'), said);
    await repo.update('INSERT DATA { ex:x ex:p 1 }', said);
    await repo.transaction((tx) => tx.add(q('e p f')), said);
    await repo.load({ text: '<urn:a> <urn:b> 1 .' }, { ...said, format: 'ttl' });
    await repo.revert(3, said);
    for (const revision of await repo.log({ limit: 6 }).toArray()) expect(revision).toMatchObject(said);
    expect(await repo.at(2).revision()).toMatchObject({ message: undefined, author: undefined });
    expect((await repo.at(2).revision()).time).toBeInstanceOf(Date);
  });

  test('ifRevision: every kind of write fails where the head is another one', async () => {
    const repo = await repository('a p b');
    const old = await repo.revision();
    const head = await repo.add(q('c p d'));
    const writes = (ifRevision: Revision): (() => Promise<Revision>)[] => [
      () => repo.add(q('e p f'), { ifRevision }),
      () => repo.add(many(9000), { ifRevision }),
      () => repo.remove(q('a p b'), { ifRevision }),
      () => repo.remove({ subject: ex('a') }, { ifRevision }),
      () => repo.remove({}, { ifRevision }),
      () => repo.update('INSERT DATA { ex:x ex:p 1 }', { ifRevision }),
      () => repo.transaction((tx) => tx.add(q('e p f')), { ifRevision, retries: 3 }),
      () => repo.load({ text: '<urn:a> <urn:b> 1 .' }, { ifRevision, format: 'ttl' }),
      () => repo.revert(2, { ifRevision }),
    ];
    for (const write of writes(old)) await expect(write()).rejects.toMatchObject({ code: 'REVISION_CONFLICT' });
    expect(await repo.revision()).toEqual(head);
    const [first] = writes(head);
    expect((await first!()).number).toBe(4);
    await expect(repo.add(q('x p y'), { ifRevision: 'nonsense tag' })).rejects.toMatchObject({ code: 'INVALID_REF' });
    await expect(repo.add(q('x p y'), { ifRevision: 99 })).rejects.toMatchObject({ code: 'REVISION_NOT_FOUND' });
  });

  test('one of many that race under ifRevision wins', async () => {
    const repo = await repository('a p b');
    const ifRevision = await repo.revision();
    const races = await Promise.allSettled(many(10).map((added) => repo.add(added, { ifRevision })));
    expect(races.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await repo.size()).toBe(2);
  });

  test('a signal that has fired stops a write before it changes anything', async () => {
    const repo = await repository('a p b');
    const signal = AbortSignal.abort();
    const aborted = { code: 'ABORTED' };
    await expect(repo.add(q('c p d'), { signal })).rejects.toMatchObject(aborted);
    await expect(repo.add(each([q('c p d')]), { signal })).rejects.toMatchObject(aborted);
    await expect(repo.remove(q('a p b'), { signal })).rejects.toMatchObject(aborted);
    await expect(repo.remove({}, { signal })).rejects.toMatchObject(aborted);
    await expect(repo.update('CLEAR ALL', { signal })).rejects.toMatchObject(aborted);
    await expect(repo.transaction((tx) => tx.remove({}), { signal })).rejects.toMatchObject(aborted);
    await expect(repo.revert(2, { signal })).rejects.toMatchObject(aborted);
    const controller = new AbortController();
    const transaction = repo.transaction(
      async (tx) => {
        await tx.remove({});
        controller.abort();
      },
      { signal: controller.signal },
    );
    await expect(transaction).rejects.toMatchObject(aborted);
    expect(await lines(repo.quads())).toEqual(['a p b']);
  });
});

describe('terms', () => {
  const objects: RDF.Quad_Object[] = [
    literal('01', iri(`${XSD}integer`)),
    literal('1', iri(`${XSD}integer`)),
    literal('+1', iri(`${XSD}integer`)),
    literal('1.0', iri(`${XSD}decimal`)),
    literal('1.00', iri(`${XSD}decimal`)),
    literal('1E0', iri(`${XSD}double`)),
    literal('1e0', iri(`${XSD}double`)),
    literal('NaN', iri(`${XSD}double`)),
    literal('true', iri(`${XSD}boolean`)),
    literal('1', iri(`${XSD}boolean`)),
    literal('maybe', iri(`${XSD}boolean`)),
    literal('2020-02-30', iri(`${XSD}date`)),
    literal('2020-01-01T00:00:00Z', iri(`${XSD}dateTime`)),
    literal('2020-01-01T00:00:00+00:00', iri(`${XSD}dateTime`)),
    literal('99999999999999999999999999', iri(`${XSD}integer`)),
    literal('x', iri('http://example.org/type')),
    literal(''),
    literal('1'),
    literal('line\nfeed "quoted" \\ tab\t\r \u0001 \u{1F600}'),
    literal('x', 'en-gb'),
    literal('x', { language: 'ar', direction: 'rtl' }),
    literal('x', { language: 'ar', direction: 'ltr' }),
    literal('x', 'ar'),
    iri('urn:üñí:π'),
    quad(ex('a'), ex('p'), literal('in', { language: 'he', direction: 'rtl' })) as unknown as RDF.Quad_Object,
    quad(ex('a'), ex('p'), q('a p "deep"') as unknown as RDF.Quad_Object) as unknown as RDF.Quad_Object,
  ];
  const quads = objects.map((object, i) => quad(ex(`s${i}`), ex('p'), object));

  test('come back as they were given', async () => {
    const repo = await repository();
    await repo.add(quads);
    const found = await repo.quads().toArray();
    for (const given of quads)
      expect(
        found.filter((other) => other.equals(given)),
        term(given.object),
      ).toHaveLength(1);
    for (const [i, object] of objects.entries()) {
      expect(await lines(repo.quads({ object }))).toEqual([`s${i} p ${term(object)}`]);
      expect(await repo.count({ object })).toBe(1);
    }
  });

  test.each(['application/n-quads', 'application/n-triples', 'text/turtle', 'application/trig'])(
    'pass through dump and load as %s',
    async (format) => {
      const repo = await repository();
      await repo.add(quads);
      const copy = await repository();
      await copy.load({ text: (await repo.dump(format).toArray()).join('') }, { format });
      expect(await lines(copy.quads())).toEqual(await lines(repo.quads()));
      expect((await copy.maintenance.verify()).ok).toBe(true);
    },
  );

  test('language tags get their canonical case', async () => {
    const repo = await repository();
    await repo.add(quad(ex('a'), ex('p'), literal('x', 'EN-gb')));
    await repo.load({ text: '<urn:a> <urn:p> "x"@EN-GB .' }, { format: 'nt' });
    await repo.update('INSERT DATA { <urn:b> <urn:p> "x"@En-Gb }');
    const languages = (await repo.quads().toArray()).map(({ object }) => (object as RDF.Literal).language);
    expect(languages).toEqual(['en-GB', 'en-GB', 'en-GB']);
    expect(await repo.count({ object: literal('x', 'en-GB') })).toBe(3);
  });

  test('blank nodes keep their labels in add and are fresh in load', async () => {
    const repo = await repository();
    await repo.add([quad(blankNode('x'), ex('p'), ex('a')), quad(blankNode('x'), ex('q'), ex('a'))]);
    await repo.add(each([quad(blankNode('x'), ex('r'), ex('a'))]));
    expect(await repo.count({ subject: blankNode('x') })).toBe(3);
    const text = '_:x <urn:p> _:y . _:y <urn:p> _:x .';
    for (let i = 0; i < 2; i++) await repo.load({ text }, { format: 'ttl' });
    expect(await repo.size()).toBe(7);
    const labels = new Set(
      (await repo.quads({ predicate: iri('urn:p') }).toArray()).map(({ subject }) => subject.value),
    );
    expect(labels.size).toBe(4);
    expect(labels.has('x')).toBe(false);
    for (const label of labels) expect(await repo.count({ subject: blankNode(label) })).toBe(1);
    const [label = ''] = labels;
    expect(await repo.select`SELECT ?o { ${blankNode(label)} ?p ?o }`.toArray()).toHaveLength(1);
    await repo.remove({ subject: blankNode(label) });
    expect(await repo.size()).toBe(6);
    await repo.update('INSERT { [] <urn:new> ?s } WHERE { ?s ex:p ?o }');
    expect(await repo.count({ predicate: iri('urn:new'), object: blankNode('x') })).toBe(1);
  });
});

describe('concurrent writes', () => {
  test('200 additions all land, in revisions without a gap', async () => {
    const repo = await repository();
    const revisions = await Promise.all(many(200).map((added) => repo.add(added)));
    expect(revisions.map(({ number }) => number).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 200 }, (_, i) => i + 2),
    );
    expect(await repo.size()).toBe(200);
    const log = await repo.log().toArray();
    expect(log.map(({ number }) => number)).toEqual(Array.from({ length: 201 }, (_, i) => 201 - i));
    for (const [i, revision] of log.slice(0, -1).entries()) expect(revision.parent).toBe(log[i + 1]!.id);
    expect((await repo.maintenance.verify()).ok).toBe(true);
  });

  test('updates wait for each other', async () => {
    const repo = await repository();
    await repo.update('INSERT DATA { ex:n ex:value 0 }');
    const count =
      'DELETE { ex:n ex:value ?v } INSERT { ex:n ex:value ?next } WHERE { ex:n ex:value ?v BIND(?v + 1 AS ?next) }';
    await Promise.all(Array.from({ length: 25 }, () => repo.update(count)));
    expect(await lines(repo.quads())).toEqual([`n value ${term(literal('25', iri(`${XSD}integer`)))}`]);
    expect((await repo.revision()).number).toBe(27);
  });

  test('of all kinds at once', async () => {
    const repo = await repository();
    await Promise.all([
      ...many(20, 'a').map((added) => repo.add(added)),
      repo.add(many(9000, 'b')),
      repo.load({ text: '<urn:x> <urn:p> 1, 2, 3 .' }, { format: 'ttl' }),
      ...many(10, 'c').map(({ subject }) => repo.update(sparql`INSERT DATA { ${subject} ex:q 1 }`)),
      ...many(10, 'd').map((added) => repo.transaction((tx) => tx.add(added))),
    ]);
    expect(await repo.size()).toBe(9043);
    expect((await repo.maintenance.verify()).ok).toBe(true);
    expect(await repo.log().toArray()).toHaveLength((await repo.revision()).number);
  });
});

describe('a writer who reads the head and tries again gets through', () => {
  test.each(['memory', 'directory'])('in %s', async (where) => {
    const db = where === 'memory' ? await memory() : await open(await directory());
    const repo = await db.repository('a/counter', { create: true });
    await repo.add(q('n value "0"'));
    let attempts = 0;
    const increment = async (): Promise<void> => {
      for (;;) {
        attempts++;
        const head = await repo.revision();
        const { object } = (await repo
          .at(head)
          .quads({ subject: ex('n') })
          .first())!;
        const next = quad(ex('n'), ex('value'), literal(String(Number(object.value) + 1)));
        const lost = await repo
          .transaction(
            async (tx) => {
              await tx.remove({ subject: ex('n') });
              await tx.add(next);
            },
            { ifRevision: head },
          )
          .then(
            () => false,
            (error: { code?: string }) => {
              if (error.code !== 'REVISION_CONFLICT') throw error;
              return true;
            },
          );
        if (!lost) return;
      }
    };
    await Promise.all(Array.from({ length: 8 }, increment));
    expect(await lines(repo.quads())).toEqual(['n value "8"']);
    // Each loses at most once to each other: when a writer hears that it has lost, it can read what it lost to.
    expect(attempts).toBeLessThanOrEqual((8 * 9) / 2);
    await db.close();
  });
});

describe('update', () => {
  test('is one revision, whatever the number of its operations', async () => {
    const repo = await repository('a p b');
    const text =
      'INSERT DATA { ex:c ex:p ex:d } ; DELETE WHERE { ex:a ?p ?o } ; INSERT { ?s ex:q 1 } WHERE { ?s ex:p ?o }';
    expect(await repo.update(text, { message: 'three' })).toMatchObject({ number: 3, added: 2, removed: 1 });
    expect(await changes(repo.diff(2))).toEqual([
      '+ c p d',
      `+ c q ${term(literal('1', iri(`${XSD}integer`)))}`,
      '- a p b',
    ]);
  });

  test.each([
    ['INSERT DATA { ex:c ex:p ex:d } ; LOAD <http://localhost:1/nothing>', expect.any(String)],
    ['INSERT DATA { ex:c ex:p ex:d } ; INSERT DATA { ex:c ex:p', 'SPARQL_SYNTAX'],
    ['SELECT * { ?s ?p ?o }', expect.any(String)],
  ])('a failing operation leaves nothing: %s', async (text, code) => {
    const repo = await repository('a p b');
    await expect(repo.update(text)).rejects.toMatchObject({ code: code as string });
    expect(await lines(repo.quads())).toEqual(['a p b']);
    expect((await repo.revision()).number).toBe(2);
    await repo.update('INSERT DATA { ex:c ex:p ex:d }');
  });

  test('takes bindings, and values by template', async () => {
    const repo = await repository('a p b', 'c p d');
    const value = '"; DROP ALL #';
    await repo.update('INSERT { ?s ex:q ?v } WHERE { ?s ex:p ?o }', { bindings: { s: ex('a'), v: literal(value) } });
    expect(await repo.count({ predicate: ex('q') })).toBe(1);
    await repo.update`INSERT DATA { ${ex('e')} ex:q ${value} }`;
    await repo.update(sparql`DELETE WHERE { ${ex('c')} ?p ?o }`, { message: 'no c' });
    expect(await repo.count({ object: literal(value) })).toBe(2);
    expect(await repo.revision()).toMatchObject({ message: 'no c', removed: 1 });
  });

  test('a timeout ends it with nothing changed, and the next one runs', async () => {
    const repo = await repository();
    await repo.add(many(300));
    const slow =
      'INSERT { ?a ex:q ?c } WHERE { ?a ex:p ?x . ?b ex:p ?y . ?c ex:p ?z FILTER(STRLEN(STR(?x)) + STRLEN(STR(?y)) + STRLEN(STR(?z)) < 0) }';
    await expect(repo.update(slow, { timeoutMs: 100 })).rejects.toMatchObject({ code: 'QUERY_TIMEOUT' });
    expect((await repo.revision()).number).toBe(2);
    await repo.update('INSERT DATA { ex:c ex:p ex:d }');
    expect(await repo.size()).toBe(301);
  });
});
