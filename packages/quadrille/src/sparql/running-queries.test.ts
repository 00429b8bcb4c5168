import { describe, expect, onTestFinished, test } from 'vitest';
import type { Database, QueryOptions, Repository, RunningQuery } from '../index.js';
import { hostOf, type HostQueryOptions } from '../host/index.js';
import { iri, open } from '../index.js';
import { many, memory } from '../testing/fixtures.js';

const CROSS = '?a ?p ?x . ?b ?q ?y . ?c ?r ?z';
const NONE = 'FILTER(STRLEN(CONCAT(STR(?x), STR(?y), STR(?z))) < 0)';

async function fresh(quads = 300): Promise<{ db: Database; repo: Repository }> {
  const db = await memory();
  const repo = await db.repository('r', { create: true });
  await repo.namespaces.set('ex', 'http://example.org/');
  await repo.add(many(quads));
  return { db, repo };
}

/** The one that runs, as soon as it does. */
async function running(db: Database): Promise<RunningQuery> {
  for (;;) {
    const [query] = db.queries();
    if (query !== undefined) return query;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

describe('running queries', () => {
  const SLOW = `SELECT * { ${CROSS} ${NONE} }`;
  test.each<[string, (repo: Repository) => Promise<unknown>, string]>([
    ['select', (repo) => repo.select(SLOW).toArray(), 'query'],
    ['ask', (repo) => repo.ask(SLOW.replace('SELECT *', 'ASK')), 'query'],
    [
      'construct',
      (repo) => repo.construct(SLOW.replace('SELECT *', 'CONSTRUCT { ?a ?b ?c } WHERE')).toArray(),
      'query',
    ],
    ['serialize', (repo) => hostOf(repo).serialize(SLOW, 'text/csv').toArray(), 'query'],
    ['explain', (repo) => repo.explain(SLOW, { analyze: true }), 'query'],
    ['update', (repo) => repo.update(SLOW.replace('SELECT *', 'INSERT { ?a ?b ?c } WHERE')), 'update'],
  ])('%s is listed while it runs, and can be cancelled', async (_, run, kind) => {
    const { db, repo } = await fresh();
    const before = Date.now();
    const outcome = run(repo).then(
      () => 'done',
      (error: unknown) => error,
    );
    const query = await running(db);
    expect(query).toMatchObject({
      kind,
      repository: 'default/r',
      text: expect.stringContaining('STRLEN') as string,
      rows: 0,
    });
    expect(query.startedAt.getTime()).toBeGreaterThanOrEqual(before - 5);
    expect(query.memoryBytes).toBeGreaterThanOrEqual(0);
    query.cancel();
    expect(await outcome).toMatchObject({ name: 'EvaluationError', code: 'ABORTED' });
    expect(db.queries()).toEqual([]);
    expect((await repo.revision()).number).toBe(2);
  });
  test('rows and memory are told, and each has its own number', async () => {
    const { db, repo } = await fresh(3000);
    const text = 'SELECT DISTINCT ?a ?x { ?a ?p ?x . ?b ?q ?y }';
    const first = repo.select(text)[Symbol.asyncIterator]();
    const second = repo.select(text)[Symbol.asyncIterator]();
    await first.next();
    await second.next();
    const [one, two] = db.queries();
    expect(one!.id).not.toBe(two!.id);
    expect(one!.rows).toBeGreaterThan(0);
    expect(one!.memoryBytes).toBeGreaterThan(0);
    one!.cancel();
    await second.return?.();
    expect(db.queries()).toEqual([one]);
    await expect(
      (async () => {
        for (;;) if ((await first.next()).done === true) return;
      })(),
    ).rejects.toMatchObject({ code: 'ABORTED' });
    expect(db.queries()).toEqual([]);
  });
  test('the text of a template has its values in it', async () => {
    const { db, repo } = await fresh();
    const rows = repo.select`SELECT * { ?s ${iri('http://example.org/p')} ?o FILTER(STR(?o) != ${'x'}) }`;
    for await (const row of rows) {
      expect(Object.keys(row)).toEqual(['s', 'o']);
      expect(db.queries()[0]!.text).toBe('SELECT * { ?s <http://example.org/p> ?o FILTER(STR(?o) != "x") }');
      break;
    }
    expect(db.queries()).toEqual([]);
  });
  test('an answer that nobody reads is not listed', async () => {
    const { db, repo } = await fresh(3);
    const answer = await repo.query('SELECT * { ?s ?p ?o }');
    expect(db.queries()).toEqual([]);
    expect(answer.type === 'bindings' && (await answer.rows.toArray())).toHaveLength(3);
    expect(db.queries()).toEqual([]);
  });
});

describe('limits', () => {
  const options = (more: QueryOptions): QueryOptions => more;
  const forms = (repo: Repository, pattern: string, limits: QueryOptions): Record<string, () => Promise<unknown>> => ({
    select: () => repo.select(`SELECT * ${pattern}`, limits).toArray(),
    construct: () => repo.construct(`CONSTRUCT { ?a ?p ?x . ?b ?q ?y } WHERE ${pattern}`, limits).toArray(),
    serialize: () => hostOf(repo).serialize(`SELECT * ${pattern}`, 'application/sparql-results+json', limits).toArray(),
    transaction: () =>
      repo.transaction(async (transaction) => {
        await transaction.select(`SELECT * ${pattern}`, limits).toArray();
      }),
  });
  test.each([
    ['QUERY_MEMORY', options({ memoryBytes: 100_000 }), `{ SELECT DISTINCT * { ${CROSS} } }`],
    ['RESULT_TOO_LARGE', options({ maxRows: 200 }), `{ ${CROSS} }`],
    ['QUERY_TIMEOUT', options({ timeoutMs: 60 }), `{ ${CROSS} ${NONE} }`],
  ])('%s', async (code, limits, pattern) => {
    const { db, repo } = await fresh();
    for (const [form, run] of Object.entries(forms(repo, pattern, limits)))
      await expect(run(), form).rejects.toMatchObject({ name: 'EvaluationError', code });
    expect(db.queries()).toEqual([]);
  });
  test('ABORTED, before and while it runs', async () => {
    const { repo } = await fresh();
    for (const [form, run] of Object.entries(forms(repo, `{ ${CROSS} ${NONE} }`, { signal: AbortSignal.abort() })))
      await expect(run(), form).rejects.toMatchObject({ code: 'ABORTED' });
    for (const [form, run] of Object.entries(forms(repo, `{ ${CROSS} ${NONE} }`, { signal: AbortSignal.timeout(60) })))
      await expect(run(), form).rejects.toMatchObject({ code: 'ABORTED' });
  });
  test('of an update leave the data as they were', async () => {
    const { repo } = await fresh();
    const insert = `INSERT { ?a ?q ?z } WHERE { ${CROSS} }`;
    await expect(repo.update(insert, { memoryBytes: 100_000 })).rejects.toMatchObject({ code: 'QUERY_MEMORY' });
    await expect(repo.update(insert, { timeoutMs: 60 })).rejects.toMatchObject({ code: 'QUERY_TIMEOUT' });
    expect((await repo.revision()).number).toBe(2);
  });
  test('just enough is enough, and unionDefaultGraph is as said', async () => {
    const { repo } = await fresh(3);
    expect(await repo.select('SELECT * { ?s ?p ?o }', { maxRows: 3 }).toArray()).toHaveLength(3);
    await repo.update('INSERT DATA { GRAPH ex:g { ex:s0 ex:p ex:o0 . ex:n ex:p ex:n } }');
    expect(await repo.select('SELECT * { ?s ?p ?o }').toArray()).toHaveLength(3);
    expect(await repo.select('SELECT * { ?s ?p ?o }', { unionDefaultGraph: true }).toArray()).toHaveLength(4);
    expect(await repo.ask('ASK { ex:n ?p ?o }', { unionDefaultGraph: true })).toBe(true);
  });
});

describe('limits of a database', () => {
  test('so many queries and updates run at once; one too many is refused with the time to wait', async () => {
    const db = await open(':memory:', { queries: { concurrency: 1, queued: 1 } });
    onTestFinished(() => db.close());
    const repo = await db.repository('r', { create: true });
    await repo.add(many(300));
    const reading = repo.select('SELECT * { ?s ?p ?o }')[Symbol.asyncIterator]();
    await reading.next();
    const update = repo.update('DELETE WHERE { ?s ?p ?o }');
    while (db.queries().length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(db.queries().map(({ kind, state }) => `${kind} ${state}`)).toEqual(['query running', 'update waiting']);
    await expect(repo.ask('ASK { ?s ?p ?o }')).rejects.toMatchObject({
      code: 'QUERY_QUEUE_FULL',
      details: { retryAfter: 1 },
    });
    await reading.return?.();
    expect((await update).size).toBe(0);
    expect(await repo.ask('ASK { ?s ?p ?o }')).toBe(false);
    expect(db.queries()).toEqual([]);
  });
  test('a deadline and a budget for all calls; what a call says is heard', async () => {
    const db = await open(':memory:', { queries: { timeoutMs: 60, memoryBytes: 1_000_000 } });
    onTestFinished(() => db.close());
    const repo = await db.repository('r', { create: true });
    await repo.add(many(300));
    await expect(repo.select(`SELECT * { ${CROSS} ${NONE} }`).toArray()).rejects.toMatchObject({
      code: 'QUERY_TIMEOUT',
    });
    await expect(repo.update(`DELETE { ?a ?p ?x } WHERE { ${CROSS} ${NONE} }`)).rejects.toMatchObject({
      code: 'QUERY_TIMEOUT',
    });
    const distinct = 'SELECT DISTINCT ?a ?y { ?a ?p ?x . ?b ?q ?y }';
    await expect(repo.select(distinct, { timeoutMs: 60_000 }).toArray()).rejects.toMatchObject({
      code: 'QUERY_MEMORY',
    });
    const enough = { timeoutMs: 60_000, memoryBytes: 1e9 };
    expect(await repo.select(distinct, enough).toArray()).toHaveLength(90_000);
  });
  test('a task: one deadline and one entry for parsing, running and reading, begun before the first query', async () => {
    const { db, repo } = await fresh();
    const text = `SELECT * { ${CROSS} ${NONE} }`;
    const task = await hostOf(db).begin({ kind: 'query', text, repository: repo.name, timeoutMs: 300 });
    expect(db.queries()).toEqual([task]);
    task.control.startClock();
    const call: HostQueryOptions = { task };
    const prepared = await hostOf(repo).prepare(text, { task });
    const answer = await prepared.query(call);
    const rows = answer.type === 'bindings' ? answer.rows.toArray() : undefined;
    await expect(rows).rejects.toMatchObject({ code: 'QUERY_TIMEOUT' });
    expect(db.queries()).toEqual([task]);
    await expect(repo.update('CLEAR ALL', call)).rejects.toMatchObject({ code: 'QUERY_TIMEOUT' });
    task.end();
    expect(db.queries()).toEqual([]);
    expect(await repo.size()).toBe(300);
  });
});
