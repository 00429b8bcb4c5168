/** Functions on strings: code points, languages, argument compatibility. */
import { describe, expect, it } from 'vitest';
import { literal } from '@quadrille/model';
import { evaluateText } from '../testing.js';

const cases: readonly (readonly [string, string])[] = [
  ['strlen("chat")', '"4"^^xsd:integer'],
  ['strlen("a\\U0001F600b"@en)', '"3"^^xsd:integer'],
  ['strlen(12)', 'error'],
  ['substr("foobar", 4)', '"bar"'],
  ['substr("foobar"@en, 4, 1)', '"b"@en'],
  ['substr("12345", 0, 3)', '"12"'],
  ['substr("12345", -3, 5)', '"1"'],
  ['substr("12345", 2, -1)', '""'],
  ['substr("12345", 6)', '""'],
  ['substr("12345", 1, 99999999999999999999)', '"12345"'],
  ['substr("a\\U0001F600bc", 2, 2)', '"\u{1F600}b"'],
  ['substr("a\\U0001F600bc", 3)', '"bc"'],
  ['substr("abc", 1.5)', 'error'],
  ['substr("abc", "1")', 'error'],
  ['ucase("foo"@en)', '"FOO"@en'],
  ['lcase("FÜR")', '"für"'],
  ['ucase(:a)', 'error'],
  ['contains("foobar"@en, "bar")', '"true"^^xsd:boolean'],
  ['contains("foobar"@en, "bar"@EN)', '"true"^^xsd:boolean'],
  ['contains("foobar", "bar"@en)', 'error'],
  ['contains("foobar"@en, "bar"@fr)', 'error'],
  ['contains("foobar"@en--ltr, "bar"@en)', 'error'],
  ['strstarts("foobar", "")', '"true"^^xsd:boolean'],
  ['strends("foobar", "bar")', '"true"^^xsd:boolean'],
  ['strends("foobar", 5)', 'error'],
  ['strbefore("abc", "b")', '"a"'],
  ['strbefore("abc"@en, "bc")', '"a"@en'],
  ['strbefore("abc"@en, "b"@cy)', 'error'],
  ['strbefore("abc"@en, "")', '""@en'],
  ['strbefore("abc"@en, "xyz")', '""'],
  ['strafter("abc"@en, "ab")', '"c"@en'],
  ['strafter("abc"@en, ""@en)', '"abc"@en'],
  ['strafter("abc"@en, "xyz"@en)', '""'],
  ['concat()', '""'],
  ['concat("a"@en)', '"a"@en'],
  ['concat("foo"@en, "bar"@en)', '"foobar"@en'],
  ['concat("foo"@en, "bar")', '"foobar"'],
  ['concat("foo"@en, "bar"@fr, "x"@en)', '"foobarx"'],
  ['concat("a"@en--ltr, "b"@en--ltr)', '"ab"@en--ltr'],
  ['concat("a"@en--ltr, "b"@en--rtl)', '"ab"'],
  ['concat("a"@en--ltr, "b"@en)', '"ab"'],
  ['concat("a", 1)', 'error'],
  ['encode_for_uri("Los Angeles"@en)', '"Los%20Angeles"'],
  ['encode_for_uri("~-_.!\'()*100%")', '"~-_.%21%27%28%29%2A100%25"'],
  ['encode_for_uri("\\U0001F46A")', '"%F0%9F%91%AA"'],
  ['langmatches("de-DE-1996", "de-de")', '"true"^^xsd:boolean'],
  ['langmatches("deu", "de")', '"false"^^xsd:boolean'],
  ['langmatches("en", "*")', '"true"^^xsd:boolean'],
  ['langmatches("", "*")', '"false"^^xsd:boolean'],
  ['langmatches("", "")', '"true"^^xsd:boolean'],
  ['langmatches("en", 1)', 'error'],
  ['md5("abc")', '"900150983cd24fb0d6963f7d28e17f72"'],
  ['sha1("")', '"da39a3ee5e6b4b0d3255bfef95601890afd80709"'],
  ['sha256("食べ物")', '"23ba21e7ed4e975785764eafbfc1414c19ad0a43355d14d99d7903c35d20c2fa"'],
  [
    'sha384("abc")',
    '"cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7"',
  ],
  [
    'sha512("abc")',
    '"ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"',
  ],
  ['md5("abc"@en)', 'error'],
  ['md5(5)', 'error'],
];

describe('functions on strings', () => {
  it.each(cases)('%s is %s', (text, expected) => expect(evaluateText(text)).toBe(expected));

  it('give up on texts that would be too long for memory', () => {
    const text = literal('x'.repeat(2 ** 20));
    const doubled = (depth: number): string => (depth === 0 ? '?text' : `concat(${doubled(depth - 1)}, ?more)`);
    expect(evaluateText(`strlen(${doubled(3)})`, { text, more: text })).toBe('"4194304"^^xsd:integer');
    expect(() => evaluateText('strlen(replace(?text, "x", ?more))', { text, more: text })).toThrow(
      'more than 16777216 characters',
    );
    expect(() => evaluateText(`strlen(${doubled(17)})`, { text, more: text })).toThrow('more than 16777216 characters');
  });
});
