import { describe, expect, test } from 'vitest';
import type { FederationOptions, QueryOptions, Repository } from '../index.js';
import { blankNode, literal, quad } from '../index.js';
import { EX, ex, lines, memory, q, repository, term } from '../testing/fixtures.js';
import { endpointOf, host, type Answer, type Host } from '../testing/loopback.js';

/** A repository that may reach these hosts. */
async function federated(
  hosts: readonly Host[],
  options: Partial<FederationOptions> = {},
  ...quads: string[]
): Promise<Repository> {
  const allow = hosts.map(({ host: name }) => name);
  const service = hosts.map(({ url }) => `${url}sparql`);
  const db = await memory({ federation: { service, allow, load: true, ...options } });
  const repo = await db.repository('here', { create: true });
  await repo.namespaces.set('ex', EX);
  if (quads.length > 0) await repo.add(quads.map(q));
  return repo;
}

const rowsOf = async (repo: Repository, query: string, options?: QueryOptions): Promise<string[]> => {
  const rows = await repo.select(query, options).toArray();
  const text = rows.map((row) =>
    Object.entries(row)
      .map(([name, value]) => `${name}=${term(value)}`)
      .toSorted(),
  );
  return text.map((cells) => cells.join(' ')).toSorted();
};

describe('SERVICE between two databases', () => {
  const HERE = ['ann knows bob', 'ann knows cid', 'bob knows dan'];
  const THERE = ['bob name "Bob"', 'cid name "Cid"', 'dan age "7"'];
  test('joins rows from here with rows from there', async () => {
    const there = await endpointOf(await repository(...THERE));
    const repo = await federated([there], {}, ...HERE);
    const query = `SELECT * { ?a ex:knows ?b SERVICE <${there.url}sparql> { ?b ex:name ?name } }`;
    expect(await rowsOf(repo, query)).toEqual(['a=ann b=bob name="Bob"', 'a=ann b=cid name="Cid"']);
    expect(there.requests).toHaveLength(1);
    expect(there.requests[0]!.body).toMatch(/^SELECT .*VALUES \(\?b \?tuple\)/);
    const optional = `SELECT * { ?a ex:knows ?b OPTIONAL { SERVICE <${there.url}sparql> { ?b ex:name ?name } } }`;
    expect(await rowsOf(repo, optional)).toContain('a=bob b=dan');
    expect(await lines(repo.construct(query.replace('SELECT *', 'CONSTRUCT { ?b ex:called ?name } WHERE')))).toEqual([
      'bob called "Bob"',
      'cid called "Cid"',
    ]);
  });
  test('in an update, and at an old revision', async () => {
    const there = await endpointOf(await repository(...THERE));
    const repo = await federated([there], {}, ...HERE);
    await repo.update(
      `INSERT { ?b ex:name ?n } WHERE { ?a ex:knows ?b SERVICE <${there.url}sparql> { ?b ex:name ?n } }`,
    );
    expect(await repo.size()).toBe(5);
    const query = `SELECT ?b { ?a ex:knows ?b SERVICE <${there.url}sparql> { ?b ex:age ?age } }`;
    expect(await repo.at(2).select(query).toArray()).toEqual([{ b: ex('dan') }]);
    expect(await repo.at(1).select(query).toArray()).toEqual([]);
  });
  test('blank nodes from there are nobody here', async () => {
    const remote = await repository();
    await remote.add([quad(blankNode('x'), ex('p'), literal('1')), quad(blankNode('x'), ex('p'), literal('2'))]);
    const there = await endpointOf(remote);
    const repo = await federated([there]);
    await repo.add(quad(blankNode('x'), ex('q'), ex('o')));
    const rows = await repo.select(`SELECT * { SERVICE <${there.url}sparql> { ?x ex:p ?v } }`).toArray();
    expect(rows).toHaveLength(2);
    expect(rows[0]!['x']!.equals(rows[1]!['x'])).toBe(true);
    const joined = `SELECT * { ?x ex:q ?o SERVICE <${there.url}sparql> { ?x ex:p ?v } }`;
    expect(await repo.select(joined).toArray()).toEqual([]);
  });
  test('three hosts by a variable, and one within the other', async () => {
    const first = await endpointOf(await repository('bob name "Bob"'));
    const second = await endpointOf(await repository('cid name "Cid"'));
    const third = await endpointOf(await federated([first]));
    const repo = await federated([first, second, third], {}, ...HERE);
    const values = `VALUES (?b ?e) { (ex:bob <${first.url}sparql>) (ex:cid <${second.url}sparql>) }`;
    expect(await rowsOf(repo, `SELECT ?b ?n { ${values} SERVICE ?e { ?b ex:name ?n } }`)).toEqual([
      'b=bob n="Bob"',
      'b=cid n="Cid"',
    ]);
    const nested = `SELECT ?n { SERVICE <${third.url}sparql> { SERVICE <${first.url}sparql> { ?s ex:name ?n } } }`;
    expect(await rowsOf(repo, nested)).toEqual(['n="Bob"']);
  });
});

describe('SERVICE that fails', () => {
  const json = { 'Content-Type': 'application/sparql-results+json' };
  const failing: [string, Answer][] = [
    ['a server error', (_, __, response) => response.writeHead(500).end('secret')],
    ['another type', (_, __, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>')],
    ['half an answer', (_, __, response) => response.writeHead(200, json).end('{"head":{"vars":["x"]},"results":')],
    ['a redirect off the list', (_, __, response) => response.writeHead(302, { Location: '/elsewhere' }).end()],
    ['nothing, for too long', () => undefined],
    ['a connection that breaks', (_, __, response) => response.destroy()],
  ];
  test.each(failing)('%s', async (_, answer) => {
    const there = await host(answer);
    const repo = await federated([there], { timeoutMs: 200 }, 'a p b');
    const query = `SELECT * { ?s ex:p ?o SERVICE <${there.url}sparql> { ?s ex:q ?x } }`;
    const error = await rowsOf(repo, query).catch((caught: unknown) => caught as Error);
    expect(error).toMatchObject({ name: 'EvaluationError', code: 'SERVICE_FAILED' });
    expect((error as Error).message).toContain(there.url);
    expect((error as Error).message).not.toContain('secret');
    expect(await rowsOf(repo, query.replace('SERVICE', 'SERVICE SILENT'))).toEqual(['o=b s=a']);
    expect(there.requests.every(({ path }) => path === '/sparql')).toBe(true);
  });
  test('an endpoint that is not listed is not asked', async () => {
    const there = await host((_, __, response) => response.end());
    const repo = await federated([there], { service: ['http://example.org/sparql'] }, 'a p b');
    const query = `SELECT * { ?s ex:p ?o SERVICE <${there.url}sparql> { ?s ex:q ?x } }`;
    await expect(rowsOf(repo, query)).rejects.toMatchObject({ code: 'BLOCKED_ADDRESS' });
    expect(await rowsOf(repo, query.replace('SERVICE', 'SERVICE SILENT'))).toEqual(['o=b s=a']);
    const alone = await repository('a p b');
    await expect(rowsOf(alone, query)).rejects.toMatchObject({ code: 'BLOCKED_ADDRESS' });
    await expect(rowsOf(alone, query)).rejects.toThrow(`<${there.url}sparql>`);
    expect(there.requests).toEqual([]);
  });
  test.each([
    // So long that the call has begun, however busy the machine is.
    ['QUERY_TIMEOUT', () => ({ timeoutMs: 1500 })],
    ['ABORTED', ({ signal }: AbortController) => ({ signal })],
  ])('%s ends a call under way, also a silent one', async (code, options) => {
    let closed: () => void = () => undefined;
    const gone = new Promise<void>((resolve) => (closed = resolve));
    const controller = new AbortController();
    const there = await host((_, __, response) => {
      controller.abort();
      return response.on('close', closed);
    });
    const repo = await federated([there], {}, 'a p b');
    const query = `SELECT * { ?s ex:p ?o SERVICE SILENT <${there.url}sparql> { ?s ex:q ?x } }`;
    await expect(rowsOf(repo, query, options(controller))).rejects.toMatchObject({ code });
    await gone;
  });
});

describe('LOAD', () => {
  const TURTLE = `@prefix ex: <${EX}> . ex:a ex:p ex:b . _:x ex:p _:x .`;
  const documents: Answer = (path, _, response) => {
    if (path === '/slow') return undefined;
    if (path === '/missing') return response.writeHead(404).end();
    const body = path === '/broken' ? `${TURTLE} ex:c ex:p` : TURTLE;
    return response.writeHead(200, { 'Content-Type': 'text/turtle' }).end(body);
  };
  const fresh = async (options: Partial<FederationOptions> = {}) => {
    const there = await host(documents);
    return { there, repo: await federated([there], options, 'old p o') };
  };
  test('adds a document, whose blank nodes are new, in one revision', async () => {
    const { there, repo } = await fresh();
    await repo.add(quad(blankNode('x'), ex('p'), ex('mine')));
    await repo.update(`LOAD <${there.url}doc>`);
    await repo.update(`LOAD <${there.url}doc>`);
    expect(await repo.size()).toBe(5);
    expect((await repo.revision()).number).toBe(5);
    expect(await repo.ask('ASK { ?x ex:p ?x }')).toBe(true);
    expect(await repo.ask('ASK { ?x ex:p ?x, ex:mine }')).toBe(false);
  });
  test('into a graph, and together with other operations', async () => {
    const { there, repo } = await fresh();
    await repo.update(
      `CLEAR ALL ; LOAD <${there.url}doc> INTO GRAPH ex:g ; DELETE WHERE { GRAPH ex:g { ex:a ?p ?o } }`,
    );
    expect(await repo.size()).toBe(1);
    expect(await repo.ask('ASK { GRAPH ex:g { ?x ex:p ?x } }')).toBe(true);
  });
  test.each([
    ['broken', 'SERVICE_FAILED'],
    ['missing', 'SERVICE_FAILED'],
    ['slow', 'FETCH_TIMEOUT'],
  ])('of a document that is %s changes nothing', async (path, code) => {
    const { there, repo } = await fresh({ timeoutMs: 200 });
    const before = (await repo.revision()).number;
    const update = `INSERT DATA { ex:n ex:p 1 } ; LOAD <${there.url}${path}>`;
    await expect(repo.update(update)).rejects.toMatchObject({ code });
    expect((await repo.revision()).number).toBe(before);
    await repo.update(update.replace('LOAD', 'LOAD SILENT'));
    expect(await lines(repo.quads())).toEqual(['n p "1"^^<http://www.w3.org/2001/XMLSchema#integer>', 'old p o']);
  });
  test('is refused where it is not switched on', async () => {
    const { there, repo } = await fresh({ load: false });
    await expect(repo.update(`LOAD <${there.url}doc>`)).rejects.toMatchObject({ code: 'BLOCKED_ADDRESS' });
    await repo.update(`LOAD SILENT <${there.url}doc>`);
    const alone = await repository();
    await expect(alone.update(`LOAD <${there.url}doc>`)).rejects.toMatchObject({ code: 'BLOCKED_ADDRESS' });
    await alone.update(`LOAD SILENT <${there.url}doc>`);
    expect(there.requests).toEqual([]);
    expect([await repo.size(), await alone.size()]).toEqual([1, 0]);
  });
  test('of a private address that is not allowed', async () => {
    const { there, repo } = await fresh({ allow: [] });
    await expect(repo.update(`LOAD <${there.url}doc>`)).rejects.toMatchObject({ name: 'FetchError' });
    expect(there.requests).toEqual([]);
  });
  test('ends with its signal, also when silent', async () => {
    const { there, repo } = await fresh();
    const update = repo.update(`LOAD SILENT <${there.url}slow>`, { signal: AbortSignal.timeout(100) });
    await expect(update).rejects.toMatchObject({ code: 'ABORTED' });
    expect(await repo.size()).toBe(1);
  });
});
