import { dataFactory, type QuadSink, type TermHandle } from '@quadrille/model';
import { expect, test } from 'vitest';
import { RowMapping, type Solution, StringValue, valueOf } from './index.js';

/** Statements as text. */
class Lines implements QuadSink {
  readonly texts: string[] = ['', ''];
  readonly lines: string[] = [];
  readonly #decoder = new TextDecoder();
  readonly #blank = new Map<string, string>();

  term(bytes: Uint8Array, start: number, end: number): TermHandle {
    return this.texts.push(this.#decoder.decode(bytes.subarray(start, end))) - 1;
  }
  blankNode(bytes: Uint8Array, start: number, end: number): TermHandle {
    const label = this.#decoder.decode(bytes.subarray(start, end));
    if (!this.#blank.has(label)) this.#blank.set(label, `_:b${String(this.#blank.size)}`);
    return this.texts.push(this.#blank.get(label)!) - 1;
  }
  tripleTerm(...parts: TermHandle[]): TermHandle {
    return this.texts.push(`<<( ${parts.map((part) => this.texts[part]).join(' ')} )>>`) - 1;
  }
  quad(s: TermHandle, p: TermHandle, o: TermHandle): void {
    this.lines.push([s, p, o].map((part) => this.texts[part]).join(' '));
  }
}

type Cells = Readonly<Record<string, string | undefined>>;
const fail = (reason: string): Error => new Error(`row: ${reason}`);

/** What a mapping makes of rows, whose columns are those of the first one. */
function mapped(text: string, rows: readonly Cells[], maxTermBytes = 1000): string[] {
  const sink = new Lines();
  const options = { sink, maxTermBytes, fail, now: new Date(0) };
  const mapping = new RowMapping(text, { prefixes: { p: 'urn:p:' }, baseIRI: 'http://a.org/' }).open(options);
  const columns = Object.keys(rows[0]!).map((name) => [name, mapping.column(name)] as const);
  for (const cells of rows) {
    const row: Solution = [];
    for (const [name, slot] of columns) {
      const cell = cells[name];
      if (slot !== undefined && cell !== undefined) row[slot] = new StringValue(cell);
    }
    mapping.write(row);
  }
  return sink.lines;
}

const TEMPLATE = 'CONSTRUCT { ?s p:v ?v } WHERE';
const SUBJECT = 'BIND(IRI(?id) AS ?s)';
const rows: readonly Cells[] = [
  { id: 'a', v: '1', w: undefined },
  { id: 'b', v: undefined, w: '2' },
];
const [A, B] = ['<http://a.org/a> <urn:p:v>', '<http://a.org/b> <urn:p:v>'];

test.each([
  [`{ ${SUBJECT} }`, [`${A} "1"`]],
  [`{ ${SUBJECT} FILTER(!BOUND(?w)) }`, [`${A} "1"`]],
  [`{ ${SUBJECT} FILTER(?w > 1) }`, []],
  // A group does not see what others bind, and sees the row.
  [`{ ${SUBJECT} { BIND(CONCAT(?v, "x", STR(?s)) AS ?x) } }`, [`${A} "1"`]],
  [`{ ${SUBJECT} OPTIONAL { FILTER(?v = "1") BIND("yes" AS ?y) } FILTER(BOUND(?y)) }`, [`${A} "1"`]],
  [`{ ${SUBJECT} OPTIONAL { BIND(1 AS ?one) FILTER(BOUND(?s)) } FILTER(BOUND(?one)) }`, [`${A} "1"`]],
])('WHERE %s', (where, lines) => {
  expect(mapped(`${TEMPLATE} ${where}`, rows)).toEqual(lines);
});

test('unions, lists of values and joins give several solutions', () => {
  const both = `CONSTRUCT { ?s p:v ?x } WHERE { ${SUBJECT} { BIND(?v AS ?x) } UNION { BIND(?w AS ?x) } }`;
  expect(mapped(both, rows)).toEqual([`${A} "1"`, `${B} "2"`]);
  const values = `CONSTRUCT { ?s p:v ?x } WHERE { ${SUBJECT} VALUES ?x { "k" <urn:l> } }`;
  expect(mapped(values, rows.slice(0, 1))).toEqual([`${A} "k"`, `${A} <urn:l>`]);
  const joined = `CONSTRUCT { ?s p:v ?x } WHERE { ${SUBJECT} { BIND("k" AS ?x) } { VALUES ?x { "j" "k" } } }`;
  expect(mapped(joined, rows.slice(0, 1))).toEqual([`${A} "k"`]);
});

test('VALUES looks up the columns that it names; an empty cell has no match', () => {
  const lookup = `CONSTRUCT { ?s p:v ?x } WHERE { ${SUBJECT} VALUES (?v ?x) { ("1" p:one) ("2" p:two) (UNDEF p:any) } }`;
  expect(mapped(lookup, rows)).toEqual([`${A} <urn:p:one>`, `${A} <urn:p:any>`, `${B} <urn:p:any>`]);
  const optional = `CONSTRUCT { ?s p:v ?x } WHERE { ${SUBJECT} OPTIONAL { VALUES (?v ?y) { ("1" p:one) } } BIND(COALESCE(?y, p:none) AS ?x) }`;
  expect(mapped(optional, rows)).toEqual([`${A} <urn:p:one>`, `${B} <urn:p:none>`]);
});

test('templates: new blank nodes for each solution, terms of all kinds, statements that are complete and RDF alone', () => {
  const text = `CONSTRUCT { _:n p:of ?s ; p:twice [ p:v ?v ] . ?v p:no ?s . ?s ?v ?s ; p:t <<( ?s p:v ?v )>> ; p:l "x"@EN, 1.50, ?d . }
    WHERE { ${SUBJECT} BIND(STRDT(?v, p:type) AS ?d) }`;
  expect(mapped(text, rows)).toEqual([
    '_:b0 <urn:p:of> <http://a.org/a>',
    '_:b1 <urn:p:v> "1"',
    '_:b0 <urn:p:twice> _:b1',
    '<http://a.org/a> <urn:p:t> <<( <http://a.org/a> <urn:p:v> "1" )>>',
    '<http://a.org/a> <urn:p:l> "x"@en',
    '<http://a.org/a> <urn:p:l> "1.50"^^<http://www.w3.org/2001/XMLSchema#decimal>',
    '<http://a.org/a> <urn:p:l> "1"^^<urn:p:type>',
    '_:b2 <urn:p:of> <http://a.org/b>',
    '_:b2 <urn:p:twice> _:b3',
    '<http://a.org/b> <urn:p:l> "x"@en',
    '<http://a.org/b> <urn:p:l> "1.50"^^<http://www.w3.org/2001/XMLSchema#decimal>',
  ]);
  const nodes = mapped(
    'CONSTRUCT { ?a p:is ?b ; p:isnt ?c } WHERE { BIND(BNODE("x") AS ?a) BIND(BNODE("x") AS ?b) BIND(BNODE() AS ?c) }',
    rows,
  );
  const parts = nodes.map((line) => line.split(' '));
  expect(parts[0]![0]).toBe(parts[0]![2]);
  expect(new Set([parts[1]![0], parts[1]![2], parts[3]![0], parts[3]![2]]).size).toBe(4);
});

test.each([
  ['SELECT * { }', /a mapping is a CONSTRUCT, and this is a SELECT/],
  ['ASK { }', /and this is an ASK/],
  ['INSERT DATA { <urn:a> <urn:b> 1 }', /and this is an UPDATE/],
  ['CONSTRUCT { ?s p:v ?v } FROM p:g { }', /cannot have FROM/],
  ['CONSTRUCT WHERE { ?s p:v ?v }', /cannot have a triple pattern/],
  ['CONSTRUCT { } WHERE { ?s p:v+ ?v }', /cannot have a property path/],
  ['CONSTRUCT { } WHERE { GRAPH ?g { } }', /cannot have GRAPH/],
  ['CONSTRUCT { } WHERE { SERVICE <http://h/> { } }', /cannot have SERVICE/],
  ['CONSTRUCT { } WHERE { MINUS { BIND(1 AS ?x) } }', /cannot have MINUS/],
  ['CONSTRUCT { } WHERE { { SELECT ?x { BIND(1 AS ?x) } } }', /cannot have a sub-select/],
  ['CONSTRUCT { } WHERE { FILTER NOT EXISTS { ?s ?p ?o } }', /cannot have EXISTS/],
  ['CONSTRUCT { } WHERE { } LIMIT 1', /cannot have LIMIT/],
  ['CONSTRUCT { } WHERE { } ORDER BY ?x', /cannot have ORDER BY/],
])('%s is no mapping', (text, message) => {
  expect(() => mapped(text, rows)).toThrow(
    expect.objectContaining({ message: expect.stringMatching(message) as string, code: 'INVALID_OPTION' }),
  );
});

test('unknown functions, wrong syntax, terms that are too long, too many solutions', () => {
  expect(() => mapped(`${TEMPLATE} { BIND(p:f(?v) AS ?s) }`, rows)).toThrow(
    expect.objectContaining({ code: 'UNKNOWN_FUNCTION' }),
  );
  expect(() => mapped('CONSTRUCT {', rows)).toThrow(expect.objectContaining({ code: 'SPARQL_SYNTAX' }));
  expect(() => mapped(`${TEMPLATE} { ${SUBJECT} }`, [{ id: 'a', v: 'ö'.repeat(500) }])).toThrow(
    'row: a term is longer than 1000 bytes',
  );
  const iri = `CONSTRUCT { ?s p:v 1 } WHERE { BIND(IRI(?id) AS ?s) }`;
  expect(() => mapped(iri, [{ id: 'x'.repeat(100_000) }], 1e6)).toThrow(/^row: the IRI is longer than/);
  const list = Array.from({ length: 200 }, (_, i) => String(i)).join(' ');
  const product = `CONSTRUCT { ?s p:v ?x } WHERE { VALUES ?x { ${list} } VALUES ?y { ${list} } }`;
  expect(() => mapped(product, rows)).toThrow('the mapping has more than 10000 solutions for one row');
  // At the last moment that is possible: what was told of earlier rows would be wrong.
  const mapping = new RowMapping('CONSTRUCT { } WHERE { VALUES (?c ?x) { (1 2) } }', {}).open({
    sink: new Lines(),
    maxTermBytes: 10,
    fail,
    now: new Date(),
  });
  mapping.write([]);
  expect(() => mapping.column('c')).toThrow('?c of VALUES is a column that rows before this one lack');
  expect(() => mapped(`${TEMPLATE} { BIND(1 AS ?s) }`, [{ s: 'x' }])).toThrow('the mapping gives ?s a value');
});

test('tells which variables only a table can give values', () => {
  const text = 'CONSTRUCT { ?s ?p ?o } WHERE { BIND(IRI(?id) AS ?s) VALUES (?code ?o) { (1 2) } FILTER(?row > 2) }';
  expect(new RowMapping(text, {}).required).toEqual(['p', 'row', 'id']);
});

test('functions that are loaded late', async () => {
  const mapping = new RowMapping('CONSTRUCT { <urn:s> <urn:p> ?o } WHERE { BIND(REPLACE(?v, "a", "b") AS ?o) }', {});
  await mapping.load();
  const sink = new Lines();
  const opened = mapping.open({ sink, maxTermBytes: 100, fail, now: new Date() });
  const row: Solution = [];
  row[opened.column('v')!] = new StringValue('aba');
  opened.write(row);
  expect(sink.lines).toEqual(['<urn:s> <urn:p> "bbb"']);
});

test('numbers and booleans of a row are compared as such', () => {
  const sink = new Lines();
  const mapping = new RowMapping('CONSTRUCT { <urn:s> <urn:p> ?n } WHERE { FILTER(?n > 2) }', {}).open({
    sink,
    maxTermBytes: 100,
    fail,
    now: new Date(),
  });
  const slot = mapping.column('n')!;
  const integer = dataFactory.namedNode('http://www.w3.org/2001/XMLSchema#integer');
  for (const n of ['1', '03', '10']) {
    const row: Solution = [];
    row[slot] = valueOf(dataFactory.literal(n, integer));
    mapping.write(row);
  }
  expect(sink.lines.map((line) => /"(.*)"/.exec(line)![1])).toEqual(['03', '10']);
});
