/** Functions of long texts: the same results as at once, with turns of the event loop between pieces. */
import { describe, expect, test } from 'vitest';
import { compileExpression } from '../compile.js';
import { ExtensionCalls } from '../extension-functions.js';
import { evaluateValue, parseExpression, testContext, textOfValue } from '../testing.js';
import { ERROR, StringValue, type Value } from '../values/value.js';

const TEXTS: Readonly<Record<string, string>> = {
  ASCII: 'a b!'.repeat(2 ** 17),
  wide: 'é漢ß'.repeat(2 ** 17),
  'pairs of surrogates': `x${'👪'.repeat(2 ** 17)}`,
};
const LONE = `${'a'.repeat(2 ** 17 - 1)}\ud800`.repeat(2);

const EXPRESSIONS = ['MD5', 'SHA1', 'SHA256', 'SHA384', 'SHA512', 'ENCODE_FOR_URI', 'UCASE'].map(
  (name) => `${name}(?t)`,
);

/** The value of an expression that may wait, and how often the event loop could have its turn. */
async function waited(text: string, value: Value): Promise<{ readonly value: Value; readonly pauses: number }> {
  const calls = new ExtensionCalls();
  let pauses = 0;
  const pause = (): Promise<void> => {
    pauses++;
    return Promise.resolve();
  };
  const compiled = compileExpression(parseExpression(text), { ...testContext(['t']), calls, pause });
  const evaluate = (): Value => compiled.evaluate({ value: () => value });
  let result = evaluate();
  while (calls.pending !== undefined) {
    await calls.pending;
    calls.resume();
    result = evaluate();
  }
  return { value: result, pauses };
}

describe.each(Object.entries(TEXTS))('texts of %s', (_, text) => {
  test.each([...EXPRESSIONS, 'SHA256(ENCODE_FOR_URI(UCASE(?t)))', 'SHA1(?t) = SHA1(?t)'])('%s', async (expression) => {
    const value = new StringValue(text);
    const { value: result, pauses } = await waited(expression, value);
    expect(textOfValue(result) === textOfValue(evaluateValue(expression, { t: value }))).toBe(true);
    expect(pauses).toBeGreaterThanOrEqual(text.length / 2 ** 17);
  });
});

test('a lone surrogate in a later piece is an error of ENCODE_FOR_URI', async () => {
  expect((await waited('ENCODE_FOR_URI(?t)', new StringValue(LONE))).value).toBe(ERROR);
});

test('short texts are not waited for', async () => {
  for (const expression of EXPRESSIONS) expect((await waited(expression, new StringValue('short'))).pauses).toBe(0);
});

const DIGITS = '7'.repeat(2 ** 23);
const TYPES = ['integer', 'decimal', 'double', 'float', 'long', 'dateTime', 'date', 'gYear', 'time', 'duration'];

test.each(TYPES)('digits without end are no xsd:%s, and no failure', (type) => {
  const value = new StringValue(DIGITS);
  expect(evaluateValue(`xsd:${type}(?t)`, { t: value })).toBe(ERROR);
  expect(evaluateValue(`STRDT(?t, xsd:${type}) = 1`, { t: value })).toBe(ERROR);
});
