import { expect, test } from 'vitest';
import { inspectText, type Inspection } from './inspect-text.js';

const inspect = (text: string, prefixes: Record<string, string> = {}): Promise<Inspection> =>
  inspectText(text, { prefixes }, () => undefined);
const placesOf = ({ errors }: Inspection): string[] => errors.map(({ line, column }) => `${line}:${column}`);

test('a text without errors: its kind, variables, graphs and prefixes', async () => {
  expect(
    await inspect('SELECT ?b { GRAPH <urn:g> { ?a ex:p ?b } FILTER(?c > 1) }', { ex: 'urn:ex:', other: 'urn:o:' }),
  ).toEqual({
    kind: 'select',
    variables: ['b', 'a', 'c'],
    graphs: ['urn:g'],
    sources: [],
    prefixes: { ex: 'urn:ex:' },
    errors: [],
  });
  expect(await inspect('INSERT DATA { GRAPH <urn:g> { <urn:a> <urn:p> 1 } } ; CLEAR GRAPH <urn:h>')).toMatchObject({
    kind: 'update',
    variables: [],
    errors: [],
  });
});

test('what FROM and SERVICE name, with its places: not what strings, comments and other names say', async () => {
  const text = `PREFIX f: <file:> SELECT * FROM # <file:no>
    <file:a.ttl> FROM NAMED <urn:n> FROM f:b.csv {
    ?s <urn:éFROM> "SERVICE <file:no> {}" ; ex:FROM <file:no> ; ex:éSERVICE <file:no> .
    SERVICE SILENT <file:\\u0063.nt> { ?s ?p ?o } SERVICE ?where { ?s ?p ?o } { SELECT * { SERVICE <repo:a/b> {} } } }`;
  const { sources } = await inspect(text, { ex: 'urn:ex:' });
  expect(sources.map(({ iri, clause, start, end }) => [iri, clause, text.slice(start, end)])).toEqual([
    ['file:a.ttl', 'FROM', '<file:a.ttl>'],
    ['file:b.csv', 'FROM', 'f:b.csv'],
    ['file:c.nt', 'SERVICE SILENT', '<file:\\u0063.nt>'],
    ['repo:a/b', 'SERVICE', '<repo:a/b>'],
  ]);
});

test('all prefixes that are not declared, each once, with what can be declared', async () => {
  const found = await inspect('ASK {\n ?x foaf:name ?n ;\n mine:age ?a ; foaf:mbox ?m }');
  expect(found.errors).toEqual([
    {
      line: 2,
      column: 5,
      message: 'the prefix foaf: is not declared',
      expected: undefined,
      suggestion: 'PREFIX foaf: <http://xmlns.com/foaf/0.1/>',
    },
    {
      line: 3,
      column: 2,
      message: 'the prefix mine: is not declared',
      expected: undefined,
      suggestion: undefined,
    },
  ]);
  expect(found).toMatchObject({ kind: 'ask', variables: ['x', 'n', 'a', 'm'], prefixes: {} });
  expect((await inspect('ASK { ?x constructor:name ?n }')).errors[0]?.suggestion).toBeUndefined();
});

test.each([
  // Two statements that are wrong in themselves.
  ['SELECT * {\n ?s ?p .\n ?a <urn:p> ?b .\n ?c }', ['2:8', '4:5']],
  ['SELECT * { ?s ?p ?o FILTER(?o = = 1)\n ?a ?b ?c ?d }', ['1:33', '2:11']],
  ['SELECT * {\n FILTER(STRLEN(1, 2) > 1)\n OPTIONAL { ?a ?b }\n ?x ?y ?z }', ['2:15', '3:19']],
  ['SELECT ?x, ?y, ?z { ?x ?y ?z }', ['1:10', '1:14']],
  ['INSERT DATA { <urn:a> <urn:p> ?x } ;\nDELETE DATA { <urn:a> <urn:p> _:b }', ['1:31', '2:31']],
  // What only follows from an error is none.
  ['SELCT * { ?s ?p ?o }', ['1:1']],
  ['SELECT * { ?s ?p ?o', ['1:20']],
  ['SELECT * { ?s ?p ?o } }', ['1:23']],
])('%j', async (text, places) => {
  expect(placesOf(await inspect(text))).toEqual(places);
});

test('what was expected, what is meant, and the kind and variables of a text with errors', async () => {
  const found = await inspect('SELECT ?a { ?a <urn:p> ?b FILTR(?b > 1) OPTIONAL ?c }');
  expect(found).toMatchObject({ kind: 'select', variables: ['a', 'b', 'c'] });
  expect(found.errors[0]).toMatchObject({ line: 1, column: 27, suggestion: 'FILTER' });
  expect((await inspect('SELECT * { ?a ?b "x"@en-- }')).errors).toHaveLength(1);
  expect((await inspect('LIMIT 5')).kind).toBeUndefined();
});

test('errors are at most 20, and a long text asks to pause', async () => {
  let pauses = 0;
  const text = `SELECT * {${' ?s ?p .\n'.repeat(3000)}}`;
  const found = await inspectText(text, {}, () => {
    pauses++;
    return undefined;
  });
  expect(found.errors).toHaveLength(20);
  expect(pauses).toBeGreaterThan(5);
  expect(found.variables).toEqual(['s', 'p']);
});

test('a caller that wants no more ends it', async () => {
  const text = `SELECT * {${' ?s ?p .\n'.repeat(3000)}}`;
  await expect(
    inspectText(text, {}, () => {
      throw new Error('enough');
    }),
  ).rejects.toThrow('enough');
});
