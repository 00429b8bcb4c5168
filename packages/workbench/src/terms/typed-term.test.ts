import { expect, test } from 'vitest';
import { typedIri, typedTerm, typedTerms } from './typed-term.js';

const NAMES = { ex: 'http://example.org/', '': 'http://none.example/', xsd: 'http://www.w3.org/2001/XMLSchema#' };
const ALL = { literals: true, others: true };
const typed = (decimal: string, type: string): string => `"${decimal}"^^<http://www.w3.org/2001/XMLSchema#${type}>`;

test.each([
  ['http://example.org/ann', '<http://example.org/ann>'],
  ['<http://example.org/ann>', '<http://example.org/ann>'],
  ['urn:x:1', '<urn:x:1>'],
  ['mailto:ann@example.org', '<mailto:ann@example.org>'],
  ['<ex:ann>', '<ex:ann>'],
  ['ex:ann', '<http://example.org/ann>'],
  ['ex:a.b', '<http://example.org/a.b>'],
  ['ex:', '<http://example.org/>'],
  ['ex:a\\/b', '<http://example.org/a/b>'],
  ['ex:héllo-1', '<http://example.org/héllo-1>'],
  [':a', '<http://none.example/a>'],
  ['25350.5', typed('25350.5', 'decimal')],
  ['-7', typed('-7', 'integer')],
  ['1e3', typed('1e3', 'double')],
  ['1.5E-3', typed('1.5E-3', 'double')],
  ['.5', typed('.5', 'decimal')],
  ['true', typed('true', 'boolean')],
  ['"Ada"@en', '"Ada"@en'],
  ["'Ada'", '"Ada"'],
  ['"""a "b" c"""', '"a \\"b\\" c"'],
  ['"1"^^xsd:integer', typed('1', 'integer')],
  ['"1"^^<http://x.example/t>', '"1"^^<http://x.example/t>'],
  ['"a\\nb"', '"a\\nb"'],
  ['_:b1', '_:b1'],
  ['<<(<urn:a> <urn:b> <urn:c>)>>', '<<(<urn:a> <urn:b> <urn:c>)>>'],
])('%s is a term', (text, term) => {
  expect(typedTerm(text, NAMES, ALL)).toEqual({ term });
});

test.each([
  ['no:thing', /prefix no: is not known.*<no:thing>/],
  ['Ada', /is no term/],
  ['<ann>', /no absolute IRI/],
  ['<urn:a b>', /no absolute IRI/],
  ['http://', /no absolute IRI/],
  ['http:x', /prefix http: is not known/],
  ['ex:a/b', /no name with the prefix ex:/],
  ['ex:a.', /no name with the prefix ex:/],
  ['ex:a b', /no name with the prefix ex:/],
  ['"open', /no closing quote/],
  ['"a" b', /neither a language/],
  ['"a"^^no:t', /prefix no: is not known/],
  ['25350,5', /is no term/],
  ['toString:x', /prefix toString: is not known/],
])('%s is none', (text, problem) => {
  expect(typedTerm(text, NAMES, ALL)).toEqual({ problem: expect.stringMatching(problem) as string });
});

test('an IRI is shown so that it is read again', () => {
  expect(['http://a.example/b', 'ex:ann', 'no:thing', 'urn:a'].map((iri) => typedIri(iri, NAMES))).toEqual([
    'http://a.example/b',
    '<ex:ann>',
    '<no:thing>',
    'urn:a',
  ]);
});

test('what stands where an IRI is wanted is refused', () => {
  for (const text of ['25350.5', '"a"', '_:b', '<<(<urn:a> <urn:b> <urn:c>)>>'])
    expect(typedTerm(text, NAMES).problem).toBeTypeOf('string');
});

test('one term a line; the problem names its line', () => {
  expect(typedTerms('ex:a\n\n urn:b:c \nex:a', NAMES)).toEqual({
    terms: ['<http://example.org/a>', '<urn:b:c>'],
  });
  expect(typedTerms('ex:a\nno iri', NAMES).problem).toMatch(/^Line 2: “no iri” is no term/);
});
