/** Functions on terms, special forms, and what the query supplies. */
import { describe, expect, it } from 'vitest';
import { iri, literal } from '@quadrille/model';
import { evaluateText } from '../testing.js';

const TRUE = '"true"^^xsd:boolean';
const FALSE = '"false"^^xsd:boolean';

const terms: readonly (readonly [string, string])[] = [
  ['str("01"^^xsd:integer)', '"01"'],
  ['str("x"@en)', '"x"'],
  ['str(:a)', '"http://example.org/a"'],
  ['str(1 / 2)', '"0.5"'],
  ['str("x"^^:unknown)', '"x"'],
  ['str(bnode())', 'error'],
  ['str(<<( :a :b :c )>>)', 'error'],
  ['lang("x"@en-GB)', '"en-GB"'],
  ['lang("x")', '""'],
  ['lang(5)', '""'],
  ['lang(:a)', 'error'],
  ['langdir("x"@en--rtl)', '"rtl"'],
  ['langdir("x"@en)', '""'],
  ['langdir(:a)', 'error'],
  ['haslang("x"@en--rtl)', TRUE],
  ['haslang("x")', FALSE],
  ['haslang(:a)', FALSE],
  ['haslangdir("x"@en--rtl)', TRUE],
  ['haslangdir("x"@en)', FALSE],
  ['haslangdir(5)', FALSE],
  ['datatype("x")', '<http://www.w3.org/2001/XMLSchema#string>'],
  ['datatype("x"@en)', '<http://www.w3.org/1999/02/22-rdf-syntax-ns#langString>'],
  ['datatype("x"@en--ltr)', '<http://www.w3.org/1999/02/22-rdf-syntax-ns#dirLangString>'],
  ['datatype("x"^^:unknown)', '<http://example.org/unknown>'],
  ['datatype("x"^^xsd:integer)', '<http://www.w3.org/2001/XMLSchema#integer>'],
  ['datatype("2024-01-01T00:00:00Z"^^xsd:dateTimeStamp)', '<http://www.w3.org/2001/XMLSchema#dateTimeStamp>'],
  ['datatype("5"^^xsd:byte)', '<http://www.w3.org/2001/XMLSchema#byte>'],
  ['datatype(:a)', 'error'],
  ['strdt("12", xsd:integer) + 1', '"13"^^xsd:integer'],
  ['strdt("x", xsd:string)', '"x"'],
  ['strdt("x"@en, xsd:string)', 'error'],
  ['strdt("x", "y")', 'error'],
  ['strdt("x", rdf:langString)', 'error'],
  ['strlang("x", "en")', '"x"@en'],
  ['strlang("x", "")', 'error'],
  ['strlang(123, "en")', 'error'],
  ['strlangdir("x", "ar", "rtl")', '"x"@ar--rtl'],
  ['strlangdir("x", "en", "LTR")', 'error'],
  ['strlangdir("x", "en", "")', 'error'],
  ['strlangdir("x", "", "ltr")', 'error'],
  ['isiri(:a)', TRUE],
  ['isuri("a")', FALSE],
  ['isblank(bnode())', TRUE],
  ['isliteral("x"^^xsd:integer)', TRUE],
  ['isliteral(<<( :a :b :c )>>)', FALSE],
  ['isnumeric(12)', TRUE],
  ['isnumeric("12")', FALSE],
  ['isnumeric("1200"^^xsd:byte)', FALSE],
  ['isnumeric(:a)', FALSE],
  ['isnumeric(?unbound)', 'error'],
  ['istriple(<<( :a :b :c )>>)', TRUE],
  ['subject(<<( :a :b "c" )>>)', '<http://example.org/a>'],
  ['predicate(<<( :a :b "c" )>>)', '<http://example.org/b>'],
  ['object(<<( :a :b "c" )>>)', '"c"'],
  ['object("c")', 'error'],
  ['triple(:a, :b, "c"@en)', '<<( <http://example.org/a> <http://example.org/b> "c"@en )>>'],
  ['triple(:a, :b, triple(:a, :b, :c)) = triple(:a, :b, triple(:a, :b, :c))', TRUE],
  ['triple(1, :b, :c)', 'error'],
  ['triple(:a, "b", :c)', 'error'],
  ['triple(triple(:x, :y, :z), :b, :c)', 'error'],
  ['triple(:a, :b, ?unbound)', 'error'],
];

const forms: readonly (readonly [string, string])[] = [
  ['true && (1 / 0 = 1)', 'error'],
  ['false && (1 / 0 = 1)', FALSE],
  ['(1 / 0 = 1) && false', FALSE],
  ['(1 / 0 = 1) && (1 / 0 = 1)', 'error'],
  ['(1 / 0 = 1) || true', TRUE],
  ['(1 / 0 = 1) || false', 'error'],
  ['"a" && 1', TRUE],
  ['"" || 0', FALSE],
  ['!(1 / 0 = 1)', 'error'],
  ['!""', TRUE],
  ['!"a"@en', 'error'],
  ['if(true, 1, 1 / 0)', '"1"^^xsd:integer'],
  ['if(1 / 0, 1, 2)', 'error'],
  ['if(?unbound, 1, 2)', 'error'],
  ['if("", 1, 2)', '"2"^^xsd:integer'],
  ['coalesce()', 'error'],
  ['coalesce(?unbound, 1 / 0, 3)', '"3"^^xsd:integer'],
  ['coalesce(?unbound)', 'error'],
  ['2 in (1, 2.0, 1 / 0)', TRUE],
  ['2 in (1 / 0, 2)', TRUE],
  ['2 in (1 / 0, 3)', 'error'],
  ['2 in ()', FALSE],
  ['1 / 0 in ()', FALSE],
  ['2 not in ()', TRUE],
  ['2 not in (1 / 0, 2)', FALSE],
  ['2 not in (1 / 0, 3)', 'error'],
  ['bound(?unbound)', FALSE],
  [':first(1, 2)', '"1"^^xsd:integer'],
  [':first(1 / 0)', 'error'],
  [':first()', 'error'],
];

const supplied: readonly (readonly [string, string])[] = [
  ['iri("../x?y#z")', '<http://example.org/x?y#z>'],
  ['uri(:a)', '<http://example.org/a>'],
  ['iri("urn:x:y")', '<urn:x:y>'],
  ['iri("a b")', 'error'],
  ['iri("a"@en)', 'error'],
  ['iri(5)', 'error'],
  ['bnode()', '_:new1'],
  ['bnode(5)', 'error'],
  ['now()', '"2026-01-02T03:04:05.678Z"^^xsd:dateTime'],
  ['rand()', '"2.5E-1"^^xsd:double'],
  ['uuid()', '<urn:uuid:00000000-0000-4000-8000-000000000000>'],
  ['struuid()', '"00000000-0000-4000-8000-000000000000"'],
];

describe('functions on terms', () => {
  it.each(terms)('%s is %s', (text, expected) => expect(evaluateText(text)).toBe(expected));
});

describe('special forms', () => {
  it.each(forms)('%s is %s', (text, expected) => expect(evaluateText(text)).toBe(expected));

  it('look at variables', () => {
    const five = literal('5', iri('http://www.w3.org/2001/XMLSchema#integer'));
    expect(evaluateText('bound(?x)', { x: five })).toBe(TRUE);
    expect(evaluateText('bound(?x)', { x: undefined })).toBe(FALSE);
    expect(evaluateText('?x + ?x', { x: five })).toBe('"10"^^xsd:integer');
    expect(evaluateText('?x + ?x', { x: undefined })).toBe('error');
    expect(evaluateText('if(?x > 4, "big", ?y)', { x: five, y: undefined })).toBe('"big"');
    expect(evaluateText('?x in (1, ?y)', { x: five, y: undefined })).toBe('error');
    expect(evaluateText('?x in (?x, ?y)', { x: five, y: undefined })).toBe(TRUE);
    expect(evaluateText('<<( ?s :p ?x )>>', { s: iri('urn:s'), x: literal('o') })).toBe(
      '<<( <urn:s> <http://example.org/p> "o" )>>',
    );
    expect(evaluateText('<<( ?x :p ?x )>>', { x: five })).toBe('error');
  });
});

describe('what the query supplies', () => {
  it.each(supplied)('%s is %s', (text, expected) => expect(evaluateText(text)).toBe(expected));
});
