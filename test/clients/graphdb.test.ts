// npm graphdb (graphdb.js), which speaks the RDF4J protocol: repositories, statements, namespaces, transactions.
import { Readable } from 'node:stream';
import graphdb from 'graphdb';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Endpoint, endpoint, EX, GRAPH, PREFIXES, SIZE } from './endpoint.js';

// Else it logs each request, with the token in its address.
vi.hoisted(() => (process.env['LOG_LEVEL'] = 'silent'));

const { RDFMimeType, QueryContentType } = graphdb.http;
const { ServerClient, ServerClientConfig } = graphdb.server;
const { AddStatementPayload, GetStatementsPayload, RDFRepositoryClient, RepositoryClientConfig } = graphdb.repository;
const { GetQueryPayload, QueryType, UpdateQueryPayload } = graphdb.query;
const { NQuadsParser, RDFXmlParser, SparqlJsonResultParser, SparqlXmlResultParser } = graphdb.parser;

let at: Endpoint;
let repository: any;
beforeAll(async () => {
  at = await endpoint();
  repository = client({ Authorization: at.basic });
});
beforeEach(() => at.reset());
afterAll(() => at?.stop());

/** As its manual says, with the account as the server. */
function client(headers: Record<string, string>): any {
  const server = `${at.url}/${at.account}`;
  const config = new RepositoryClientConfig(server)
    .setEndpoints([`${server}/repositories/default`])
    .setHeaders(headers)
    // Else it repeats without end what is refused with 401.
    .setKeepAlive(false);
  return withParsers(new RDFRepositoryClient(config));
}

function withParsers(made: any): any {
  const parsers: any[] = [NQuadsParser, RDFXmlParser, SparqlJsonResultParser, SparqlXmlResultParser];
  for (const Parser of parsers) made.registerParser(new Parser());
  return made;
}

const all = async (stream: AsyncIterable<any>): Promise<any[]> => {
  const items = [];
  for await (const item of stream) items.push(item);
  return items;
};
const NAMES = `${PREFIXES} SELECT ?name ?age { ?s foaf:name ?name ; ex:age ?age } ORDER BY ?age`;
const query = (text: string, type: string, mime: string): any =>
  new GetQueryPayload().setQuery(text).setQueryType(type).setResponseType(mime);
const update = (text: string): any => new UpdateQueryPayload().setQuery(PREFIXES + text);
const failure = (status: number): object => ({ response: { status } });

describe('the server', () => {
  // It shows credentials only where they stand in the address, or to the login of GraphDB.
  const server = (user: string): any =>
    new ServerClient(new ServerClientConfig(`${at.url.replace('//', `//${user}@`)}/${at.account}`).setKeepAlive(false));

  test('repositories are listed, found and deleted', async () => {
    const headers = { Authorization: at.basic, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ repository: { name: 'second' } });
    await fetch(`${at.url}/${at.account}/repositories`, { method: 'POST', headers, body });
    const known = server(`${at.token}:X`);
    expect(await known.getRepositoryIDs()).toEqual(['default', 'second']);
    await known.deleteRepository('second');
    expect(await known.hasRepository('second')).toBe(false);
    expect(await known.hasRepository('default')).toBe(true);
    await expect(known.deleteRepository('second')).rejects.toMatchObject(failure(404));
    await expect(server('nothing:X').getRepositoryIDs()).rejects.toMatchObject(failure(401));
  });
});

describe('with credentials, which it tries at the login of GraphDB', () => {
  const logged = (way: 'useBasicAuthentication' | 'useGdbTokenAuthentication', password: string): any => {
    const server = `${at.url}/${at.account}`;
    const config = new RepositoryClientConfig(server)
      .setEndpoints([`${server}/repositories/default`])
      .setKeepAlive(false);
    return withParsers(new RDFRepositoryClient((config as any)[way](at.account, password)));
  };

  test.each(['useBasicAuthentication', 'useGdbTokenAuthentication'] as const)('%s', async (way) => {
    expect(await logged(way, at.token).getSize()).toBe(SIZE);
    await expect(logged(way, 'wrong').getSize()).rejects.toMatchObject(failure(401));
  });
});

describe('queries', () => {
  test.each([RDFMimeType.SPARQL_RESULTS_JSON, RDFMimeType.SPARQL_RESULTS_XML])('SELECT as %s', async (mime) => {
    const rows = await all(await repository.query(query(NAMES, QueryType.SELECT, mime).setLimit(1)));
    expect(rows.map(({ name, age }) => [name.value, age.value])).toEqual([['Ada Lovelace', '36']]);
  });

  test('ASK, CONSTRUCT, DESCRIBE', async () => {
    const ask = query(`${PREFIXES} ASK { ex:ada foaf:knows ?o }`, QueryType.ASK, RDFMimeType.SPARQL_RESULTS_JSON);
    expect(await repository.query(ask)).toBe(true);
    expect(String(await all(await repository.query(ask.setResponseType(RDFMimeType.BOOLEAN_RESULT))))).toBe('true');
    const known = `${PREFIXES} CONSTRUCT { ?o ex:knownBy ?s } WHERE { ?s foaf:knows ?o }`;
    const built = await all(await repository.query(query(known, QueryType.CONSTRUCT, RDFMimeType.RDF_XML)));
    expect(built).toMatchObject([{ subject: { value: `${EX}charles` }, object: { value: `${EX}ada` } }]);
    const described = query(`DESCRIBE <${EX}ada>`, QueryType.DESCRIBE, RDFMimeType.RDF_XML);
    expect(await all(await repository.query(described))).toHaveLength(4);
  });

  test('values for variables', async () => {
    const payload = query(
      `${PREFIXES} SELECT ?n { ?s foaf:name ?n }`,
      QueryType.SELECT,
      RDFMimeType.SPARQL_RESULTS_JSON,
    );
    const rows = await all(await repository.query(payload.addBinding('$s', `<${EX}charles>`)));
    expect(rows.map((row) => row.n.value)).toEqual(['Charles Babbage']);
  });

  test('errors', async () => {
    const broken = query('SELECT * { ?s ', QueryType.SELECT, RDFMimeType.SPARQL_RESULTS_JSON);
    await expect(repository.query(broken)).rejects.toMatchObject(failure(400));
    await expect(client({}).getSize()).rejects.toMatchObject(failure(401));
  });
});

describe('statements', () => {
  test('are counted, got and deleted', async () => {
    expect(await repository.getSize()).toBe(SIZE);
    const names = (new GetStatementsPayload() as any)
      .setPredicate('http://xmlns.com/foaf/0.1/name')
      .setResponseType(RDFMimeType.N_QUADS);
    expect((await all(await repository.get(names))).map(({ object }) => object.value).sort()).toEqual([
      'Ada Lovelace',
      'Charles Babbage',
    ]);
    await repository.deleteStatements(`${EX}ada`);
    expect(await repository.getSize()).toBe(SIZE - 4);
    await repository.deleteAllStatements();
    expect(await repository.getSize()).toBe(0);
  });

  test('are added, to a graph too', async () => {
    const payload = (): any => new AddStatementPayload().setSubject(`${EX}new`).setPredicate(`${EX}p`);
    await repository.add(payload().setObject('Größe').setLanguage('de'));
    await repository.add(payload().setObject(`${EX}ada`).setContext(GRAPH));
    expect(await repository.getSize([GRAPH])).toBe(1);
    expect(await repository.getSize()).toBe(SIZE + 2);
  });

  test('are uploaded, downloaded and overwritten', async () => {
    const turtle = (): Readable => Readable.from([`<${EX}s> <${EX}p> 1, `, `"two" .`]);
    await repository.upload(turtle(), RDFMimeType.TURTLE, `<${GRAPH}>`);
    expect(await repository.getSize()).toBe(SIZE + 2);
    await repository.overwrite(turtle(), RDFMimeType.TURTLE);
    const payload = new GetStatementsPayload().setResponseType(RDFMimeType.N_TRIPLES);
    const text = Buffer.concat(await all(await repository.download(payload))).toString();
    expect(text.trim().split('\n').sort()).toEqual([
      `<${EX}s> <${EX}p> "1"^^<http://www.w3.org/2001/XMLSchema#integer> .`,
      `<${EX}s> <${EX}p> "two" .`,
    ]);
    await expect(repository.upload(Readable.from(['<a']), RDFMimeType.TURTLE)).rejects.toMatchObject(failure(400));
  });

  test.each(Object.values(QueryContentType).slice(0, 2))('are updated by %s', async (type) => {
    await repository.update(update('INSERT DATA { ex:a ex:p 1 }').setContentType(type));
    expect(await repository.getSize()).toBe(SIZE + 1);
  });
});

test('namespaces', async () => {
  await repository.saveNamespace('ex', EX);
  await repository.saveNamespace('other', 'http://other.example/');
  const [first] = await repository.getNamespaces();
  expect([first.getPrefix(), first.getNamespace().value]).toEqual(['ex', EX]);
  expect((await repository.getNamespace('other')).value).toBe('http://other.example/');
  await repository.deleteNamespace('ex');
  await expect(repository.getNamespace('ex')).rejects.toMatchObject(failure(404));
  await repository.deleteNamespaces();
  expect(await repository.getNamespaces()).toEqual([]);
});

describe('transactions', () => {
  const other = (): Promise<number> => repository.getSize();

  test('are one change', async () => {
    const transaction = withParsers(await repository.beginTransaction('SNAPSHOT'));
    await transaction.add(new AddStatementPayload().setSubject(`${EX}t`).setPredicate(`${EX}p`).setObject('new'));
    await transaction.upload(Readable.from([`<${EX}t> <${EX}p> 2 .`]), RDFMimeType.TURTLE);
    await transaction.update(update('INSERT DATA { ex:t ex:p 3 }').setContentType(QueryContentType.SPARQL_UPDATE));
    await transaction.deleteData(`<${EX}ada> <${EX}age> 36 .`);
    const rows = query(`${PREFIXES} SELECT ?o { ex:t ex:p ?o }`, QueryType.SELECT, RDFMimeType.SPARQL_RESULTS_JSON);
    expect(await all(await transaction.query(rows))).toHaveLength(3);
    expect([await transaction.getSize(), await other()]).toEqual([SIZE + 2, SIZE]);
    await transaction.commit();
    expect([await other(), transaction.isActive()]).toEqual([SIZE + 2, false]);
  });

  test('are rolled back', async () => {
    const transaction = await repository.beginTransaction();
    await transaction.update(update('DELETE WHERE { ?s ?p ?o }').setContentType(QueryContentType.SPARQL_UPDATE));
    expect([await transaction.getSize(), await other()]).toEqual([0, SIZE]);
    await transaction.rollback();
    expect(await other()).toBe(SIZE);
  });
});
