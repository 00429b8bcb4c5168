/** Functions that the embedder adds: what they get, what their results become, and when they are called. */
import { describe, expect, test, vi } from 'vitest';
import type * as RDF from '@rdfjs/types';
import { iri, literal } from '@quadrille/model';
import type { ExtensionFunctions } from '../expression/extension-functions.js';
import { ArrayDataset } from '../testing/array-dataset.js';
import { answer, datasetOf, PREFIXES, quadText } from '../testing/fixtures.js';
import { Engine } from './engine.js';

const data = datasetOf('ex:a ex:p 1 . ex:b ex:p 2 . ex:c ex:name "x"@en');
const XSD_INTEGER = iri('http://www.w3.org/2001/XMLSchema#integer');
const integer = (value: number): RDF.Literal => literal(String(value), XSD_INTEGER);
const double = ([term]: RDF.Term[]): RDF.Literal => integer(Number(term!.value) * 2);

const run = async (text: string, extensionFunctions: ExtensionFunctions, options: object = {}) =>
  answer(text, await data, { extensionFunctions, ...options });

describe('a function', () => {
  test('takes terms and returns a term', async () => {
    const seen: RDF.Term[] = [];
    const note = (args: RDF.Term[]): RDF.Term => {
      seen.push(...args);
      return args[0]!;
    };
    expect(await run('SELECT ?x { ?s ex:p ?o BIND(<urn:f>(?o) AS ?x) } ORDER BY ?x', { 'urn:f': double })).toEqual([
      'x=2',
      'x=4',
    ]);
    await run('ASK { ex:c ?p ?o FILTER(isBlank(<urn:f>(?o, ?p, <<( ?p ?p 1 )>>))) }', { 'urn:f': note });
    expect(seen.map(({ termType }) => termType)).toEqual(['Literal', 'NamedNode', 'Quad']);
    expect(seen[0]).toMatchObject({ value: 'x', language: 'en' });
  });

  test.each([
    ['in a FILTER', 'SELECT ?s { ?s ex:p ?o FILTER(<urn:f>(?o) > 3) }', ['s=ex:b']],
    ['in ORDER BY', 'SELECT ?s { ?s ex:p ?o } ORDER BY DESC(<urn:f>(?o)) LIMIT 1', ['s=ex:b']],
    ['in an aggregate', 'SELECT (SUM(<urn:f>(?o)) AS ?x) { ?s ex:p ?o }', ['x=6']],
    ['in GROUP BY', 'SELECT ?x { ?s ex:p ?o } GROUP BY (<urn:f>(?o) AS ?x) HAVING(<urn:f>(?x) > 4)', ['x=4']],
    ['in OPTIONAL', 'SELECT ?o { ?s ex:name ?n OPTIONAL { ?t ex:p ?o FILTER(<urn:f>(?o) = 2) } }', ['o=1']],
    ['in EXISTS', 'SELECT ?s { ?s ex:p ?o FILTER EXISTS { ?t ex:p ?q FILTER(<urn:f>(?q) = ?o) } }', ['s=ex:b']],
    ['in another call', 'SELECT ?x { ex:b ex:p ?o BIND(<urn:f>(<urn:f>(?o)) + <urn:f>(1) AS ?x) }', ['x=10']],
  ])('%s, also where it gives promises', async (_, text, rows) => {
    const slow = async (args: RDF.Term[]): Promise<RDF.Term> => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      return double(args);
    };
    expect(await run(text, { 'urn:f': double })).toEqual(rows);
    expect(await run(text, { 'urn:f': slow })).toEqual(rows);
  });

  test('that has no result is an error of the expression', async () => {
    const failing: ExtensionFunctions = {
      'urn:none': () => undefined,
      'urn:throws': () => {
        throw new Error('no');
      },
      'urn:rejects': () => Promise.reject(new Error('no')),
    };
    for (const name of Object.keys(failing)) {
      expect(await run(`SELECT ?s ?x { ?s ex:p 1 BIND(<${name}>(?s) AS ?x) }`, failing)).toEqual(['s=ex:a']);
      expect(await run(`SELECT (COALESCE(<${name}>(1), 7) AS ?x) {}`, failing)).toEqual(['x=7']);
      expect(await run(`ASK { FILTER(<${name}>(1) || true) }`, failing)).toBe(true);
    }
  });

  test.each([['text'], [1], [null], [{ termType: 'Variable', value: 'x' }]])(
    'that returns %j, which is no term, ends the query',
    async (result) => {
      const wrong = () => result as unknown as RDF.Term;
      const wrongLater = async () => result as unknown as RDF.Term;
      for (const f of [wrong, wrongLater]) {
        await expect(run('SELECT (<urn:f>(1) AS ?x) {}', { 'urn:f': f })).rejects.toMatchObject({
          code: 'INVALID_TERM',
          details: { function: 'urn:f' },
        });
      }
    },
  );

  test('is called once for constant arguments, unless it is not deterministic', async () => {
    for (const [deterministic, calls] of [
      [true, 1],
      [false, 2],
    ] as const) {
      const call = vi.fn(double);
      await run('SELECT ?x { ?s ex:p ?o BIND(<urn:f>(3) AS ?x) }', { 'urn:f': { call, deterministic } });
      expect(call).toHaveBeenCalledTimes(calls);
    }
  });

  test('cannot take the place of a cast', async () => {
    const text = `SELECT (<${XSD_INTEGER.value}>("5") AS ?x) {}`;
    expect(await run(text, { [XSD_INTEGER.value]: () => integer(0) })).toEqual(['x=5']);
  });

  test('that never ends stops with the deadline and the signal', async () => {
    const never = { 'urn:f': () => new Promise<RDF.Term>(() => undefined) };
    await expect(run('SELECT (<urn:f>(1) AS ?x) {}', never, { timeoutMs: 50 })).rejects.toMatchObject({
      code: 'QUERY_TIMEOUT',
    });
    const signal = AbortSignal.timeout(50);
    await expect(run('SELECT (<urn:f>(1) AS ?x) {}', never, { signal })).rejects.toMatchObject({ code: 'ABORTED' });
  });

  test.each(['RAND()', 'STRUUID()', 'UUID()', 'BNODE()', '<urn:count>()'])(
    'gets %s once a row, also where its promise has the row evaluated again',
    async (argument) => {
      const seen: string[] = [];
      let count = 0;
      const functions: ExtensionFunctions = {
        'urn:f': async ([term]) => {
          seen.push(term!.value);
          return term;
        },
        'urn:count': { call: () => integer(++count), deterministic: false },
      };
      const text = `SELECT (STR(?x) AS ?t) { ?s ex:p ?o BIND(<urn:f>(${argument}) AS ?x) }`;
      await run(text, functions, { timeoutMs: 5000 });
      expect(new Set(seen).size).toBe(2);
      expect(seen.length).toBe(2);
    },
  );
});

describe('functions of the engine', () => {
  const engine = new Engine({ functions: { 'urn:f': double } });

  test('serve queries and updates; those of the call win, and a plan that was kept knows no functions of another call', async () => {
    const text = 'INSERT { ?s ex:twice ?x } WHERE { ?s ex:p ?o BIND(<urn:f>(?o) AS ?x) FILTER(<urn:g>(?o)) }';
    const staged = new ArrayDataset([...(await datasetOf('ex:a ex:p 1')).quads]);
    const extensionFunctions = { 'urn:g': () => literal('true', iri('http://www.w3.org/2001/XMLSchema#boolean')) };
    await engine.update(text, staged, { prefixes: PREFIXES, extensionFunctions });
    expect(staged.quads.map(quadText)).toContain('ex:a ex:twice 2');

    const query = 'SELECT ?x { ?s ex:p ?o BIND(<urn:f>(?o) AS ?x) } ORDER BY ?x';
    const other = { 'urn:f': () => integer(7) };
    const rows = async (options: object) => answer(query, await data, options, false, engine);
    expect(await rows({})).toEqual(['x=2', 'x=4']);
    expect(await rows({ extensionFunctions: other })).toEqual(['x=7', 'x=7']);
    expect(await run(query, other)).toEqual(['x=7', 'x=7']);
    await expect(run(query, {})).rejects.toMatchObject({ code: 'UNKNOWN_FUNCTION' });
  });
});

describe('aggregates', () => {
  /** The texts of a group in order, with a dash for errors. */
  const texts = {
    create: () => {
      const all: string[] = [];
      return {
        add: (term: RDF.Term | undefined) => void all.push(term?.value ?? '-'),
        result: () => (all.length === 0 ? undefined : literal(all.sort().join(' '))),
      };
    },
  };
  const failing = {
    create: () => ({
      add: () => {
        throw new Error('no');
      },
      result: () => literal('x'),
    }),
  };
  const wrong = { create: () => ({ add: () => undefined, result: () => 'text' as unknown as RDF.Term }) };
  const engine = new Engine({
    functions: { 'urn:f': double },
    aggregates: { 'urn:texts': texts, 'urn:failing': failing, 'urn:wrong': wrong },
  });
  const scores = datasetOf('ex:a ex:p 1, 2, "x" . ex:b ex:p 2 . ex:c ex:q 2');
  const rows = async (text: string) => answer(text, await scores, {}, false, engine);

  test.each([
    ['of all solutions', 'SELECT (<urn:texts>(?o) AS ?t) { ?s ex:p ?o }', ['t="1 2 2 x"']],
    ['by group', 'SELECT ?s (<urn:texts>(?o) AS ?t) { ?s ex:p ?o } GROUP BY ?s', ['s=ex:a t="1 2 x"', 's=ex:b t="2"']],
    ['with DISTINCT', 'SELECT (<urn:texts>(DISTINCT ?o) AS ?t) { ?s ?p ?o }', ['t="1 2 x"']],
    ['of an expression with errors', 'SELECT (<urn:texts>(?o * 2) AS ?t) { ex:a ?p ?o }', ['t="- 2 4"']],
    ['of a function, in an expression', 'SELECT (STRLEN(<urn:texts>(<urn:f>(?o))) AS ?t) { ex:b ?p ?o }', ['t=1']],
    ['in HAVING', 'SELECT ?s { ?s ?p ?o } GROUP BY ?s HAVING(<urn:texts>(?o) = "2")', ['s=ex:b', 's=ex:c']],
    ['of nothing', 'SELECT (<urn:texts>(?o) AS ?t) { ?s ex:none ?o }', ['']],
    ['that throws', 'SELECT (<urn:failing>(?o) AS ?t) { ?s ex:p ?o }', ['']],
  ])('%s', async (_, text, expected) => expect(await rows(text)).toEqual(expected));

  test('stand where aggregates can stand, and return terms', async () => {
    for (const text of [
      'ASK { ?s ?p ?o FILTER(<urn:texts>(?o) = "x") }',
      'SELECT (SUM(<urn:texts>(?o)) AS ?x) { ?s ?p ?o }',
    ])
      await expect(rows(text)).rejects.toMatchObject({ code: 'SPARQL_SYNTAX' });
    await expect(rows('SELECT (<urn:wrong>(?o) AS ?x) { ?s ?p ?o }')).rejects.toMatchObject({ code: 'INVALID_TERM' });
    await expect(answer('SELECT (<urn:texts>(?o) AS ?t) { ?s ex:p ?o }', await scores)).rejects.toMatchObject({
      code: 'UNKNOWN_FUNCTION',
    });
  });

  test('count what they say that their state takes', async () => {
    const MEGABYTE = 1024 ** 2;
    const keeping = (bytes: (values: number) => number) => ({
      create: () => {
        let values = 0;
        return {
          add: () => void values++,
          result: () => literal(`${values}`),
          get bytes() {
            return bytes(values);
          },
        };
      },
    });
    const aggregates = {
      'urn:few': keeping((values) => values),
      'urn:many': keeping((values) => values * MEGABYTE),
      'urn:wrong': keeping(() => -1),
    };
    const text = (iri: string) => `SELECT (<${iri}>(?o) AS ?t) { ?s ?p ?o }`;
    const counting = new Engine({ aggregates });
    const rowsOf = async (iri: string) => answer(text(iri), await scores, { memoryBytes: MEGABYTE }, false, counting);
    expect(await rowsOf('urn:few')).toEqual(['t="5"']);
    await expect(rowsOf('urn:many')).rejects.toMatchObject({ code: 'QUERY_MEMORY' });
    await expect(rowsOf('urn:wrong')).rejects.toMatchObject({ code: 'INVALID_OPTION' });
  });
});
