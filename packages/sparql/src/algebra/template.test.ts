import { describe, expect, test } from 'vitest';
import { blankNode, iri, literal } from '@quadrille/model';
import { sparql } from './template.js';
import { answer, datasetOf, engine, PREFIXES, quadText } from '../testing/fixtures.js';
import { ArrayDataset } from '../testing/array-dataset.js';

const ex = (name: string) => iri(`http://example.org/${name}`);
const data = datasetOf(
  `ex:a ex:p 1 ; ex:name "Ann" . ex:b ex:p 2 ; ex:name 'x" } ; DROP ALL #' GRAPH ex:g { ex:a ex:in true }`,
);

describe('the sparql tag', () => {
  test('values stand for subject, predicate, object and graph', async () => {
    expect(await answer(sparql`SELECT ?o { ${ex('a')} ex:p ?o }`, await data)).toEqual(['o=1']);
    expect(await answer(sparql`SELECT ?o { ex:a ${ex('p')} ?o }`, await data)).toEqual(['o=1']);
    expect(await answer(sparql`SELECT ?s { ?s ex:p ${2} }`, await data)).toEqual(['s=ex:b']);
    expect(await answer(sparql`SELECT ?s { GRAPH ${ex('g')} { ?s ex:in ${true} } }`, await data)).toEqual(['s=ex:a']);
    expect(await answer(sparql`SELECT ?s FROM ${ex('g')} { ?s ex:in ?o }`, await data)).toEqual(['s=ex:a']);
    expect(await answer(sparql`SELECT ?s { ?s ${ex('p')}+ ?o FILTER(?o > ${1}) }`, await data)).toEqual(['s=ex:b']);
    expect(await answer(sparql`SELECT ?name { VALUES ?name { ${'Ann'} } ?s ex:name ?name }`, await data)).toEqual([
      'name="Ann"',
    ]);
    expect(await answer(sparql`DESCRIBE ${ex('b')}`, await data)).toHaveLength(2);
    expect(await answer(sparql`ASK { FILTER(YEAR(${new Date('2026-05-06')}) = 2026) }`, await data)).toBe(true);
    expect(await answer(sparql`ASK { FILTER(${1.5} * 2 = 3) }`, await data)).toBe(true);
  });
  test('LIMIT and OFFSET take whole numbers', async () => {
    expect(await answer(sparql`SELECT ?s { ?s ex:p ?o } ORDER BY ?o LIMIT ${1} OFFSET ${1}`, await data)).toEqual([
      's=ex:b',
    ]);
  });
  test('an array gives the members of IN, values and rows', async () => {
    const among = (list: readonly unknown[]) => answer(sparql`SELECT ?s { ?s ex:p ?o FILTER(?o IN (${list})) }`, data0);
    const data0 = await data;
    expect(await among([2, 3])).toEqual(['s=ex:b']);
    expect(await among([])).toEqual([]);
    expect(await answer(sparql`SELECT ?s { ?s ex:p ?o FILTER(?o not in (7, ${[2, 3]})) }`, data0)).toEqual(['s=ex:a']);
    expect(await answer(sparql`SELECT ?s { VALUES ?s { ${[ex('a'), ex('c')]} } ?s ex:p ?o }`, data0)).toEqual([
      's=ex:a',
    ]);
    const rows = [
      [ex('a'), 2],
      [ex('b'), 2],
      [ex('a'), undefined],
    ];
    expect(await answer(sparql`SELECT ?s ?o { VALUES (?s ?o) { ${rows} } ?s ex:p ?o }`, data0)).toEqual([
      's=ex:a o=1',
      's=ex:b o=2',
    ]);
    expect(await answer(sparql`ASK { VALUES ?s { ${[]} } }`, data0)).toBe(false);
    expect(await among(['") DROP ALL #'])).toEqual([]);
    expect(() => sparql`ASK { FILTER(1 IN (${[[1]]})) }`).toThrow(expect.objectContaining({ code: 'INVALID_TERM' }));
    expect(() => sparql`ASK { FILTER(1 IN (${[undefined]})) }`).toThrow(
      expect.objectContaining({ code: 'INVALID_TERM' }),
    );
  });
  test('no text of a value becomes part of the request', async () => {
    for (const attack of ['" } ; DROP ALL #', '\\" . ?s ?p ?o', "'''", '> . ?s ?p ?o . <x:', '${1}', '\n# ']) {
      expect(await answer(sparql`SELECT ?s { ?s ex:name ${attack} }`, await data)).toEqual([]);
    }
    expect(await answer(sparql`SELECT ?s { ?s ex:name ${'x" } ; DROP ALL #'} }`, await data)).toEqual(['s=ex:b']);
    expect(() => sparql`ASK { ${iri('x:y> ?p ?o . <x:z')} ?p ?o }`).toThrow(
      expect.objectContaining({ code: 'INVALID_TERM' }),
    );
  });
  test('updates', async () => {
    const dataset = new ArrayDataset();
    const value = '"; DROP ALL';
    await engine.update(
      sparql`INSERT DATA { ${ex('a')} ex:p ${value}, ${blankNode('kept')} GRAPH ${ex('g')} { ex:b ex:p 1 } }`,
      dataset,
      {
        prefixes: PREFIXES,
      },
    );
    expect(dataset.quads.map(quadText)).toEqual(['ex:a ex:p "\\"; DROP ALL"', 'ex:a ex:p _:kept', 'ex:b ex:p 1 ex:g']);
    await engine.update(
      sparql`DELETE { ?s ?p ?o } WHERE { ?s ?p ?o FILTER(?o = ${value}) }; CLEAR GRAPH ${ex('g')}`,
      dataset,
      {},
    );
    expect(dataset.quads.map(quadText)).toEqual(['ex:a ex:p _:kept']);
  });
  test('templates in templates', async () => {
    const filter = sparql`FILTER(?o > ${1} && ?o < ${10})`;
    const pattern = sparql`?s ${ex('p')} ?o . ${filter}`;
    expect(await answer(sparql`SELECT ?s { ${pattern} FILTER(?s != ${ex('z')}) }`, await data)).toEqual(['s=ex:b']);
  });
  test('what cannot be used is refused', async () => {
    for (const bad of [undefined, null, {}, [], Symbol('x'), new Date('never'), () => 1]) {
      expect(() => sparql`ASK { ?s ?p ${bad} }`).toThrow(expect.objectContaining({ code: 'INVALID_TERM' }));
    }
    for (const bad of [
      sparql`ASK { ${'text'} ?p ?o }`,
      sparql`ASK { ?s ${literal('x')} ?o }`,
      sparql`ASK { ?s ?p "${'text'}" }`,
      sparql`ASK { GRAPH ${'g'} {} }`,
    ]) {
      await expect(answer(bad, await data)).rejects.toMatchObject({ code: 'INVALID_TERM' });
    }
    for (const bad of ['ASK {}', ['ASK {}'], undefined]) {
      expect(() => sparql(bad as unknown as TemplateStringsArray)).toThrow(
        expect.objectContaining({ code: 'INVALID_OPTION' }),
      );
    }
    const shaped = { text: 'ASK {}', values: [] };
    await expect(answer(shaped, await data)).rejects.toMatchObject({ code: 'INVALID_OPTION' });
  });
});

describe('bindings', () => {
  const bind = async (
    query: string,
    bindings: Record<string, ReturnType<typeof iri> | ReturnType<typeof literal> | ReturnType<typeof blankNode>>,
  ) => answer(query, await data, { bindings });
  test('are columns still, and hold in every part', async () => {
    expect(await bind('SELECT ?s ?o { ?s ex:p ?o }', { s: ex('a') })).toEqual(['s=ex:a o=1']);
    expect(await bind('SELECT * { ?s ex:p ?o FILTER(?s = ex:a && BOUND(?s)) }', { s: ex('a') })).toEqual([
      's=ex:a o=1',
    ]);
    expect(await bind('SELECT ?o { ?s ex:p ?o MINUS { ?s ex:name "Ann" } }', { s: ex('a') })).toEqual([]);
    expect(await bind('SELECT ?s (COUNT(*) AS ?n) { ?s ex:p ?o } GROUP BY ?s', { s: ex('a') })).toEqual(['s=ex:a n=1']);
    expect(await bind('SELECT ?s { VALUES (?s ?x) { (ex:a 1) (ex:b 2) } }', { s: ex('b') })).toEqual(['s=ex:b']);
    expect(await bind('SELECT ?s { ?t ex:p 1 BIND(?t AS ?s) }', { s: ex('b') })).toEqual([]);
    expect(await bind('SELECT ?g { GRAPH ?g { ?s ?p ?o } }', { g: ex('g') })).toEqual(['g=ex:g']);
    expect(await bind('ASK { ?s ex:p 2 }', { s: ex('a') })).toBe(false);
    expect(await bind('CONSTRUCT { ?s ex:x ?o } { ?s ex:p ?o }', { s: ex('a') })).toEqual(['ex:a ex:x 1']);
    expect(await bind('DESCRIBE ?s', { s: ex('a') })).toHaveLength(2);
  });
  test('of a variable that the text has not are refused', async () => {
    for (const text of [
      'SELECT * { ?s ex:p ?o }',
      'ASK { ?s ex:p ?o FILTER(?o != "?typo") }',
      'DESCRIBE ?s',
      'CONSTRUCT { [] ex:p ?s } WHERE { ?s ?p ?o } #?typo',
      'ASK {}',
    ]) {
      for (const name of ['typo', '?s', '$s', 'S', '_:b', '']) {
        const error = { code: 'INVALID_OPTION', details: { option: 'bindings', variable: name } };
        await expect(bind(text, { [name]: ex('a') })).rejects.toMatchObject(error);
        const options = { prefixes: PREFIXES, bindings: { [name]: ex('a') } };
        await expect(engine.explain(text, await data, options)).rejects.toMatchObject(error);
      }
    }
    await expect(bind('SELECT * { ?s ex:p ?o }', { typo: ex('a') })).rejects.toThrow('?typo, only ?s, ?o');
  });
  test.each([
    'SELECT ?v { ?s ex:p ?o }',
    'SELECT * { BIND(1 AS ?v) }',
    'SELECT * { ?s ex:p ?o FILTER(?v > 1) }',
    'SELECT * { ?s ex:p ?o FILTER NOT EXISTS { <<( ?v ex:p 1 )>> ex:p ?o } }',
    'SELECT (SUM(?v) AS ?n) { ?s ex:p ?o } GROUP BY ?s HAVING(COUNT(*) > 1)',
    'SELECT * { { SELECT ?s { ?s ex:p* ?v } } VALUES ?o { 1 } }',
    'SELECT * { ?s ex:p ?o } ORDER BY ?v',
    'CONSTRUCT { ?s ex:p ?v } WHERE { ?s ex:p ?o }',
  ])('stand in %s', async (text) => {
    await expect(bind(text, { v: ex('a') })).resolves.toBeDefined();
  });
  test('do not enter a sub-select that hides the variable', async () => {
    const query = 'SELECT ?s ?n { ?s ex:p ?o { SELECT (COUNT(?s) AS ?n) { ?s ex:p ?any } } }';
    expect(await bind(query, { s: ex('a') })).toEqual(['s=ex:a n=2']);
  });
  test('a literal as a subject finds nothing, a blank node finds itself', async () => {
    expect(await bind('SELECT ?o { ?s ex:p ?o }', { s: literal('x') })).toEqual([]);
    const nodes = await datasetOf('_:x ex:p 1 . _:y ex:p 2');
    const label = nodes.quads[0]?.subject.value ?? '';
    expect(
      await answer('SELECT * { ?s ex:p ?o FILTER(SAMETERM(?s, ?s)) }', nodes, { bindings: { s: blankNode(label) } }),
    ).toEqual([`s=_:${label} o=1`]);
    expect(
      await answer('SELECT ?o { ?t ex:p ?o FILTER(?t = ?s) }', nodes, { bindings: { s: blankNode(label) } }),
    ).toEqual(['o=1']);
  });
});
