import type { Task } from 'quadrille/host';
import { expect, test } from 'vitest';
import { hosted, OTHER, OWNER, triples, bodyOf, until } from '../testing/fixtures.js';
import type { QueryGate, QueryLimitOptions, QueryRequest, Service, Turn } from '../index.js';
import { queryLimits } from './query-limits.js';

const ASK: QueryRequest = {
  party: 'acme',
  kind: 'query',
  text: 'ASK {}',
  repository: 'acme/people',
  repositories: () => Promise.reject(new Error('no other repository is named here')),
};
const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function gated(queries: QueryLimitOptions = {}): Promise<{ service: Service; gate: QueryGate }> {
  const service = await hosted({ queries });
  return { service, gate: service.gate };
}

test('so many run at once, half of them of one account; those that wait are listed', async () => {
  const { service, gate } = await gated({ concurrency: 4 });
  const [first, second] = [await gate.enter(ASK), await gate.enter(ASK)];
  const third = gate.enter(ASK);
  const other = await gate.enter({ ...ASK, party: 'other' });
  expect(service.database.queries().map(({ state }) => state)).toEqual(['parsing', 'parsing', 'waiting', 'parsing']);
  expect(gate.figures).toMatchObject({ running: 3, waiting: 1, admitted: 3, refused: 0 });
  first.leave();
  first.leave();
  (await third).leave();
  second.leave();
  other.leave();
  expect(gate.figures).toMatchObject({ running: 0, waiting: 0, admitted: 4 });
  expect(service.database.queries()).toEqual([]);
});

test('small changes that wait for the storage give up their places, eight for each place; others keep theirs', async () => {
  const { service, gate } = await gated({ concurrency: 1 });
  const changes: Turn[] = [];
  for (let i = 0; i < 8; i++) {
    const turn = await gate.enter(ASK);
    turn.commits(1000);
    turn.commits(1000);
    changes.push(turn);
  }
  expect(gate.figures).toMatchObject({ running: 0, admitted: 8 });
  expect(service.database.queries().length).toBe(8);
  const ninth = await gate.enter(ASK);
  ninth.commits(1);
  expect(gate.figures.running).toBe(1);
  ninth.leave();
  for (const turn of [...changes, ...changes]) turn.leave();
  const large = await gate.enter(ASK);
  large.commits(1001);
  expect(gate.figures.running).toBe(1);
  large.leave();
  large.commits(1);
  expect(gate.figures.running).toBe(0);
  expect(service.database.queries()).toEqual([]);
});

test('too many are refused with the time after which to come again, and so is one that waits too long', async () => {
  const { service, gate } = await gated({ concurrency: 2, queued: 8, queueMs: 60 });
  const held = await gate.enter(ASK);
  const waiting = expect(gate.enter(ASK)).rejects.toMatchObject({
    code: 'QUERY_QUEUE_FULL',
    details: { retryAfter: 1 },
  });
  await expect(gate.enter(ASK)).rejects.toMatchObject({
    code: 'QUERY_QUEUE_FULL',
    details: { retryAfter: 1 },
    message: expect.stringContaining('1 queries of this account') as string,
  });
  await waiting;
  expect(gate.figures).toMatchObject({ waiting: 0, refused: 2 });
  held.leave();
  expect(service.database.queries()).toEqual([]);
});

test('texts that wait hold so many bytes', async () => {
  const { gate } = await gated({ concurrency: 2 });
  const held = await gate.enter(ASK);
  const large = { ...ASK, text: 'x'.repeat(5 * 1024 ** 2) };
  const waiting = gate.enter(large);
  await expect(gate.enter(large)).rejects.toThrow(/memory/);
  held.leave();
  (await waiting).leave();
});

test.each<[string, (task: Task, client: AbortController) => void]>([
  ['cancel()', (task) => task.cancel()],
  ['a client that goes away', (_task, client) => client.abort()],
])('%s ends one that waits, and one whose answer waits for its reader', async (_name, end) => {
  const { service, gate } = await gated({ concurrency: 1 });
  const held = await gate.enter(ASK);
  const client = new AbortController();
  const waiting = gate.enter({ ...ASK, signal: client.signal });
  end(service.database.queries()[1] as Task, client);
  await expect(waiting).rejects.toMatchObject({ code: 'ABORTED' });
  expect(gate.figures.waiting).toBe(0);
  held.leave();
  const reader = new AbortController();
  const turn = await gate.enter({ ...ASK, signal: reader.signal });
  turn.pause();
  const heard: string[] = [];
  turn.task.control.onFailure((error) => heard.push((error as Error & { code: string }).code));
  end(turn.task, reader);
  expect(heard).toEqual(['ABORTED']);
  expect(() => turn.resume()).toThrow(expect.objectContaining({ code: 'ABORTED' }));
  turn.leave();
  expect(gate.figures).toMatchObject({ running: 0, failed: new Map([['ABORTED', 1]]) });
});

test('one whose signal has fired before it came has no turn', async () => {
  const { service, gate } = await gated();
  await expect(gate.enter({ ...ASK, signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'ABORTED' });
  expect(gate.figures.running).toBe(0);
  expect(service.database.queries()).toEqual([]);
});

test('deadlines: of queries, of updates, and what a client asks for; waiting does not count', async () => {
  const { gate } = await gated({ timeoutMs: 50, updateTimeoutMs: 200, concurrency: 1 });
  const left = (turn: Turn): number => turn.task.control.clock.limitMs;
  const held = await gate.enter(ASK);
  const waiting = gate.enter(ASK);
  await delay(100);
  held.task.control.startClock();
  expect(held.task.control.failure).toMatchObject({ code: 'QUERY_TIMEOUT', details: { timeoutMs: 50 } });
  held.leave();
  const query = await waiting;
  expect([left(query), query.task.control.failure]).toEqual([50, undefined]);
  query.becomesUpdate();
  expect([left(query), query.task.kind]).toEqual([200, 'update']);
  query.leave();
  const asked = await gate.enter({ ...ASK, timeoutMs: 10 });
  asked.becomesUpdate();
  expect(left(asked)).toBe(10);
  asked.leave();
  const update = await gate.enter({ ...ASK, kind: 'update' });
  expect(left(update)).toBe(200);
  update.leave();
});

test('an answer whose reader takes nothing gives its place back, gets one again, and is ended in the end', async () => {
  const { service, gate } = await gated({ concurrency: 1, writeStallMs: 1900 });
  const turn = await gate.enter(ASK);
  turn.pause();
  await until(() => gate.figures.running === 0);
  const other = await gate.enter({ ...ASK, party: 'other' });
  const resumed = turn.resume();
  expect(resumed).toBeInstanceOf(Promise);
  expect(gate.figures).toMatchObject({ running: 1, waiting: 1 });
  other.leave();
  await resumed;
  expect(gate.figures).toMatchObject({ running: 1, waiting: 0 });
  expect(turn.task.control.failure).toBeUndefined();
  turn.pause();
  await until(() => turn.task.control.failure !== undefined);
  expect(turn.task.control.failure).toMatchObject({ code: 'ABORTED', message: expect.stringContaining('1.9 s') });
  turn.leave();
  expect(service.database.queries()).toEqual([]);
});

test('one that holds what others wait for keeps its place', async () => {
  const { gate } = await gated({ concurrency: 1, writeStallMs: 1300 });
  const turn = await gate.enter({ ...ASK, keepsPlace: true });
  turn.pause();
  await until(() => turn.task.control.failure !== undefined);
  expect(gate.figures.running).toBe(1);
  turn.leave();
});

test('a turn that is left while it waits for its place again takes none', async () => {
  const { gate } = await gated({ concurrency: 1 });
  const turn = await gate.enter(ASK);
  turn.pause();
  await until(() => gate.figures.running === 0);
  const other = await gate.enter(ASK);
  const resumed = turn.resume();
  turn.leave();
  other.leave();
  await resumed;
  expect(gate.figures).toMatchObject({ running: 0, waiting: 0 });
});

test('work in a turn ends it, and its error is counted', async () => {
  const { service, gate } = await gated();
  const repository = await service.rights.open(OWNER, 'acme/people', 'read');
  const failing = gate.run(ASK, ({ call }) => repository.ask('ASK { ?s ?p', call));
  await expect(failing).rejects.toMatchObject({ code: 'SPARQL_SYNTAX' });
  expect(await gate.run(ASK, ({ call }) => repository.ask('ASK {}', call))).toBe(true);
  expect(gate.figures).toMatchObject({ running: 0, admitted: 2, failed: new Map([['SPARQL_SYNTAX', 1]]) });
});

test('background queries and views go through the gate before they are parsed', async () => {
  const { service, gate } = await gated({ concurrency: 1, queueMs: 50 });
  const source = { body: bodyOf(triples(3)), mediaType: 'application/n-triples' };
  await service.imports.run(OWNER, 'acme/people', { source });
  const held = await gate.enter({ ...ASK, party: 'z' });
  const full = { code: 'QUERY_QUEUE_FULL' };
  await expect(service.queries.start(OWNER, 'acme/people', 'not parsed')).rejects.toMatchObject(full);
  await expect(service.views.set(OWNER, 'acme/people', 'v', 'not parsed')).rejects.toMatchObject(full);
  held.leave();
  expect(await service.views.set(OWNER, 'acme/people', 'v', 'ASK {}')).toBe(true);
  // A query that has begun in the background waits for as long as it takes.
  const uuid = await service.queries.start(OWNER, 'acme/people', 'ASK { ?s ?p ?o }');
  await until(() => service.jobs.get(OWNER, uuid).status === 'completed');
  const next = await gate.enter({ ...ASK, party: 'z' });
  const patient = gate.run({ ...ASK, queueMs: Infinity }, async () => 'its turn');
  await delay(150);
  next.leave();
  expect(await patient).toBe('its turn');
  expect(() => service.queries.answer(OTHER, uuid)).toThrow('there is no job');
});

test('limits follow from what the operator says; on an open server those of an account are those of all', () => {
  const cores = queryLimits().concurrency;
  expect(cores).toBeGreaterThanOrEqual(6);
  expect(queryLimits({ concurrency: 9, queued: 100 })).toMatchObject({
    timeoutMs: 30_000,
    longestTimeoutMs: 300_000,
    updateTimeoutMs: 300_000,
    concurrencyPerAccount: 5,
    queuedPerAccount: 13,
    queueMs: 10_000,
    writeStallMs: 10_000,
  });
  expect(queryLimits({ timeoutMs: 600_000 })).toMatchObject({ longestTimeoutMs: 600_000, updateTimeoutMs: 600_000 });
  expect(queryLimits({ concurrency: 9 }, true)).toMatchObject({ concurrencyPerAccount: 9, queuedPerAccount: 512 });
});

test.each<[string, unknown]>([
  ['concurrency', 0],
  ['timeoutMs', 0],
  ['timeoutMs', 2 ** 31],
  ['queued', -1],
  ['memoryBytes', 1.5],
  ['concurrencyPerAccount', 5],
  ['timeout', 5],
])('a limit that cannot be: %s %s', async (name, value) => {
  expect(() => queryLimits({ [name]: value })).toThrow(
    expect.objectContaining({ code: 'INVALID_OPTION', details: { option: name } }),
  );
});
