// npm sparql-http-client: its three clients, its three ways to send a query, and its graph store.
import { Readable } from 'node:stream';
import { dataFactory } from 'quadrille';
import { ParsingClient, SimpleClient, StreamClient } from 'sparql-http-client';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type Endpoint, endpoint, EX, GRAPH, PREFIXES, SIZE } from './endpoint.js';

const node = (name: string): ReturnType<typeof dataFactory.namedNode> => dataFactory.namedNode(EX + name);
const NAMES = `${PREFIXES} SELECT ?name ?title { ?s foaf:name ?name OPTIONAL { ?s foaf:title ?title } } ORDER BY ?name`;
const WAYS = ['get', 'postUrlencoded', 'postDirect'] as const;

let at: Endpoint;
let parsing: ParsingClient;
let stream: StreamClient;
let simple: SimpleClient;
beforeAll(async () => {
  at = await endpoint();
  const options = {
    endpointUrl: `${at.repository}/sparql`,
    updateUrl: `${at.repository}/sparql`,
    storeUrl: `${at.repository}/service`,
    user: at.token,
    password: '',
  };
  parsing = new ParsingClient(options);
  stream = new StreamClient(options);
  simple = new SimpleClient(options);
});
beforeEach(() => at.reset());
afterAll(() => at?.stop());

describe.each(WAYS)('queries sent by %s', (operation) => {
  test('SELECT', async () => {
    const [ada, charles] = await parsing.query.select(NAMES, { operation });
    expect(ada?.['name']).toMatchObject({ termType: 'Literal', value: 'Ada Lovelace' });
    expect(ada).not.toHaveProperty('title');
    expect(charles?.['title']).toMatchObject({ value: 'Gründer', language: 'de' });
  });

  test('ASK', async () => {
    expect(await parsing.query.ask(`${PREFIXES} ASK { ex:ada foaf:knows ex:charles }`, { operation })).toBe(true);
    expect(await parsing.query.ask(`${PREFIXES} ASK { ex:charles foaf:knows ex:ada }`, { operation })).toBe(false);
  });

  test('CONSTRUCT and DESCRIBE', async () => {
    const known = `${PREFIXES} CONSTRUCT { ?o ex:knownBy ?s } WHERE { ?s foaf:knows ?o }`;
    const built = await parsing.query.construct(known, { operation });
    expect(built.size).toBe(1);
    expect(built.has(dataFactory.quad(node('charles'), node('knownBy'), node('ada')))).toBe(true);
    const described = await parsing.query.construct(`DESCRIBE <${EX}charles>`, { operation });
    expect([...described.match(node('charles'))]).toHaveLength(4);
  });

  test('a broken query is 400', async () => {
    await expect(parsing.query.select('SELECT * { ?s ', { operation })).rejects.toMatchObject({ status: 400 });
  });
});

test('rows as a stream, with the parameters of the protocol', async () => {
  const rows = await stream.query.select(`${PREFIXES} SELECT * { ?s a foaf:Person } ORDER BY ?s`).toArray();
  expect(rows.map((row: Record<string, { value: string }>) => row['s']?.value)).toEqual([`${EX}ada`, `${EX}charles`]);
  await parsing.query.update(`INSERT DATA { GRAPH <${GRAPH}> { <${EX}x> <${EX}p> 1 } }`);
  const answer = await simple.query.select('SELECT * { ?s ?p ?o }', {
    defaultGraph: GRAPH,
    headers: { accept: 'text/csv' },
  });
  expect((await answer.text()).trim().split(/\r?\n/)).toEqual(['s,p,o', `${EX}x,${EX}p,1`]);
});

test.each(['postUrlencoded', 'postDirect'] as const)('updates sent by %s', async (operation) => {
  const headers = operation === 'postDirect' ? { 'content-type': 'application/sparql-update' } : {};
  const send = (text: string): Promise<void> => parsing.query.update(PREFIXES + text, { operation, headers });
  await send('DELETE { ?s ex:age ?age } INSERT { ?s ex:age 100 } WHERE { ?s foaf:name "Ada Lovelace" ; ex:age ?age }');
  const [row] = await parsing.query.select(`${PREFIXES} SELECT ?age { ex:ada ex:age ?age }`);
  expect(row?.['age']?.value).toBe('100');
  await expect(send('INSERT DATA { ?s ex:p 1 }')).rejects.toMatchObject({ status: 400 });
  expect(await at.size()).toBe(SIZE);
});

test('an update that goes under the media type of queries, as the client sends it by itself', async () => {
  const text = `${PREFIXES} INSERT DATA { ex:a ex:p 1 }`;
  await expect(parsing.query.update(text, { operation: 'postDirect' })).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining('application/sparql-update') as string,
  });
  expect(await at.size()).toBe(SIZE);
  const lenient = await endpoint('--lenient-protocol');
  onTestFinished(() => lenient.stop());
  const updateUrl = `${lenient.repository}/sparql`;
  const client = new ParsingClient({ endpointUrl: updateUrl, updateUrl, user: lenient.token, password: '' });
  await client.query.update(text, { operation: 'postDirect' });
  expect(await lenient.size()).toBe(1);
});

describe('the graph store', () => {
  const quads = (count: number): Readable =>
    Readable.from(
      Array.from({ length: count }, (_, i) =>
        dataFactory.quad(node(`s${String(i)}`), node('p'), dataFactory.literal('ä"\n')),
      ),
    );
  const read = async (graph?: ReturnType<typeof node>): Promise<string[]> => {
    const found: string[] = [];
    for await (const { subject, object, graph: place } of stream.store.get(graph)) {
      found.push(`${subject.value} ${object.value} ${place.value}`);
    }
    return found;
  };

  test('a named graph', async () => {
    const graph = dataFactory.namedNode(GRAPH);
    await stream.store.put(quads(2), { graph });
    expect((await read(graph)).sort()).toEqual([`${EX}s0 ä"\n ${GRAPH}`, `${EX}s1 ä"\n ${GRAPH}`]);
    await stream.store.put(quads(1), { graph });
    expect(await read(graph)).toHaveLength(1);
    await stream.store.post(quads(500), { graph });
    expect(await read(graph)).toHaveLength(500);
    expect(await at.size()).toBe(SIZE + 500);
  });

  test('the default graph', async () => {
    expect(await read()).toHaveLength(SIZE);
    await stream.store.post(quads(1));
    expect(await read()).toHaveLength(SIZE + 1);
    await stream.store.put(quads(1));
    expect(await read()).toEqual([`${EX}s0 ä"\n `]);
  });

  test('a graph that is not there', async () => {
    await expect(read(node('nowhere'))).rejects.toMatchObject({ status: 404 });
  });
});

test('without a token, or with a false one', async () => {
  const endpointUrl = `${at.repository}/sparql`;
  await expect(new ParsingClient({ endpointUrl }).query.ask('ASK {}')).rejects.toMatchObject({ status: 401 });
  const stranger = new SimpleClient({ endpointUrl, user: 'nothing', password: '' });
  const answer = await stranger.query.ask('ASK {}');
  expect(answer.status).toBe(401);
  expect(answer.headers.get('www-authenticate')).toBe('Basic realm="Application"');
});
