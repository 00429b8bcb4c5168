/** The same calls over the library, over a server, and over a server that follows another one. */
import { inspect } from 'node:util';
import { type ClientError, connect, type RemoteRepository, type Row } from '@quadrille/client';
import { serve, type Served } from '@quadrille/server';
import { dataFactory, iri, literal, open, quad } from 'quadrille';
import { afterEach, describe, expect, test } from 'vitest';

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function server(): Promise<Served> {
  const served = await serve(':memory:', {
    port: 0,
    open: true,
    store: { workers: 0 },
    whenOpen: async ({ database }) => void (await database.repository('acme/people', { create: true })),
  });
  ends.push(() => served.close());
  return served;
}

/** What the calls of this test need of a repository, wherever it is. */
type Calls = Omit<RemoteRepository, 'url' | 'branch' | 'settings'>;

const places: readonly [string, () => Promise<Calls>][] = [
  [
    'the library',
    async () => {
      const db = await open(':memory:');
      ends.push(() => db.close());
      return (await db.repository('acme/people', { create: true })) as unknown as Calls;
    },
  ],
  ['a server', async () => connect(`${(await server()).url}/acme/people`)],
];

const ex = (name: string) => iri(`urn:${name}`);
const texts = (quads: readonly { readonly object: { readonly value: string } }[]): string[] =>
  quads.map(({ object }) => object.value).toSorted();
const failure = async (call: Promise<unknown>): Promise<ClientError> =>
  call.then(
    () => Promise.reject(new Error('it did not fail')),
    (error: unknown) => error as ClientError,
  );

describe.each(places)('over %s', (_, place) => {
  test('a reset restores the content of a revision in a new one', async () => {
    const repo = await place();
    await repo.add(quad(ex('a'), ex('p'), literal('one')));
    await repo.update('CLEAR ALL');
    expect(await repo.branches.reset(2, { message: 'back' })).toMatchObject({ number: 4, added: 1, message: 'back' });
    expect(texts(await repo.quads().toArray())).toEqual(['one']);
    const { id } = await repo.revision();
    expect(await failure(repo.branches.reset(9))).toMatchObject({ code: 'REVISION_NOT_FOUND' });
    expect(await repo.branches.reset('HEAD')).toMatchObject({ id });
  });

  test('the history of quads: what came and went, with its revisions', async () => {
    const repo = await place();
    const one = quad(ex('a'), ex('p'), literal('one'));
    await repo.add([one, quad(ex('a'), ex('q'), literal('two'), ex('g'))], { message: 'both' });
    await repo.remove(one);
    await repo.add(one);
    const told = async (...asked: Parameters<Calls['history']>): Promise<unknown[]> =>
      (await repo.history(...asked).toArray()).map(({ op, quad: { object, graph }, revision }) => [
        op,
        object.value,
        graph.value,
        revision.number,
        revision.message,
      ]);
    const ofOne = [
      ['add', 'one', '', 2, 'both'],
      ['remove', 'one', '', 3, undefined],
      ['add', 'one', '', 4, undefined],
    ];
    expect(await told({ predicate: ex('p') })).toEqual(ofOne);
    expect(await told({ predicate: ex('p') }, { from: 3, to: 3 })).toEqual(ofOne.slice(1, 2));
    expect(await told({ graph: ex('g') })).toEqual([['add', 'two', 'urn:g', 2, 'both']]);
    expect(await told({ graph: dataFactory.defaultGraph() })).toEqual(ofOne);
    expect(await told()).toHaveLength(4);
    expect(await failure(repo.history({}, { from: 99 }).toArray())).toMatchObject({ code: 'REVISION_NOT_FOUND' });
  });

  test('words are searched at any revision, with facets', async () => {
    const repo = await place();
    await expect(failure(repo.search('moon'))).resolves.toMatchObject({ code: 'NO_INDEX' });
    await (repo as RemoteRepository).settings.set({ search: { text: true } });
    await repo.add([
      quad(ex('a'), ex('p'), literal('The Moon', 'en')),
      quad(ex('a'), ex('kind'), ex('K')),
      quad(ex('b'), ex('p'), literal('moon and Earth'), ex('g')),
    ]);
    const before = await repo.revision();
    await repo.remove({ subject: ex('b') });
    const { total, hits, facets, revision } = await repo.search('moon', { facets: [ex('kind')] });
    expect([total, revision]).toEqual([1, (await repo.revision()).id]);
    expect(hits[0]!.literal.equals(literal('The Moon', 'en'))).toBe(true);
    expect(hits[0]!.graph.termType).toBe('DefaultGraph');
    expect(facets['urn:kind']!.map(({ value, count }) => [value.value, count])).toEqual([['urn:K', 1]]);
    expect((await repo.search('moon', { at: before.id })).total).toBe(2);
    const old = await repo.at(before.number).search('+moon +earth', { property: ex('p'), graph: ex('g'), limit: 5 });
    expect([old.total, old.hits[0]!.graph.value]).toEqual([1, 'urn:g']);
    expect((await repo.search('moon', { language: 'en', offset: 1 })).hits).toEqual([]);
    expect(await failure(repo.search('moon AND ('))).toMatchObject({ code: 'TEXT_SYNTAX' });
    expect(await failure(repo.search('moon', { at: 99 }))).toMatchObject({ code: 'REVISION_NOT_FOUND' });
  });

  test('a transaction reads what it has staged, and is one revision or none', async () => {
    const repo = await place();
    const [one, two] = [quad(ex('a'), ex('p'), literal('one')), quad(ex('a'), ex('p'), literal('two'), ex('g'))];
    await repo.add(one);
    const revision = await repo.transaction(
      async (staged) => {
        await staged.add([two, quad(ex('b'), ex('p'), literal('three'))]);
        expect([await staged.size(), await staged.count({ subject: ex('a') })]).toEqual([3, 2]);
        expect(texts(await staged.quads({ graph: ex('g') }).toArray())).toEqual(['two']);
        expect((await staged.graphs().toArray()).map(({ value }) => value)).toEqual(['urn:g']);
        expect(await staged.ask('ASK { GRAPH <urn:g> { ?s ?p "two" } }')).toBe(true);
        expect((await staged.select('SELECT ?o { <urn:b> ?p ?o }').toArray()).map(({ o }) => o!.value)).toEqual([
          'three',
        ]);
        // Nobody else sees it.
        expect(await repo.size()).toBe(1);
        await staged.update('INSERT DATA { <urn:c> <urn:p> "four" }');
        await staged.remove(one);
        await staged.remove({ graph: ex('g') });
        await staged.remove({ subject: ex('nobody') });
      },
      { message: 'together' },
    );
    expect(revision).toMatchObject({ number: 3, message: 'together', added: 2, removed: 1 });
    expect(texts(await repo.quads().toArray())).toEqual(['four', 'three']);
    await repo.transaction(async (staged) => staged.remove({}));
    expect(await repo.size()).toBe(0);
    await expect(
      repo.transaction(async (staged) => {
        await staged.add(one);
        throw new Error('not now');
      }),
    ).rejects.toThrow('not now');
    expect(await repo.revision()).toMatchObject({ number: 4, size: 0 });
  });

  test('a transaction that another commit was in the way of fails, or runs again', async () => {
    const repo = await place();
    await repo.update('INSERT DATA { <urn:n> <urn:value> 1 }');
    let runs = 0;
    const raise = async (staged: Parameters<Parameters<Calls['transaction']>[0]>[0]): Promise<void> => {
      const [row] = await staged.select('SELECT ?n { <urn:n> <urn:value> ?n }').toArray();
      if (runs++ === 0) await repo.update('DELETE { ?s ?p 1 } INSERT { ?s ?p 10 } WHERE { ?s ?p 1 }');
      await staged.update(
        `DELETE WHERE { <urn:n> ?p ?o } ; INSERT DATA { <urn:n> <urn:value> ${Number(row!['n']!.value) + 1} }`,
      );
    };
    expect(await failure(repo.transaction(raise))).toMatchObject({ code: 'REVISION_CONFLICT' });
    [runs] = [0];
    await repo.update('DELETE { ?s ?p 10 } INSERT { ?s ?p 1 } WHERE { ?s ?p 10 }');
    await repo.transaction(raise, { retries: 2 });
    expect(runs).toBe(2);
    expect(texts(await repo.quads().toArray())).toEqual(['11']);
  });

  test('changes, and what reads them', async () => {
    const repo = await place();
    const added = await repo.add(
      [quad(ex('a'), ex('p'), literal('one')), quad(ex('a'), ex('p'), literal('zwei', 'de'), ex('g'))],
      { message: 'grüße' },
    );
    expect(added).toMatchObject({ number: 2, added: 2, removed: 0, size: 2, message: 'grüße' });
    expect(added.time).toBeInstanceOf(Date);
    expect(await repo.revision()).toEqual(added);
    await repo.load({ text: '<urn:a> <urn:q> 1 , 2.5 , true .' }, { format: 'ttl' });
    expect([await repo.size(), await repo.count({ predicate: ex('p') }), await repo.count()]).toEqual([5, 2, 5]);
    expect(await repo.has({ object: literal('zwei', 'de'), graph: ex('g') })).toBe(true);
    expect(await repo.has({ object: literal('zwei', 'de'), graph: dataFactory.defaultGraph() })).toBe(false);
    expect(texts(await repo.quads({ subject: ex('a') }).toArray())).toEqual(['1', '2.5', 'one', 'true', 'zwei']);
    expect((await repo.graphs().toArray()).map(({ value }) => value)).toEqual(['urn:g']);
    expect(await repo.remove({ predicate: ex('q') })).toMatchObject({ removed: 3, size: 2 });
    expect(await repo.remove(quad(ex('a'), ex('p'), literal('zwei', 'de'), ex('g')))).toMatchObject({ size: 1 });
    expect(await repo.update('INSERT DATA { <urn:b> <urn:p> "a\\tb\\n" }')).toMatchObject({ added: 1 });
    expect(await repo.update`INSERT DATA { ${ex('c')} ${ex('p')} ${'it\'s "quoted"'} , ${7} }`).toMatchObject({
      added: 2,
    });
    const bindings = { s: ex('d') };
    const bound = await repo.update('INSERT { ?s <urn:p> 1 } WHERE {}', { bindings, message: 'bound' });
    expect(bound).toMatchObject({ added: 1, message: 'bound' });
    expect(texts(await repo.quads({ subject: ex('d') }).toArray())).toEqual(['1']);
    expect(await repo.remove({ subject: ex('d') })).toMatchObject({ removed: 1 });
    expect((await repo.dump('nt').toArray()).join('').split('\n').length).toBe(5);
    expect(await repo.revert(7)).toMatchObject({ removed: 2 });
    expect((await repo.log().toArray()).map(({ number }) => number)).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
    expect((await repo.log({ from: 3, to: 6, limit: 2 }).toArray()).map(({ number }) => number)).toEqual([6, 5]);
    const diff = await repo.diff(2, 'HEAD').toArray();
    expect(diff.map(({ op, quad: { object, graph } }) => [op, object.value, graph.value]).toSorted()).toEqual([
      ['add', 'a\tb\n', ''],
      ['remove', 'zwei', 'urn:g'],
    ]);
  });

  test('previews', async () => {
    const repo = await place();
    await repo.update('INSERT DATA { <urn:a> <urn:p> 1 , 2 }');
    const before = await repo.revision();
    const document = { text: '<urn:a> <urn:p> 1 , 3 .' };
    const preview = { dryRun: true, message: 'tried' } as const;
    const ttl = { ...preview, format: 'ttl' } as const;
    expect(await repo.load(document, ttl)).toEqual({ added: 1, removed: 0 });
    expect(await repo.load(document, { ...ttl, replace: true })).toEqual({ added: 1, removed: 1 });
    expect(await repo.load(document, { ...ttl, graph: ex('g') })).toEqual({ added: 2, removed: 0 });
    const open = async function* () {
      yield new TextEncoder().encode(document.text);
    };
    expect(await repo.load(open, ttl)).toEqual({ added: 1, removed: 0 });
    expect(await repo.update('DELETE WHERE { ?s ?p 1 }', preview)).toEqual({ added: 0, removed: 1 });
    const bindings = { s: ex('d') };
    expect(await repo.update('INSERT { ?s <urn:p> 1 } WHERE {}', { ...preview, bindings })).toMatchObject({ added: 1 });
    const stale = { ...preview, ifRevision: (await repo.at(1).revision()).id };
    expect(['REVISION_CONFLICT', 'PRECONDITION_FAILED']).toContain(
      (await failure(repo.update('CLEAR ALL', stale))).code,
    );
    expect(await failure(repo.load({ text: '<urn:a>' }, ttl))).toMatchObject({ code: 'RDF_SYNTAX' });
    expect(await repo.revision()).toEqual(before);
  });

  test('a document of a function, and lines that are left out', async () => {
    const repo = await place();
    const text = '<urn:a> <urn:p> "1" .\nnonsense\n<urn:a> <urn:p> "2" .\n';
    const open = async function* (offset: number) {
      yield new TextEncoder().encode(text).subarray(offset);
    };
    const lines: number[] = [];
    const skip = {
      format: 'nt',
      onError: 'skip',
      onProblem: ({ line }: { line: number }) => lines.push(line),
    } as const;
    expect(await repo.load(open, { ...skip, message: 'half' })).toMatchObject({ number: 2, added: 2, message: 'half' });
    expect(await repo.load({ text }, { ...skip, graph: ex('g') })).toMatchObject({ number: 3, added: 2 });
    expect(lines).toEqual([2, 2]);
    expect(await failure(repo.load(open, { format: 'nt' }))).toMatchObject({ code: 'RDF_SYNTAX' });
    expect(await failure(repo.load(open, { ...skip, maxErrors: 0 }))).toMatchObject({ code: expect.any(String) });
  });

  test('watches and live answers, from a revision on', async () => {
    const repo = await place();
    const watch = repo.watch();
    const waiting = watch.next();
    await repo.update('INSERT DATA { <urn:a> <urn:p> 1 }', { message: 'first' });
    expect((await waiting).value).toMatchObject({ revision: { number: 2, added: 1, message: 'first' } });
    await repo.update('DELETE DATA { <urn:a> <urn:p> 1 } ; INSERT DATA { <urn:a> <urn:q> 2 , 3 }');
    const { revision, quads } = (await watch.next()).value!;
    const changes = (await quads().toArray()).map(({ op, quad: { object } }) => `${op} ${object.value}`);
    expect([revision, changes.toSorted()]).toEqual([await repo.revision(), ['add 2', 'add 3', 'remove 1']]);
    const left = watch.next();
    await watch.return!();
    expect([await left, await watch.next()]).toMatchObject([{ done: true }, { done: true }]);
    const filtered = repo.watch({ since: 1, pattern: { predicate: ex('q') } });
    const found = (await filtered.next()).value!;
    expect([found.revision.number, (await found.quads().toArray()).length]).toEqual([3, 2]);
    await filtered.return!();
    const live = repo.live('SELECT ?o ?none { ?s <urn:q> ?o }');
    const rows = ({ added, removed }: { added: readonly Row[]; removed: readonly Row[] }): unknown => [
      added.map(({ o }) => o!.value).toSorted(),
      removed.map(({ o }) => o!.value).toSorted(),
    ];
    const first = (await live.next()).value!;
    expect([first.path, first.variables, rows(first)]).toEqual(['initial', ['o', 'none'], [['2', '3'], []]]);
    const next = live.next();
    await repo.update('DELETE DATA { <urn:a> <urn:q> 2 } ; INSERT DATA { <urn:a> <urn:q> "zwei" }');
    const second = (await next).value!;
    expect([second.revision, rows(second)]).toEqual([await repo.revision(), [['zwei'], ['2']]]);
    await live.return!();
    const since = repo.live('SELECT ?o { ?s <urn:q> ?o }', { since: 3 });
    expect(rows((await since.next()).value!)).toEqual([['zwei'], ['2']]);
    await since.return!();
    expect(await failure(repo.live('SELECT').next())).toMatchObject({ code: 'SPARQL_SYNTAX' });
    expect(await failure(repo.watch({ since: 99 }).next())).toMatchObject({ code: 'REVISION_NOT_FOUND' });
  });

  test('queries of each kind', async () => {
    const repo = await place();
    await repo.update('INSERT DATA { <urn:a> <urn:age> 7 ; <urn:name> "Ann" . <urn:b> <urn:age> 8 }');
    const rows = repo.select('SELECT ?s ?name { ?s <urn:age> ?age OPTIONAL { ?s <urn:name> ?name } } ORDER BY ?age');
    expect(await rows.variables).toEqual(['s', 'name']);
    expect((await rows.toArray()).map(({ s, name }) => [s!.value, name?.value])).toEqual([
      ['urn:a', 'Ann'],
      ['urn:b', undefined],
    ]);
    const [row] = await repo.select`SELECT ?age { ${ex('b')} <urn:age> ?age }`.toArray();
    expect(row!['age']!.equals(literal('8', iri('http://www.w3.org/2001/XMLSchema#integer')))).toBe(true);
    const answer = await repo.query('SELECT ?age { <urn:a> <urn:age> ?age }');
    expect(answer).toMatchObject({ type: 'bindings', variables: ['age'] });
    expect(answer.type === 'bindings' && (await answer.rows.toArray())).toMatchObject([{ age: { value: '7' } }]);
    expect(await repo.query`ASK { ${ex('a')} <urn:age> 7 }`).toEqual({ type: 'boolean', value: true });
    const graph = await repo.query('DESCRIBE <urn:b>');
    expect(graph.type === 'quads' && texts(await graph.quads.toArray())).toEqual(['8']);
    expect(await failure(repo.query('CLEAR ALL'))).toMatchObject({ code: 'NOT_A_QUERY' });
    const bindings = { s: ex('a') };
    expect(await repo.ask('ASK { ?s <urn:name> "Ann" }', { bindings })).toBe(true);
    expect(await repo.ask`ASK { ${ex('b')} <urn:name> ?name }`).toBe(false);
    const made = await repo.construct('CONSTRUCT { ?s <urn:is> ?age } WHERE { ?s <urn:age> ?age }').toArray();
    expect(texts(made)).toEqual(['7', '8']);
    expect(texts(await repo.describe('DESCRIBE <urn:b>').toArray())).toEqual(['8']);
    expect(await repo.select('SELECT ?x { ?x <urn:none> ?y }').first()).toBeUndefined();
    const prepared = await repo.prepare('SELECT ?age { <urn:a> <urn:age> ?age }');
    expect((await prepared.serialize('text/csv').toArray()).join('')).toMatch(/^age\r?\n7/);
    expect(await failure(repo.select('SELECT').toArray())).toMatchObject({ code: 'SPARQL_SYNTAX' });
  });

  test('old revisions, tags, prefixes, branches and merges', async () => {
    const repo = await place();
    await repo.update('INSERT DATA { <urn:a> <urn:p> 1 }');
    await repo.tags.set('v1', 'HEAD');
    await repo.update('INSERT DATA { <urn:a> <urn:p> 2 }');
    expect([await repo.at('v1').size(), (await repo.at('v1').revision()).number]).toEqual([1, 2]);
    expect(texts(await repo.at(2).quads().toArray())).toEqual(['1']);
    expect(await repo.at(2).ask('ASK { <urn:a> <urn:p> 2 }')).toBe(false);
    expect((await repo.at('v1').log().toArray()).map(({ number }) => number)).toEqual([2, 1]);
    expect((await repo.tags.list().toArray()).map(({ name, revision }) => [name, revision.number])).toEqual([
      ['v1', 2],
    ]);
    expect([(await repo.tags.get('v1'))?.number, await repo.tags.get('v2')]).toEqual([2, undefined]);
    expect([await repo.tags.delete('v1'), await repo.tags.delete('v1')]).toEqual([true, false]);
    await repo.namespaces.set('e', 'urn:e/');
    expect([await repo.namespaces.list(), await repo.namespaces.get('f')]).toEqual([{ e: 'urn:e/' }, undefined]);
    expect([await repo.namespaces.delete('e'), await repo.namespaces.delete('e')]).toEqual([true, false]);

    expect(await repo.branches.create('draft')).toMatchObject({
      name: 'draft',
      head: { number: 3 },
      fork: { number: 3 },
    });
    const draft = await repo.branches.open('draft');
    await draft.update('INSERT DATA { <urn:b> <urn:p> 3 }');
    expect([await repo.size(), await draft.size()]).toEqual([2, 3]);
    expect((await repo.branches.list().toArray()).map(({ name }) => name)).toEqual(['draft', 'main']);
    expect(await repo.branches.merge('draft', { dryRun: true })).toMatchObject({
      added: 1,
      removed: 0,
      conflictCount: 0,
    });
    expect(await repo.branches.merge('draft', { message: 'both' })).toMatchObject({ added: 1, message: 'both' });
    expect(await repo.size()).toBe(3);
    const origin = await draft.update('INSERT DATA { <urn:c> <urn:p> 4 }', { message: 'picked' });
    const picked = { number: 5, message: 'picked', origin: origin.id };
    expect(await repo.branches.cherryPick('draft')).toMatchObject(picked);
    expect(await failure(repo.branches.cherryPick('none'))).toMatchObject({ code: 'REVISION_NOT_FOUND' });
    await repo.branches.rename('draft', 'done');
    expect([await repo.branches.get('draft'), (await repo.branches.get('done'))?.name]).toEqual([undefined, 'done']);
    const gone = async (): Promise<boolean> => repo.branches.delete('done', { force: true });
    expect([await gone(), await gone()]).toEqual([true, false]);
    expect(await failure(repo.branches.open('none'))).toMatchObject({ code: 'BRANCH_NOT_FOUND' });
    // In a path they would lead elsewhere.
    for (const name of ['', '.', '..']) {
      expect(await failure(repo.branches.open(name)), name).toMatchObject({ code: 'BRANCH_NOT_FOUND' });
      expect(await failure(repo.branches.create(name)), name).toMatchObject({ code: 'INVALID_NAME' });
      expect([await repo.branches.get(name), await repo.tags.get(name)], name).toEqual([undefined, undefined]);
      expect(await failure(repo.at(name).revision()), name).toMatchObject({ code: 'INVALID_REF' });
      expect(await failure(repo.revert(name)), name).toMatchObject({ code: 'INVALID_REF' });
    }
  });

  test('a history is a file, and copies have the same hashes', async () => {
    const [repo, copy] = [await place(), await place()];
    await repo.update('INSERT DATA { <urn:a> <urn:p> 1 }', { message: 'first' });
    await repo.branches.create('draft');
    const first = (await repo.sync.exportHistory().toArray()).join('');
    expect(await copy.sync.importHistory({ text: first })).toEqual(await repo.revision());
    const hashes = async ({ proof }: Calls, ref?: number): Promise<string[]> => [
      await proof.digest(ref),
      await proof.contentHash(ref),
    ];
    const before = await hashes(repo);
    expect(before).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), expect.stringMatching(/^[0-9a-f]{64}$/)]);
    await repo.update('INSERT DATA { <urn:a> <urn:p> 2 }');
    expect([await hashes(copy), await hashes(repo, 2)]).toEqual([before, before]);
    expect(await hashes(repo)).not.toEqual(before);
    const rest = (await repo.sync.exportHistory({ since: 2 }).toArray()).join('');
    expect(rest).not.toContain('first');
    expect(await copy.sync.importHistory({ text: rest })).toMatchObject({ number: 3, added: 1 });
    const all = (await repo.sync.exportHistory({ branches: 'all' }).toArray()).join('');
    await copy.sync.importHistory({ text: all });
    expect((await copy.branches.list().toArray()).map(({ name }) => name)).toEqual(['draft', 'main']);
    expect(await hashes(copy)).toEqual(await hashes(repo));
    await copy.update('CLEAR ALL');
    await repo.update('CLEAR ALL');
    const other = { text: (await repo.sync.exportHistory().toArray()).join('') };
    expect(await failure(copy.sync.importHistory(other))).toMatchObject({ code: 'HISTORY_DIVERGED' });
    expect(await failure(repo.proof.digest(99))).toMatchObject({ code: 'REVISION_NOT_FOUND' });
  });

  test('what is refused changes nothing', async () => {
    const repo = await place();
    const { id } = await repo.update('INSERT DATA { <urn:a> <urn:p> 1 }');
    await repo.update('INSERT DATA { <urn:a> <urn:p> 2 }', { ifRevision: id });
    const late = failure(repo.update('INSERT DATA { <urn:a> <urn:p> 3 }', { ifRevision: id }));
    expect(['REVISION_CONFLICT', 'PRECONDITION_FAILED']).toContain((await late).code);
    expect(await failure(repo.load({ text: '<urn:a> <urn:p> .' }, { format: 'ttl' }))).toMatchObject({
      code: 'RDF_SYNTAX',
    });
    expect(await failure(repo.at(99).size())).toMatchObject({ code: 'REVISION_NOT_FOUND' });
    expect(await failure(repo.update('INSERT DATA {}', { signal: AbortSignal.abort() }))).toMatchObject({
      code: 'ABORTED',
    });
    expect(await repo.size()).toBe(2);
  });
});

test('an error of a server says its code, its status and the request', async () => {
  const { url } = await server();
  const error = await failure(connect(`${url}/acme/nobody`));
  expect(error).toMatchObject({ code: 'REPOSITORY_NOT_FOUND', status: 404, name: 'ClientError' });
  expect(error.requestId).toMatch(/^[0-9a-f-]{36}$/);
  for (const wrong of ['people', 'ftp://a/b', 'http://jo:secret@127.0.0.1/a/b'])
    expect(await failure(connect(wrong))).toMatchObject({ code: 'INVALID_OPTION', status: 0 });
  expect(await failure(connect('http://127.0.0.1:1/acme/people'))).toMatchObject({ code: 'FETCH_FAILED', status: 0 });
  const repo = await connect(`${url}/acme/people/`, { branch: 'main', token: 'secret' });
  // A repository that is printed shows no token.
  expect(inspect(repo, { depth: 9, showHidden: true })).not.toContain('secret');
  expect(repo.branch).toBe('main');
  expect(await failure(repo.remove(quad(dataFactory.blankNode('b'), ex('p'), ex('o'))))).toMatchObject({
    code: 'INVALID_TERM',
  });
});
