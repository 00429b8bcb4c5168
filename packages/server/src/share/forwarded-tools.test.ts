/** Tools that the holder runs for the session of a guest. */
import { type Database, open } from 'quadrille';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ForwardedToStore } from '../mcp/forward/forwarded-calls.js';
import { StoreDoor } from '../mcp/door.js';
import { Session } from '../mcp/session.js';
import { GuestDatabase } from './guest-database.js';
import { answering, type Holder } from './holder.js';
import { READING_TOOLS, WRITING_TOOLS } from './protocol.js';

let database: Database;
let holder: Holder;
beforeEach(async () => {
  database = await open(':memory:');
  holder = answering(database, () => database);
});
afterEach(async () => {
  await holder.close();
  await database.close();
});

const SESSION = { id: 'session', client: 'tester', secret: 'secret', allowSecrets: false };
const NAMES = { hasMemory: true };
const ENTITIES = { entities: [{ name: 'Ada', entityType: 'person', observations: ['writes programs'] }] };

async function asked(path: string, call: Partial<ForwardedToStore>, headers: Record<string, string> = {}) {
  const body = JSON.stringify({ session: SESSION, names: NAMES, input: {}, ...call });
  const answer = await holder.handler(new Request(`http://localhost${path}`, { method: 'POST', body, headers }));
  expect(answer.status).toBe(200);
  return answer.json();
}
const written = (key: string, call: Partial<ForwardedToStore>) =>
  asked(WRITING_TOOLS, call, { 'Quadrille-Forwarded': key });
const head = async () => (await database.repository('memory/graph')).revision();

test('a change with a key is made once, also by the next holder', async () => {
  const call = { tool: 'create_entities', input: ENTITIES };
  const first = await written('k', call);
  const { id, author, message } = await head();
  expect(first).toMatchObject({ made: [{ repository: 'memory/graph', id }], result: { structured: ENTITIES } });
  expect([author, message]).toEqual(['tester', 'create_entities\n\nClient: tester\nSession: session']);
  await holder.close();
  holder = answering(database, () => database);
  const repeats = await Promise.all([written('k', call), written('k', call)]);
  expect(repeats).toEqual([first, first]);
  expect((await head()).id).toBe(id);
  // With another key it is another change, which finds the entity there.
  expect(await written('l', call)).toMatchObject({ made: [], result: { structured: { entities: [] } } });
});

test('errors have their codes, and other tools are not run for others', async () => {
  const secret = { entities: [{ ...ENTITIES.entities[0], observations: ['password=hunter2hunter2'] }] };
  for (const [path, call, code] of [
    [WRITING_TOOLS, { tool: 'create_entities', input: secret }, 'INVALID_OPTION'],
    [READING_TOOLS, { tool: 'query', input: { query: 'SELECT' } }, 'SPARQL_SYNTAX'],
    [READING_TOOLS, { tool: 'query', input: { query: 'ASK {}', repository: 'no/body' } }, 'REPOSITORY_NOT_FOUND'],
    [WRITING_TOOLS, { tool: 'update', input: { update: 'CLEAR ALL' } }, 'INVALID_OPTION'],
    [READING_TOOLS, { tool: 'nothing' }, 'INVALID_OPTION'],
  ] as const)
    expect(await asked(path, { ...call, names: { ...NAMES, repository: 'memory/graph' } })).toEqual({
      error: { code, message: expect.any(String) },
    });
});

test('a session of a guest has the answers of a session of the holder, by one request each', async () => {
  const requests: string[] = [];
  const place = { location: 'here', functions: [] } as unknown as ConstructorParameters<typeof GuestDatabase>[0];
  const fetch = (address: string, init: RequestInit): Promise<Response> => {
    requests.push(new URL(address).pathname);
    return holder.handler(new Request(address, init));
  };
  const guest = new GuestDatabase(place, fetch, () => undefined);
  const session = (): Session => new Session({ version: '1', tools: new Set(['memory', 'data', 'change']) });
  const call = async (of: Session, at: Database, name: string, input: object) => {
    const params = { name, arguments: input };
    const door = new StoreDoor(at, true, { repository: 'memory/graph' });
    const { result } = (await of.handle({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }, door)) as {
      result: any;
    };
    return result;
  };
  const [own, other] = [session(), session()];
  const add = (text: string): object => ({ observations: [{ entityName: 'Ada', contents: [text] }] });
  expect((await call(other, guest.database, 'create_entities', ENTITIES)).structuredContent).toEqual(ENTITIES);
  for (let i = 0; i < 30; i++) await call(other, guest.database, 'add_observations', add(`likes tea number ${i}`));
  for (const [name, input] of [
    ['read_graph', {}],
    ['search_nodes', { query: 'TEA' }],
    ['open_nodes', { names: ['Ada'] }],
    ['recall', { text: 'tea' }],
    ['as_of', { at: '3' }],
    ['history', { name: 'Ada' }],
    ['why', { name: 'Ada', observation: 'writes programs' }],
    ['why', { name: 'Ada', observation: 'sleeps' }],
    ['describe', {}],
    ['query', { query: 'SELECT * { ?s ?p ?o } ORDER BY ?s ?p ?o LIMIT 5' }],
    ['find', { text: 'tea' }],
    ['compare', { query: 'SELECT ?o { ?s <urn:quadrille:memory#observation> ?o }', from: '3' }],
  ] as const) {
    requests.length = 0;
    const answer = await call(other, guest.database, name, input);
    expect(requests, name).toEqual([READING_TOOLS]);
    expect(answer, name).toEqual(await call(own, database, name, input));
  }
  // Its cursors are its own, and it takes back what it has made.
  const page = await call(other, guest.database, 'read_graph', { maxBytes: 512 });
  const { cursor } = page.structuredContent;
  expect((await call(own, database, 'read_graph', { maxBytes: 512, cursor })).isError).toBe(true);
  const input = { maxBytes: 1024, query: 'SELECT * { ?s ?p ?o } ORDER BY ?s ?p ?o' };
  const { structuredContent: first } = await call(other, guest.database, 'query', input);
  const next = await call(other, guest.database, 'query', { ...input, cursor: first.cursor });
  expect(next.structuredContent.rows[0]).not.toEqual(first.rows[0]);
  expect((await call(other, guest.database, 'undo', {})).structuredContent).toMatchObject({ undone: true });
  const { structuredContent: graph } = await call(other, guest.database, 'open_nodes', { names: ['Ada'] });
  expect(graph.entities[0].observations).toHaveLength(30);
});
