import type * as RDF from '@rdfjs/types';
import { EvaluationError, FetchError } from '@quadrille/model';
import { describe, expect, test } from 'vitest';
import type { QueryableDataset } from '../../dataset/dataset.js';
import type { RemoteSources } from '../../dataset/remote.js';
import { answer, datasetOf, engine, PREFIXES } from '../../testing/fixtures.js';

const ENDPOINT = 'http://remote.example/sparql';
const DATA = `
  ex:a ex:p 1 ; ex:q ex:b ; ex:name "A"@en . ex:b ex:p 2 ; ex:q ex:c ; ex:name "B\\"\\n{}" . ex:c ex:p 3 .
  ex:d ex:p 1 ; ex:q ex:a ; ex:at <${ENDPOINT}> . ex:e ex:at <http://other.example/> ; ex:p 2 .
  GRAPH ex:g { ex:a ex:in "g" . ex:b ex:in "g" }`;

/** Endpoints that evaluate with this engine over a dataset; `asked` says what came. */
function remoteOver(dataset: QueryableDataset): RemoteSources & { asked: { endpoint: string; text: string }[] } {
  const asked: { endpoint: string; text: string }[] = [];
  return {
    asked,
    async query(endpoint, text) {
      asked.push({ endpoint, text });
      const result = await engine.query(text, dataset);
      if (result.type !== 'bindings') throw new Error('no bindings');
      return { variables: result.variables, rows: result.batches };
    },
    load: () => {
      throw new Error('nothing is loaded here');
    },
  };
}

/** Endpoints that do this. */
const remoteThat = (query: RemoteSources['query']): RemoteSources => ({ ...remoteOver({} as QueryableDataset), query });
async function* batchOf(...rows: Record<string, RDF.Term>[]): AsyncGenerator<Record<string, RDF.Term>[]> {
  yield rows;
}

describe('a group at an endpoint that has the same data says what it says here', () => {
  test.each([
    ['?s ex:q ?o', '?o ex:p ?n'],
    ['?s ex:p ?n', '?x ex:p ?n'],
    ['?s ex:q ?o OPTIONAL { ?o ex:name ?n }', '?z ex:name ?n'],
    ['?s ex:q ?o OPTIONAL { ?o ex:name ?n }', '?o ex:p ?v OPTIONAL { ?o ex:name ?n }'],
    ['?s ex:p ?n', 'FILTER(1 = 1)'],
    ['?s ex:p ?n', 'ex:a ex:q ex:b'],
    ['?s ex:p ?n', 'ex:a ex:q ex:none'],
    ['?s ex:p ?n', '?y ex:name ?m'],
    ['?s ex:p ?n', '?s (ex:q|^ex:q)* ?t . ?t !(ex:p|^ex:q) ?u'],
    ['?s ex:q ?o', '?s ex:p ?n FILTER(?n > 1 && ?n IN (1, 2, 3) || !BOUND(?o))'],
    ['?s ex:q ?o', '{ ?s ex:p ?n FILTER(?n > 1) } UNION { ?s ex:name ?n } BIND(CONCAT(STR(?n), "x") AS ?c)'],
    ['?s ex:q ?o', '?s ex:p ?n MINUS { ?s ex:name ?m FILTER(STRLEN(?m) = 1) }'],
    ['?s ex:q ?o', 'GRAPH ?g { ?s ex:in ?i }'],
    [
      '?s ex:q ?o',
      '{ SELECT ?o (COUNT(*) AS ?n) (GROUP_CONCAT(?p; SEPARATOR="\\"") AS ?l) { ?o ?p ?v } GROUP BY ?o HAVING (COUNT(*) > 1) ORDER BY ?o }',
    ],
    ['?s ex:q ?o', '{ SELECT DISTINCT ?s { ?s ex:p ?n } ORDER BY DESC(?n) LIMIT 2 OFFSET 1 }'],
    ['?s ex:q ?o', '?s ex:p ?n FILTER(NOT EXISTS { ?s ex:name ?m })'],
    ['?s ex:q ?o', 'VALUES (?s ?k) { (ex:a 1) (UNDEF 2) (ex:d UNDEF) }'],
    ['VALUES (?s ?n) { (ex:a UNDEF) (UNDEF 2) (ex:a 1) }', '?s ex:p ?n'],
    ['', '?s ex:p ?n'],
  ])('{ %s } SERVICE { %s }', async (before, inside) => {
    const dataset = await datasetOf(DATA);
    const remote = remoteOver(dataset);
    const local = await answer(`SELECT * { ${before} { ${inside} } }`, dataset);
    for (const unoptimised of [false, true]) {
      const query = `SELECT * { ${before} SERVICE <${ENDPOINT}> { ${inside} } }`;
      expect(await answer(query, dataset, { remote, unoptimised })).toEqual(local);
    }
    expect(remote.asked.length).toBeGreaterThan(0);
  });
  test('is explained also where no host may be asked', async () => {
    const dataset = await datasetOf(DATA);
    for (const endpoint of [`<${ENDPOINT}>`, '?e']) {
      const query = `SELECT * { ?s ex:at ?e SERVICE ${endpoint} { ?s ex:q ?o } }`;
      expect((await engine.explain(query, dataset, { prefixes: PREFIXES })).text).toContain('service');
      // The plan that is known now does not make it allowed.
      await expect(answer(query, dataset)).rejects.toMatchObject({ code: 'BLOCKED_ADDRESS' });
      const analysed = engine.explain(query, dataset, { prefixes: PREFIXES, analyze: true });
      await expect(analysed).rejects.toMatchObject({ code: 'BLOCKED_ADDRESS' });
    }
  });
  test('a pattern with a volatile function is asked once for all rows', async () => {
    const people = Array.from(
      { length: 250 },
      (_, i) => `ex:p${i} ex:knows ex:p${(i * 7) % 250}, ex:p${i % 5} ; ex:city ex:c .`,
    );
    const dataset = await datasetOf(people.join('\n'));
    const remote = remoteOver(dataset);
    const query = (endpoint: string): string => `SELECT (COUNT(DISTINCT ?u) AS ?us) (COUNT(DISTINCT ?f) AS ?fs) {
      ?p ex:knows ?f ${endpoint} { ?f ex:city ?c BIND(UUID() AS ?u) } }`;
    expect(await answer(query(`SERVICE <${ENDPOINT}>`), dataset, { remote })).toEqual(['us=250 fs=250']);
    expect(remote.asked).toHaveLength(1);
    expect(await answer(query(''), dataset)).toEqual(['us=250 fs=250']);
  });
  test('within OPTIONAL, MINUS, EXISTS and sub-selects', async () => {
    const dataset = await datasetOf(DATA);
    const remote = remoteOver(dataset);
    for (const query of [
      'SELECT * { ?s ex:q ?o OPTIONAL { SERVICE ex:x { ?o ex:name ?n } } }',
      'SELECT * { ?s ex:q ?o MINUS { SERVICE ex:x { ?o ex:name ?n } } }',
      'SELECT * { ?s ex:q ?o FILTER EXISTS { SERVICE ex:x { ?o ex:name ?n } } }',
      'SELECT * { ?s ex:q ?o { SELECT (MAX(?n) AS ?m) { SERVICE ex:x { ?o ex:p ?n } } } }',
      'SELECT * { { SERVICE ex:x { ?s ex:q ?o } } UNION { ?s ex:p ?o } }',
      'SELECT (COUNT(*) AS ?n) { SERVICE ex:x { ?s ?p ?o } }',
    ]) {
      expect(await answer(query, dataset, { remote }), query).toEqual(
        await answer(query.replace('SERVICE ex:x', ''), dataset),
      );
    }
  });
});

test('distinct tuples go out in blocks, with the shared variables only', async () => {
  const values = Array.from({ length: 250 }, (_, i) => `ex:s${i} ex:n ${i % 230} ; ex:m ${i} .`).join(' ');
  const dataset = await datasetOf(values);
  const remote = remoteOver(dataset);
  const rows = await answer(`SELECT ?s ?t { ?s ex:n ?n ; ex:m ?m SERVICE <${ENDPOINT}> { ?t ex:n ?n } }`, dataset, {
    remote,
  });
  expect(rows).toHaveLength(250 + 20 * 2);
  expect(remote.asked).toHaveLength(3);
  for (const { text } of remote.asked) expect(text).not.toContain('?m');
  expect(remote.asked[0]!.text.match(/\("\d+"\^\^/g)).toHaveLength(100);
});

test('thousands of rows in batches of three', async () => {
  const values = Array.from({ length: 2500 }, (_, i) => `ex:s${i} ex:n ${i % 2300} .`).join(' ');
  const dataset = await datasetOf(values, { batchQuads: 3 });
  const remote = remoteOver(dataset);
  const query = `SELECT ?s ?t { ?s ex:n ?n SERVICE <${ENDPOINT}> { ?t ex:n ?n } }`;
  expect(await answer(query, dataset, { remote })).toHaveLength(2500 + 200 * 2);
  expect(remote.asked.length).toBeLessThan(40);
});

test('without shared variables one request serves all rows', async () => {
  const dataset = await datasetOf(DATA);
  const remote = remoteOver(dataset);
  await answer(`SELECT * { ?s ex:p ?n SERVICE <${ENDPOINT}> { ?x ex:name ?y } }`, dataset, { remote });
  expect(remote.asked).toHaveLength(1);
  expect(remote.asked[0]!.text).not.toContain('VALUES');
});

test('values of a template and bindings stand in the text', async () => {
  const dataset = await datasetOf(DATA);
  const remote = remoteOver(dataset);
  const query = `SELECT ?n { SERVICE <${ENDPOINT}> { ?s ex:p ?n } }`;
  for (const [name, value] of [
    ['a', '1'],
    ['b', '2'],
  ] as const) {
    const { subject } = (await datasetOf(`ex:${name} ex:p 0`)).quads[0]!;
    expect(await answer(query, dataset, { remote, bindings: { s: subject } })).toEqual([`n=${value}`]);
  }
  expect(remote.asked.map(({ text }) => text).join()).not.toContain('urn:quadrille');
});

test('SERVICE with a variable asks each endpoint with its rows', async () => {
  const dataset = await datasetOf(DATA);
  const remote = remoteOver(dataset);
  const query = 'SELECT ?s ?x { ?s ex:at ?e ; ex:p ?n SERVICE ?e { ?x ex:p ?n FILTER(?x != ex:e && ?x != ex:d) } }';
  expect(await answer(query, dataset, { remote })).toEqual(['s=ex:d x=ex:a', 's=ex:e x=ex:b']);
  expect(remote.asked.map(({ endpoint }) => endpoint).toSorted()).toEqual(['http://other.example/', ENDPOINT]);
  const unbound = 'SELECT * { ?s ex:p 3 OPTIONAL { ?s ex:at ?e } SERVICE SILENT ?e { ?x ex:p ?n } }';
  await expect(answer(unbound.replace('SILENT', ''), dataset, { remote })).rejects.toMatchObject({
    code: 'SERVICE_FAILED',
  });
  expect(await answer(unbound, dataset, { remote })).toEqual(['s=ex:c']);
});

test('a stored blank node is not sent, and joins with nothing that is bound elsewhere', async () => {
  const dataset = await datasetOf('_:x ex:p 1 . ex:a ex:p 2 . ex:a ex:name "A"');
  const remote = remoteOver(dataset);
  const query = `SELECT ?n ?m { ?s ex:p ?n SERVICE <${ENDPOINT}> { ?s ex:name ?m } }`;
  expect(await answer(query, dataset, { remote })).toEqual(['n=2 m="A"']);
  for (const { text } of remote.asked) expect(text).not.toContain('_:');
});

test('an endpoint that ignores VALUES is compared with the rows all the same', async () => {
  const dataset = await datasetOf(DATA);
  const { subject, predicate } = (await datasetOf('ex:b ex:p 1')).quads[0]!;
  const remote = remoteThat(async () => ({
    variables: ['s', 'x'],
    rows: batchOf({ s: subject, x: predicate }, { x: subject }),
  }));
  const query = `SELECT ?s ?x { ?s ex:name ?n SERVICE <${ENDPOINT}> { ?s ?y ?x } }`;
  expect(await answer(query, dataset, { remote })).toEqual(['s=ex:a x=ex:b', 's=ex:b x=ex:b', 's=ex:b x=ex:p']);
});

describe('failures', () => {
  const query = `SELECT * { ?s ex:name ?n SERVICE <${ENDPOINT}> { ?s ex:p ?v } }`;
  const silent = query.replace('SERVICE', 'SERVICE SILENT');
  const plain = ['s=ex:a n="A"@en', 's=ex:b n="B\\"\\n{}"'];
  test.each([
    ['the fetcher', () => new FetchError('FETCH_FAILED', 'connection refused')],
    ['the answer', () => new EvaluationError('SERVICE_FAILED', 'status 500')],
    ['anything', () => new TypeError('oops')],
  ])('of %s', async (_, error) => {
    const dataset = await datasetOf(DATA);
    const cause = error();
    const remote = remoteThat(() => Promise.reject(cause));
    const failed = await answer(query, dataset, { remote }).catch((caught: unknown) => caught);
    expect(failed).toMatchObject({ name: 'EvaluationError', code: 'SERVICE_FAILED' });
    expect(failed === cause || (failed as Error).cause === cause).toBe(true);
    expect(await answer(silent, dataset, { remote })).toEqual(plain);
  });
  test('in the middle of an answer count for the whole of it', async () => {
    const dataset = await datasetOf(DATA);
    const { subject, object } = (await datasetOf('ex:a ex:p 1')).quads[0]!;
    const rows = async function* () {
      yield [{ s: subject, v: object }];
      throw new Error('cut off');
    };
    const remote = remoteThat(async () => ({ variables: ['s', 'v'], rows: rows() }));
    expect(await answer(silent, dataset, { remote })).toEqual(plain);
  });
  test.each([
    ['ABORTED', () => ({ signal: AbortSignal.timeout(300) })],
    ['QUERY_TIMEOUT', () => ({ timeoutMs: 300 })],
  ])('%s is not silenced, and ends the call', async (code, options) => {
    const dataset = await datasetOf(DATA);
    let ended = false;
    const remote = remoteThat(
      (_, __, { signal }) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => {
            ended = true;
            reject(new EvaluationError('ABORTED', 'aborted'));
          }),
        ),
    );
    await expect(answer(silent, dataset, { remote, ...options() })).rejects.toMatchObject({ code });
    expect(ended).toBe(true);
  });
  test('an answer beyond the memory is not silenced', async () => {
    const dataset = await datasetOf(DATA);
    const many = Array.from({ length: 50_000 }, () => ({}));
    const remote = remoteThat(async () => ({ variables: ['s'], rows: batchOf(...many) }));
    await expect(answer(silent, dataset, { remote, memoryBytes: 100_000 })).rejects.toMatchObject({
      code: 'QUERY_MEMORY',
    });
  });
});

test('where nobody may be asked, the message names the endpoint', async () => {
  const dataset = await datasetOf(DATA);
  const refused = answer(`SELECT * { SERVICE <${ENDPOINT}> { ?s ?p ?o } }`, dataset);
  await expect(refused).rejects.toMatchObject({
    code: 'BLOCKED_ADDRESS',
    message: `SERVICE is not allowed here: <${ENDPOINT}>`,
  });
});
