import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { datasetOf, engine, PREFIXES } from '../testing/fixtures.js';
import type { ArrayDataset } from '../testing/array-dataset.js';
import { Engine, type EngineLimits, preparePaced, type Task } from '../index.js';

const prefixes = PREFIXES;
const ROWS = 400;
const numbers = (count: number): string => Array.from({ length: count }, (_, n) => `ex:s${n} ex:p ${n} .`).join(' ');
const CROSS = 'SELECT (COUNT(*) AS ?n) { ?a ex:p ?x . ?b ex:p ?y . ?c ex:p ?z FILTER(?x + ?y + ?z < 0) }';

let escaped: unknown[] = [];
const record = (error: unknown): void => void escaped.push(error);
beforeAll(() => {
  process.on('uncaughtException', record);
  process.on('unhandledRejection', record);
});
afterAll(async () => {
  await settle();
  process.off('uncaughtException', record);
  process.off('unhandledRejection', record);
  expect(escaped).toEqual([]);
});

const turns = async (count: number): Promise<void> => {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve));
};

/** A clock that stands still but for `perLook` milliseconds each time that somebody looks at it. */
function clockAt(now: number): { now: number; perLook: number } {
  const clock = { now, perLook: 0 };
  vi.spyOn(performance, 'now').mockImplementation(() => (clock.now += clock.perLook));
  return clock;
}
afterEach(() => void vi.restoreAllMocks());

/** What has been begun and waits for nothing else is over then. */
const settle = (): Promise<void> => turns(10);

async function rows(query: string, dataset: ArrayDataset, options = {}): Promise<number> {
  const result = await engine.query(query, dataset, { prefixes, ...options });
  let count = 0;
  if (result.type === 'bindings') for await (const batch of result.batches) count += batch.length;
  return count;
}

describe('cancellation', () => {
  test('a deadline ends a join that never waits', async () => {
    const dataset = await datasetOf(numbers(ROWS));
    const clock = clockAt(0);
    clock.perLook = 1;
    await expect(rows(CROSS, dataset, { timeoutMs: 200 })).rejects.toMatchObject({ code: 'QUERY_TIMEOUT' });
    await settle();
    expect(dataset.openScans).toBe(0);
  });
  test('a signal ends a running query, with its reason as the cause', async () => {
    const dataset = await datasetOf(numbers(ROWS));
    const abort = new AbortController();
    const failing = rows(CROSS, dataset, { signal: abort.signal });
    setImmediate(() => abort.abort(new Error('enough')));
    await expect(failing).rejects.toMatchObject({ code: 'ABORTED', cause: new Error('enough') });
    await settle();
    expect(dataset.openScans).toBe(0);
  });
  test('a signal that has fired before stops everything at once', async () => {
    const dataset = await datasetOf(numbers(3));
    await expect(rows('SELECT * { ?s ?p ?o }', dataset, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'ABORTED',
    });
    const update = engine.update('INSERT DATA { ex:a ex:b 1 }', dataset, { prefixes, signal: AbortSignal.abort() });
    await expect(update).rejects.toMatchObject({ code: 'ABORTED' });
    expect(dataset.quads).toHaveLength(3);
  });
  test('ASK, CONSTRUCT and DESCRIBE stop too', async () => {
    const dataset = await datasetOf(numbers(ROWS));
    const where = '{ ?s ex:p ?x . ?b ex:p ?y . ?c ex:p ?z FILTER(?x + ?y + ?z < 0) }';
    const clock = clockAt(0);
    clock.perLook = 1;
    await expect(engine.query(`ASK ${where}`, dataset, { prefixes, timeoutMs: 100 })).rejects.toMatchObject({
      code: 'QUERY_TIMEOUT',
    });
    for (const form of ['CONSTRUCT { ?s ?s ?s }', 'DESCRIBE ?s']) {
      clock.perLook = 0;
      const result = await engine.query(`${form} ${where}`, dataset, { prefixes, timeoutMs: 100 });
      clock.perLook = 1;
      const read = async (): Promise<void> => {
        if (result.type === 'quads') for await (const _ of result.batches);
      };
      await expect(read()).rejects.toMatchObject({ code: 'QUERY_TIMEOUT' });
    }
  });
});

describe('tasks', () => {
  const wide = (count: number): string =>
    `SELECT * { ${Array.from({ length: count }, (_, i) => `?s${i} ex:p ?s${i + 1} .`).join(' ')} }`;
  const begun = (text: string, more: object = {}): Task =>
    engine.running.begin({ kind: 'query', text, repository: 'a/r', ...more });
  test('a task waits, is parsed, planned and run under one entry of the list', async () => {
    const dataset = await datasetOf(numbers(9));
    const text = 'SELECT * { ?s ex:p ?o }';
    const task = begun(text);
    expect(engine.running.list).toMatchObject([{ id: task.id, text, repository: 'a/r', state: 'waiting', rows: 0 }]);
    task.control.startClock();
    const { request } = await preparePaced(text, { prefixes, task });
    expect(task.state).toBe('parsing');
    const result = await engine.query(request, dataset, { task });
    expect(task.state).toBe('planning');
    let rows = 0;
    if (result.type === 'bindings') {
      for await (const batch of result.batches) {
        rows += batch.length;
        expect(engine.running.list).toMatchObject([{ id: task.id, state: 'running', rows }]);
      }
    }
    expect(rows).toBe(9);
    expect(engine.running.list).toHaveLength(1);
    task.end();
    expect(engine.running.list).toEqual([]);
  });

  test.each<[string, (task: Task) => void, string]>([
    ['cancel()', (task) => task.cancel(), 'ABORTED'],
    ['its deadline', (task) => task.control.clock.limit(0), 'QUERY_TIMEOUT'],
  ])('%s ends planning', async (_name, end, code) => {
    const dataset = await datasetOf(numbers(50));
    const text = wide(900);
    const task = begun(text, { timeoutMs: 60_000 });
    task.control.startClock();
    const { request } = await preparePaced(text, { prefixes, task });
    const planned = engine.query(request, dataset, { task });
    await turns(4);
    expect(task.state).toBe('planning');
    end(task);
    await expect(planned).rejects.toMatchObject({ code });
    task.end();
  });

  test('the time of planning counts, that of the reader does not', async () => {
    const dataset = await datasetOf(numbers(ROWS), { batchQuads: 10 });
    const clock = clockAt(0);
    clock.perLook = 1;
    await expect(engine.query(wide(900), dataset, { prefixes, timeoutMs: 20 })).rejects.toMatchObject({
      code: 'QUERY_TIMEOUT',
    });
    clock.perLook = 0;
    const result = await engine.query('SELECT * { ?s ex:p ?o }', dataset, { prefixes, timeoutMs: 400 });
    clock.now += 1000;
    let read = 0;
    if (result.type === 'bindings') {
      for await (const batch of result.batches) {
        if (read === 0) clock.now += 1000;
        read += batch.length;
      }
    }
    expect(read).toBe(ROWS);
  });

  test('a text that took too long to parse ends with that', async () => {
    const text = 'SELECT';
    const task = begun(text, { timeoutMs: 0 });
    task.control.startClock();
    await turns(1);
    await expect(preparePaced(text, { task })).rejects.toMatchObject({ code: 'QUERY_TIMEOUT' });
    task.end();
  });

  test('an update, too, while its data are read', async () => {
    const dataset = await datasetOf('');
    const text = `INSERT DATA { ${numbers(60_000)} }`;
    const task = engine.running.begin({ kind: 'update', text });
    task.control.startClock();
    const running = engine.update(text, dataset, { prefixes, task });
    await turns(2);
    expect(task.state).not.toBe('waiting');
    task.cancel();
    await expect(running).rejects.toMatchObject({ code: 'ABORTED' });
    expect(engine.running.list).toHaveLength(1);
    task.end();
    expect(dataset.quads).toEqual([]);
  });

  test('a signal that ends it is heard while it waits, and not after its end', async () => {
    const abort = new AbortController();
    const task = begun('ASK {}', { signal: abort.signal });
    const heard: string[] = [];
    task.control.onFailure(({ message }) => heard.push(message));
    abort.abort();
    expect(heard).toEqual(['the evaluation was aborted']);
    const other = begun('ASK {}', { timeoutMs: 30 });
    const over = new Promise<void>((resolve) => {
      other.control.onFailure(({ message }) => {
        heard.push(message);
        resolve();
      });
    });
    await settle();
    expect(heard).toHaveLength(1);
    other.control.startClock();
    await over;
    expect(heard).toEqual(['the evaluation was aborted', 'the evaluation took longer than 30 ms']);
    task.end();
    other.end();
  });
});

describe('limits of an engine', () => {
  const limitedEngine = (limits: EngineLimits): Engine => new Engine({ limits });
  const CROSSED = 'SELECT * { ?a ex:p ?x . ?b ex:p ?y }';
  const all = async (on: Engine, query: string, dataset: ArrayDataset): Promise<number> => {
    const result = await on.query(query, dataset, { prefixes });
    let count = 0;
    if (result.type === 'bindings') for await (const batch of result.batches) count += batch.length;
    return count;
  };

  test('so many run at once, the others wait; too many are refused', async () => {
    const dataset = await datasetOf(numbers(50));
    const on = limitedEngine({ concurrency: 2, queued: 3 });
    // Two that do not end before the others have come.
    const held = [];
    for (let n = 0; n < 2; n++) {
      const result = await on.query(CROSSED, dataset, { prefixes });
      const batches = result.type === 'bindings' ? result.batches[Symbol.asyncIterator]() : undefined;
      await batches?.next();
      held.push(batches);
    }
    const others = Array.from({ length: 5 }, () => all(on, CROSSED, dataset));
    let refused = 0;
    for (const other of others) other.catch(() => refused++);
    await vi.waitFor(() => expect(refused).toBe(2));
    expect(on.running.list.filter(({ state }) => state === 'waiting')).toHaveLength(3);
    for (const batches of held) await batches?.return?.();
    const outcomes = await Promise.allSettled(others);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'QUERY_QUEUE_FULL' });
    }
    expect(on.running.list).toEqual([]);
    expect(dataset.openScans).toBe(0);
  });

  test('one that waits is listed, can be cancelled, is refused after a while, or left', async () => {
    const dataset = await datasetOf(numbers(50));
    const on = limitedEngine({ concurrency: 1, queueMs: 150 });
    const first = await on.query(CROSSED, dataset, { prefixes });
    const held = first.type === 'bindings' ? first.batches[Symbol.asyncIterator]() : undefined;
    await held?.next();
    const cancelled = all(on, CROSSED, dataset);
    const update = on.update('INSERT DATA { ex:a ex:p 1 }', dataset, { prefixes });
    const left = await on.query(CROSSED, dataset, { prefixes });
    const leaving = left.type === 'bindings' ? left.ids?.batches() : undefined;
    const never = leaving?.next();
    // Each of the three may be refused while another is waited for.
    void Promise.allSettled([cancelled, update, never]);
    await settle();
    expect(on.running.list.map(({ state }) => state)).toEqual(['running', 'waiting', 'waiting', 'waiting']);
    on.running.list.find(({ kind, state }) => kind === 'query' && state === 'waiting')?.cancel();
    await expect(cancelled).rejects.toMatchObject({ code: 'ABORTED' });
    await leaving?.close();
    await expect(never).rejects.toMatchObject({ code: 'ABORTED' });
    await expect(update).rejects.toMatchObject({ code: 'QUERY_QUEUE_FULL', details: { retryAfter: 1 } });
    await held?.return?.();
    expect(on.running.list).toEqual([]);
    expect(await all(on, CROSSED, dataset)).toBe(2500);
  });

  test('timeoutMs and memoryBytes hold where a call says nothing', async () => {
    const dataset = await datasetOf(numbers(ROWS));
    const inTime = limitedEngine({ timeoutMs: 50 });
    await expect(all(inTime, CROSS, dataset)).rejects.toMatchObject({ code: 'QUERY_TIMEOUT' });
    const on = limitedEngine({ memoryBytes: 1000 });
    await expect(all(on, 'SELECT DISTINCT ?a ?x { ?a ex:p ?x . ?b ex:p ?y }', dataset)).rejects.toMatchObject({
      code: 'QUERY_MEMORY',
    });
    const own = { prefixes, memoryBytes: 1e9 };
    const result = await on.query('SELECT DISTINCT ?a ?x { ?a ex:p ?x }', dataset, own);
    let count = 0;
    if (result.type === 'bindings') for await (const batch of result.batches) count += batch.length;
    expect(count).toBe(ROWS);
  });
});

describe('reading', () => {
  test('leaving the loop closes the scans and reads no further', async () => {
    const dataset = await datasetOf(numbers(ROWS), { batchQuads: 10 });
    const result = await engine.query('SELECT * { ?s ex:p ?o }', dataset, { prefixes });
    if (result.type === 'bindings') for await (const _ of result.batches) break;
    await settle();
    expect(dataset.openScans).toBe(0);
    expect(dataset.served).toBeLessThan(ROWS / 2);
  });
  test('a slow reader is not run ahead of', async () => {
    const dataset = await datasetOf(numbers(ROWS), { batchQuads: 10 });
    const result = await engine.query('SELECT * { ?s ex:p ?o }', dataset, { prefixes });
    let read = 0;
    if (result.type === 'bindings') {
      for await (const batch of result.batches) {
        if (read === 0) await settle();
        read += batch.length;
        expect(dataset.served).toBeLessThanOrEqual(read + 10);
      }
    }
    expect(read).toBe(ROWS);
  });
  test('nothing is read before the rows are asked for', async () => {
    const dataset = await datasetOf(numbers(3));
    await engine.query('SELECT * { ?s ?p ?o }', dataset, { prefixes });
    await settle();
    expect(dataset.served).toBe(0);
  });
  test.each([
    'SELECT * { ?s ex:p ?o }',
    'SELECT (COUNT(DISTINCT ?o) AS ?n) { ?s ex:p ?o }',
    'SELECT * { ?a ex:p ?x . ?b ex:p ?x }',
    'SELECT * { ?a ex:p ?x OPTIONAL { ?b ex:p ?x } FILTER EXISTS { ?a ?p ?y } }',
    'SELECT * { ?a ex:p ?x } ORDER BY ?x',
    'SELECT * { ?a ex:p+ ?x }',
    'SELECT * { { ?a ex:p ?x } UNION { ?a ?b ?x } MINUS { ?a ex:q ?x } }',
  ])('a failing source fails the query: %s', async (query) => {
    const dataset = await datasetOf(numbers(60), { failAfter: 30 });
    const failing = rows(query, dataset);
    await expect(failing).rejects.toMatchObject({ name: 'EvaluationError', cause: new Error('the disk is on fire') });
    await settle();
    expect(dataset.openScans).toBe(0);
  });
});
