import { describe, expect, test } from 'vitest';
import type { LiveUpdate, Repository, Row } from '../index.js';
import { directory, ex, memory, q, repository } from '../testing/fixtures.js';
import { open } from '../index.js';

const SEED = Number(process.env['QUADRILLE_SEED'] ?? Date.now() % 1_000_000_000);

const QUERIES = [
  'SELECT ?s ?o { ?s ex:p ?o }',
  'SELECT ?s { ?s ex:p ?x . ?x ex:p ?y . ?y ex:q ?z }',
  'SELECT (COUNT(*) AS ?n) { ?s ex:p ?o }',
  'SELECT ?s ?o { ?s ex:p ?x OPTIONAL { ?x ex:q ?o } FILTER NOT EXISTS { ?x ex:r ?s } }',
  'SELECT ?s { GRAPH ?g { ?s ex:p ?o } }',
];

const textOf = (row: Row): string =>
  JSON.stringify(
    Object.entries(row)
      .map(([name, { value }]) => [name, value])
      .sort(),
  );
const texts = (rows: readonly Row[]): string[] => rows.map(textOf).toSorted();
const answer = async (repo: Repository, text: string, ref?: number): Promise<string[]> =>
  texts(await (ref === undefined ? repo : repo.at(ref)).select(text).toArray());

/** What a multiset becomes. */
function applied(before: readonly string[], { added, removed }: Pick<LiveUpdate, 'added' | 'removed'>): string[] {
  const rows = [...before];
  for (const gone of texts(removed)) {
    const at = rows.indexOf(gone);
    expect(at, 'a row is removed that was there').not.toBe(-1);
    rows.splice(at, 1);
  }
  return [...rows, ...texts(added)].toSorted();
}

test(`random commits: what is told adds up to the answer (QUADRILLE_SEED=${SEED})`, async () => {
  let state = SEED;
  const int = (most: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % most;
  };
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
      expect(value!.path).toBe('rerun');
      seen[j] = applied(seen[j]!, value!);
      expect(seen[j], text).toEqual(expected);
      expect(value!.revision).toEqual(await repo.revision());
    }
  }
  const { number } = await repo.revision();
  for (let i = 0; i < 20; i++) {
    const [from, to] = [1 + int(number), 1 + int(number)];
    const text = QUERIES[int(QUERIES.length)]!;
    const diff = await repo.answerDiff(text, from, to);
    expect(applied(await answer(repo, text, from), diff), text).toEqual(await answer(repo, text, to));
    expect(diff.path).toBe('rerun');
  }
  for (const one of live) await one.return!();
});

describe('a followed answer', () => {
  const TEXT = 'SELECT ?o { ex:a ex:p ?o }';

  test('begins with the whole answer, and a slow consumer gets several revisions together', async () => {
    const repo = await repository('a p b');
    const live = repo.live(TEXT);
    expect((await live.next()).value).toMatchObject({ path: 'initial', removed: [], added: [{ o: ex('b') }] });
    await repo.add(q('a p c'));
    await repo.remove(q('a p b'));
    await repo.add(q('x y z'));
    const update = (await live.next()).value!;
    expect(update).toMatchObject({ path: 'rerun', added: [{ o: ex('c') }], removed: [{ o: ex('b') }] });
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
    expect(await repo.answerDiff(text, 'HEAD~1')).toMatchObject({ added: [], removed: [{ o: ex('b') }] });
  });

  test('ends on its signal, on return, on close, and not in silence when its repository is deleted', async () => {
    const db = await memory();
    const repo = await db.repository('x', { create: true });
    await repo.namespaces.set('ex', 'http://example.org/');
    const controller = new AbortController();
    const live = [repo.live(TEXT, { signal: controller.signal }), repo.live(TEXT), repo.live(TEXT)] as const;
    for (const one of live) await one.next();
    const waiting = live.map((one) => one.next());
    controller.abort();
    expect(await waiting[0]).toEqual({ value: undefined, done: true });
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

  test('what cannot be followed is refused', async () => {
    const repo = await repository('a p b', 'a p c');
    expect(() => repo.live(TEXT, { limit: 1 } as never)).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }));
    await expect(repo.answerDiff(TEXT, 1, 2, { limit: 1 } as never)).rejects.toMatchObject({ code: 'INVALID_OPTION' });
    for (const [text, code] of [
      ['SELECT', 'SPARQL_SYNTAX'],
      ['ASK {}', 'INVALID_OPTION'],
      ['INSERT DATA { <urn:a> <urn:b> 1 }', 'INVALID_OPTION'],
    ] as const) {
      await expect(repo.live(text).next(), text).rejects.toMatchObject({ code });
      await expect(repo.answerDiff(text, 1), text).rejects.toMatchObject({ code });
    }
    await expect(repo.answerDiff(TEXT, 99)).rejects.toMatchObject({ code: 'REVISION_NOT_FOUND' });
    await expect(repo.answerDiff(TEXT, 1, 'HEAD', { memoryBytes: 300 })).rejects.toMatchObject({
      code: 'QUERY_MEMORY',
    });
    await expect(repo.live(TEXT, { memoryBytes: 300 }).next()).rejects.toMatchObject({ code: 'QUERY_MEMORY' });
  });
});
