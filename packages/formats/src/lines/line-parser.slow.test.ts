import { describe, expect, it } from 'vitest';
import { createLineParser } from './line-parser.js';
import { cuts, encode, errorOf, outcome, parseAll } from '../testing.js';

const nt = { format: 'nt' };
const nq = { format: 'nq' };
const object = (text: string): string =>
  parseAll([encode(`<a:s> <a:p> ${text} .\n`)], nt)[0]!.slice('<a:s> <a:p> '.length);

describe('canonical form of what is read', () => {
  it.each([
    ['<http://a/\\u00e9\\U0001F600>', '<http://a/é😀>'],
    ['<http://a/é?q=1#f>', '<http://a/é?q=1#f>'],
    ['<a:>', '<a:>'],
    ['"plain"', '"plain"'],
    ['""', '""'],
    ['"\\t\\b\\n\\r\\f\\"\\\\"', '"\\t\\b\\n\\r\\f\\"\\\\"'],
    ['"it\\\'s"', '"it\'s"'],
    ['"\\u0041\\U0001F600é"', '"A😀é"'],
    ['"\\u0009\\u000a"', '"\\t\\n"'],
    ['"\\u000b\\u007f\\ufffe\\uFFFF\\u0000"', '"\\u000B\\u007F\\uFFFE\\uFFFF\\u0000"'],
    ['"raw \t \x00 \x7f \uFFFE \uFFFF"', '"raw \\t \\u0000 \\u007F \\uFFFE \\uFFFF"'],
    ['"\uFFFD\uFEFF\u{10FFFF}"', '"\uFFFD\uFEFF\u{10FFFF}"'],
    ['"chat"@FR', '"chat"@fr'],
    ['"chat"@fr-Latn-CA--rtl', '"chat"@fr-latn-ca--rtl'],
    ['"c\\u0068at"@FR--ltr', '"chat"@fr--ltr'],
    ['"chat" @en', '"chat"@en'],
    ['"1"^^<http://www.w3.org/2001/XMLSchema#integer>', '"1"^^<http://www.w3.org/2001/XMLSchema#integer>'],
    ['"1" ^^ <a:\\u0062>', '"1"^^<a:b>'],
    ['"\\u0031"^^<a:\\u0062>', '"1"^^<a:b>'],
    ['"1"^^<a:\\u0062>', '"1"^^<a:b>'],
    ['"\\u0031"^^<a:b>', '"1"^^<a:b>'],
    ['"s"^^<http://www.w3.org/2001/XMLSchema#string>', '"s"'],
    ['"\\u0073"^^<http://www.w3.org/2001/XMLSchema#string>', '"s"'],
    ['"s"  ^^<http://www.w3.org/2001/XMLSchema#strin\\u0067>', '"s"'],
    ['"x\\"@en"', '"x\\"@en"'],
    ['_:a.b-1·', '_:a.b-1·'],
    ['_:0é', '_:0é'],
    ['<<(<a:s><a:p>"\\u0041"@EN)>>', '<<( <a:s> <a:p> "A"@en )>>'],
    ['<<( _:x <a:p> <<( <a:s> <a:p> "1"^^<a:b> )>> )>>', '<<( _:x <a:p> <<( <a:s> <a:p> "1"^^<a:b> )>> )>>'],
  ])('%s', (source, canonical) => {
    expect(object(source)).toBe(canonical);
  });
});

describe('lines', () => {
  it.each([
    [
      'LF, CR, CRLF and none at the end',
      '<a:s> <a:p> "1" .\n<a:s> <a:p> "2" .\r<a:s> <a:p> "3" .\r\n<a:s> <a:p> "4" .',
      4,
    ],
    ['comments and blank lines', '# c\n\n \t \n<a:s> <a:p> "1" . # é\n#<a:s> <a:p> "2" .', 1],
    ['no blanks', '<a:s><a:p><a:o>.<a:s>', -1],
    ['no blanks, one line', '<a:s><a:p><a:o>.', 1],
    ['a byte order mark', '\uFEFF<a:s> <a:p> <a:o> .', 1],
    ['a version', 'VERSION "1.2"\n<a:s> <a:p> <a:o> .\nVERSION "1.2-basic" # c\n', 1],
    ['a blank node before the dot', '_:a <a:p> _:b.\n_:a. <a:p> _:b .', -1],
    ['nothing', '', 0],
  ])('%s', (_, document, count) => {
    if (count < 0) expect(() => parseAll([encode(document)], nt)).toThrow();
    else expect(parseAll([encode(document)], nt)).toHaveLength(count);
  });

  it('reads graph names', () => {
    const lines = '<a:s> <a:p> <a:o> .\n<a:s> <a:p> <a:o> <a:g> .\n<a:s> <a:p> <a:o> <a:g>.\n<a:s> <a:p> "o"@en _:g .';
    expect(parseAll([encode(lines)], nq)).toEqual([
      '<a:s> <a:p> <a:o>',
      '<a:s> <a:p> <a:o> <a:g>',
      '<a:s> <a:p> <a:o> <a:g>',
      '<a:s> <a:p> "o"@en _:g',
    ]);
  });

  it('does not take a longer subject, predicate or graph for the one before', () => {
    const lines = [
      '_:a <a:p> "1" <a:g> .',
      '_:ab <a:p> "1" <a:g> .',
      '_:a <a:pp> "1" <a:gg> .',
      '_:a <a:p> "1" <a:g>.',
    ];
    expect(parseAll([encode(lines.join('\n'))], nq)).toEqual(lines.map((line) => line.replace(/ ?\.$/, '')));
  });
});

const errors: [string, string, number, number, string][] = [
  ['<a:s> <a:p> <a:o>', 'expected ".", found the end of the line', 1, 18, nt.format],
  ['<a:s> <a:p> <a:o> <a:g> .', 'expected ".", found "<a:g>" (a graph name is N-Quads)', 1, 19, nt.format],
  ['<a:s> <a:p> <a:o> . x', 'unexpected "x"', 1, 21, nt.format],
  ['<a:s> <a:p> <a:o> <a:g> <a:h> .', 'expected ".", found "<a:h>"', 1, 25, nq.format],
  ['<a:s> <a:p> <a:o> "g" .', 'expected an IRI or a blank node', 1, 19, nq.format],
  ['\n# é\n <é> <a:p> <a:o> .', 'not absolute', 3, 2, nt.format],
  ['<a:é> <a:p é> <a:o> .', 'U+0020 is not allowed in an IRI', 1, 11, nt.format],
  ['<a:s> <a:\\u0020> <a:o> .', 'U+0020 is not allowed', 1, 10, nt.format],
  ['<a:s> <a:\\n> <a:o> .', 'only \\u and \\U', 1, 10, nt.format],
  ['<a:s> <a:{> <a:o> .', '{ is not allowed', 1, 10, nt.format],
  ['<a:s> <a:p <a:o> .', 'U+0020', 1, 11, nt.format],
  ['<a:s> <a:p', 'no closing ">"', 1, 7, nt.format],
  ['<a:s> "p" <a:o> .', 'expected an IRI (predicate)', 1, 7, nt.format],
  ['<a:s> _:p <a:o> .', 'expected an IRI (predicate)', 1, 7, nt.format],
  ['"s" <a:p> <a:o> .', 'expected a subject', 1, 1, nt.format],
  ['<<( <a:s> <a:p> <a:o> )>> <a:p> <a:o> .', 'a triple cannot be the subject', 1, 1, nt.format],
  ['<a:s> <a:p> << <a:s> <a:p> <a:o> >> .', 'reified triples', 1, 13, nt.format],
  ['<a:s> <a:p> <<( <a:s> <a:p> <a:o> >> .', '")>>"', 1, 35, nt.format],
  ['<a:s> <a:p> <<( "s" <a:p> <a:o> )>> .', 'subject of a triple term', 1, 17, nt.format],
  ['_: <a:p> <a:o> .', 'needs a label', 1, 3, nt.format],
  ['_:-a <a:p> <a:o> .', 'needs a label', 1, 3, nt.format],
  ['_:a:b <a:p> <a:o> .', 'expected an IRI (predicate)', 1, 4, nt.format],
  ['_a <a:p> <a:o> .', '"_:"', 1, 1, nt.format],
  ['<a:s> <a:p> "o .', 'no closing quote', 1, 13, nt.format],
  ['<a:s> <a:p> "o\\" .', 'no closing quote', 1, 13, nt.format],
  ['<a:s> <a:p> "o\\x" .', 'unknown escape', 1, 15, nt.format],
  ['<a:s> <a:p> "\\u12g4" .', '4 hexadecimal digits', 1, 14, nt.format],
  ['<a:s> <a:p> "\\uD800" .', 'surrogate', 1, 14, nt.format],
  ['<a:s> <a:p> "\\U00110000" .', 'beyond U+10FFFF', 1, 14, nt.format],
  ['<a:s> <a:p> "\\UFFFFFFFF" .', 'beyond U+10FFFF', 1, 14, nt.format],
  ['<a:s> <a:p> "o"@ .', 'not a language tag', 1, 16, nt.format],
  ['<a:s> <a:p> "o"@1 .', 'not a language tag', 1, 16, nt.format],
  ['<a:s> <a:p> "o"@en- .', 'not a language tag', 1, 16, nt.format],
  ['<a:s> <a:p> "o"@abcdefghi .', 'not a language tag', 1, 16, nt.format],
  ['<a:s> <a:p> "o"@en--up .', 'base direction', 1, 19, nt.format],
  ['<a:s> <a:p> "o"@en--LTR .', 'base direction', 1, 19, nt.format],
  [`<a:s> <a:p> "o"@en${'-abcdefgh'.repeat(30)} .`, 'too long', 1, 16, nt.format],
  ['<a:s> <a:p> "o"^^"d" .', 'datatype', 1, 18, nt.format],
  ['<a:s> <a:p> "o"^<a:d> .', 'expected "."', 1, 16, nt.format],
  ['<a:s> <a:p> "o"^^<d> .', 'not absolute', 1, 18, nt.format],
  ['<a:s> <a:p> "o"^^<http://www.w3.org/1999/02/22-rdf-syntax-ns#langString> .', 'needs a language', 1, 18, nt.format],
  [
    '<a:s> <a:p> "o"^^<http://www.w3.org/1999/02/22-rdf-syntax-ns#dirLangStrin\\u0067> .',
    'needs a language',
    1,
    18,
    nt.format,
  ],
  ['<a:s>\u00a0<a:p> <a:o> .', 'expected an IRI', 1, 6, nt.format],
  ['@prefix a: <b:> .', 'expected a subject', 1, 1, nt.format],
  ['version "1.2"', 'expected a subject', 1, 1, nt.format],
  ["VERSION '1.2'", 'double quotes', 1, 9, nt.format],
  ['VERSION "1.2" .', 'unexpected "."', 1, 15, nt.format],
  ['<a:s> <a:p> <a:o> .\r\n<a:s>\r\n\r', 'expected an IRI', 2, 6, nt.format],
];

describe('errors', () => {
  it.each(errors)('%s', (document, reason, line, column, format) => {
    const error = errorOf(document, { format });
    expect(error.reason).toContain(reason);
    expect([error.code, error.source, error.line, error.column]).toEqual(['RDF_SYNTAX', 'doc', line, column]);
    const before =
      document
        .split(/\r\n|\n/)
        .slice(0, line - 1)
        .join('\n').length + (line > 1 ? 1 : 0);
    const inLine = [...document.slice(before).replace(/^\n/, '')].slice(0, column - 1).join('');
    if (!document.includes('\r')) expect(error.offset).toBe(encode(document.slice(0, before) + inLine).length);
  });

  it.each([
    ['overlong', [0xc0, 0xaf]],
    ['overlong, three bytes', [0xe0, 0x80, 0xaf]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
    ['too large', [0xf4, 0x90, 0x80, 0x80]],
    ['cut off', [0xe2, 0x82]],
    ['never a byte', [0xff]],
    ['a continuation alone', [0x80]],
  ])('not UTF-8: %s', (_, bad) => {
    const around = [
      ['<a:', '> <a:p> <a:o> .'],
      ['<a:s> <a:p> "', '" .'],
      ['_:a', ' <a:p> <a:o> .'],
      ['# ', ''],
    ] as const;
    for (const [before, after] of around) {
      const document = Uint8Array.from([...encode(before), ...bad, ...encode(`${after}\n`)]);
      const error = errorOf(document, nt);
      expect([error.reason, error.offset]).toEqual(['not UTF-8', before.length]);
    }
  });

  it('keeps the message short', () => {
    expect(errorOf(`<a:s> <a:p> ${'x'.repeat(10_000)} .`, nt).message.length).toBeLessThan(300);
  });
});

describe('limits', () => {
  it('refuses a long line, a long term and deep nesting', () => {
    const long = `<a:s> <a:p> "${'x'.repeat(1000)}" .\n`;
    expect(
      outcome([encode(long.slice(0, 500)), encode(long.slice(500))], { ...nt, limits: { maxLineBytes: 100 } }),
    ).toContain('longer than 100');
    expect(outcome([encode(long)], { ...nt, limits: { maxTermBytes: 100 } })).toContain('longer than 100');
    expect(outcome([encode(long.replace('x', '\\u0041'))], { ...nt, limits: { maxTermBytes: 100 } })).toContain(
      'longer than 100',
    );
    const deep = `<a:s> <a:p> ${'<<( <a:s> <a:p> '.repeat(1001)}"o"${' )>>'.repeat(1001)} .`;
    expect(outcome([encode(deep)], nt)).toContain('deeper than 1000');
  });

  it('refuses 100 MB on one line after 32 MB', () => {
    const parser = createLineParser({ sink: nullSink(), quads: false });
    const chunk = new Uint8Array(1024 * 1024).fill(0x61);
    parser.push(encode('<a:s> <a:p> "'));
    let pushed = 0;
    expect(() => {
      for (; pushed < 100; pushed++) parser.push(chunk);
    }).toThrow('the line is longer than 33554432 bytes');
    expect(pushed).toBeLessThan(33);
  });
});

function nullSink() {
  let calls = 0;
  const next = () => ++calls + 1;
  return { term: next, blankNode: next, tripleTerm: next, quad: () => {}, calls: () => calls };
}

describe('reuse of handles', () => {
  it('asks the sink once for a subject in a row, and once for each predicate and graph', () => {
    const sink = nullSink();
    const parser = createLineParser({ sink, quads: true });
    const lines = Array.from({ length: 300 }, (_, i) => `<a:s${(i / 100) | 0}> <a:p${i % 3}> <a:o${i}> <a:g> .\n`);
    parser.push(encode(lines.join('')));
    parser.end();
    expect(sink.calls()).toBe(3 + 3 + 300 + 1);
  });
});

describe('chunks', () => {
  const document = encode(
    '\uFEFF# é\r\n<a:s> <a:é> "a\\u00e9é😀"@EN--ltr <a:g> .\r\n\r<a:s> <a:é> "x"^^<http://www.w3.org/2001/XMLSchema#string> _:g.\n' +
      '_:b.c <a:q> <<( _:b <a:q> "\uFFFE" )>> . # c\rVERSION "1.2"\n<a:s> <a:é> "1" .\n<a:s> <a:é> <a:\\u0062> .',
  );
  const broken = encode('<a:s> <a:p> "é" .\r\n<a:s> <a:p> "é\\x" .\r\n<a:s> <a:p> "é" .\n');

  it('cut anywhere give the same', () => {
    const whole = outcome([document], nq);
    expect(whole.split('\n')).toHaveLength(5);
    for (const chunks of cuts(document)) expect(outcome(chunks, nq)).toBe(whole);
    const bytes = Array.from(document, (byte) => Uint8Array.of(byte));
    expect(outcome(bytes, nq)).toBe(whole);
  });

  it('does not look beyond the line', () => {
    for (let length = 0; length < 8; length++) {
      const document = `<a:s>\n${'x'.repeat(length)}`;
      expect(outcome([encode(document)], nt)).toBe(
        'doc:1:6: expected an IRI (predicate), found the end of the line @5',
      );
    }
  });

  it('cut anywhere give the same error', () => {
    expect(outcome([broken], nt)).toBe('doc:2:15: unknown escape in a string @35');
    for (const chunks of cuts(broken)) expect(outcome(chunks, nt)).toBe(outcome([broken], nt));
  });
});
