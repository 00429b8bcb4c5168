import { describe, expect, test } from 'vitest';
import {
  blankNode,
  bytesToTerm,
  dataFactory,
  defaultGraph,
  escapeLexicalForm,
  iri,
  literal,
  quad,
  termToText,
  textToTerm,
  XSD,
} from './index.js';

describe('canonical text', () => {
  test.each([
    [iri('http://e/a'), '<http://e/a>'],
    [iri('http://e/ü'), '<http://e/ü>'],
    [blankNode('b.1'), '_:b.1'],
    [literal(''), '""'],
    [literal('x'), '"x"'],
    [literal('x', iri(`${XSD}string`)), '"x"'],
    [literal('01', iri(`${XSD}integer`)), `"01"^^<${XSD}integer>`],
    [literal('x', 'en-GB'), '"x"@en-gb'],
    [literal('x', { language: 'AR', direction: 'rtl' }), '"x"@ar--rtl'],
    [literal('a"b\\c'), '"a\\"b\\\\c"'],
    [literal('@en "quoted"', 'en'), '"@en \\"quoted\\""@en'],
    [literal('"^^<http://e/t>', iri('http://e/t')), '"\\"^^<http://e/t>"^^<http://e/t>'],
  ])('of %o', (term, text) => {
    expect(termToText(term)).toBe(text);
    const back = textToTerm(text);
    expect(termToText(back)).toBe(text);
    if (term.termType !== 'Literal' || term.language === term.language.toLowerCase())
      expect(back.equals(term)).toBe(true);
  });

  test('of what is not read back', () => {
    expect(termToText(defaultGraph())).toBe('');
    expect(termToText(dataFactory.variable!('v'))).toBe('?v');
    const inner = quad(iri('http://e/s'), iri('http://e/p'), literal('o'));
    expect(termToText(quad(blankNode('b'), iri('http://e/p'), inner))).toBe(
      '<<( _:b <http://e/p> <<( <http://e/s> <http://e/p> "o" )>> )>>',
    );
  });
});

describe('escapes', () => {
  test('the short ones, and \\u in capitals where there is none', () => {
    expect(escapeLexicalForm('\b\t\n\f\r"\\')).toBe('\\b\\t\\n\\f\\r\\"\\\\');
    expect(escapeLexicalForm('\0\u001f\u007f\ufffe\uffff')).toBe('\\u0000\\u001F\\u007F\\uFFFE\\uFFFF');
    expect(escapeLexicalForm("'/äß\u0080\u2028😀")).toBe("'/äß\u0080\u2028😀");
  });

  test('every character comes back', () => {
    for (let code = 0; code < 0x1_0000; code += code < 0x300 ? 1 : 61) {
      if (code >= 0xd800 && code < 0xe000) continue;
      const value = `a${String.fromCharCode(code)}u0041\\n`;
      expect(textToTerm(termToText(literal(value))).value).toBe(value);
    }
    for (const value of [
      '\ufffe',
      '\uffff',
      '\\',
      '\\\\',
      '\\u0041',
      '"',
      '\\"',
      '😀',
      '\u{10ffff}',
      '"@en',
      '"--ltr',
    ]) {
      for (const term of [literal(value), literal(value, 'en'), literal(value, iri('http://e/t'))]) {
        expect(textToTerm(termToText(term)).equals(term)).toBe(true);
      }
    }
  });
});

describe('long texts', () => {
  const utf8 = new TextEncoder();
  const padding = 'x'.repeat(5000);

  test('have the escapes of short ones, and come back from their bytes', () => {
    for (let code = 0; code < 0x1_0000; code += code < 0x900 ? 1 : 61) {
      if (code >= 0xd800 && code < 0xe000) continue;
      const value = `\ufeff"${String.fromCharCode(code)}ï😀\\u0041`;
      const escaped = escapeLexicalForm(value + padding);
      expect(escaped).toBe(escapeLexicalForm(value) + padding);
      const text = termToText(literal(value + padding, 'en'));
      expect(text).toBe(`"${escaped}"@en`);
      expect(textToTerm(text).value).toBe(value + padding);
      expect(bytesToTerm(utf8.encode(text)).equals(literal(value + padding, 'en'))).toBe(true);
    }
    for (const value of ['\ufffe', '\uffff', '\ufff0\ufffe', '\u0000', '']) {
      const text = termToText(literal(value + padding, iri('http://e/t')));
      expect(text).toBe(`"${escapeLexicalForm(value)}${padding}"^^<http://e/t>`);
      expect(bytesToTerm(utf8.encode(text)).equals(literal(value + padding, iri('http://e/t')))).toBe(true);
    }
  });

  test('keep lone surrogates, which have no bytes', () => {
    expect(escapeLexicalForm(`"\ud800${padding}`)).toBe(`\\"\ud800${padding}`);
  });

  test('that are all escapes take a time that grows with their length, and not with its square', () => {
    const once = (value: string): number => {
      const begun = performance.now();
      expect(textToTerm(termToText(literal(value))).value).toBe(value);
      return performance.now() - begun;
    };
    // The least of many: other work of the machine makes single ones longer.
    const time = (value: string): number => Math.min(...Array.from({ length: 8 }, () => once(value)));
    const [short, long] = [300_000, 2_400_000].map((length) => time('\u0001'.repeat(length)));
    expect(long! / short!).toBeLessThan(32);
  });

  test.each([iri('http://e/a'), blankNode('b'), literal('x', 'en')])('short ones come from bytes too: %o', (term) => {
    expect(bytesToTerm(utf8.encode(termToText(term))).equals(term)).toBe(true);
  });
});

test('equal terms have equal texts, different terms different ones', () => {
  const terms = [
    iri('http://e/x'),
    blankNode('x'),
    literal('x'),
    literal('x', 'en'),
    literal('x', 'en-us'),
    literal('x', { language: 'en', direction: 'ltr' }),
    literal('x', { language: 'en', direction: 'rtl' }),
    literal('x', iri('http://e/x')),
    literal('<http://e/x>'),
    literal('_:x'),
  ];
  expect(new Set(terms.map(termToText)).size).toBe(terms.length);
});

test('more datatypes than are shared', () => {
  for (let i = 0; i < 1100; i++) {
    const term = literal('x', iri(`http://e/type/${i}`));
    expect(textToTerm(termToText(term)).equals(term)).toBe(true);
  }
});
