import { describe, expect, test } from 'vitest';
import { blankNode, iri, literal, quad } from '@quadrille/model';
import { createResultSerializer, findResultFormat } from './index.js';

const XSD = 'http://www.w3.org/2001/XMLSchema#';
const typed = (value: string, type: string) => literal(value, iri(XSD + type));
const s = iri('http://example.org/a?x=1&y=2');
const ROWS = [
  { s, o: literal('say "hi", <b>\n') },
  { s: blankNode('n1'), o: literal('hé', 'en-gb') },
  { s, o: literal('אב', { language: 'he', direction: 'rtl' }) },
  { o: typed('5', 'integer') },
  { s, o: quad(iri('x:s'), iri('x:p'), typed('true', 'boolean')) },
  {},
];

function write(mediaType: string, rows = ROWS as readonly Record<string, any>[]): string {
  const serializer = createResultSerializer(mediaType);
  let text = serializer.head(['s', 'o']);
  for (const row of rows) text += serializer.rows([row]);
  return text + serializer.rows([]) + serializer.end();
}

describe('rows', () => {
  test('SPARQL JSON has one solution a line', () => {
    expect(write('application/sparql-results+json')).toBe(`{"head": {"vars": ["s", "o"]},
"results": {"bindings": [
{"s": {"type": "uri", "value": "http://example.org/a?x=1&y=2"}, "o": {"type": "literal", "value": "say \\"hi\\", <b>\\n"}},
{"s": {"type": "bnode", "value": "n1"}, "o": {"type": "literal", "value": "hé", "xml:lang": "en-GB"}},
{"s": {"type": "uri", "value": "http://example.org/a?x=1&y=2"}, "o": {"type": "literal", "value": "אב", "xml:lang": "he", "its:dir": "rtl"}},
{"o": {"type": "literal", "value": "5", "datatype": "${XSD}integer"}},
{"s": {"type": "uri", "value": "http://example.org/a?x=1&y=2"}, "o": {"type": "triple", "value": {"subject": {"type": "uri", "value": "x:s"}, "predicate": {"type": "uri", "value": "x:p"}, "object": {"type": "literal", "value": "true", "datatype": "${XSD}boolean"}}}},
{}
]}}
`);
    expect(JSON.parse(write('srj')).results.bindings).toHaveLength(ROWS.length);
    expect(JSON.parse(write('srj', []))).toEqual({ head: { vars: ['s', 'o'] }, results: { bindings: [] } });
  });
  test('XML', () => {
    const uri = '<uri>http://example.org/a?x=1&amp;y=2</uri>';
    expect(write('application/sparql-results+xml')).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<sparql xmlns="http://www.w3.org/2005/sparql-results#" xmlns:its="http://www.w3.org/2005/11/its" its:version="2.0">
<head><variable name="s"/><variable name="o"/></head>
<results>
<result><binding name="s">${uri}</binding><binding name="o"><literal>say "hi", &lt;b&gt;
</literal></binding></result>
<result><binding name="s"><bnode>n1</bnode></binding><binding name="o"><literal xml:lang="en-GB">hé</literal></binding></result>
<result><binding name="s">${uri}</binding><binding name="o"><literal xml:lang="he" its:dir="rtl">אב</literal></binding></result>
<result><binding name="o"><literal datatype="${XSD}integer">5</literal></binding></result>
<result><binding name="s">${uri}</binding><binding name="o"><triple><subject><uri>x:s</uri></subject><predicate><uri>x:p</uri></predicate><object><literal datatype="${XSD}boolean">true</literal></object></triple></binding></result>
<result></result>
</results>
</sparql>
`);
    expect(write('srx', [{ s: literal('a\u0000\r') }])).toContain('<literal>a\uFFFD&#xD;</literal>');
  });
  test('CSV quotes every string, and nothing else that need not be', () => {
    expect(write('text/csv')).toBe(
      [
        's,o',
        'http://example.org/a?x=1&y=2,"say ""hi"", <b>\n"',
        '_:n1,"hé"',
        'http://example.org/a?x=1&y=2,"אב"',
        ',5',
        `http://example.org/a?x=1&y=2,"<<( <x:s> <x:p> ""true""^^<${XSD}boolean> )>>"`,
        ',',
        '',
      ].join('\r\n'),
    );
    expect(write('csv', [{ s: iri('x:a,b'), o: typed('1,5', 'decimal') }])).toBe('s,o\r\n"x:a,b","1,5"\r\n');
  });
  test('TSV', () => {
    expect(write('text/tab-separated-values')).toBe(
      [
        '?s\t?o',
        '<http://example.org/a?x=1&y=2>\t"say \\"hi\\", <b>\\n"',
        '_:n1\t"hé"@en-GB',
        '<http://example.org/a?x=1&y=2>\t"אב"@he--rtl',
        `\t"5"^^<${XSD}integer>`,
        `<http://example.org/a?x=1&y=2>\t<<( <x:s> <x:p> "true"^^<${XSD}boolean> )>>`,
        '\t',
        '',
      ].join('\n'),
    );
  });
  test('plain JSON', () => {
    const rows = [
      ...ROWS.slice(0, 4),
      { s: typed('1.50', 'decimal'), o: typed('true', 'boolean') },
      { s: typed('90071992547409931', 'integer'), o: typed('x', 'integer') },
    ];
    expect(JSON.parse(write('application/json', rows))).toEqual([
      { s: s.value, o: 'say "hi", <b>\n' },
      { s: '_:n1', o: 'hé' },
      { s: s.value, o: 'אב' },
      { s: null, o: 5 },
      { s: 1.5, o: true },
      { s: '90071992547409931', o: 'x' },
    ]);
  });
});

test.each(['srj', 'srx', 'csv', 'tsv', 'json'])('%s: ready cells give the same rows', (format) => {
  const serializer = createResultSerializer(format);
  const cells = (['s', 'o'] as const).map((name) =>
    ROWS.map((row) => {
      const term = (row as Record<string, any>)[name];
      return term && serializer.cell(term);
    }),
  );
  const split = serializer.head(['s', 'o']) + serializer.cells(cells, 2);
  const rest = serializer.cells(
    cells.map((column) => [...column.slice(2), 'behind the last row']),
    ROWS.length - 2,
  );
  expect(split + rest + serializer.end()).toBe(write(format));
});

test.each(['srj', 'srx', 'csv', 'tsv', 'json'])('%s: a variable that is called like a member of Object', (format) => {
  const serializer = createResultSerializer(format);
  const text = serializer.head(['constructor']) + serializer.rows([{}]) + serializer.end();
  const same = createResultSerializer(format);
  expect(text).toBe(same.head(['constructor']) + same.cells([[undefined]], 1) + same.end());
});

test.each([
  ['application/sparql-results+json', '{"head": {}, "boolean": true}\n'],
  ['text/csv', 'true\r\n'],
  ['text/tab-separated-values', 'true\n'],
  ['text/boolean', 'true'],
  ['application/json', 'true\n'],
])('a boolean as %s', (mediaType, expected) => {
  expect(createResultSerializer(mediaType).boolean(true)).toBe(expected);
});

test('formats are found by media type, with parameters, and by name', () => {
  expect(findResultFormat('TEXT/CSV; charset=utf-8')?.contentType).toBe('text/csv; charset=utf-8');
  expect(findResultFormat('tsv')?.mediaTypes).toEqual(['text/tab-separated-values']);
  expect(findResultFormat('text/turtle')).toBeUndefined();
  expect(() => createResultSerializer('text/turtle')).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }));
  expect(() => createResultSerializer('text/boolean').head(['s'])).toThrow(
    expect.objectContaining({ code: 'INVALID_OPTION' }),
  );
});
