import { expect, test } from 'vitest';
import { basePathOf, belowBase } from './base-path.js';

test.each([
  ['/rdf', '/rdf'],
  ['/rdf/', '/rdf'],
  ['/a/b-c/d.e', '/a/b-c/d.e'],
  ['/', ''],
  ['', ''],
  ['rdf', undefined],
  ['/a//b', undefined],
  ['/a/..', undefined],
  ['/./a', undefined],
  ['/a?b', undefined],
  ['/a b', undefined],
  ['/%72df', undefined],
  ['https://e.org/rdf', undefined],
])('the base path %j is %j', (text, base) => expect(basePathOf(text)).toBe(base));

test.each([
  ['/rdf', '/'],
  ['/rdf/', '/'],
  ['/rdf?x', '/?x'],
  ['/rdf/a/r', '/a/r'],
  ['/rdf/rdf/r', '/rdf/r'],
  ['/rdfs', undefined],
  ['/RDF/a', undefined],
  ['/', undefined],
  ['/a/rdf', undefined],
])('%j is %j below /rdf', (path, rest) => expect(belowBase('/rdf', path)).toBe(rest));

test('everything is below the root', () => expect(belowBase('', '/a')).toBe('/a'));
