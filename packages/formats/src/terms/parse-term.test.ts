import { termToText } from '@quadrille/model';
import { expect, it } from 'vitest';
import { parseTerm } from './parse-term.js';

it.each([
  ['<http://a/é>', '<http://a/é>'],
  ['_:b0', '_:b0'],
  ['"a\\u0062"@EN', '"ab"@en'],
  ['"1"^^<a:b>', '"1"^^<a:b>'],
  ['<<( <a:s> <a:p> "o" )>>', '<<( <a:s> <a:p> "o" )>>'],
])('parseTerm reads %s', (text, canonical) => {
  expect(termToText(parseTerm(text))).toBe(canonical);
});

it.each([
  ['', 1],
  [' <a:b>', 1],
  ['<a:b> ', 6],
  ['<a:b>\n', 6],
  ['<http://a> <http://p> <http://o> . <http://evil>', 11],
  ['# c\n<http://a>', 1],
  ['<rel>', 1],
  ['<a b>', 3],
  ['"a"@en-', 4],
  ['"a" .', 4],
  ['_:b.', 4],
  ['http://a', 1],
  ['?x', 1],
  ['"é\ud800"', 1],
  ['"\\uD800"', 2],
  ['<http://a> }', 11],
])('parseTerm refuses %j', (text, column) => {
  expect(() => parseTerm(text)).toThrow(expect.objectContaining({ code: 'RDF_SYNTAX', line: 1, column }));
});
