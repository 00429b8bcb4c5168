import { describe, expect, test } from 'vitest';
import { answerDiff, open, quad } from '../index.js';
import type { HostLiveOptions } from '../host/index.js';
import { answer, applied, randomNumbers } from '../testing/answers.js';
import { directory, ex, many, memory, q, repository } from '../testing/fixtures.js';

const SEED = Number(process.env['QUADRILLE_SEED'] ?? 1);

const QUERIES = [
  'SELECT ?s ?o { ?s ex:p ?o }',
  'SELECT ?s { ?s ex:p ?x . ?x ex:p ?y . ?y ex:q ?z }',
  'SELECT (COUNT(*) AS ?n) { ?s ex:p ?o }',
  'SELECT ?s ?o { ?s ex:p ?x OPTIONAL { ?x ex:q ?o } FILTER NOT EXISTS { ?x ex:r ?s } }',
  'SELECT ?s { GRAPH ?g { ?s ex:p ?o } }',
];
const PATHS = ['delta', 'delta', 'delta', 'rerun', 'delta'];

test(`random commits: what is told adds up to the answer (QUADRILLE_SEED=${SEED})`, async () => {
  const int = randomNumbers(SEED);
  const repo = await repository();
  const live = QUERIES.map((text) => repo.live(text));
  const seen = await Promise.all(live.map(async (one) => applied([], (await one.next()).value!)));
  const some = () => q(`n${int(5)} ${['p', 'p', 'q', 'r'][int(4)]} n${int(5)}${int(3) === 0 ? ` g${int(2)}` : ''}`);
  for (let i = 0; i < 40; i++) {
    const changes = Array.from({ length: 1 + int(3) }, some);
    await (int(3) === 0 ? repo.remove(changes) : repo.add(changes));
    if (int(3) === 0) continue;
    for (const [j, text] of QUERIES.entries()) {
      const expected = await answer(repo, text);
      if (expected.join() === seen[j]!.join()) continue;
      const { value } = await live[j]!.next();
      expect(value!.path, text).toBe(PATHS[j]);
      seen[j] = applied(seen[j]!, value!);
      expect(seen[j], text).toEqual(expected);
      expect(value!.revision).toEqual(await repo.revision());
    }
  }
  const { number } = await repo.revision();
  for (let i = 0; i < 20; i++) {
    const [from, to] = [1 + int(number), 1 + int(number)];
    const text = QUERIES[int(QUERIES.length)]!;
    const diff = await answerDiff(repo, text, from, to);
    expect(applied(await answer(repo, text, from), diff), text).toEqual(await answer(repo, text, to));
    // Counts follow from counts before, which nobody has here.
    const isCount = text === QUERIES[2];
    if (PATHS[QUERIES.indexOf(text)] === 'delta' && !isCount) expect(diff.path, text).toBe('delta');
  }
  for (const one of live) await one.return!();
});

describe('a followed answer', () => {
  const TEXT = 'SELECT ?o { ex:a ex:p ?o }';
  const COUNT = 'SELECT (COUNT(*) AS ?n) { ?s ex:p ?o }';

  test('begins with the whole answer, and a slow consumer gets several revisions together', async () => {
    const repo = await repository('a p b');
    const live = repo.live(TEXT);
    expect((await live.next()).value).toMatchObject({ path: 'initial', removed: [], added: [{ o: ex('b') }] });
    await repo.add(q('a p c'));
    await repo.remove(q('a p b'));
    await repo.add(q('x y z'));
    const update = (await live.next()).value!;
    expect(update).toMatchObject({ path: 'delta', added: [{ o: ex('c') }], removed: [{ o: ex('b') }] });
    const waiting = live.next();
    await repo.add(q('x y z2'));
    await repo.add(q('a p d'));
    expect((await waiting).value).toMatchObject({ added: [{ o: ex('d') }], removed: [] });
  });

  test('counts equal rows', async () => {
    const repo = await repository('a p b', 'a q b');
    const text = 'SELECT ?o { ex:a ?p ?o }';
    const live = repo.live(text);
    expect((await live.next()).value!.added).toHaveLength(2);
    await repo.remove(q('a q b'));
    expect((await live.next()).value).toMatchObject({ added: [], removed: [{ o: ex('b') }] });
    expect(await answerDiff(repo, text, 'HEAD~1')).toMatchObject({ added: [], removed: [{ o: ex('b') }] });
  });

  test('ends on its signal, on return, on close, and not in silence when its repository is deleted', async () => {
    const db = await memory();
    const repo = await db.repository('x', { create: true });
    await repo.namespaces.set('ex', 'http://example.org/');
    const controller = new AbortController();
    const live = [repo.live(TEXT, { signal: controller.signal }), repo.live(TEXT), repo.live(TEXT)] as const;
    for (const one of live) await one.next();
    const waiting = live.map((one) => one.next());
    const aborted = expect(waiting[0]).rejects.toMatchObject({ code: 'ABORTED' });
    controller.abort();
    await aborted;
    await live[1].return!();
    expect(await waiting[1]).toEqual({ value: undefined, done: true });
    expect(await live[1].next()).toEqual({ value: undefined, done: true });
    const deleted = expect(waiting[2]).rejects.toMatchObject({ code: 'REPOSITORY_DELETED' });
    await db.deleteRepository('x');
    await deleted;
    const path = await directory();
    const closing = await open(path);
    const last = (await closing.repository('y', { create: true })).live('SELECT * { ?s ?p ?o }');
    await last.next();
    const end = last.next();
    await closing.close();
    expect(await end).toEqual({ value: undefined, done: true });
  });

  test('begins after a revision, and resumes where it was left', async () => {
    const repo = await repository('a p b');
    for (const text of [TEXT, 'SELECT ?o { ex:a ex:p ?o OPTIONAL { ?o ex:q ?x } }', COUNT]) {
      const { id } = await repo.revision();
      const live = repo.live(text, { since: id });
      const waiting = live.next();
      await repo.add(q('a q z'));
      await repo.add(q(`a p ${text.length}`));
      const { value } = await waiting;
      expect(value!.path, text).toBe(text.includes('OPTIONAL') ? 'rerun' : 'delta');
      expect(value!.added, text).toHaveLength(1);
      await live.return!();
      expect((await repo.live(text, { since: id }).next()).value, text).toMatchObject({ added: value!.added });
    }
    const unknown = repo.live(TEXT, { since: '018bcfe5-8358-738e-9154-8181177da82e' }).next();
    await expect(unknown).rejects.toMatchObject({ code: 'REVISION_NOT_FOUND' });
  });

  test('nothing runs for revisions that the query does not read, however large they are', async () => {
    const repo = await repository('a p b');
    let evaluations = 0;
    const evaluate = <T>(run: () => Promise<T>): Promise<T> => {
      evaluations++;
      return run();
    };
    const followed: HostLiveOptions = { evaluate };
    const texts = [
      TEXT,
      'SELECT ?o { ex:a ex:p ?o MINUS { GRAPH ex:g { ?o ex:q ?x } } }',
      'SELECT (RAND() AS ?x) { ex:a ex:p ?o }',
    ];
    const live = texts.map((text) => repo.live(text, followed));
    for (const each of live) await each.next();
    const told = live.map((each) => each.next());
    expect(evaluations).toBe(3);
    await repo.add(q('a q b'));
    // What is random changes with each revision.
    expect((await told[2])!.value).toMatchObject({ path: 'rerun' });
    await repo.add(many(2000).map(({ subject, object }) => quad(subject, ex('q'), object)));
    await repo.add(many(2000).map(({ subject, object }) => quad(subject, ex('p'), object, ex('g'))));
    await live[2]!.next();
    expect(evaluations).toBe(5);
    await repo.add(q('a p c'));
    expect((await Promise.all(told.slice(0, 2))).map(({ value }) => value!.path)).toEqual(['delta', 'rerun']);
    for (const each of live) await each.return!();
  });

  test('a large revision makes a followed query run again', async () => {
    const repo = await repository('a p b');
    const live = [TEXT, COUNT].map((text) => repo.live(text));
    for (const each of live) await each.next();
    await repo.add([...many(2000), q('a p c')]);
    const [rows, count] = await Promise.all(live.map(async (each) => (await each.next()).value!));
    expect(rows).toMatchObject({ path: 'rerun', added: [{ o: ex('c') }], removed: [] });
    expect(count).toMatchObject({ path: 'rerun', added: [{ n: { value: '2002' } }], removed: [{ n: { value: '1' } }] });
    await repo.remove([q('a p c'), q('s7 p o7')]);
    const after = await Promise.all(live.map(async (each) => (await each.next()).value!));
    expect(after).toMatchObject([
      { path: 'delta', added: [], removed: [{ o: ex('c') }] },
      { path: 'delta', added: [{ n: { value: '2000' } }], removed: [{ n: { value: '2002' } }] },
    ]);
  });

  test('what cannot be followed is refused', async () => {
    const repo = await repository('a p b', 'a p c');
    expect(() => repo.live(TEXT, { limit: 1 } as never)).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }));
    await expect(answerDiff(repo, TEXT, 1, 2, { limit: 1 } as never)).rejects.toMatchObject({ code: 'INVALID_OPTION' });
    for (const [text, code] of [
      ['SELECT', 'SPARQL_SYNTAX'],
      ['ASK {}', 'INVALID_OPTION'],
      ['INSERT DATA { <urn:a> <urn:b> 1 }', 'NOT_A_QUERY'],
    ] as const) {
      await expect(repo.live(text).next(), text).rejects.toMatchObject({ code });
      await expect(answerDiff(repo, text, 1), text).rejects.toMatchObject({ code });
    }
    await expect(answerDiff(repo, TEXT, 99)).rejects.toMatchObject({ code: 'REVISION_NOT_FOUND' });
    await expect(answerDiff(repo, TEXT, 1, 'HEAD', { memoryBytes: 300 })).rejects.toMatchObject({
      code: 'QUERY_MEMORY',
    });
    await expect(repo.live(TEXT, { memoryBytes: 300 }).next()).rejects.toMatchObject({ code: 'QUERY_MEMORY' });
  });
});
