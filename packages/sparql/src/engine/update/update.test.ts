import { describe, expect, test } from 'vitest';
import { dataFactory, quad } from '@quadrille/model';
import type { RemoteSources } from '../../dataset/remote.js';
import { datasetOf, engine, PREFIXES, quadText } from '../../testing/fixtures.js';
import { ArrayDataset } from '../../testing/array-dataset.js';
import type { EvaluationOptions } from '../options.js';
import type { SparqlRequest } from '../prepare.js';

async function after(data: string, update: SparqlRequest, options: EvaluationOptions = {}): Promise<string[]> {
  const dataset = await datasetOf(data);
  await engine.update(update, dataset, { prefixes: PREFIXES, ...options });
  return dataset.quads.map(quadText).sort();
}

test('a binding of a variable that the update has not is refused, and nothing changes', async () => {
  const dataset = await datasetOf('ex:a ex:p 1 . ex:b ex:p 2');
  const bindings = { subjekt: dataFactory.namedNode('http://example.org/a') };
  for (const text of [
    'DELETE { ?subject ?p ?o } WHERE { ?subject ?p ?o }',
    'DELETE WHERE { ?subject ?p ?o }',
    'INSERT DATA { ex:c ex:p "?subjekt" }',
    'CLEAR ALL',
  ]) {
    await expect(engine.update(text, dataset, { prefixes: PREFIXES, bindings })).rejects.toMatchObject({
      code: 'INVALID_OPTION',
      message: expect.stringContaining('?subjekt') as string,
    });
  }
  expect(dataset.quads).toHaveLength(2);
});

test('the LIMIT of a sub-select that is the whole pattern', async () => {
  const only = '{ SELECT ?s { ?s ex:p ?o } ORDER BY ?s LIMIT 1 }';
  const data = 'ex:a ex:p 1 . ex:b ex:p 2';
  const inserted = await after(data, `INSERT { ?s ex:q 1 } WHERE { ${only} }`);
  expect(inserted).toEqual(['ex:a ex:p 1', 'ex:a ex:q 1', 'ex:b ex:p 2']);
  expect(await after(data, `DELETE { ?s ex:p 1 } WHERE { ${only} }`)).toEqual(['ex:b ex:p 2']);
});

describe('data', () => {
  test('INSERT DATA and DELETE DATA, with graphs', async () => {
    const data = 'ex:a ex:p 1 GRAPH ex:g { ex:a ex:p 2 }';
    expect(await after(data, 'INSERT DATA { ex:b ex:p 3 GRAPH ex:g { ex:b ex:p 4 } }')).toEqual([
      'ex:a ex:p 1',
      'ex:a ex:p 2 ex:g',
      'ex:b ex:p 3',
      'ex:b ex:p 4 ex:g',
    ]);
    expect(await after(data, 'DELETE DATA { ex:a ex:p 1 . ex:a ex:p 9 }')).toEqual(['ex:a ex:p 2 ex:g']);
  });
  test('blank nodes are new ones, the same within one operation', async () => {
    const dataset = new ArrayDataset();
    const insert = 'INSERT DATA { _:x ex:p _:x }';
    await engine.update(`${insert}; ${insert.replaceAll('_:x', '_:y')}`, dataset, { prefixes: PREFIXES });
    await engine.update(insert, dataset, { prefixes: PREFIXES });
    const labels = dataset.quads.map(({ subject }) => subject.value);
    expect(new Set(labels).size).toBe(3);
    expect(dataset.quads.every(({ subject, object }) => subject.equals(object as typeof subject))).toBe(true);
    expect(labels[0]).toMatch(/^b[0-9a-f]{32}/);
  });
  test('many quads come in batches', async () => {
    const dataset = new ArrayDataset();
    const triples = Array.from({ length: 5000 }, (_, n) => `ex:s ex:p ${n} .`).join('\n');
    await engine.update(`INSERT DATA { ${triples} }`, dataset, { prefixes: PREFIXES });
    expect(dataset.batches).toEqual([1024, 1024, 1024, 1024, 904]);
  });
});

describe('DELETE and INSERT with a pattern', () => {
  test('the pattern is evaluated before anything changes', async () => {
    const update = 'DELETE { ?s ex:p ?o } INSERT { ?s ex:p ?n } WHERE { ?s ex:p ?o BIND(?o + 1 AS ?n) }';
    expect(await after('ex:a ex:p 1, 2, 3', update)).toEqual(['ex:a ex:p 2', 'ex:a ex:p 3', 'ex:a ex:p 4']);
  });
  test('DELETE WHERE', async () => {
    const data = 'ex:a ex:p 1 ; ex:q 2 GRAPH ex:g { ex:a ex:p 1 }';
    expect(await after(data, 'DELETE WHERE { ?s ex:p ?o }')).toEqual(['ex:a ex:p 1 ex:g', 'ex:a ex:q 2']);
    expect(await after(data, 'DELETE WHERE { GRAPH ?g { ?s ex:p ?o } }')).toEqual(['ex:a ex:p 1', 'ex:a ex:q 2']);
  });
  test('incomplete and impossible quads are left out', async () => {
    const update =
      'INSERT { ?s ex:q ?none . ?o ex:q ?s . ?s ?o ?s . ?s ex:r ?o } WHERE { ?s ex:p ?o OPTIONAL { ?s ex:z ?none } }';
    expect(await after('ex:a ex:p 1', update)).toEqual(['ex:a ex:p 1', 'ex:a ex:r 1']);
  });
  test('blank nodes of the template are new for each solution, those of the data are kept', async () => {
    const made = await after('ex:a ex:p 1, 2', 'INSERT { _:n ex:of ?s ; ex:v ?o } WHERE { ?s ex:p ?o }');
    expect(new Set(made.filter((line) => line.startsWith('_:')).map((line) => line.split(' ')[0])).size).toBe(2);
    const kept = await after('_:x ex:p 1', 'INSERT { ?s ex:q 2 } WHERE { ?s ex:p 1 }');
    expect(new Set(kept.map((line) => line.split(' ')[0])).size).toBe(1);
    expect(await after('_:x ex:p 1 ; ex:q 2', 'DELETE { ?s ?p ?o } WHERE { ?s ex:p 1 ; ?p ?o }')).toEqual([]);
  });
  test('WITH, USING and USING NAMED', async () => {
    const data = 'ex:a ex:p 1 GRAPH ex:g { ex:a ex:p 2 } GRAPH ex:h { ex:a ex:p 3 }';
    const copy = 'INSERT { ?s ex:q ?o } WHERE { ?s ex:p ?o }';
    const made = async (update: string, options?: EvaluationOptions): Promise<string[]> =>
      (await after(data, update, options)).filter((line) => line.includes('ex:q'));
    expect(await made(copy)).toEqual(['ex:a ex:q 1']);
    expect(await made(`WITH ex:g ${copy}`)).toEqual(['ex:a ex:q 2 ex:g']);
    expect(await made(`WITH ex:g ${copy.replace('WHERE', 'USING ex:h WHERE')}`)).toEqual(['ex:a ex:q 3 ex:g']);
    // A graph that is not there yet is an empty default graph, where BIND has its solution all the same.
    expect(await made('WITH ex:new INSERT { ex:a ex:q ?o } WHERE { BIND(4 AS ?o) }')).toEqual(['ex:a ex:q 4 ex:new']);
    expect(await made('INSERT { ?s ex:q ?o } USING NAMED ex:h WHERE { GRAPH ?g { ?s ex:p ?o } }')).toEqual([
      'ex:a ex:q 3',
    ]);
    expect(await made(copy, { defaultGraphUris: ['http://example.org/h'] })).toEqual(['ex:a ex:q 3']);
    expect(await made('INSERT { GRAPH ?g { ?s ex:q ?o } } WHERE { GRAPH ?g { ?s ex:p ?o } }')).toHaveLength(2);
  });
  test('each operation sees the ones before it', async () => {
    const update =
      'INSERT DATA { ex:a ex:p 1 } ; INSERT { ?s ex:q ?o } WHERE { ?s ex:p ?o } ; DELETE WHERE { ?s ex:p ?o }';
    expect(await after('', update)).toEqual(['ex:a ex:q 1']);
  });
  test('bindings', async () => {
    const ex = (name: string) => dataFactory.namedNode(`http://example.org/${name}`);
    const update = 'DELETE { ?s ex:p ?o } INSERT { ?s ex:p ?new } WHERE { ?s ex:p ?o }';
    const bindings = { s: ex('a'), new: dataFactory.literal('"; CLEAR ALL') };
    expect(await after('ex:a ex:p 1 . ex:b ex:p 1', update, { bindings })).toEqual([
      'ex:a ex:p "\\"; CLEAR ALL"',
      'ex:b ex:p 1',
    ]);
  });
});

test('LOAD looks at the clock every few quads, also where a document brings many at once', async () => {
  let looks = 0;
  const signal = Object.defineProperty(new EventTarget() as AbortSignal, 'aborted', { get: () => looks++ < 0 });
  const ex = (name: string) => dataFactory.namedNode(`http://example.org/${name}`);
  const quads = Array.from({ length: 10_000 }, (_, n) =>
    quad(ex('s'), ex('p'), n < 9990 ? ex(`o${n % 1000}`) : dataFactory.literal('x'.repeat(20_000 + n))),
  );
  const remote: RemoteSources = {
    query: () => Promise.reject(new Error('not asked')),
    load: async function* () {
      yield quads;
    },
  };
  const dataset = new ArrayDataset();
  await engine.update('LOAD <http://example.org/d> INTO GRAPH ex:g', dataset, { prefixes: PREFIXES, remote, signal });
  expect(dataset.quads).toHaveLength(1010);
  expect(dataset.quads.every(({ graph }) => graph.equals(ex('g')))).toBe(true);
  expect(looks).toBeGreaterThan(9990 / 64 + 10);
});

describe('graphs', () => {
  const data = 'ex:a ex:p 1 GRAPH ex:g { ex:a ex:p 2 } GRAPH ex:h { ex:a ex:p 3 }';
  test.each([
    ['CLEAR DEFAULT', ['2 ex:g', '3 ex:h']],
    ['CLEAR NAMED', ['1']],
    ['CLEAR ALL', []],
    ['CLEAR GRAPH ex:g', ['1', '3 ex:h']],
    ['DROP SILENT GRAPH ex:none', ['1', '2 ex:g', '3 ex:h']],
    ['CREATE GRAPH ex:new', ['1', '2 ex:g', '3 ex:h']],
    ['CREATE SILENT GRAPH ex:g', ['1', '2 ex:g', '3 ex:h']],
    ['CLEAR GRAPH ex:g; CREATE GRAPH ex:g', ['1', '3 ex:h']],
    ['COPY ex:g TO ex:h', ['1', '2 ex:g', '2 ex:h']],
    ['COPY DEFAULT TO ex:g', ['1', '1 ex:g', '3 ex:h']],
    ['MOVE ex:g TO DEFAULT', ['2', '3 ex:h']],
    ['ADD ex:g TO ex:h', ['1', '2 ex:g', '2 ex:h', '3 ex:h']],
    ['COPY ex:g TO ex:g', ['1', '2 ex:g', '3 ex:h']],
    ['MOVE SILENT ex:none TO ex:g', ['1', '2 ex:g', '3 ex:h']],
    ['LOAD SILENT <http://127.0.0.1:1/>', ['1', '2 ex:g', '3 ex:h']],
    ['', ['1', '2 ex:g', '3 ex:h']],
  ])('%s', async (update, expected) => {
    expect(await after(data, update)).toEqual(expected.map((rest) => `ex:a ex:p ${rest}`));
  });
  test('what fails leaves its operation undone, and what came before to the caller', async () => {
    const dataset = await datasetOf(data);
    const failing = engine.update('CLEAR DEFAULT; COPY ex:none TO ex:g', dataset, { prefixes: PREFIXES });
    await expect(failing).rejects.toMatchObject({ code: 'INPUT_NOT_FOUND' });
    expect(dataset.quads.map(quadText)).toEqual(['ex:a ex:p 2 ex:g', 'ex:a ex:p 3 ex:h']);
    for (const create of ['CREATE GRAPH ex:g', 'INSERT DATA { GRAPH ex:n { ex:a ex:p 1 } }; CREATE GRAPH ex:n'])
      await expect(after(data, create)).rejects.toMatchObject({ code: 'ALREADY_EXISTS' });
    await expect(after(data, 'LOAD <http://127.0.0.1:1/>')).rejects.toMatchObject({ code: 'BLOCKED_ADDRESS' });
    const service = 'INSERT { ?s ?p ?o } WHERE { SERVICE <http://127.0.0.1:1/> { ?s ?p ?o } }';
    await expect(after(data, service)).rejects.toMatchObject({ code: 'BLOCKED_ADDRESS' });
  });
});
