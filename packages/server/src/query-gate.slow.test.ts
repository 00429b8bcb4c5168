/** The gate of queries and updates over real connections: floods, slow and vanished readers, deadlines, cancelling. */
import { getHeapStatistics } from 'node:v8';
import { openService, type QueryLimitOptions, type Service } from './host/index.js';
import { processMemory } from '@quadrille/sparql';
import { type Database, open, type RunningQuery } from 'quadrille';
import { afterEach, describe, expect, test } from 'vitest';
import { type NodeServer, serveNode } from './node/node.js';
import { createHandler } from './handler.js';
import { Reader } from './testing/reader.js';
import { NO_OTHERS, query } from './testing/server.js';

const SPARQL = '/acme/people/sparql';
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const JSON_ROWS = { Accept: 'application/sparql-results+json' };
const CROSS = '?a ?p ?x . ?b ?q ?y . ?c ?r ?z';
const NONE = 'FILTER(STRLEN(CONCAT(STR(?x), STR(?y), STR(?z))) < 0)';
/** Runs for minutes and finds nothing. */
const SLOW = `SELECT * { ${CROSS} ${NONE} }`;
/** Has gigabytes of rows that cannot be packed well. */
const LONG = `SELECT (SHA512(CONCAT(STR(?x), " ", STR(?y), " ", STR(?z))) AS ?hash) { ${CROSS} }`;
const ROWS = 300;
/** Takes long to plan. */
const wide = (count: number): string =>
  `SELECT * { ${Array.from({ length: count }, (_, i) => `?s${String(i)} <urn:p> ?s${String(i + 1)} .`).join(' ')} }`;

let database: Database;
let service: Service;
let server: NodeServer;

async function start(queries: QueryLimitOptions = {}, isOpen = true): Promise<void> {
  database = await open(':memory:');
  const repository = await database.repository('acme/people', { create: true });
  const triples = Array.from({ length: ROWS }, (_, i) => `<urn:s${String(i)}> <urn:p> ${String(i)} .`);
  await repository.load({ text: triples.join('\n') }, { format: 'text/turtle' });
  service = await openService(database, { open: isOpen, queries });
  const { writeStallMs } = service.gate.limits;
  server = await serveNode(createHandler({ service }), { port: 0, writeStallMs });
}
afterEach(async () => {
  await server.close(0);
  await service.close();
  await database.close();
});

const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const addressOf = (text: string, more: Record<string, string> = {}): string =>
  `${server.url}${SPARQL}?${query({ query: text, ...more })}`;
const ask = (text: string, more: Record<string, string> = {}, headers: Record<string, string> = {}) =>
  fetch(addressOf(text, more), { headers: { ...JSON_ROWS, ...headers } });
const codeOf = async (response: Response): Promise<string> => ((await response.json()) as { code: string }).code;

async function until(condition: () => boolean, what = 'it'): Promise<void> {
  for (const end = Date.now() + 20_000; !condition(); await delay(5)) {
    if (Date.now() > end) throw new Error(`${what} did not come to hold in time`);
  }
}
/** The one that does this, as soon as there is one. */
async function inState(state: RunningQuery['state']): Promise<RunningQuery> {
  let found: RunningQuery | undefined;
  await until(() => (found = database.queries().find((running) => running.state === state)) !== undefined, state);
  return found!;
}
const idle = (): Promise<void> =>
  until(
    () => database.queries().length === 0 && service.gate.figures.running === 0 && processMemory.evaluations === 0,
    'that nothing runs, and nothing holds memory',
  );

describe('the queue', () => {
  test('one too many is answered with 503 and the time to wait, before it is parsed', async () => {
    await start({ concurrency: 1, queued: 1 });
    const running = ask(SLOW);
    await inState('running');
    const waiting = ask('ASK {}');
    await inState('waiting');
    const refused = await ask('not even a query');
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([503, expect.stringMatching(/^[1-9]\d?$/)]);
    expect(await codeOf(refused)).toBe('QUERY_QUEUE_FULL');
    for (const running of database.queries()) if (running.state === 'running') running.cancel();
    expect((await running).status).toBe(503);
    expect(await (await waiting).json()).toMatchObject({ boolean: true });
    await idle();
  });

  test('one that waits too long, one that is cancelled, and one whose client goes away', async () => {
    await start({ concurrency: 1, queueMs: 400 });
    const running = ask(SLOW);
    await inState('running');
    const late = ask('ASK {}');
    const cancelled = ask('ASK { }');
    const gone = await Reader.get(addressOf('ASK {  }'), JSON_ROWS);
    await until(() => service.gate.figures.waiting === 3);
    gone.leave();
    await until(() => service.gate.figures.waiting === 2);
    database
      .queries()
      .find(({ text }) => text === 'ASK { }')!
      .cancel();
    expect(await codeOf(await cancelled)).toBe('ABORTED');
    const refused = await late;
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([503, expect.stringMatching(/^[1-9]\d?$/)]);
    await fetch(`${server.url}/queries`, { method: 'DELETE' });
    expect(await codeOf(await running)).toBe('ABORTED');
    await idle();
  });

  test('accounts share the places: one with many long queries does not keep the others waiting', async () => {
    await start({ concurrency: 4 }, false);
    const auth: Record<string, Record<string, string>> = {};
    await service.accounts.create('other');
    for (const name of ['acme', 'other']) {
      auth[name] = { Authorization: `Bearer ${(await service.tokens.create(name, {})).text}` };
    }
    const repository = await service.rights.open(
      { account: 'acme', readOnly: false, admin: false },
      'acme/people',
      'own',
    );
    await service.rights.set(repository, () => ({ privacy: 'authenticated' }));
    const flood = Array.from({ length: 30 }, () => ask(SLOW, { timeout: '3' }, auth['acme']));
    await until(() => service.gate.figures.waiting === 28);
    const answers = await Promise.all(Array.from({ length: 40 }, () => ask('ASK { ?s ?p ?o }', {}, auth['other'])));
    expect(answers.map(({ status }) => status)).toEqual(Array(40).fill(200));
    expect(service.gate.figures.waiting).toBeGreaterThan(0);
    while (database.queries().length > 0) {
      for (const running of database.queries()) running.cancel();
      await delay(5);
    }
    for (const answer of flood) expect((await answer).status).toBe(503);
  });
});

describe('deadlines', () => {
  test('that of the server, and what a request asks for', async () => {
    await start({ timeoutMs: 150 });
    const late = await ask(SLOW);
    expect([late.status, await codeOf(late)]).toEqual([503, 'QUERY_TIMEOUT']);
    const update = { method: 'POST', headers: FORM };
    const planned = await fetch(server.url + SPARQL, { ...update, body: query({ query: wide(900) }) });
    expect([planned.status, await codeOf(planned)]).toEqual([503, 'QUERY_TIMEOUT']);
    const changing = `DELETE { ?a ?p ?x } WHERE { ${CROSS} ${NONE} }`;
    const asked = await fetch(server.url + SPARQL, { ...update, body: query({ update: changing, timeout: '0.2' }) });
    expect([asked.status, await codeOf(asked)]).toEqual([503, 'QUERY_TIMEOUT']);
    // An update has the time of updates.
    const sent = fetch(server.url + SPARQL, { ...update, body: query({ update: changing }) });
    await delay(400);
    (await inState('running')).cancel();
    expect(await codeOf(await sent)).toBe('ABORTED');
    for (const timeout of ['-1', 'soon', '301', 'Infinity']) {
      expect((await ask('ASK {}', { timeout })).status, timeout).toBe(400);
    }
    for (const timeout of ['0', '300']) expect((await ask('ASK {}', { timeout })).status).toBe(200);
  });

  test.each(['identity', 'gzip'])('past the status line an answer is broken off: %s', async (coding) => {
    await start({ timeoutMs: 600 });
    const late = `SELECT * { { ?a ?p ?x } UNION { ?a ?p ?x . ?b ?p ?y FILTER(?y < 200) } UNION { ${CROSS} ${NONE} } }`;
    const reader = await Reader.get(addressOf(late), { ...JSON_ROWS, 'Accept-Encoding': coding });
    await reader.end();
    expect([reader.status, reader.complete]).toEqual([200, false]);
    expect(reader.text.length).toBeGreaterThan(10_000);
    expect(reader.text).not.toContain(']}}');
    await idle();
    expect(service.gate.figures.failed.get('QUERY_TIMEOUT')).toBe(1);
  });

  test('a reader that takes its time takes none of it from the query', async () => {
    await start({ timeoutMs: 1500 });
    const limited = `SELECT * { ${CROSS} } LIMIT 20000`;
    const reader = await Reader.get(addressOf(limited), JSON_ROWS, false);
    for (let i = 0; i < 4; i++) {
      await delay(600);
      const before = reader.text.length;
      reader.read();
      await until(() => reader.text.length > before + 100_000 || reader.closed);
      if (!reader.closed) reader.stop();
    }
    reader.read();
    await reader.end();
    expect([reader.status, reader.complete]).toEqual([200, true]);
    await idle();
  });
});

describe('readers', () => {
  test.each(['identity', 'gzip'])(
    'one that takes nothing gives its place back, then its connection: %s',
    async (coding) => {
      await start({ concurrency: 1, writeStallMs: 2500 });
      const reader = await Reader.get(addressOf(LONG), { ...JSON_ROWS, 'Accept-Encoding': coding }, false);
      await inState('writing');
      await until(() => service.gate.figures.running === 0, 'that the place is free');
      const memory = database.queries()[0]!.memoryBytes;
      expect(await (await ask('ASK { ?s ?p ?o }')).json()).toMatchObject({ boolean: true });
      expect(database.queries()).toMatchObject([{ state: 'writing', memoryBytes: memory }]);
      await idle();
      reader.read();
      await reader.end();
      expect(reader.complete).toBe(false);
    },
  );

  test('one that comes back in time gets a place again, and all of its answer', async () => {
    await start({ concurrency: 1, writeStallMs: 20_000 });
    const limited = `SELECT * { ${CROSS} } LIMIT 60000`;
    const reader = await Reader.get(addressOf(limited), JSON_ROWS, false);
    await inState('writing');
    await until(() => service.gate.figures.running === 0);
    const other = ask(SLOW, { timeout: '0.5' });
    await inState('running');
    reader.read();
    await until(() => service.gate.figures.waiting === 1, 'that it waits');
    expect((await other).status).toBe(503);
    await reader.end();
    expect([reader.status, reader.complete]).toEqual([200, true]);
    expect(reader.text.match(/"a":/g)!.length).toBeGreaterThan(59_000);
  });

  test('one that goes away ends its query, whatever that does', async () => {
    await start();
    const running = await Reader.get(addressOf(SLOW), JSON_ROWS);
    await inState('running');
    running.leave();
    await idle();
    const writing = await Reader.get(addressOf(LONG), JSON_ROWS, false);
    await inState('writing');
    writing.leave();
    await idle();
    const early = await Reader.get(addressOf(LONG), { ...JSON_ROWS, 'Accept-Encoding': 'gzip' });
    await until(() => early.text.length > 1000);
    early.leave();
    await idle();
    const head = await fetch(addressOf(LONG), { method: 'HEAD', headers: JSON_ROWS });
    expect(head.status).toBe(200);
    await idle();
  });

  test('one that takes nothing of an answer in one piece is disconnected too', async () => {
    await start({ writeStallMs: 500 });
    const value = 'x'.repeat(10_000_000);
    const repository = await database.repository('acme/people');
    await repository.update(`INSERT DATA { <urn:long> <urn:p> "${value}" }`);
    const reader = await Reader.get(
      `${server.url}/acme/people/statements?subj=urn:long`,
      { Accept: 'text/csv' },
      false,
    );
    await delay(2500);
    reader.read();
    await reader.end();
    expect(reader.text.length).toBeLessThan(value.length);
  });
});

describe('cancelling', () => {
  const data = `INSERT DATA { ${Array.from({ length: 25_000 }, (_, i) => `<urn:n${String(i)}> <urn:p> ${String(i)} .`).join(' ')} }`;
  test.each<[RunningQuery['state'], string]>([
    ['planning', wide(1500)],
    ['running', SLOW],
    ['running', SLOW.replace('SELECT *', 'ASK')],
    ['running', SLOW.replace('SELECT *', 'CONSTRUCT { ?a ?q ?z } WHERE')],
    ['parsing', data],
    ['running', `INSERT { ?a ?q ?z } WHERE { ${CROSS} ${NONE} }`],
  ])('%s: %.30s', async (state, text) => {
    await start();
    const isUpdate = text.startsWith('INSERT');
    const body = query(isUpdate ? { update: text } : { query: text });
    const answer = fetch(server.url + SPARQL, { method: 'POST', headers: { ...FORM, ...JSON_ROWS }, body });
    const running = await inState(state);
    expect(running).toMatchObject({ kind: isUpdate ? 'update' : 'query', repository: 'acme/people' });
    // Parsing has ended before a request arrives.
    if (state === 'parsing') running.cancel();
    else {
      const address = `${server.url}/queries/${String(running.id)}`;
      expect(await (await fetch(address)).json()).toMatchObject({ state, repository: 'acme/people' });
      expect((await fetch(address, { method: 'DELETE' })).status).toBe(204);
    }
    const refused = await answer;
    expect([refused.status, await codeOf(refused)]).toEqual([503, 'ABORTED']);
    await idle();
    expect((await (await database.repository('acme/people')).revision()).number).toBe(2);
  });

  test('writing: the connection is closed', async () => {
    await start();
    const reader = await Reader.get(addressOf(LONG), JSON_ROWS, false);
    (await inState('writing')).cancel();
    await idle();
    reader.read();
    await reader.end();
    expect([reader.status, reader.complete]).toEqual([200, false]);
  });
});

test('everything that runs a query or an update goes through the gate', async () => {
  await start({ concurrency: 1, queueMs: 30 });
  const begun = await fetch(`${server.url}/acme/people/transactions`, { method: 'POST' });
  const transaction = begun.headers.get('Location')!;
  await fetch(`${server.url}/acme/people/views/v`, { method: 'PUT', body: 'ASK {}' });
  const held = await service.gate.enter({ party: '', kind: 'query', text: '', repositories: NO_OTHERS });
  const send = (method: string, path: string, body: string, type: string): Promise<Response> =>
    fetch(path.startsWith('http') ? path : server.url + path, { method, body, headers: { 'Content-Type': type } });
  const operations = '<transaction><sparql><updateString>CLEAR ALL</updateString></sparql></transaction>';
  const part = '--b\r\nContent-Type: application/sparql-update\r\n\r\nCLEAR ALL\r\n--b--\r\n';
  const requests: Record<string, () => Promise<Response>> = {
    'a query by GET': () => ask('ASK {}'),
    'a query at the repository': () => fetch(`${server.url}/acme/people?${query({ query: 'ASK {}' })}`),
    explain: () => fetch(addressOf('ASK {}', { explain: 'analyze' })),
    'a query by POST': () => send('POST', SPARQL, 'ASK {}', 'application/sparql-query'),
    'a form': () => send('POST', SPARQL, 'query=ASK{}', FORM['Content-Type']),
    'an update': () => send('POST', SPARQL, 'CLEAR ALL', 'application/sparql-update'),
    'an update in a form': () => send('POST', SPARQL, 'update=CLEAR+ALL', FORM['Content-Type']),
    'a view': () => fetch(`${server.url}/acme/people/views/v`),
    'a new view': () => fetch(`${server.url}/acme/people/views/w`, { method: 'PUT', body: 'ASK {}' }),
    'a query in a transaction': () => send('PUT', `${transaction}?action=QUERY`, 'query=ASK{}', FORM['Content-Type']),
    'an update in a transaction': () =>
      send('PUT', `${transaction}?action=UPDATE`, 'CLEAR ALL', 'application/sparql-update'),
    'a document of operations': () =>
      send('POST', '/acme/people/statements', operations, 'application/x-rdftransaction'),
    'a patch': () => send('PATCH', '/acme/people/service', 'CLEAR ALL', 'application/sparql-update'),
    'a part of a patch': () => send('PATCH', '/acme/people/service', part, 'multipart/mixed; boundary=b'),
  };
  for (const [name, request] of Object.entries(requests)) {
    const response = await request();
    expect([name, response.status, await codeOf(response)]).toEqual([name, 503, 'QUERY_QUEUE_FULL']);
  }
  held.leave();
  expect((await (await database.repository('acme/people')).revision()).number).toBe(2);
  for (const [name, request] of Object.entries(requests)) {
    const response = await request();
    expect([name, response.ok]).toEqual([name, true]);
    await response.text();
  }
  await idle();
});

test('/system and /metrics tell the limits', async () => {
  await start({ concurrency: 3, queued: 8, queueMs: 40, timeoutMs: 2000, memoryBytes: 5_000_000 });
  const system = (await (await fetch(`${server.url}/system`)).json()) as Record<string, unknown>;
  expect(system).toMatchObject({
    version: expect.stringMatching(/^\d+\.\d+\.\d+/) as string,
    features: expect.arrayContaining(['sparql', 'queries']) as string[],
    limits: {
      importBytes: 2 * 1024 ** 3,
      queries: {
        timeoutMs: 2000,
        longestTimeoutMs: 300_000,
        concurrency: 3,
        queued: 8,
        queueMs: 40,
        memoryBytes: 5_000_000,
        writeStallMs: 10_000,
        columnBytes: expect.any(Number) as number,
        valueBytes: expect.any(Number) as number,
      },
    },
    open: true,
  });
  await ask('not a query');
  const held = await Promise.all(
    [1, 2, 3].map(() => service.gate.enter({ party: 'x', kind: 'query', text: '', repositories: NO_OTHERS })),
  );
  await ask('ASK {}');
  const lines = (await (await fetch(`${server.url}/metrics`)).text()).split('\n');
  for (const line of [
    'quadrille_queries_running 3',
    'quadrille_queries_waiting 0',
    'quadrille_queries_admitted_total 4',
    'quadrille_queries_refused_total 1',
    'quadrille_queries_failed_total{code="SPARQL_SYNTAX"} 1',
    'quadrille_queries_limit{limit="timeoutMs"} 2000',
    'quadrille_queries_limit{limit="concurrency"} 3',
    'quadrille_queries_limit{limit="memoryBytes"} 5000000',
  ])
    expect(lines).toContain(line);
  for (const turn of held) turn.leave();
});

test('/system tells the memory of a query that no option sets, and open transactions follow the heap', async () => {
  await start({});
  const { limits } = (await (await fetch(`${server.url}/system`)).json()) as {
    limits: { openTransactionsMemory: number; queries: Record<string, number> };
  };
  const { memoryBytes, columnBytes, valueBytes } = limits.queries;
  expect(memoryBytes).toBeGreaterThan(0);
  expect(memoryBytes).toBeLessThanOrEqual(columnBytes! + valueBytes!);
  expect(limits.openTransactionsMemory).toBeLessThanOrEqual(getHeapStatistics().heap_size_limit / 4);
});

test('the limits are for known accounts only', async () => {
  await start({}, false);
  const { text } = await service.tokens.create('acme', {});
  const system = async (headers: Record<string, string>): Promise<object> =>
    (await fetch(`${server.url}/system`, { headers })).json() as Promise<object>;
  expect(Object.keys(await system({}))).toEqual(['version', 'features', 'open']);
  expect(await system({ Authorization: `Bearer ${text}` })).toMatchObject({
    open: false,
    limits: { queries: {} },
    workers: { limit: 0, started: 0, queries: 0 },
  });
  expect((await fetch(`${server.url}/system`, { headers: { Authorization: 'Bearer no' } })).status).toBe(401);
});
