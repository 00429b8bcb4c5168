import { describe, expect, test } from 'vitest';
import { answer, datasetOf, engine, PREFIXES } from '../testing/fixtures.js';

const DATA = `
  ex:a ex:p 1 ; ex:q ex:b ; ex:name "A"@en . ex:b ex:p 2 ; ex:q ex:c ; ex:name "B"@ar--rtl . ex:c ex:p 3 .
  _:x ex:p 4 ; ex:q _:y . _:y ex:p 5 . ex:d ex:says <<( ex:a ex:p 1 )>> .
  GRAPH ex:g1 { ex:a ex:p 1 ; ex:in "g1" } GRAPH ex:g2 { ex:a ex:p 1 ; ex:in "g2" }`;
const data = datasetOf(DATA);

describe('query forms', () => {
  test('SELECT', async () => {
    expect(await answer('SELECT ?s ?o { ?s ex:p ?o FILTER(?o < 3) }', await data)).toEqual([
      's=ex:a o=1',
      's=ex:b o=2',
    ]);
  });
  test('SELECT * has its columns in the order of the text', async () => {
    const result = await engine.query('SELECT * { ?z ?p ?a OPTIONAL { ?z ?b ?c } }', await data);
    expect(result).toMatchObject({ variables: ['z', 'p', 'a', 'b', 'c'] });
  });
  test('ORDER BY, LIMIT and OFFSET', async () => {
    const query = 'SELECT ?o { ?s ex:p ?o } ORDER BY DESC(?o) LIMIT 2 OFFSET 1';
    expect(await answer(query, await data, {}, true)).toEqual(['o=4', 'o=3']);
  });
  test('aggregates', async () => {
    expect(await answer('SELECT (COUNT(*) AS ?n) (SUM(?o) AS ?t) { ?s ex:p ?o }', await data)).toEqual(['n=5 t=15']);
    expect(await answer('SELECT (COUNT(*) AS ?n) { ?s ex:none ?o }', await data)).toEqual(['n=0']);
  });
  test('ASK', async () => {
    expect(await answer('ASK { ex:a ex:q ?x }', await data)).toBe(true);
    expect(await answer('ASK { ex:a ex:none ?x }', await data)).toBe(false);
    expect(await answer('ASK {}', await data)).toBe(true);
  });
  test('CONSTRUCT gives a set, leaves out what is not RDF and makes blank nodes for each solution', async () => {
    expect(await answer('CONSTRUCT { ex:x ex:y ex:z . ?o ex:of ?s } { ?s ex:p ?o }', await data)).toEqual([
      'ex:x ex:y ex:z',
    ]);
    const made = await answer('CONSTRUCT { _:n ex:of ?s . _:n ex:v ?o } { ?s ex:p ?o FILTER(?o < 3) }', await data);
    const labels = new Set((made as string[]).map((line) => line.split(' ')[0]));
    expect(made).toHaveLength(4);
    expect(labels.size).toBe(2);
  });
  test('CONSTRUCT WHERE with LIMIT', async () => {
    expect(await answer('CONSTRUCT WHERE { ?s ex:p ?o } LIMIT 2', await data)).toHaveLength(2);
  });
  test('DESCRIBE follows blank nodes', async () => {
    expect(await answer('DESCRIBE ex:c', await data)).toEqual(['ex:c ex:p 3']);
    expect(await answer('DESCRIBE ?x { ?x ex:p 4 }', await data)).toHaveLength(3);
    expect(await answer('DESCRIBE * { ?x ex:p 2 }', await data)).toHaveLength(3);
    expect(await answer('DESCRIBE ?x { ?x ex:p ?o } ORDER BY DESC(?o) LIMIT 1', await data)).toHaveLength(1);
  });
  test('paths, subqueries, VALUES, MINUS, EXISTS, BIND', async () => {
    expect(await answer('SELECT ?x { ex:a ex:q+ ?x }', await data)).toEqual(['x=ex:b', 'x=ex:c']);
    expect(await answer('SELECT ?s { { SELECT (MAX(?o) AS ?m) { ?s ex:p ?o } } ?s ex:p ?m }', await data)).toHaveLength(
      1,
    );
    expect(await answer('SELECT ?s { VALUES ?o { 1 3 } ?s ex:p ?o }', await data)).toEqual(['s=ex:a', 's=ex:c']);
    expect(await answer('SELECT ?s { ?s ex:p ?o MINUS { ?s ex:q ?x } FILTER(isIRI(?s)) }', await data)).toEqual([
      's=ex:c',
    ]);
    expect(
      await answer('SELECT ?s { ?s ex:p ?o FILTER NOT EXISTS { ?s ex:q ?x } FILTER isIRI(?s) }', await data),
    ).toEqual(['s=ex:c']);
    expect(await answer('SELECT ?t { ?s ex:p 2 BIND(STR(?s) AS ?t) }', await data)).toEqual([
      't="http://example.org/b"',
    ]);
  });
  test('terms come back as they are: directions, triple terms, blank node labels', async () => {
    expect(await answer('SELECT ?n { ?s ex:name ?n }', await data)).toEqual(['n="A"@en', 'n="B"@ar--rtl']);
    expect(await answer('SELECT ?t { ex:d ex:says ?t }', await data)).toEqual(['t=<<( ex:a ex:p 1 )>>']);
    expect(await answer('SELECT ?s { ex:d ex:says <<( ?s ex:p ?o )>> }', await data)).toEqual(['s=ex:a']);
    const stored = (await data).quads.find(({ object }) => object.value === '4')?.subject.value;
    expect(await answer('SELECT ?s { ?s ex:p 4 }', await data)).toEqual([`s=_:${stored}`]);
  });
  test('blank nodes that a query makes have labels of their own', async () => {
    const [row] = (await answer('SELECT (BNODE() AS ?b) {}', await data, { blankNodePrefix: 'fresh' })) as string[];
    expect(row).toMatch(/^b=_:fresh/);
  });
  test('NOW is the time of the caller', async () => {
    const now = new Date('2026-01-02T03:04:05Z');
    expect(await answer('SELECT (YEAR(NOW()) AS ?y) (DAY(NOW()) AS ?d) {}', await data, { now })).toEqual([
      'y=2026 d=2',
    ]);
  });
  test('BASE serves IRIs and the IRI function', async () => {
    expect(
      await answer('SELECT (IRI("b") AS ?x) { <a> ?p 1 }', await data, { baseIRI: 'http://example.org/' }),
    ).toEqual(['x=ex:b']);
  });
});

describe('prefixes', () => {
  test('defaults hold, and a declaration in the text wins', async () => {
    expect(await answer('ASK { ex:a ex:p 1 }', await data)).toBe(true);
    expect(await answer('PREFIX ex: <http://other/> ASK { ex:a ex:p 1 }', await data)).toBe(false);
    expect(await answer('ASK { ex:a ex:p 1 }', await data)).toBe(true);
  });
});

describe('datasets', () => {
  const all = 'SELECT ?s ?o { ?s ex:p ?o FILTER(?s = ex:a) }';
  const from = (clause: string): string => all.replace('{', `${clause} {`);
  test('the default graph alone is the default', async () => {
    expect(await answer(all, await data)).toEqual(['s=ex:a o=1']);
    expect(await answer('SELECT ?s { ?s ex:in ?o }', await data)).toEqual([]);
  });
  test('FROM merges graphs without duplicates', async () => {
    expect(await answer(from('FROM ex:g1 FROM ex:g2'), await data)).toEqual(['s=ex:a o=1']);
    expect(await answer('SELECT ?o FROM ex:g1 FROM ex:g2 { ?s ex:in ?o }', await data)).toEqual(['o="g1"', 'o="g2"']);
    expect(await answer('SELECT ?g FROM ex:g1 { GRAPH ?g { ?s ex:in ?o } }', await data)).toEqual([]);
  });
  test('FROM NAMED lists what GRAPH sees', async () => {
    expect(await answer('SELECT ?g FROM NAMED ex:g2 { GRAPH ?g { ?s ex:in ?o } }', await data)).toEqual(['g=ex:g2']);
    expect(await answer('SELECT ?o FROM NAMED ex:g2 { ?s ex:p ?o }', await data)).toEqual([]);
    expect(await answer('ASK FROM NAMED ex:g2 { GRAPH ex:g1 { ?s ?p ?o } }', await data)).toBe(false);
  });
  test('the union switch and the named sets have no duplicates', async () => {
    expect(await answer(all, await data, { unionDefaultGraph: true })).toEqual(['s=ex:a o=1']);
    for (const name of ['urn:quadrille:all', 'urn:dydra:all', 'urn:quadrille:named']) {
      expect(await answer(from(`FROM <${name}>`), await data)).toEqual(['s=ex:a o=1']);
      expect(await answer(`SELECT ?s ?o { GRAPH <${name}> { ?s ex:p ?o FILTER(?s = ex:a) } }`, await data)).toEqual([
        's=ex:a o=1',
      ]);
    }
    expect(await answer('SELECT (COUNT(*) AS ?n) FROM <urn:quadrille:all> { ?s ex:p ?o }', await data)).toEqual([
      'n=5',
    ]);
    expect(await answer('ASK FROM <urn:quadrille:default> { ?s ex:in ?o }', await data)).toBe(false);
  });
  test('the options stand in for FROM', async () => {
    const options = { defaultGraphUris: ['http://example.org/g2'] };
    expect(await answer('SELECT ?o FROM ex:g1 { ?s ex:in ?o }', await data, options)).toEqual(['o="g2"']);
    const named = { namedGraphUris: ['http://example.org/g1'] };
    expect(await answer('SELECT ?g { GRAPH ?g { ?s ex:in ?o } }', await data, named)).toEqual(['g=ex:g1']);
  });
  test('GRAPH ?g with nothing to match goes through the named graphs', async () => {
    expect(await answer('SELECT ?g { GRAPH ?g {} }', await data)).toEqual(['g=ex:g1', 'g=ex:g2']);
    expect(await answer('SELECT ?g FROM NAMED ex:g1 { GRAPH ?g {} }', await data)).toEqual(['g=ex:g1']);
    expect(await answer('SELECT ?g ?n { GRAPH ?g { { SELECT (COUNT(*) AS ?n) { ?s ?p ?o } } } }', await data)).toEqual([
      'g=ex:g1 n=2',
      'g=ex:g2 n=2',
    ]);
    expect(await answer('SELECT ?g ?x { GRAPH ?g { BIND(1 AS ?x) } }', await data)).toHaveLength(2);
    const own = await datasetOf('GRAPH ex:g { ex:a ex:p ex:g . ex:b ex:p ex:h } GRAPH ex:h { ex:c ex:p ex:i }');
    expect(await answer('SELECT ?s { GRAPH ?g { ?s ?p ?o OPTIONAL { ?s ?p ?g } } }', own)).toEqual(['s=ex:a']);
    expect(await answer('SELECT ?s { GRAPH ?g { ?s ?p ?g } }', own)).toEqual(['s=ex:a']);
    expect(await answer('SELECT ?g { GRAPH ?g { ?s ex:in "g1" } ?s ex:q ex:b }', await data)).toEqual(['g=ex:g1']);
  });
});

test('escaped characters of prefixed names', async () => {
  const dataset = await datasetOf('<http://example.org/a_(b)> ex:c\\.d "x\\\\(y" ; <http://example.org/e/f> ex:g\\,h');
  expect(await answer('SELECT ?o { ex:a_\\(b\\) ex:c\\.d ?o }', dataset)).toEqual(['o="x\\\\(y"']);
  expect(await answer('SELECT ?s { ?s ex:e\\/f|ex:none <http://example.org/g,h> }', dataset)).toEqual(['s=ex:a_(b)']);
  expect(await answer('SELECT (DATATYPE("1"^^ex:my\\-type) AS ?t) {}', dataset)).toEqual(['t=ex:my-type']);
});

describe('what is refused', () => {
  test('SERVICE, unless it is silent', async () => {
    const service = 'SELECT * { ex:a ex:p ?o SERVICE <http://127.0.0.1:1/> { ?s ?p ?o } }';
    await expect(answer(service, await data)).rejects.toMatchObject({ code: 'BLOCKED_ADDRESS' });
    expect(await answer(service.replace('SERVICE', 'SERVICE SILENT'), await data)).toEqual(['o=1']);
  });
  test('an update as a query and the other way round', async () => {
    await expect(answer('CLEAR ALL', await data)).rejects.toMatchObject({ code: 'NOT_A_QUERY' });
    await expect(engine.update('ASK {}', await data)).rejects.toMatchObject({ code: 'NOT_AN_UPDATE' });
  });
});

test('explain shows the plan with its estimates, and with analyze what it did', async () => {
  const query = 'SELECT ?s { ?s ex:p ?o FILTER(?o > 1) }';
  const { text, evaluator } = await engine.explain(query, await data, { prefixes: PREFIXES });
  expect(evaluator).toBe('native');
  expect(text).toMatch(/^filter .*\?o/);
  expect(text).toMatch(/scan \?s <http:\/\/example.org\/p> \?o.*\[about \d+ rows\]/);
  const analysed = await engine.explain(query, await data, { prefixes: PREFIXES, analyze: true });
  expect(analysed.text).toMatch(/filter .*, got 4 in [\d.]+ ms\]/);
});

test('triple terms that share only a component wait for their patterns', async () => {
  const says = await datasetOf('ex:e ex:says <<( ex:c ex:q ex:a )>>');
  const query = 'SELECT ?x ?y { ?x ex:says <<( ex:c ?p ?o )>> . ?y ex:says <<( ?s ex:q ?o )>> }';
  expect(await answer(query, says)).toEqual(['x=ex:e y=ex:e']);
});
