// npm fetch-sparql-endpoint, with which Comunica asks remote endpoints.
import { fileURLToPath } from 'node:url';
import type { Quad } from '@rdfjs/types';
import { type IBindings, SparqlEndpointFetcher } from 'fetch-sparql-endpoint';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Endpoint, endpoint, EX, type Output, PREFIXES, run, SIZE } from './endpoint.js';

const NAMES = `${PREFIXES} SELECT ?name ?age { ?s foaf:name ?name ; ex:age ?age } ORDER BY ?age`;
const WAYS = {
  GET: { method: 'GET' },
  'POST of a form': { method: 'POST' },
  'POST of the query': { method: 'POST', directPost: true },
} as const;

let at: Endpoint;
let sparql: string;
beforeAll(async () => {
  at = await endpoint();
  sparql = `${at.repository}/sparql`;
});
beforeEach(() => at.reset());
afterAll(() => at?.stop());

const fetcher = (options: object = {}): SparqlEndpointFetcher =>
  new SparqlEndpointFetcher({ defaultHeaders: new Headers({ Authorization: at.basic }), ...options });

async function all<T>(stream: unknown): Promise<T[]> {
  const items: T[] = [];
  for await (const item of stream as AsyncIterable<T>) items.push(item);
  return items;
}

describe.each(Object.entries(WAYS))('%s', (_, options) => {
  test('SELECT', async () => {
    const rows = await all<IBindings>(await fetcher(options).fetchBindings(sparql, NAMES));
    expect(rows.map(({ name, age }) => [name?.value, age?.value])).toEqual([
      ['Ada Lovelace', '36'],
      ['Charles Babbage', '79'],
    ]);
    expect(rows[0]?.['age']).toMatchObject({ datatype: { value: 'http://www.w3.org/2001/XMLSchema#integer' } });
  });

  test('ASK', async () => {
    expect(await fetcher(options).fetchAsk(sparql, `${PREFIXES} ASK { ex:ada foaf:knows ex:charles }`)).toBe(true);
    expect(await fetcher(options).fetchAsk(sparql, `${PREFIXES} ASK { ex:ada foaf:knows ex:ada }`)).toBe(false);
  });

  test('CONSTRUCT and DESCRIBE', async () => {
    const called = `${PREFIXES} CONSTRUCT { ?s ex:called ?name } WHERE { ?s foaf:name ?name }`;
    const built = await all<Quad>(await fetcher(options).fetchTriples(sparql, called));
    expect(built.map(({ predicate, object }) => [predicate.value, object.value]).sort()).toEqual([
      [`${EX}called`, 'Ada Lovelace'],
      [`${EX}called`, 'Charles Babbage'],
    ]);
    const described = await all<Quad>(await fetcher(options).fetchTriples(sparql, `DESCRIBE <${EX}ada>`));
    expect(described.map(({ subject }) => subject.value)).toEqual(Array(4).fill(`${EX}ada`));
  });

  test('errors', async () => {
    await expect(fetcher(options).fetchBindings(sparql, 'SELECT * { ?s ')).rejects.toThrow(
      /status 400.*SPARQL_SYNTAX/s,
    );
    const anonymous = fetcher({ ...options, defaultHeaders: new Headers() });
    await expect(anonymous.fetchAsk(sparql, 'ASK {}')).rejects.toThrow(/status 401/);
  });
});

test('updates', async () => {
  await fetcher().fetchUpdate(sparql, `${PREFIXES} INSERT { ?o foaf:knows ?s } WHERE { ?s foaf:knows ?o }`);
  expect(await fetcher().fetchAsk(sparql, `${PREFIXES} ASK { ex:charles foaf:knows ex:ada }`)).toBe(true);
  await expect(fetcher().fetchUpdate(sparql, 'INSERT DATA { ?s ?p ?o }')).rejects.toThrow(/status 400/);
  await fetcher().fetchUpdate(sparql, `${PREFIXES} DELETE WHERE { ex:charles ?p ?o }`);
  expect(await at.size()).toBe(SIZE - 4);
});

test('parameters beside the query', async () => {
  const additionalUrlParams = new URLSearchParams({ 'default-graph-uri': `${EX}nowhere` });
  expect(await all(await fetcher({ additionalUrlParams }).fetchBindings(sparql, NAMES))).toEqual([]);
});

test('its command', async () => {
  const bin = fileURLToPath(new URL('bin/fetch-sparql-endpoint.js', import.meta.resolve('fetch-sparql-endpoint')));
  const command = (query: string, env: Record<string, string> = {}): Promise<Output> => {
    const auth = env['SPARQL_USERNAME'] === undefined ? [] : ['--auth', 'basic'];
    return run(process.execPath, [bin, '--query', query, '--endpoint', sparql, ...auth], env);
  };
  const known = { SPARQL_USERNAME: at.account, SPARQL_PASSWORD: at.token };
  expect((await command(NAMES, known)).stdout).toMatch(/^\{"name":"\\"Ada Lovelace\\"","age":"\\"36\\"\^\^/);
  expect((await command(`${PREFIXES} INSERT DATA { ex:a ex:p 1 }`, known)).stdout).toBe('OK\n');
  expect(await at.size()).toBe(SIZE + 1);
  expect((await command('ASK {}')).stderr).toContain('HTTP status 401');
});
