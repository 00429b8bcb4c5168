/** Random queries with other terms of the same kinds: what their shape says they mean is what the parser says. */
import { expect, test } from 'vitest';
import { substituteValues } from '../../packages/sparql/src/algebra/substitute-values.js';
import { parseSparql, parseText } from '../../packages/sparql/src/syntax/parse.js';
import { maskTerms, type TermToken } from '../../packages/sparql/src/syntax/shape/mask-terms.js';
import { Chance, SEED } from '../sparql-random/chance.js';
import { outcomeOf } from './compare.js';
import { RequestMaker } from './generate.js';
import { spell } from './mutate.js';

const PIECE = Number(process.env['QUADRILLE_SYNTAX_PIECE'] ?? 0);
const QUERIES = 500;
const OTHERS = 3;
const OPTIONS = {
  prefixes: { ex: 'http://example.org/', '': 'urn:empty:', 'a.b': 'urn:dot:' },
  baseIRI: 'http://base.example/dir/file',
};
const TERMS: Readonly<Record<string, readonly string[]>> = {
  iri: ['<a>', '<>', '<http://example.org/s>', '<urn:x:y>', '<\\u0061b>', '<#f>', '<../..>'],
  string: ['"a"', "''", '"""a"b"""', "'''a\nb'''", '"\\t\\u0041"', '"1"'],
  integer: ['0', '007', '-1', '+12', '42'],
  decimal: ['.5', '-0.0', '+1.25'],
  double: ['1e0', '.5E-3', '-1.0e+2'],
  local: ['', 'a', 'b.c', 'x:y', '%41', 'a\\-b', '1'],
};

function withOtherTerms(text: string, terms: readonly TermToken[], chance: Chance): string {
  let result = '';
  let from = 0;
  for (const { token, start, end, colon } of terms) {
    const keep = chance.in(0.3);
    const other =
      token === 'name' ? text.slice(start, colon + 1) + chance.among(TERMS['local']!) : chance.among(TERMS[token]!);
    result += text.slice(from, start) + (keep ? text.slice(start, end) : other);
    from = end;
  }
  return result + text.slice(from);
}

test(`random texts of one shape (QUADRILLE_SPARQL_SEED=${SEED} QUADRILLE_SYNTAX_PIECE=${PIECE})`, () => {
  let shared = 0;
  for (let index = PIECE * QUERIES; index < (PIECE + 1) * QUERIES; index++) {
    const chance = new Chance(index, SEED ^ 0x73_68_70);
    const first = spell(new RequestMaker(chance).request(), chance);
    const masked = maskTerms(first);
    if (masked === undefined) continue;
    // The second text of a shape makes it.
    outcomeOf(() => parseText(`${first} `, OPTIONS));
    const known = outcomeOf(() => parseText(first, OPTIONS));
    for (let other = 0; other < OTHERS; other++) {
      const text = withOtherTerms(first, masked.terms, chance);
      const read = outcomeOf(() => parseText(text, OPTIONS));
      const whole = 'parsed' in read ? { parsed: substituteValues(read.parsed) } : read;
      expect(whole, text).toEqual(outcomeOf(() => parseSparql(text, OPTIONS)));
      if ('parsed' in read && 'parsed' in known && read.parsed.parsed === known.parsed.parsed) shared++;
    }
  }
  expect(shared).toBeGreaterThan(QUERIES / 50);
});
