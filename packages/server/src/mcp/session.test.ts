/** The protocol and its tools, over stores in memory. */
import { brotliCompressSync } from 'node:zlib';
import { type Database, open } from 'quadrille';
import { afterEach, expect, test } from 'vitest';
import { type Door, StoreDoor } from './door.js';
import { Session, type SessionOptions } from './session.js';

const opened: Database[] = [];
afterEach(async () => {
  for (const database of opened.splice(0)) await database.close();
});

interface Answer {
  readonly result?: Record<string, any>;
  readonly error?: { readonly code: number; readonly message: string };
}

async function start(options: Partial<SessionOptions> = {}): Promise<{
  session: Session;
  door: Door;
  database: Database;
  sent: object[];
  ask(method: string, params?: object): Promise<Answer>;
  tool(name: string, input?: object): Promise<Record<string, any>>;
  refused(name: string, input?: object): Promise<string>;
}> {
  const database = await open(':memory:');
  opened.push(database);
  const sent: object[] = [];
  const session = new Session({
    version: '1.0.0',
    tools: new Set(['memory', 'data', 'change']),
    notify: async (message) => void sent.push(message),
    ...options,
  });
  const door = new StoreDoor(database, true, { repository: 'memory/graph' });
  let id = 0;
  const ask = async (method: string, params: object = {}): Promise<Answer> =>
    (await session.handle({ jsonrpc: '2.0', id: ++id, method, params }, door)) as Answer;
  await ask('initialize', { protocolVersion: '2025-11-25', clientInfo: { name: 'tester' } });
  const call = async (name: string, input: object): Promise<Record<string, any>> => {
    const { result, error } = await ask('tools/call', { name, arguments: input });
    expect(error).toBeUndefined();
    return result!;
  };
  return {
    session,
    door,
    database,
    sent,
    ask,
    tool: async (name, input = {}) => {
      const result = await call(name, input);
      expect(result['isError'], JSON.stringify(result)).toBeUndefined();
      return result['structuredContent']!;
    },
    refused: async (name, input = {}) => {
      const result = await call(name, input);
      expect(result['isError']).toBe(true);
      return (result['content']! as { text: string }[])[0]!.text;
    },
  };
}

const ADA = { name: 'Ada', entityType: 'person', observations: ['writes programs'] };
const ENGINE = { name: 'Engine', entityType: 'machine', observations: [] };
const WORKS = { from: 'Ada', to: 'Engine', relationType: 'works on' };

test('versions are negotiated, and malformed messages are refused by the rules of JSON-RPC', async () => {
  const { session, door, ask } = await start();
  for (const [asked, given] of [
    ['2025-06-18', '2025-06-18'],
    ['2025-11-25', '2025-11-25'],
    ['1999-01-01', '2025-11-25'],
    [undefined, '2025-11-25'],
  ]) {
    const { result } = await ask('initialize', { protocolVersion: asked });
    expect(result!['protocolVersion']).toBe(given);
  }
  const codeOf = async (message: unknown): Promise<number | undefined> =>
    ((await session.handle(message, door)) as Answer | undefined)?.error?.code;
  expect(await codeOf([])).toBe(-32_600);
  expect(await codeOf('x')).toBe(-32_600);
  expect(await codeOf({ jsonrpc: '1.0', id: 1, method: 'ping' })).toBe(-32_600);
  expect(await codeOf({ jsonrpc: '2.0', id: {}, method: 'ping' })).toBe(-32_600);
  expect(await codeOf(JSON.parse('{"jsonrpc":"2.0","id":1e999,"method":"ping"}'))).toBe(-32_600);
  expect(await codeOf({ jsonrpc: '2.0', id: 1, method: 'ping', params: [] })).toBe(-32_600);
  expect(await codeOf({ jsonrpc: '2.0', id: 1, method: 'nothing' })).toBe(-32_601);
  expect(await codeOf({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'nothing' } })).toBe(-32_602);
  expect(await codeOf({ jsonrpc: '2.0', id: 1, method: 'prompts/get', params: { name: 'ask-the-data' } })).toBe(
    -32_602,
  );
  expect(await codeOf({ jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri: 'x:y' } })).toBe(-32_602);
  expect(await session.handle({ jsonrpc: '2.0', method: 'notifications/initialized' }, door)).toBeUndefined();
  expect(await session.handle({ jsonrpc: '2.0', id: 9, result: {} }, door)).toBeUndefined();
  expect(((await session.handleText('{', door)) as Answer).error!.code).toBe(-32_700);
  expect(await ask('ping')).toMatchObject({ result: {} });
});

test('only the tools of the chosen sets are there, with schemas and hints', async () => {
  const { ask } = await start({ tools: new Set(['data']) });
  const { result } = await ask('tools/list');
  const tools = result!['tools'] as { name: string; annotations: { readOnlyHint: boolean }; inputSchema: object }[];
  expect(tools.map(({ name }) => name)).toEqual(['query', 'describe', 'compare', 'find']);
  expect(tools.every(({ annotations }) => annotations.readOnlyHint)).toBe(true);
  expect((await ask('tools/call', { name: 'update', arguments: {} })).error!.code).toBe(-32_602);
  const all = await (await start()).ask('tools/list');
  const destructive = (all.result!['tools'] as { name: string; annotations: { destructiveHint: boolean } }[])
    .filter(({ annotations }) => annotations.destructiveHint)
    .map(({ name }) => name);
  expect(destructive).toEqual(['delete_entities', 'delete_observations', 'delete_relations', 'update']);
});

test('a memory keeps who said what and when, and takes changes back', async () => {
  const { tool, refused, database } = await start();
  expect(await tool('create_entities', { entities: [ADA, ENGINE, ADA] })).toEqual({ entities: [ADA, ENGINE] });
  await tool('create_relations', { relations: [WORKS, WORKS] });
  const added = await tool('add_observations', {
    observations: [
      { entityName: 'Ada', contents: ['likes tea', 'writes programs'], source: 'a letter', confidence: 0.75 },
    ],
  });
  expect(added).toEqual({ results: [{ entityName: 'Ada', addedObservations: ['likes tea'] }] });
  const why = await tool('why', { name: 'Ada', observation: 'likes tea' });
  expect(why).toMatchObject({ stored: { author: 'tester', revision: 4 }, source: 'a letter', confidence: 0.75 });
  expect(await tool('undo')).toMatchObject({ undone: true, added: 0 });
  expect((await tool('read_graph'))['entities']).toEqual([ADA, ENGINE]);
  const past = await tool('as_of', { at: '4', names: ['Ada'] });
  expect(past['entities']).toEqual([{ ...ADA, observations: ['writes programs', 'likes tea'] }]);
  expect(await tool('as_of', { at: '2999-01-01', query: 'machine' })).toMatchObject({ entities: [ENGINE] });
  await tool('delete_entities', { entityNames: ['Ada'] });
  expect(await tool('read_graph')).toEqual({ entities: [ENGINE], relations: [] });
  // Nothing of a deleted entity is left behind.
  const repository = await database.repository('memory/graph');
  expect(await repository.size()).toBe(3);
  const { changes } = await tool('history', { name: 'Ada' });
  expect((changes as object[])[0]).toMatchObject({ removed: expect.arrayContaining(['Ada works on Engine']) });
  expect(await refused('why', { name: 'Ada', observation: 'never said' })).toContain('no such observation');
  expect(await refused('create_relations', { relations: [WORKS] })).toContain('Entity with name Ada not found');
  expect(await repository.revision()).toMatchObject({ number: 6, author: 'tester' });
});

test('undo takes back what the session has made, each change once, also of calls that came together', async () => {
  const { tool, refused } = await start();
  await tool('create_entities', { entities: [ADA] });
  const again = { observations: [{ entityName: 'Ada', contents: ['writes programs'] }] };
  const update = 'INSERT DATA { <urn:a> <urn:p> 1 }';
  // The calls between change nothing: they leave no mark, whatever is committed beside them.
  await Promise.all([
    tool('add_observations', again),
    tool('update', { update }),
    tool('add_observations', again),
    tool('update', { update }),
  ]);
  expect(await tool('undo')).toMatchObject({ removed: 1 });
  expect(await tool('undo')).toMatchObject({ removed: 6 });
  expect(await tool('read_graph')).toEqual({ entities: [], relations: [] });
  expect(await refused('undo')).toContain('changed nothing');
});

test('wrong input says what is wrong and where, and changes nothing', async () => {
  const { refused, database } = await start();
  expect(await refused('create_entities', {})).toContain('create_entities lacks "entities"');
  expect(await refused('create_entities', { entities: 'x' })).toContain('create_entities.entities must be a list');
  expect(await refused('create_entities', { entities: [{ ...ADA, color: 1 }] })).toContain(
    'entities[0] has no "color"',
  );
  expect(await refused('create_entities', { entities: [{ ...ADA, name: '' }] })).toContain('entities[0].name is empty');
  expect(await refused('create_entities', { entities: [{ ...ADA, name: '\ud800' }] })).toContain('surrogate');
  expect(await refused('open_nodes', { names: ['x'], maxBytes: 1 })).toContain('from 512 to');
  expect(await refused('read_graph', { cursor: 'eHg' })).toContain('cursor');
  expect(await refused('undo')).toContain('changed nothing');
  expect(await refused('query', { query: 'SELECT' })).toContain('SPARQL_SYNTAX');
  expect(await refused('query', { query: 'INSERT DATA {}' })).toContain('NOT_A_QUERY');
  expect(await refused('query', { query: 'ASK {}', repository: 'no/where' })).toContain('NOT_FOUND');
  expect(await refused('as_of', { at: '99' })).toContain('REVISION_NOT_FOUND');
  const wrongTime = { observations: [{ entityName: 'Ada', contents: ['x'], validFrom: 'soon' }] };
  expect(await refused('add_observations', wrongTime)).toContain('validFrom');
  expect((await (await database.repository('memory/graph')).revision()).number).toBe(1);
});

test('texts that look like secrets are refused, and never repeated', async () => {
  const { refused, tool } = await start();
  await tool('create_entities', { entities: [ADA] });
  const secrets = [
    'AKIAIOSFODNN7EXAMPLE',
    `ghp_${'a1'.repeat(18)}`,
    'postgres://me:hunter22@host/db',
    'my password = hunter2222',
    '-----BEGIN OPENSSH PRIVATE KEY-----',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl',
  ];
  for (const secret of secrets) {
    const text = await refused('add_observations', {
      observations: [{ entityName: 'Ada', contents: [`note ${secret}`] }],
    });
    expect(text).toContain('--allow-secrets');
    expect(text).not.toContain(secret);
  }
  for (const plain of ['the password policy is long', 'see https://example.org/a:b@c', 'a secret garden'])
    await tool('add_observations', { observations: [{ entityName: 'Ada', contents: [plain] }] });
  const { tool: allowed } = await start({ allowSecrets: true });
  await allowed('create_entities', { entities: [{ ...ADA, observations: secrets }] });
});

test('answers keep within their budget, and a cursor reads on at the same revision', async () => {
  const { tool, refused } = await start();
  const entities = Array.from({ length: 120 }, (_, i) => ({
    name: `entity ${i}`,
    entityType: 'thing',
    observations: [`observation ${i} `.repeat(4)],
  }));
  await tool('create_entities', { entities });
  const names: string[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < 40; pages++) {
    const page = await tool('read_graph', { maxBytes: 2048, ...(cursor !== undefined && { cursor }) });
    expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThanOrEqual(2048);
    for (const { name } of page['entities'] as { name: string }[]) names.push(name);
    // Later changes are not in the pages that follow.
    if (pages === 0) await tool('create_entities', { entities: [ADA] });
    cursor = page['cursor'];
    if (page['hasMore'] !== true) break;
  }
  expect(names).toEqual(entities.map(({ name }) => name));
  const { cursor: of } = await tool('read_graph', { maxBytes: 2048 });
  expect(await refused('search_nodes', { query: 'entity', cursor: of })).toContain('another question');
  await tool('create_entities', {
    entities: [{ name: 'big', entityType: 'x', observations: ['y'.repeat(5000), 'z'] }],
  });
  const cut = await tool('open_nodes', { names: ['big'], maxBytes: 1024 });
  expect(Buffer.byteLength(JSON.stringify(cut))).toBeLessThanOrEqual(1024);
  expect(JSON.stringify(cut)).toContain('left out');
  const rows = await tool('query', { query: 'SELECT ?s ?p ?o { ?s ?p ?o }', maxBytes: 1024 });
  expect(rows['hasMore']).toBe(true);
  expect(Buffer.byteLength(JSON.stringify(rows))).toBeLessThanOrEqual(1024);
  const next = await tool('query', { query: 'SELECT ?s ?p ?o { ?s ?p ?o }', maxBytes: 1024, cursor: rows['cursor'] });
  expect(next['rows']).not.toEqual(rows['rows']);
});

test('each list of a description has room, and examples have what is left', async () => {
  const { tool } = await start();
  const many = Array.from(
    { length: 60 },
    (_, i) => `<urn:s${i}> a <urn:class:${i}> ; <urn:property:${i}> "value ${i}"`,
  );
  await tool('update', { update: `INSERT DATA { ${many.join(' . ')} }` });
  for (const [maxBytes, hasMore, hasExamples] of [
    [2048, true, false],
    [9000, false, true],
    [16_384, false, true],
  ] as const) {
    const about: any = await tool('describe', { maxBytes });
    expect(about.hasMore).toBe(hasMore);
    expect(Math.abs(about.classes.length - about.properties.length)).toBeLessThan(2);
    expect(about.classes.length).toBeGreaterThan(5);
    expect(about.properties.some((each: object) => 'example' in each)).toBe(hasExamples);
    expect(Buffer.byteLength(JSON.stringify(about))).toBeLessThanOrEqual(maxBytes);
  }
});

test('the data are described, asked, compared and changed, on branches and at past revisions', async () => {
  const { tool } = await start();
  const update = 'PREFIX e: <http://e/> INSERT DATA { e:a a e:Person ; e:name "Ann" . e:b a e:Person ; e:name "Bob" }';
  expect(await tool('update', { update, dry_run: true })).toEqual({ dryRun: true, added: 4, removed: 0 });
  expect(await tool('update', { update, message: 'two people' })).toMatchObject({ changed: true, added: 4 });
  expect(await tool('update', { update })).toMatchObject({ changed: false });
  const about = await tool('describe');
  expect(about['classes']).toEqual([expect.objectContaining({ iri: 'http://e/Person', count: 2 })]);
  await tool('branch', { name: 'draft' });
  await tool('update', { update: 'DELETE DATA { <http://e/b> <http://e/name> "Bob" }', branch: 'draft' });
  const query = 'SELECT ?name { ?s <http://e/name> ?name } ORDER BY ?name';
  expect(await tool('query', { query })).toEqual({ columns: ['name'], rows: [['"Ann"'], ['"Bob"']] });
  expect(await tool('query', { query, branch: 'draft' })).toMatchObject({ rows: [['"Ann"']] });
  expect(await tool('query', { query, at: '1' })).toMatchObject({ rows: [] });
  expect(await tool('query', { query: 'ASK { ?s ?p "Ann" }' })).toEqual({ boolean: true });
  expect(await tool('query', { query: 'CONSTRUCT { ?s <http://e/n> ?n } { ?s <http://e/name> ?n }' })).toMatchObject({
    columns: ['subject', 'predicate', 'object'],
  });
  expect(await tool('merge', { from: 'draft', dry_run: true })).toMatchObject({ removed: 1, conflicts: 0 });
  expect(await tool('merge', { from: 'draft' })).toMatchObject({ changed: true });
  expect(await tool('compare', { query, from: 'HEAD~1' })).toMatchObject({ removed: [['"Bob"']], added: [] });
  expect(await tool('revert', { revision: 'HEAD' })).toMatchObject({ changed: true });
  expect((await tool('find', { text: 'bOB' }))['hits']).toHaveLength(1);
});

test('resources are read at a revision, and subscribers hear of changes', async () => {
  const { tool, ask, sent, session } = await start();
  await tool('create_entities', { entities: [ADA] });
  const uri = `quadrille://memory/graph@2/${encodeURIComponent('urn:quadrille:memory:entity:Ada')}`;
  const { result } = await ask('resources/read', { uri });
  expect((result!['contents'] as { text: string }[])[0]!.text).toContain('"writes programs"');
  expect((await ask('resources/read', { uri: uri.replace('@2', '@9') })).error!.code).toBe(-32_602);
  expect((await ask('resources/read', { uri: uri.replace('Ada', 'Bob') })).error!.code).toBe(-32_602);
  await ask('resources/subscribe', { uri: 'memory://knowledge-graph' });
  await tool('create_entities', { entities: [ENGINE] });
  await expect.poll(() => sent).toHaveLength(1);
  expect(sent[0]).toMatchObject({ params: { uri: 'memory://knowledge-graph' } });
  session.close();
});

test('a request that is cancelled has no answer', async () => {
  const { session, door, database } = await start();
  const repository = await database.repository('memory/graph', { create: true });
  await repository.update(
    `INSERT { ?s <urn:p> ?n } WHERE { VALUES ?a {${' 1 2 3 4 5 6 7 8 9'.repeat(1)}} VALUES ?b { 1 2 3 4 5 6 7 8 9 } BIND(IRI(CONCAT("urn:s", STR(?a), STR(?b))) AS ?s) BIND(?a * ?b AS ?n) }`,
  );
  const query = 'SELECT (COUNT(*) AS ?n) { ?a ?p ?x . ?b ?p ?y . ?c ?p ?z . FILTER(?x + ?y + ?z > 1000) }';
  const params = { name: 'query', arguments: { query } };
  const answer = session.handle({ jsonrpc: '2.0', id: 'slow', method: 'tools/call', params }, door);
  await session.handle({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'slow' } }, door);
  expect(await answer).toBeUndefined();
});

test('a file of server-memory is imported once, and bad lines are named', async () => {
  const { session, door, tool } = await start();
  const lines = [
    JSON.stringify({ type: 'entity', ...ADA }),
    '{"type":"entity"',
    JSON.stringify({ type: 'entity', ...ENGINE }),
    JSON.stringify({ type: 'relation', ...WORKS }),
    JSON.stringify({ type: 'other' }),
  ];
  expect(await session.import(lines.join('\n'), door)).toEqual({ entities: 2, relations: 1, skipped: [2, 5] });
  expect(await session.import(lines.join('\n'), door)).toEqual({ entities: 0, relations: 0, skipped: [2, 5] });
  expect(await tool('read_graph')).toEqual({ entities: [ADA, ENGINE], relations: [WORKS] });
});

test('documents are searched, where there are any, without a repository', async () => {
  const pages = [
    ['how-to/undo.md', ['Undo a change', 'A revert takes a revision back.'], ['Undo one of many', 'Name its number.']],
    ['how-to/tags.md', ['Tag revisions', 'A tag names a revision.']],
  ];
  let reads = 0;
  const documents = (): Promise<Uint8Array> => {
    reads++;
    return Promise.resolve(brotliCompressSync(JSON.stringify(pages)));
  };
  const { tool, refused } = await start({ documents });
  expect(await tool('docs_search', { text: 'undo a Revision' })).toEqual({
    sections: [
      {
        page: 'how-to/undo.md',
        title: 'Undo a change',
        heading: 'Undo a change',
        text: 'A revert takes a revision back.',
      },
      { page: 'how-to/undo.md', title: 'Undo a change', heading: 'Undo one of many', text: 'Name its number.' },
      { page: 'how-to/tags.md', title: 'Tag revisions', heading: 'Tag revisions', text: 'A tag names a revision.' },
    ],
    hasMore: false,
  });
  expect(await tool('docs_search', { text: 'nowhere' })).toEqual({ sections: [], hasMore: false });
  expect(await tool('docs_search', { text: '?!' })).toEqual({ sections: [], hasMore: false });
  expect(reads).toBe(1);
  expect(await refused('docs_search', { text: '' })).toContain('docs_search.text is empty');
  const { ask } = await start();
  expect((await ask('tools/call', { name: 'docs_search', arguments: { text: 'x' } })).error!.code).toBe(-32_602);
});
