/** Long texts: they are read in parts, and in time that grows with their length. */
import { describe, expect, test } from 'vitest';
import type { ParseError } from '@quadrille/model';
import { parseSparql, parseSparqlPaced } from './parse.js';

const rows = Array.from({ length: 20_000 }, (_, i) => `(<urn:s${i}> "text ${i}")`).join('\n');
const TEXTS = {
  VALUES: `SELECT * { VALUES (?s ?o) { ${rows} } }`,
  triples: `SELECT * { ${'?s <urn:p> ?o ; <urn:q> [ <urn:r> (1 2 3) ] .\n'.repeat(10_000)} }`,
  'elements of a group': `SELECT * { ${'OPTIONAL { ?s ?p ?o FILTER(?o > 1) }\n'.repeat(10_000)} }`,
  IN: `ASK { ?s ?p ?o FILTER(?o IN (${'1, '.repeat(100_000)} 1)) }`,
  sums: `ASK { FILTER(${'1 + '.repeat(100_000)} 1) }`,
  paths: `ASK { ?s ${'<urn:p>|'.repeat(50_000)}<urn:p> ?o }`,
  data: `INSERT DATA { ${'<urn:s> <urn:p> 1, [] .\n'.repeat(20_000)} }`,
  updates: 'CLEAR ALL;\n'.repeat(50_000),
  columns: `SELECT ${Array.from({ length: 10_000 }, (_, i) => `(1 + 1 AS ?x${i})`).join(' ')} {}`,
};
/** Their algebra is too deep for the comparison of the tests. */
const DEEP = new Set(['sums', 'elements of a group', 'columns']);

describe('in parts', () => {
  test.each(Object.entries(TEXTS))('%s', async (name, text) => {
    let pauses = 0;
    const pause = (): undefined => void pauses++;
    const paced = await parseSparqlPaced(text, {}, pause);
    expect(pauses).toBeGreaterThan(text.length / 16_384);
    if (!DEEP.has(name)) expect(paced).toEqual(parseSparql(text));
  });
  test('what a pause throws ends the parser', async () => {
    let pauses = 0;
    const pause = (): undefined => {
      if (++pauses === 3) throw new Error('enough');
    };
    await expect(parseSparqlPaced(TEXTS.VALUES, {}, pause)).rejects.toThrow('enough');
    expect(pauses).toBe(3);
  });
  test('an error behind a pause has its place', async () => {
    const parsing = parseSparqlPaced(`${TEXTS.triples} x`, {}, () => Promise.resolve());
    await expect(parsing).rejects.toMatchObject({ code: 'SPARQL_SYNTAX', line: 10_001 });
  });
  test('a text that has to be read twice', async () => {
    const text = `SELECT * { ${'?s <urn:p>/<urn:q> ?o .\n'.repeat(10_000)} ?var0 ?p ?o }`;
    const parsed = await parseSparqlPaced(text, {}, () => undefined);
    expect(parsed).toEqual(parseSparql(text));
    expect(parsed.variables).toEqual(['s', 'o', 'var0', 'p']);
  });
  test('a text whose first reading is refused for a variable that it does not have', async () => {
    const text = `SELECT (1 AS ?var0) { ${'?s <urn:p> ?o .\n'.repeat(10_000)} } GROUP BY str(?s)`;
    expect(await parseSparqlPaced(text, {}, () => undefined)).toEqual(parseSparql(text));
  });
});

const STRINGS = ['"""\\', '"\\', "'", '"""', '""" ', "''' ", '\\u0041', '\u{1F600}', '@a-', '@'];
const NAMES = ['ex:a....', '_:a...', 'ex:a%4', '::', 'a.', 'a-', 'x', 'é', '\uFEFF', '_', '?', '$'];
const WORDS = ['true', 'trueatrue.', 'SELECT', 'SELECT ', '# ', '#\n', ' ', '\r'];
const SIGNS = ['[', '( ', '<a', '<', '<<', '(', '( )', '[ ]', '!', '^', '&', '|', '{', ')>>', '~', '\\', '%', '.'];
const NUMBERS = ['1', '-1', '+', '1e', '1.', '.5'];
const PIECES = [...STRINGS, ...NAMES, ...WORDS, ...SIGNS, ...NUMBERS];
const CONTEXTS = [
  'INSERT DATA { ex:s ex:p ',
  'SELECT * { ?s ?p ',
  'SELECT * { VALUES ?x { ',
  'ASK { FILTER(',
  'PREFIX a: ',
];

// Some 300 texts of 50,000 to 400,000 characters, in a few seconds. One that is read in quadratic time takes minutes.
test('hostile texts take no longer than they are long', () => {
  for (const piece of PIECES) {
    for (const context of CONTEXTS) {
      try {
        parseSparql(`${context}${piece.repeat(50_000)}`, { prefixes: { ex: 'http://example.org/' } });
      } catch (error) {
        expect((error as ParseError).code, `${context}${piece}`).toBe('SPARQL_SYNTAX');
      }
    }
  }
});
