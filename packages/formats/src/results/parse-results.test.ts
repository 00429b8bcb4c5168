import { describe, expect, test } from 'vitest';
import type * as RDF from '@rdfjs/types';
import { blankNode, iri, literal, ParseError, quad, termToText } from '@quadrille/model';
import { createResultSerializer, loadResultParser, parseResults, parseResultsAsync } from './index.js';
import type { ParsedResults } from './index.js';

await loadResultParser('srx');

const XSD = 'http://www.w3.org/2001/XMLSchema#';
const s = iri('http://example.org/a?x=1&y=2');
const ROWS: readonly Record<string, RDF.Term>[] = [
  { s, o: literal('say "hi", <b>\n\t\r\\') },
  { s: blankNode('n1'), o: literal('hé', 'en-gb') },
  { s: blankNode('n1'), o: literal('אב', { language: 'he', direction: 'rtl' }) },
  { o: literal('5', iri(`${XSD}integer`)) },
  { s, o: quad(iri('x:s'), iri('x:p'), quad(blankNode('n1'), iri('x:p'), literal(''))) },
  { o: literal('') },
  {},
];

function shown(results: ParsedResults): unknown {
  if (results.type === 'boolean') return results.value;
  const { variables, rows } = results;
  return [variables, ...rows.map((row) => variables.map((name) => (row[name] ? termToText(row[name]) : undefined)))];
}

function write(name: string, rows = ROWS, variables: readonly string[] = ['s', 'o']): string {
  const serializer = createResultSerializer(name);
  return serializer.head(variables) + serializer.rows(rows) + serializer.end();
}

function failure(text: string, name: string): ParseError {
  try {
    parseResults(text, name);
  } catch (error) {
    if (error instanceof ParseError) return error;
    throw error;
  }
  throw new Error(`accepted: ${text}`);
}

describe('what the serializers write comes back', () => {
  const wanted = shown({ type: 'bindings', variables: ['s', 'o'], rows: ROWS });
  test.each(['application/sparql-results+json', 'application/sparql-results+xml', 'text/tab-separated-values'])(
    'as %s',
    async (mediaType) => {
      expect(shown(parseResults(write(mediaType), mediaType))).toEqual(wanted);
      const bytes = new TextEncoder().encode(`\uFEFF${write(mediaType)}`);
      expect(shown(await parseResultsAsync(bytes, `${mediaType}; charset=utf-8`))).toEqual(wanted);
      expect(shown(parseResults(write(mediaType, []), mediaType))).toEqual([['s', 'o']]);
      expect(shown(parseResults(write(mediaType, [{}, {}], []), mediaType))).toEqual([[], [], []]);
      const serializer = createResultSerializer(mediaType);
      expect(shown(parseResults(serializer.boolean(false), mediaType))).toBe(false);
    },
  );
  test('as CSV, where IRIs and literals are text', () => {
    expect(shown(parseResults(write('csv', ROWS.slice(0, 4)), 'csv'))).toEqual([
      ['s', 'o'],
      [`"${s.value}"`, '"say \\"hi\\", <b>\\n\\t\\r\\\\"'],
      ['_:n1', '"hé"'],
      ['_:n1', '"אב"'],
      [undefined, '"5"'],
    ]);
    expect(shown(parseResults(write('csv', [{ o: literal('') }, {}], ['o']), 'csv'))).toEqual([
      ['o'],
      ['""'],
      [undefined],
    ]);
    expect(shown(parseResults('a,b\n1,"x\n""y"""\n,', 'csv'))).toEqual([
      ['a', 'b'],
      ['"1"', '"x\\n\\"y\\""'],
      [undefined, undefined],
    ]);
    for (const name of ['csv', 'tsv', 'boolean'])
      expect(shown(parseResults(createResultSerializer(name).boolean(true), name))).toBe(true);
  });
});

test('any variable name is safe', () => {
  const names = ['__proto__', 'constructor', 'toString'];
  const rows = [JSON.parse('{"__proto__": 1, "constructor": 1, "toString": 1}'), {}];
  for (const row of rows)
    for (const name of Object.keys(row)) Object.defineProperty(row, name, { value: iri(`x:${name}`) });
  for (const name of ['srj', 'srx', 'tsv']) {
    const parsed = parseResults(write(name, [rows[0]], names), name);
    if (parsed.type !== 'bindings') throw new Error('no rows');
    expect(Object.entries(parsed.rows[0]!).map(([key, term]) => [key, term.value])).toEqual(
      names.map((key) => [key, `x:${key}`]),
    );
    expect(Object.getPrototypeOf(parsed.rows[0])).toBeNull();
  }
  const empty = parseResults('{"head": {"vars": ["constructor"]}, "results": {"bindings": [{}]}}', 'json');
  expect(empty).toMatchObject({ rows: [{}] });
});

test('blank nodes of a document stay apart and together, whatever their labels', () => {
  const labels = ['b0', 'nodeID://b1', 'nodeID://b2', 'b1', 'nodeID://b1', 'b0'];
  const rows = labels.map((value) => ({ x: { type: 'bnode', value } }));
  const parsed = parseResults(JSON.stringify({ head: { vars: ['x'] }, results: { bindings: rows } }), 'srj');
  const values = parsed.type === 'bindings' ? parsed.rows.map((row) => row['x']!.value) : [];
  expect(new Set(values).size).toBe(4);
  expect(values[4]).toBe(values[1]);
  expect(values[5]).toBe(values[0]);
});

test('terms as other servers write them', () => {
  const typed = '{"type": "typed-literal", "value": "1", "datatype": "x:t"}';
  const json = `{"head": {"link": [], "vars": ["x"]}, "results": {"distinct": false, "bindings": [{"x": ${typed}}]}}`;
  expect(shown(parseResults(json, 'application/json'))).toEqual([['x'], ['"1"^^<x:t>']]);
  expect(shown(parseResults(`?x\n+1\n.5\r\n1e3\ntrue\n'it\\'s "x"'@EN\n`, 'tsv'))).toEqual([
    ['x'],
    [`"+1"^^<${XSD}integer>`],
    [`".5"^^<${XSD}decimal>`],
    [`"1e3"^^<${XSD}double>`],
    [`"true"^^<${XSD}boolean>`],
    [`"it's \\"x\\""@en`],
  ]);
  const xml = `<?xml version='1.0'?><r:sparql xmlns:r="http://www.w3.org/2005/sparql-results#"><!-- c -->
    <r:head><r:variable name="x"/><r:link href="y"/></r:head><r:results ordered="true"><r:result><r:binding name="x">
    <r:uri> x:&#97;</r:uri></r:binding></r:result></r:results></r:sparql>`;
  expect(shown(parseResults(xml, 'application/xml'))).toEqual([['x'], ['<x:a>']]);
});

describe('malformed JSON', () => {
  const one = (term: string): string => `{"head": {"vars": ["x"]}, "results": {"bindings": [{}, {"x": ${term}}]}}`;
  const deep = (times: number): string =>
    '{"type":"triple","value":{"subject":{"type":"uri","value":"a:b"},"predicate":{"type":"uri","value":"a:b"},"object":'.repeat(
      times,
    ) +
    '{"type":"uri","value":"a:b"}' +
    '}}'.repeat(times);
  test.each(
    [
      ['{"head": {},\n "boolean": }', 'not JSON: Unexpected token'],
      ['', 'not JSON: Unexpected end of JSON input'],
      ['[]', 'the document is not an object'],
      ['{"head": {}}', 'neither "results" nor "boolean" is there'],
      ['{"boolean": "true"}', '"boolean" is neither true nor false'],
      ['{"boolean": true, "results": {}}', '"boolean" and "results" exclude each other'],
      ['{"results": {"bindings": []}}', 'head is not an object'],
      ['{"head": {"vars": "x"}, "results": {"bindings": []}}', 'head.vars is not an array'],
      ['{"head": {"vars": [1]}, "results": {"bindings": []}}', 'head.vars holds something that is not text'],
      ['{"head": {"vars": ["x", "x"]}, "results": {"bindings": []}}', 'head.vars: the variable "x" is named twice'],
      ['{"head": {"vars": ["a b"]}, "results": {"bindings": []}}', 'head.vars: "a b" is not a variable name'],
      ['{"head": {"vars": []}, "results": {"bindings": {}}}', 'results.bindings is not an array'],
      ['{"head": {"vars": []}, "results": {"bindings": [1]}}', 'results.bindings[0] is not an object'],
      ['{"head": {"vars": []}, "results": {"bindings": [{"x": 1}]}}', '[0]["x"]: the variable is not in head.vars'],
      [one('"a"'), 'results.bindings[1]["x"]: a term is not an object'],
      [one('{"type": "uri"}'), '"value" is missing or not text'],
      [one('{"type": "iri", "value": "a:b"}'), 'unknown type of term "iri"'],
      [one('{"type": "uri", "value": "a b"}'), '"a b" is not an absolute IRI'],
      [one('{"type": "bnode", "value": ""}'), 'a blank node has no label'],
      [one('{"type": "literal", "value": "a", "xml:lang": "en us"}'), '"en us" is not a language tag'],
      [one('{"type": "literal", "value": "a", "its:dir": "ltr"}'), 'a base direction needs a language'],
      [one('{"type": "literal", "value": "a", "xml:lang": "en", "its:dir": "up"}'), '"up" is not a base direction'],
      [one('{"type": "literal", "value": "a", "xml:lang": "en", "datatype": "a:b"}'), 'a language and a datatype'],
      [one('{"type": "literal", "value": "a", "datatype": 5}'), '"datatype" is missing or not text'],
      [one('{"type": "literal", "value": "\\ud800"}'), 'a lone surrogate'],
      [one('{"type": "triple", "value": {}}'), 'a term is not an object'],
      [one(deep(65)), 'triple terms are nested deeper than 64'],
      [one(deep(100_000)), 'triple terms are nested deeper than 64'],
    ].map(([text = '', reason = '']) => [text.slice(0, 100), reason, text] as const),
  )('%s: %s', (_, reason, text) => {
    const error = failure(text, 'srj');
    expect(error.code).toBe('RDF_SYNTAX');
    expect(error.message).toContain(reason);
  });
  test('what is no JSON has a line where the platform tells it', () => {
    expect(failure('{"head": {},\n "bool', 'srj')).toMatchObject({ line: 2, column: 7 });
  });
  test('triple terms down to the limit are read', () => {
    expect(parseResults(one(deep(64)), 'srj').type).toBe('bindings');
  });
});

describe('malformed XML', () => {
  const root = (inner: string): string => `<sparql xmlns="http://www.w3.org/2005/sparql-results#">\n${inner}</sparql>`;
  const one = (term: string): string =>
    root(`<head><variable name="x"/></head><results><result><binding name="x">${term}</binding></result></results>`);
  const deep = (times: number): string =>
    '<triple><subject><uri>a:b</uri></subject><predicate><uri>a:b</uri></predicate><object>'.repeat(times) +
    '<uri>a:b</uri>' +
    '</object></triple>'.repeat(times);
  test.each(
    [
      ['', 'not XML: document must contain a root element'],
      ['<sparql/>', 'unexpected element "sparql" as the root'],
      ['<!DOCTYPE sparql [<!ENTITY a "b">]>\n<sparql/>', 'a document type is not allowed'],
      [root('<head></results>'), 'not XML: unexpected close tag'],
      [root('<head/>'), 'neither results nor boolean is there'],
      [root('<results/>'), 'results stands before head'],
      [root('<head/><results/><boolean>true</boolean>'), 'a second answer: boolean'],
      [root('<head/><boolean>yes</boolean>'), '"yes" is neither true nor false'],
      [root('<head><variable/></head><results/>'), '"" is not a variable name'],
      [root('<head>x</head><results/>'), 'text stands in head'],
      [root('<head/><results><result><binding name="x"/></result></results>'), 'the variable "x" is not in head'],
      [one(''), 'binding holds no term'],
      [one('<uri>a:b</uri><uri>a:b</uri>'), 'a second term in binding'],
      [one('<uri>a:b</uri></binding><binding name="x"><uri>a:b</uri>'), 'the variable "x" is bound twice'],
      [one('<uri>b</uri>'), '"b" is not an absolute IRI'],
      [one('<b>b</b>'), 'unexpected element "b" in binding'],
      [one('<literal>&lol;</literal>'), 'not XML: undefined entity'],
      [one('<literal><uri>a:b</uri></literal>'), 'unexpected element "uri" in literal'],
      [one('<triple><subject><uri>a:b</uri></subject></triple>'), 'a triple lacks a part'],
      [one('<triple><subject/></triple>'), 'subject holds no term'],
      [one(deep(65)), 'triple terms are nested deeper than 64'],
      [one(deep(50_000)), 'triple terms are nested deeper than 64'],
    ].map(([text = '', reason = '']) => [text.slice(0, 100), reason, text] as const),
  )('%s: %s', (_, reason, text) => {
    const error = failure(text, 'srx');
    expect(error.code).toBe('RDF_SYNTAX');
    expect(error.message).toContain(reason);
    expect(error.line).toBeGreaterThan(0);
  });
  test('triple terms down to the limit are read', () => {
    expect(parseResults(one(deep(64)), 'srx').type).toBe('bindings');
  });
});

test.each([
  ['tsv', '', 'the document is empty', undefined],
  ['csv', '', 'the document is empty', undefined],
  ['tsv', 'x\n', 'the column "x" does not begin with ?', 1],
  ['tsv', '?x\n<a:b>\t<a:b>\n', 'a row of 2 where there are 1 columns', 2],
  ['tsv', '?x\n<a:b>\n"a\n', 'not one RDF term', 3],
  ['tsv', '?x\n<b>\n', 'not one RDF term', 2],
  ['csv', 'x,x\n', 'the variable "x" is named twice', 1],
  ['csv', 'x\n"a', 'a quote is missing', 2],
  ['csv', 'x\na"b\n', 'a quote is missing', 2],
  ['csv', 'x\n"a\nb"\n1,2\n', 'a row of 2 where there are 1 columns', 4],
  ['boolean', 'yes', 'neither true nor false', undefined],
])('malformed %s: %j', (name, text, reason, line) => {
  const error = failure(text, name);
  expect(error.message).toContain(reason);
  expect(error.line).toBe(line);
});

test('what cannot be read is refused by name, and bytes must be UTF-8', async () => {
  expect(() => parseResults('', 'text/turtle')).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }));
  expect(() => parseResults(new Uint8Array([0xff]), 'csv')).toThrow(expect.objectContaining({ code: 'RDF_SYNTAX' }));
  await expect(parseResultsAsync('', 'nonsense')).rejects.toMatchObject({ code: 'INVALID_OPTION' });
});
