/** Queries in threads have the limits of queries in the main thread, see one revision, and outlive neither their thread nor their store. */
import { iri, literal, quad } from '@quadrille/model';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { threadSettings } from '../../packages/quadrille/src/threads/thread-settings.js';
import { failingThread, threadThatDoesNotStart } from './failing-thread.js';
import {
  figures,
  openWithThreads,
  type Opened,
  resetSettings,
  startThreads,
  takenDuring,
  textOf,
  until,
  useThreads,
} from './threads.js';
import { hostOf } from 'quadrille/host';

const ROWS = 500;
const ex = (name: string) => iri(`http://example.org/${name}`);
const DATA = Array.from({ length: ROWS }, (_, i) => quad(ex(`s${i}`), ex('p'), literal(`value ${i}`)));
const ALL = 'SELECT ?o { ?s <http://example.org/p> ?o }';
const ENDLESS = `SELECT (COUNT(*) AS ?n) { ?a ?p ?x . ?b ?q ?y . ?c ?r ?z FILTER(STRLEN(?x) + STRLEN(?y) + STRLEN(?z) < 0) }`;
const LONG = 'SELECT ?x ?y { ?s <http://example.org/p> ?x . ?t <http://example.org/p> ?y }';

let opened: Opened;
const files: Opened[] = [];
/** @param thread what runs in place of a query thread */
const begin = async (workers = 1, thread = threadSettings.file): Promise<Opened> => {
  opened = await openWithThreads({ workers });
  files.push(opened);
  threadSettings.file = thread;
  await opened.repository.add(DATA);
  await startThreads(opened, workers);
  return opened;
};
afterEach(async () => {
  resetSettings();
  for (const each of files.splice(0)) await each.remove();
});

/** A query that a thread evaluates, with its first piece read. */
async function running(text: string, options = {}): Promise<AsyncIterator<string>> {
  await until(() => figures(opened.database).idle > 0);
  const pieces = hostOf(opened.repository).serialize(text, 'csv', options)[Symbol.asyncIterator]();
  expect((await pieces.next()).done).toBe(false);
  expect(figures(opened.database).busy).toBe(1);
  return pieces;
}

async function rest(pieces: AsyncIterator<string>): Promise<string> {
  let text = '';
  for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) text += next.value;
  return text;
}

describe('limits', () => {
  beforeEach(() => begin());
  afterEach(async () => {
    await until(() => figures(opened.database).idle === 1);
    expect(opened.database.queries()).toEqual([]);
    expect(figures(opened.database)).toMatchObject({ started: 1, restarts: 0 });
    expect(await takenDuring(opened.database, () => textOf(opened.repository, ALL, 'csv'))).toBe(1);
  });

  it('timeoutMs', async () => {
    const ended = textOf(opened.repository, ENDLESS, 'csv', { timeoutMs: 100 });
    await expect(ended).rejects.toMatchObject({ code: 'QUERY_TIMEOUT', details: { timeoutMs: 100 } });
  });

  it('a signal', async () => {
    const ended = textOf(opened.repository, ENDLESS, 'csv', { signal: AbortSignal.timeout(50) });
    await expect(ended).rejects.toMatchObject({ code: 'ABORTED' });
  });

  it('cancel() of the list of queries, which shows rows and memory', async () => {
    const ended = textOf(opened.repository, ENDLESS, 'csv');
    const handled = expect(ended).rejects.toMatchObject({ code: 'ABORTED' });
    await until(() => (opened.database.queries()[0]?.memoryBytes ?? 0) > 0);
    opened.database.queries()[0]!.cancel();
    await handled;
    const pieces = await running(LONG);
    expect(opened.database.queries()[0]!.rows).toBeGreaterThan(0);
    opened.database.queries()[0]!.cancel();
    await expect(rest(pieces)).rejects.toMatchObject({ code: 'ABORTED' });
  });

  it('a task', async () => {
    const task = await hostOf(opened.database).begin({ kind: 'query', text: ENDLESS, timeoutMs: 60_000 });
    task.control.startClock();
    const handled = expect(textOf(opened.repository, ENDLESS, 'csv', { task })).rejects.toMatchObject({
      code: 'ABORTED',
    });
    await until(() => task.state === 'running' && figures(opened.database).busy === 1);
    task.cancel();
    await handled;
    task.end();
  });

  it('memoryBytes and maxRows', async () => {
    const distinct = `SELECT DISTINCT ?x ?y { ?s <http://example.org/p> ?x . ?t <http://example.org/p> ?y }`;
    await expect(textOf(opened.repository, distinct, 'csv', { memoryBytes: 1e6 })).rejects.toMatchObject({
      code: 'QUERY_MEMORY',
      details: { budgetBytes: 1e6 },
    });
    await expect(textOf(opened.repository, ALL, 'csv', { maxRows: 10 })).rejects.toMatchObject({
      code: 'RESULT_TOO_LARGE',
      details: { maxRows: 10 },
    });
  });

  it('a reader that leaves, or never reads', async () => {
    const pieces = await running(LONG);
    await pieces.return?.();
    hostOf(opened.repository).serialize(LONG, 'csv');
  });

  it('an error of the document', async () => {
    await expect(textOf(opened.repository, ALL, 'application/pdf')).rejects.toMatchObject({ code: 'INVALID_OPTION' });
  });
});

describe('revisions', () => {
  it('a query sees the revision that it began with', async () => {
    const { repository } = await begin();
    useThreads(false);
    const expected = await textOf(repository, LONG, 'csv');
    useThreads(true);
    const pieces = hostOf(repository).serialize(LONG, 'csv')[Symbol.asyncIterator]();
    const first = (await pieces.next()).value as string;
    await repository.remove({ subject: ex('s1') });
    await repository.add([quad(ex('new'), ex('p'), literal('new'))]);
    await repository.maintenance.compact();
    expect(first + (await rest(pieces))).toBe(expected);
    expect(await textOf(repository, ALL, 'csv')).toContain('new');
  });

  it('old revisions, statistics, and terms that came later', async () => {
    const { repository, database } = await begin();
    const before = await repository.revision();
    const perGraph = 'SELECT ?g (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } } GROUP BY ?g ORDER BY ?g';
    const perPredicate = 'SELECT ?p (COUNT(*) AS ?n) { ?s ?p ?o } GROUP BY ?p ORDER BY ?p';
    const computed = 'SELECT ?s { BIND(CONCAT("la", "ter") AS ?o) ?s ?p ?o }';
    for (let n = 1; n <= 3; n++) {
      await repository.add([quad(ex(`g${n}`), ex(`q${n}`), literal('later'), ex(`graph${n}`)), ...DATA.slice(0, n)]);
      if (n === 2) await repository.maintenance.compact();
      const taken = await takenDuring(database, async () => {
        const graphs = (await textOf(repository, perGraph, 'csv')).trim().split('\r\n');
        expect(graphs).toHaveLength(1 + n);
        const union = { unionDefaultGraph: true };
        expect(await textOf(repository, perPredicate, 'csv', union)).toContain(`/q${n},1`);
        expect((await textOf(repository, computed, 'csv', union)).trim().split('\r\n')).toHaveLength(1 + n);
        expect((await textOf(repository.at(before.id), computed, 'csv', union)).trim()).toBe('s');
        expect(await textOf(repository.at(before.id), perGraph, 'csv')).toBe('g,n\r\n');
      });
      expect(taken).toBe(5);
    }
  });
});

describe('requests', () => {
  it('prepared ones, with values and bindings of every kind', async () => {
    const { repository, database } = await begin();
    const triple = quad(ex('s'), ex('p'), literal('é"\n', 'en'));
    await repository.update(
      'PREFIX ex: <http://example.org/> INSERT DATA { <urn:a> <urn:says> <<( ex:s ex:p "é\\"\\n"@en )>> }',
    );
    const taken = await takenDuring(database, async () => {
      const prepared = await repository.prepare('PREFIX ex: <http://example.org/> SELECT * { ?s ex:p ?o }');
      expect((await prepared.serialize('csv', { bindings: { s: ex('s7') } }).toArray()).join('')).toContain('value 7');
      const { sparql } = await import('quadrille');
      expect(await textOf(repository, sparql`SELECT ?o { ${ex('s8')} ?p ?o }`, 'csv')).toContain('value 8');
      expect(await textOf(repository, sparql`SELECT ?s { ?s ?p ${triple} }`, 'csv')).toContain('urn:a');
      const relative = { baseIRI: 'http://example.org/' };
      expect(await textOf(repository, 'SELECT ?o { <s9> <p> ?o }', 'csv', relative)).toContain('value 9');
    });
    expect(taken).toBe(4);
  });

  it('what a thread cannot do stays in the main thread', async () => {
    const { repository, database } = await begin();
    const f = { 'urn:f': () => literal('f') };
    const taken = await takenDuring(database, async () => {
      const call = 'SELECT (<urn:f>() AS ?x) {}';
      expect(await textOf(repository, call, 'csv', { extensionFunctions: f })).toContain('f');
      const extraGraphs = { 'urn:g': [DATA[0]!] };
      expect(await textOf(repository, 'ASK { GRAPH <urn:g> { ?s ?p ?o } }', 'json', { extraGraphs })).toContain('true');
      await textOf(repository, 'CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o } LIMIT 1', 'application/ld+json');
      await repository.select(ALL).toArray();
      for (const where of [
        'SERVICE SILENT <urn:x> { ?s ?p ?o }',
        '?s ?p ?o FILTER(EXISTS { SERVICE SILENT <urn:x> {} } || ?o)',
      ])
        await textOf(repository, `ASK { ${where} }`, 'json');
      const inExists = 'ASK { ?s ?p ?o FILTER(BOUND(?s) || NOT EXISTS { ?s ?p ?x FILTER(<urn:f>()) }) }';
      await textOf(repository, inExists, 'json', { extensionFunctions: f });
      await textOf(repository, ALL, 'csv', { memoryBytes: Infinity });
      threadSettings.leastCostMs = 20;
      await textOf(repository, 'SELECT * { <http://example.org/s1> ?p ?o }', 'csv');
    });
    expect(taken).toBe(0);
  });

  it('with all threads busy, the main thread answers', async () => {
    const { repository, database } = await begin();
    const pieces = await running(LONG);
    expect(await takenDuring(database, () => textOf(repository, ALL, 'csv'))).toBe(0);
    await pieces.return?.();
  });
});

describe('ends', () => {
  it('closing the store', async () => {
    const { repository, database } = await begin(2);
    const pieces = await running(LONG);
    const handled = expect(rest(pieces)).rejects.toMatchObject({ code: 'STORE_NOT_OPEN' });
    const ended = expect(textOf(repository, ENDLESS, 'csv')).rejects.toMatchObject({ code: 'STORE_NOT_OPEN' });
    await until(() => figures(database).busy === 2);
    await database.close();
    await handled;
    await ended;
    expect(figures(database)).toMatchObject({ started: 0, busy: 0 });
  });

  it('deleting the repository', async () => {
    const { database } = await begin();
    const pieces = await running(LONG);
    await database.deleteRepository('a/r');
    await expect(rest(pieces)).rejects.toMatchObject({ code: 'REPOSITORY_DELETED' });
    await until(() => figures(database).idle === 1);
  });

  it.each([
    ['exit', 'THREAD_FAILED'],
    ['throw', 'THREAD_FAILED'],
    ['heap', 'QUERY_MEMORY'],
  ] as const)('a thread that fails (%s): its query fails with %s, the next one has a new thread', async (way, code) => {
    const usual = threadSettings.file;
    threadSettings.heapMegabytes = 32;
    const { repository, database } = await begin(1, failingThread(way));
    await expect(textOf(repository, ALL, 'csv', { memoryBytes: 1e6 })).rejects.toMatchObject({ code });
    expect(figures(database)).toMatchObject({ started: 0, restarts: 0, queries: 1 });
    expect(database.queries()).toEqual([]);
    threadSettings.file = usual;
    threadSettings.heapMegabytes = undefined;
    await startThreads(opened, 1);
    expect(await takenDuring(database, () => textOf(repository, ALL, 'csv'))).toBe(1);
    expect(figures(database)).toMatchObject({ started: 1, restarts: 1 });
  });

  it('a thread that hears nothing is ended', async () => {
    const { repository, database } = await begin(1, failingThread('hang'));
    await expect(textOf(repository, ALL, 'csv', { timeoutMs: 50 })).rejects.toMatchObject({ code: 'QUERY_TIMEOUT' });
    await until(() => figures(database).started === 0);
  });

  it('threads that cannot be started are given up', async () => {
    const warnings: string[] = [];
    const logger = { info: () => undefined, warn: (text: string) => void warnings.push(text), error: () => undefined };
    opened = await openWithThreads({ workers: 2, logger });
    files.push(opened);
    threadSettings.file = threadThatDoesNotStart;
    useThreads(true);
    for (let attempt = 0; attempt < 5; attempt++) {
      await textOf(opened.repository, 'ASK {}', 'json');
      await until(() => figures(opened.database).started === 0);
    }
    expect(warnings).toHaveLength(3);
  });
});

describe('without threads', () => {
  it.each([0, 2])('storage in memory has none (workers: %d)', async (workers) => {
    const { open } = await import('quadrille');
    const database = await open(':memory:', { workers });
    const repository = await database.repository('a/r', { create: true });
    useThreads(true);
    await textOf(repository, 'ASK {}', 'json');
    expect(figures(database)).toEqual({ limit: 0, started: 0, idle: 0, busy: 0, queries: 0, restarts: 0 });
    await database.close();
  });

  it('a number that is none is refused', async () => {
    const { open } = await import('quadrille');
    for (const workers of [-1, 1.5, 65, Infinity])
      await expect(open(':memory:', { workers })).rejects.toMatchObject({ code: 'INVALID_OPTION' });
  });
});
