/** Functions count the texts that they build, before they build them. */
import { EvaluationError } from '@quadrille/model';
import { expect, test } from 'vitest';
import { compileExpression } from './compile.js';
import { parseExpression, testContext } from './testing.js';
import { StringValue } from './values/value.js';

const TEXT = 'ab%cdé'.repeat(100);

/** What an expression counts for the text of ?x. */
function counted(expression: string): number[] {
  const lengths: number[] = [];
  const texts = { reserveText: (length: number) => void lengths.push(length) };
  const context = { ...testContext(['x']), texts };
  compileExpression(parseExpression(expression), context).evaluate({ value: () => new StringValue(TEXT) });
  return lengths;
}

test.each<[string, number]>([
  ['CONCAT(?x, ?x, "abc")', 1203],
  ['UCASE(?x)', 1800],
  ['LCASE(STRBEFORE(?x, "%"))', 602],
  ['ENCODE_FOR_URI(?x)', 100 * (4 + 3 + 6)],
  ['SUBSTR(?x, 3)', 600],
  ['STRAFTER(?x, "%")', 600],
  ['REPLACE(?x, "a", "bcd")', 600 + 100 * (3 + 128)],
  ['REPLACE(?x, "(a)(b)", "$2$1$2")', 600 + 100 * (3 + 128)],
  ['SHA256(?x)', 64],
  ['STR(12345678901234567890 * 2)', 4096],
  ['STRUUID()', 45],
  ['IRI(CONCAT("urn:", ?x))', 604 + 604 + 'http://example.org/dir/file'.length],
])('%s: %i characters', (expression, length) => {
  expect(counted(expression).reduce((sum, some) => sum + some, 0)).toBe(length);
});

test('what is too long is never built', () => {
  const texts = {
    reserveText: (length: number, whole = length) => {
      if (whole > 5000) throw new EvaluationError('QUERY_MEMORY', 'too long');
    },
  };
  const context = { ...testContext(['x']), texts };
  for (const expression of [
    'CONCAT(?x, ?x, ?x, ?x, ?x, ?x, ?x, ?x, ?x)',
    'REPLACE(?x, "a", "0123456789012345678901234567890123456789012345678901234567890123456789")',
  ])
    expect(() =>
      compileExpression(parseExpression(expression), context).evaluate({ value: () => new StringValue(TEXT) }),
    ).toThrow('too long');
});

test('without a count the longest text has a limit, also where constants are folded', () => {
  const text = `REPLACE("${'x'.repeat(100)}", "x", "${'y'.repeat(200_000)}")`;
  expect(() => compileExpression(parseExpression(text), testContext())).toThrow('16777216 characters');
});
