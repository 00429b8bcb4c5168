/** `/mcp` over HTTP: the rules of its transport, and the rights of tokens. */
import { expect, test } from 'vitest';
import { EventClient } from '../../testing/events.js';
import { INITIALIZE, logged, start, twoAccounts, TYPE } from '../../testing/agents.js';

const QUERY = 'SELECT ?s { ?s <urn:name> ?name }';
const UPDATE = 'INSERT DATA { <urn:new> <urn:name> "new" }';

test('a session begins, answers, and ends', async () => {
  const served = await start(true);
  const client = await served.client();
  const list = await client.ask('tools/list');
  expect((list['result'] as { tools: object[] }).tools.length).toBeGreaterThan(15);
  const told = await client.post({ jsonrpc: '2.0', method: 'notifications/initialized' });
  expect([told.status, told.json]).toEqual([202, {}]);
  expect((await client.post({ jsonrpc: '2.0', id: 9, result: {} })).status).toBe(202);
  expect(await client.ask('nothing')).toMatchObject({ error: { code: -32_601 } });
  const headers = { 'Mcp-Session-Id': client.session };
  expect((await fetch(`${served.url}/mcp`, { method: 'DELETE', headers })).status).toBe(204);
  expect((await fetch(`${served.url}/mcp`, { method: 'DELETE', headers })).status).toBe(404);
  expect((await client.post({ jsonrpc: '2.0', id: 1, method: 'ping' })).status).toBe(404);
});

test('both versions are agreed on, and what is malformed is refused', async () => {
  const served = await start(true);
  for (const protocolVersion of ['2025-06-18', '2025-11-25']) {
    const { json } = await served.post({ ...INITIALIZE, params: { protocolVersion } });
    expect(json).toMatchObject({ result: { protocolVersion, capabilities: { resources: { subscribe: true } } } });
  }
  const { json } = await served.post({ ...INITIALIZE, params: { protocolVersion: '1999-01-01' } });
  expect(json).toMatchObject({ result: { protocolVersion: '2025-11-25' } });
  const client = await served.client();
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
  const statusOf = async (body: unknown, headers: Record<string, string>): Promise<number> =>
    (await client.post(body, headers)).status;
  expect(await statusOf(ping, {})).toBe(200);
  expect(await statusOf(ping, { 'MCP-Protocol-Version': '2025-06-18' })).toBe(200);
  expect(await statusOf(ping, { 'MCP-Protocol-Version': '2025-03-26' })).toBe(200);
  expect(await statusOf(ping, { 'MCP-Protocol-Version': '1999-01-01' })).toBe(400);
  expect(await statusOf(ping, { 'Mcp-Session-Id': 'of-nobody' })).toBe(404);
  expect(await statusOf(ping, { 'Content-Type': 'text/plain' })).toBe(415);
  expect(await statusOf(ping, { Accept: 'text/html' })).toBe(406);
  expect((await served.post(ping)).status).toBe(400);
  expect(await client.post('{')).toMatchObject({ status: 400, json: { error: { code: -32_700 } } });
  expect(await client.post([ping])).toMatchObject({ status: 400, json: { error: { code: -32_600 } } });
  expect(await client.post({ ...ping, id: {} })).toMatchObject({ status: 400, json: { error: { code: -32_600 } } });
  expect(await statusOf(`"${'x'.repeat(11 * 1024 ** 2)}"`, {})).toBe(413);
});

test('pages of other sites, and other names of this machine, are refused', async () => {
  const served = await start(true);
  const evil = { Origin: 'https://evil.example' };
  expect((await served.post(INITIALIZE, evil)).status).toBe(403);
  expect((await served.post(INITIALIZE, { Origin: 'null' })).status).toBe(403);
  expect((await served.post(INITIALIZE, { Origin: served.url })).status).toBe(200);
  const rebound = await served.handler(
    new Request('http://evil.example/mcp', { method: 'POST', headers: TYPE, body: JSON.stringify(INITIALIZE) }),
  );
  expect(rebound.status).toBe(421);
  const secured = await twoAccounts();
  const basic = { Authorization: `Basic ${btoa(`${await secured.token('acme')}:`)}` };
  expect((await secured.post(INITIALIZE, { ...basic, ...evil })).status).toBe(403);
  expect((await secured.post(INITIALIZE, basic)).status).toBe(200);
});

test('a tool may do what its token may', async () => {
  const served = await twoAccounts();
  const [acme, jo] = [await served.client(await served.token('acme')), await served.client(await served.token('jo'))];
  expect(await acme.tool('query', { query: QUERY })).toMatchObject({ rows: [['<urn:acme>']] });
  expect(await acme.tool('update', { update: UPDATE, message: 'one more' })).toMatchObject({ changed: true });
  const [last] = await (await served.database.repository('acme/people')).log().toArray();
  expect(last).toMatchObject({
    author: 'acme',
    message: expect.stringMatching(/^update: one more\n\nClient: tester\nSession: [\da-f-]{36}$/) as string,
  });
  for (const [name, input] of [
    ['query', { query: QUERY }],
    ['describe', {}],
    ['find', { text: 'acme' }],
    ['compare', { query: QUERY, from: '1' }],
    ['update', { update: UPDATE }],
    ['branch', { name: 'draft' }],
    ['merge', { from: 'draft' }],
    ['revert', { revision: 'HEAD' }],
  ] as const)
    expect(await jo.refused(name, { ...input, repository: 'acme/people' })).toContain('REPOSITORY_NOT_FOUND');
  const uri = `quadrille://acme/people@1/${encodeURIComponent('urn:acme')}`;
  expect(await jo.ask('resources/read', { uri })).toMatchObject({ error: { code: -32_602 } });
  // A text names another repository with the rights of its sender, too.
  for (const other of [
    'SELECT ?s { SERVICE <repo:acme/people> { ?s ?p ?o } }',
    'SELECT ?s FROM <repo:acme/people> { ?s ?p ?o }',
  ]) {
    expect(await jo.refused('query', { query: other })).toContain('REPOSITORY_NOT_FOUND');
    expect(await jo.refused('compare', { query: other, from: '1' })).toContain('REPOSITORY_NOT_FOUND');
    expect((await acme.tool('query', { query: other }))['rows']).toHaveLength(2);
  }
  const copy = 'INSERT { ?s ?p ?o } WHERE { SERVICE <repo:acme/people> { ?s ?p ?o } }';
  expect(await jo.refused('update', { update: copy })).toContain('REPOSITORY_NOT_FOUND');
  expect(await jo.refused('update', { update: copy, dry_run: true })).toContain('REPOSITORY_NOT_FOUND');
  const reading = await served.client(await served.token('acme', { rights: ['read'] }));
  expect(await reading.tool('query', { query: QUERY })).toMatchObject({ rows: [['<urn:acme>'], ['<urn:new>']] });
  expect(await reading.refused('update', { update: UPDATE, repository: 'acme/people' })).toContain('FORBIDDEN');
  expect(await reading.refused('create_entities', { entities: [] })).toContain('FORBIDDEN');
  // A session is of the account that has begun it.
  expect((await jo.post({ jsonrpc: '2.0', id: 1, method: 'ping' }, { 'Mcp-Session-Id': acme.session })).status).toBe(
    404,
  );
});

test('where several repositories can be read, a call names one', async () => {
  const served = await twoAccounts();
  await served.database.repository('acme/places', { create: true });
  const client = await served.client(await served.token('acme'));
  const text = await client.refused('query', { query: QUERY });
  expect(text).toContain('acme/people, acme/places');
  expect(text).not.toContain('jo/people');
  expect(await client.tool('query', { query: QUERY, repository: 'acme/people' })).toMatchObject({
    rows: [['<urn:acme>']],
  });
  const stranger = await served.client();
  expect(await stranger.refused('query', { query: QUERY })).toContain('no repository');
  expect(await stranger.refused('query', { query: QUERY, repository: 'acme/people' })).toContain('UNAUTHENTICATED');
  expect(await stranger.refused('read_graph')).toContain('UNAUTHENTICATED');
  const wrong = await served.post(INITIALIZE, { Authorization: 'Bearer qdt_wrong' });
  expect(wrong.status).toBe(401);
});

test('a memory is of the account, and undo of the session', async () => {
  const served = await twoAccounts();
  const token = await served.token('acme');
  const [one, two, jo] = [
    await served.client(token),
    await served.client(token),
    await served.client(await served.token('jo')),
  ];
  const entities = (name: string): object => ({ entities: [{ name, entityType: 'person', observations: [] }] });
  await Promise.all([one.tool('create_entities', entities('Ada')), two.tool('create_entities', entities('Bob'))]);
  await one.tool('update', { update: UPDATE, repository: 'acme/people' });
  expect(await one.tool('undo')).toMatchObject({ undone: true });
  expect(await two.tool('read_graph')).toMatchObject({ entities: [{ name: 'Bob' }] });
  expect(await jo.refused('read_graph')).toContain('REPOSITORY_NOT_FOUND');
  expect(await served.database.repositories('acme').toArray()).toMatchObject([
    { name: 'acme/memory' },
    { name: 'acme/people' },
  ]);
  const open = await start(true);
  const anybody = await open.client();
  await anybody.tool('create_entities', entities('Ada'));
  expect(await (await open.database.repository('memory/graph')).revision()).toMatchObject({ author: 'tester' });
});

test('a stream of events tells what has changed, each address once until it is taken', async () => {
  const served = await twoAccounts();
  const token = await served.token('acme');
  const client = await served.client(token);
  const uri = `quadrille://acme/people@HEAD/${encodeURIComponent('urn:acme')}`;
  const headers = { 'Mcp-Session-Id': client.session, Authorization: `Bearer ${token}` };
  expect(await client.ask('resources/subscribe', { uri })).toMatchObject({ result: {} });
  expect(await client.ask('resources/subscribe', { uri: 'quadrille://jo/people@HEAD/urn:jo' })).toMatchObject({
    error: { code: -32_602 },
  });
  const change = (): Promise<unknown> =>
    client.tool('update', { update: `INSERT DATA { <urn:x> <urn:at> ${++changes} }` });
  let changes = 0;
  // What came while nobody listened is told, and once.
  for (let i = 0; i < 50; i++) await change();
  const stream = await EventClient.open(`${served.url}/mcp`, headers);
  expect([stream.status, stream.header('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
  const updated = { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri } };
  expect((await stream.count(1)).map(({ data }) => JSON.parse(data) as unknown)).toEqual([updated]);
  await change();
  expect(JSON.parse((await stream.count(2)).at(-1)!.data)).toEqual(updated);
  // The next stream of the session takes the place of this one.
  const next = await EventClient.open(`${served.url}/mcp`, headers);
  await stream.end();
  expect(stream.events.length).toBeLessThan(5);
  await client.ask('resources/unsubscribe', { uri });
  await change();
  await client.ask('resources/subscribe', { uri });
  await change();
  expect(await next.count(1)).toHaveLength(1);
  expect(served.service.feeds.open).toBe(1);
  const other = await fetch(`${served.url}/mcp`, { headers: { ...headers, Accept: 'application/json' } });
  expect(other.status).toBe(406);
  const nobody = await fetch(`${served.url}/mcp`, { headers: { ...headers, 'Mcp-Session-Id': 'x', Accept: '*/*' } });
  expect(nobody.status).toBe(404);
  await fetch(`${served.url}/mcp`, { method: 'DELETE', headers });
  await next.end();
  expect(served.service.feeds.open).toBe(0);
});

test('a session has a number of subscriptions', async () => {
  const served = await start(true);
  await served.database.repository('acme/people', { create: true });
  const client = await served.client();
  for (let i = 0; i < 100; i++)
    expect(await client.ask('resources/subscribe', { uri: `quadrille://acme/people@HEAD/urn:s${i}` })).toHaveProperty(
      'result',
    );
  expect(await client.ask('resources/subscribe', { uri: 'quadrille://acme/people@HEAD/urn:more' })).toMatchObject({
    error: { message: expect.stringContaining('limit') as string },
  });
});

test('a protected branch is for owners, and a branch is one', async () => {
  const served = await twoAccounts();
  const repository = await served.database.repository('acme/people');
  await repository.settings.set({ protected: ['main', 'release'] });
  const owner = { account: 'acme', readOnly: false, admin: false };
  await served.service.repositories.setCollaborator(owner, 'acme/people', 'jo', 'write');
  const jo = await served.client(await served.token('jo'));
  const people = { repository: 'acme/people' };
  expect(await jo.refused('update', { update: UPDATE, ...people })).toContain('protected');
  expect(await jo.refused('branch', { name: 'release', ...people })).toContain('protected');
  await jo.tool('branch', { name: 'draft', ...people });
  expect(await jo.tool('update', { update: UPDATE, branch: 'draft', ...people })).toMatchObject({ changed: true });
  expect(await jo.refused('merge', { from: 'draft', ...people })).toContain('protected');
});

test('queries have the deadlines of the server, and are listed while they run', async () => {
  const served = await twoAccounts();
  const client = await served.client(await served.token('acme'));
  await client.tool('update', {
    update:
      'INSERT { ?s <urn:n> ?a } WHERE { VALUES ?a { 1 2 3 4 5 6 7 8 9 } VALUES ?b { 1 2 3 4 5 6 7 8 9 } BIND(IRI(CONCAT("urn:s", STR(?a), STR(?b))) AS ?s) }',
  });
  const query =
    'SELECT (COUNT(*) AS ?n) { ?a <urn:n> ?x . ?b <urn:n> ?y . ?c <urn:n> ?z . ?d <urn:n> ?w FILTER(?x + ?y + ?z + ?w > 1000) }';
  const running = client.refused('query', { query, timeoutMs: 300 });
  await expect
    .poll(() => served.database.queries().map(({ text, repository }) => [text, repository]))
    .toEqual([[query, 'acme/people']]);
  expect(await running).toContain('QUERY_TIMEOUT');
});

test('what fails inside is told to the log, and not to the client', async () => {
  const documents = (): Promise<Uint8Array> => Promise.reject(new Error('no file /home/me/documents'));
  const client = await (await start(true, { documents })).client();
  const answer = await client.ask('tools/call', { name: 'docs_search', arguments: { text: 'undo' } });
  expect(answer).toMatchObject({ error: { code: -32_603, message: 'internal error' } });
  expect(JSON.stringify(logged)).toContain('/home/me/documents');
});
