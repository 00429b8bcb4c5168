import { describe, expect, test } from 'vitest';
import { substituteValues } from '../../algebra/substitute-values.js';
import { parseSparql, parseText, type ParseOptions } from '../parse.js';
import { maskTerms } from './mask-terms.js';

const OPTIONS: ParseOptions = {
  prefixes: { ex: 'http://example.org/', '': 'urn:empty:' },
  baseIRI: 'http://base.example/dir/file',
};

/** Reads a text twice: a shape is made of the second text that has it. */
function readAgain(text: string, options?: ParseOptions): ReturnType<typeof parseText> {
  parseText(`${text} `, options);
  return parseText(text, options);
}

/** A text that was read by the shape of another one means what the parser says. */
function sharesWith(first: string, text: string, options = OPTIONS): boolean {
  const known = readAgain(first, options);
  const read = parseText(text, options);
  expect(substituteValues(read)).toEqual(parseSparql(text, options));
  return read.parsed === known.parsed;
}

describe('texts of one shape', () => {
  test.each([
    ['other subjects and objects', '{ ex:a ex:p ?x . ?x ex:q "1" }', '{ ex:b ex:p ?x . ?x ex:q "2" }'],
    ['other blanks, comments and cases', 'select * where { ex:a ex:p ?x }', 'SELECT\n*# here\nWHERE{ex:b ex:p ?x}'],
    ['escapes', '{ ex:a ex:p "x" ; ex:q <http://a> }', '{ ex:\\-b ex:p "\\u0041\\n" ; ex:q <http://\\u0062> }'],
    ['quotes', '{ ?s ex:p "x", \'y\' }', '{ ?s ex:p """a"b""", \'\'\'c\nd\'\'\' }'],
    ['relative IRIs', '{ <a> ex:p ?x }', '{ <../b?c#d> ex:p ?x }'],
    ['terms that are equal in one of them', '{ ex:a ex:p ex:a }', '{ ex:a ex:p ex:b }'],
    ['languages and types that stay', '{ ?s ex:p "x"@en--ltr, "1"^^ex:t }', '{ ?s ex:p "y"@en--ltr, "2"^^ex:t }'],
    ['numbers', '{ ?s ex:p 1, -2.5, +3e4 }', '{ ?s ex:p 10, -0.5, +1.5E-4 }'],
    ['rows of VALUES', '{ VALUES (?x ?y) { (ex:a 1) (UNDEF "b") } }', '{ VALUES (?x ?y) { (ex:c 2) (UNDEF "d") } }'],
    ['comparisons', '{ ?s ex:p ?x FILTER(?x > 5 && ?x != "a") }', '{ ?s ex:p ?x FILTER(?x > 6 && ?x != "b") }'],
    ['predicates', '{ ?s ex:p1 ?x ; ex:p1 ?y }', '{ ?s ex:p2 ?x ; ex:p3 ?y }'],
    ['predicates of paths', '{ ?s ex:p1+/^ex:p2|ex:p3 ?x }', '{ ?s ex:p2+/^ex:p2|ex:p1 ?x }'],
    ['predicates of templates', 'CONSTRUCT { ?s ex:p ?x } { ?s ex:q ?x }', 'CONSTRUCT { ?s ex:r ?x } { ?s ex:r ?x }'],
    ['ends of paths', '{ ex:a ex:p/ex:q* ex:b }', '{ ex:c ex:p/ex:q* ex:d }'],
    [
      'collections and property lists',
      '{ ex:a ex:p (1 ex:b) ; ex:q [ ex:r 2 ] }',
      '{ ex:c ex:p (3 ex:d) ; ex:q [ ex:r 4 ] }',
    ],
    ['templates', 'CONSTRUCT { ex:a ex:p ?x } { ?x ex:q ex:b }', 'CONSTRUCT { ex:c ex:p ?x } { ?x ex:q ex:d }'],
    ['limits that are alike', '{ ?s ?p 1 } LIMIT 10', '{ ?s ?p 1 } LIMIT 13'],
    ['limits alone', '{ ?s ?p ?o } LIMIT 10 OFFSET 5', '{ ?s ?p ?o } LIMIT 016 OFFSET 0'],
    ['offsets', '{ ?s ?p 1 } OFFSET 10', '{ ?s ?p 2 } OFFSET 999999999999999'],
    ['limits of CONSTRUCT', 'CONSTRUCT { ?s ?p 1 } { ?s ?p 2 } LIMIT 3', 'CONSTRUCT { ?s ?p 1 } { ?s ?p 2 } LIMIT 4'],
    ['limits before VALUES', '{ ?s ?p ?o } LIMIT 3 VALUES ?s { ex:a }', '{ ?s ?p ?o } LIMIT 4 VALUES ?s { ex:b }'],
    ['limits of ASK', 'ASK { ?s ?p 1 } LIMIT 3', 'ASK { ?s ?p 1 } LIMIT 4'],
    ['a base', 'BASE <http://b/> ASK { <x> ex:p ?y }', 'BASE <http://b/> ASK { <z> ex:p ?y }'],
    ['a prefix', 'PREFIX e: <rel/> ASK { e:x e:p ?y }', 'PREFIX e: <rel/> ASK { e:z e:p ?y }'],
    ['graphs', '{ GRAPH ex:g { ?s ?p 1 } }', '{ GRAPH ex:h { ?s ?p 2 } }'],
    ['graphs alone', '{ GRAPH ex:g { ?s ?p ?o } }', '{ GRAPH ex:h { ?s ?p ?o } }'],
    [
      'graphs that were equal',
      'SELECT * FROM ex:g FROM NAMED ex:g { GRAPH ex:g { ?s ?p ex:g } FILTER NOT EXISTS { GRAPH ex:g {} } }',
      'SELECT * FROM ex:g FROM NAMED ex:h { GRAPH ex:i { ?s ?p ex:j } FILTER NOT EXISTS { GRAPH ex:h {} } }',
    ],
    [
      'graphs that become equal',
      'ASK FROM ex:g FROM <urn:h> FROM NAMED ex:i { GRAPH ex:j { GRAPH ex:k {} } }',
      'ASK FROM ex:g FROM <urn:g> FROM NAMED ex:g { GRAPH ex:j { GRAPH ex:j {} } }',
    ],
    [
      'graphs beside a special one',
      '{ GRAPH <urn:quadrille:all> { ?s ?p 1 } GRAPH ex:g { ?s ?p 1 } }',
      '{ GRAPH <urn:quadrille:all> { ?s ?p 1 } GRAPH ex:h { ?s ?p 1 } }',
    ],
    [
      'graphs of sub-selects',
      '{ { SELECT ?s { GRAPH ex:g { ?s ?p 1 } } } }',
      '{ { SELECT ?s { GRAPH ex:h { ?s ?p 1 } } } }',
    ],
    ['graphs of modifiers', 'ASK { } ORDER BY EXISTS { GRAPH ex:g {} }', 'ASK { } ORDER BY EXISTS { GRAPH ex:h {} }'],
    ['names of one prefix', '{ :a ex:p ex:b.c }', '{ :b:c ex:p ex:d }'],
  ])('%s', (_name, first, text) => {
    const whole = (part: string): string => (part.startsWith('{') ? `SELECT * ${part}` : part);
    expect(sharesWith(whole(first), whole(text))).toBe(true);
  });
});

describe('texts of different shapes', () => {
  test.each([
    ['functions', '{ ?s ?p ?x FILTER(ex:f(?x)) }', '{ ?s ?p ?x FILTER(ex:g(?x)) }'],
    ['what a path leaves out', '{ ?s !ex:p ?x }', '{ ?s !ex:q ?x }'],
    ['sets of graphs', '{ GRAPH <urn:quadrille:all> { ?s ?p 1 } }', '{ GRAPH <urn:quadrille:named> { ?s ?p 1 } }'],
    ['computed graphs', '{ GRAPH <urn:x> { ?s ?p 1 } }', '{ GRAPH <urn:quadrille:bl\\u0061me> { ?s ?p 1 } }'],
    ['older names of graphs', 'ASK FROM <urn:dydra:all> { ?s ?p 1 }', 'ASK FROM <urn:x:all> { ?s ?p 1 }'],
    ['other repositories', 'ASK FROM <repo:a/b> { ?s ?p 1 }', 'ASK FROM <repo:a/c> { ?s ?p 1 }'],
    [
      'places of special graphs',
      '{ GRAPH <urn:quadrille:all> { ?s ?p 1 } GRAPH <urn:x> { ?s ?p 1 } }',
      '{ GRAPH <urn:x> { ?s ?p 1 } GRAPH <urn:quadrille:all> { ?s ?p 1 } }',
    ],
    ['defaults and names', 'ASK FROM ex:g FROM NAMED ex:h {}', 'ASK FROM NAMED ex:g FROM ex:h {}'],
    ['numbers of graphs', 'ASK FROM ex:g { ?s ?p 1 }', 'ASK FROM ex:g FROM ex:h { ?s ?p 1 }'],
    ['types', '{ ?s ?p "1"^^ex:t }', '{ ?s ?p "1"^^ex:u }'],
    ['languages', '{ ?s ?p "1"@en }', '{ ?s ?p "1"@de }'],
    ['kinds of numbers', '{ ?s ?p 1 }', '{ ?s ?p 1.0 }'],
    ['limits for which plans differ', '{ ?s ?p 1 } LIMIT 1', '{ ?s ?p 1 } LIMIT 100'],
    ['limits of a part', '{ { SELECT * { ?s ?p 1 } LIMIT 10 } }', '{ { SELECT * { ?s ?p 1 } LIMIT 11 } }'],
    ['long numbers', '{ ?s ?p 1 } LIMIT 1000000000000001', '{ ?s ?p 1 } LIMIT 1000000000000002'],
    ['no offset', '{ ?s ?p 1 } OFFSET 0', '{ ?s ?p 1 } OFFSET 1'],
    ['arguments of functions', '{ ?s ?p ?x FILTER(CONTAINS(?x, "a")) }', '{ ?s ?p ?x FILTER(CONTAINS(?x, "b")) }'],
    ['IRIs that a variable equals', '{ ?s ?p ?x FILTER(?x = ex:a) }', '{ ?s ?p ?x FILTER(?x = ex:b) }'],
    ['members of IN', '{ ?s ?p ?x FILTER(?x IN (1, 2)) }', '{ ?s ?p ?x FILTER(?x IN (1, 3)) }'],
    ['triple terms', '{ ?s ?p <<( ex:a ex:b 1 )>> }', '{ ?s ?p <<( ex:a ex:b 2 )>> }'],
    ['reified triples', '{ ex:a ex:b 1 {| ex:c ?x |} }', '{ ex:a ex:b 2 {| ex:c ?x |} }'],
    ['variables', '{ ?s ?p 1 }', '{ ?t ?p 1 }'],
    ['labels', '{ _:s ?p 1 }', '{ _:t ?p 1 }'],
    ['prefixes', 'PREFIX e: <http://one/> ASK { ?s e:p 1 }', 'PREFIX e: <http://two/> ASK { ?s e:p 1 }'],
    ['names of prefixes', '{ :a ?p ?o }', '{ ex:a ?p ?o }'],
    ['what is an aggregate', 'SELECT (ex:sum(?x) AS ?y) { ?x ?p 1 }', 'SELECT (ex:max(?x) AS ?y) { ?x ?p 1 }'],
  ])('%s', (_name, first, text) => {
    const whole = (part: string): string => (part.startsWith('{') ? `SELECT * ${part}` : part);
    expect(sharesWith(whole(first), whole(text))).toBe(false);
  });
});

test('the first text of a shape is read as it stands, the second one makes the shape', () => {
  const text = (n: number): string => `ASK { ?only ex:here ${n} }`;
  const [first, second, third] = [1, 2, 3].map((n) => parseText(text(n), OPTIONS));
  expect([first, second, third].map((text) => text?.byShape)).toEqual([false, true, true]);
  expect(third!.parsed).toBe(second!.parsed);
});

test('prefixes, base and aggregates that come with a call belong to the shape', () => {
  const text = (n: number): string => `SELECT (ex:sum(?x) AS ?y) { ?x ex:p${n} <a${n}> }`;
  const others: ParseOptions[] = [
    { ...OPTIONS, prefixes: { ex: 'http://other.example/' } },
    { ...OPTIONS, baseIRI: 'http://other.example/' },
    { ...OPTIONS, aggregates: { 'http://example.org/sum': true } },
  ];
  for (const options of [OPTIONS, ...others]) for (const n of [1, 2]) sharesWith(text(n), text(n), options);
  expect(parseText(text(1), OPTIONS).parsed).not.toEqual(parseText(text(1), others[2]).parsed);
});

test.each([
  [
    'more declarations',
    'PREFIX a: <urn:1:> ASK { a:x a:p 1 }',
    'PREFIX a: <urn:1:> PREFIX a: <urn:2:> ASK { a:x a:p 1 }',
  ],
  [
    'fewer declarations',
    'PREFIX a: <urn:1:> PREFIX b: <urn:2:> ASK { a:x a:p 1 }',
    'PREFIX a: <urn:1:> ASK { a:x a:p 2 }',
  ],
  ['another IRI', 'PREFIX a: <urn:1:> ASK { a:x a:p 1 }', 'PREFIX a: <urn:1:2:> ASK { a:x a:p 1 }'],
  ['no blank', 'PREFIX a: <urn:1:>ASK { a:x a:p 1 }', 'PREFIX a: <urn:1:>SELECT * { a:x a:p 1 }'],
  ['a comment', 'PREFIX a: <urn:1:> #\nASK { a:x a:p 1 }', 'PREFIX a: <urn:1:> #ASK\nASK { a:x a:p 1 }'],
  ['a base', 'BASE <urn:1:> ASK { <x> <p> 1 }', 'BASE <urn:1:> BASE <urn:2:> ASK { <x> <p> 1 }'],
])('prologues with the same beginning: %s', (_name, first, text) => {
  for (const each of [first, text, first]) expect(substituteValues(readAgain(each))).toEqual(parseSparql(each));
});

test('a prologue that another text goes on with in the same word has its own meaning', () => {
  const wrong = 'PREFIX a: <urn:1:> PREFIX b:SELECT * { a:x ?p 1 }';
  const longer = 'PREFIX a: <urn:1:> PREFIX b:SELECTED <urn:2:> SELECT * { a:x ?p 1 }';
  for (const text of [wrong, longer]) expect(() => parseText(text, OPTIONS)).toThrow(/^1:/);
});

test('a text that is wrong has its own error', () => {
  readAgain('SELECT * { ?s ?p 1 } LIMIT 10', OPTIONS);
  expect(() => parseText('SELECT * { ?s ?p 1 } LIMIT +10', OPTIONS)).toThrow(/number/);
  expect(() => parseText('SELECT * { ?s ?p 1 } LIMIT 10 LIMIT 11', OPTIONS)).toThrow(/LIMIT/);
  readAgain('SELECT * { ex:a ex:p <http://a> }', OPTIONS);
  expect(() => parseText('SELECT * { ex:a ex:p <http://a b> }', OPTIONS)).toThrow(/^1:32: /);
  expect(() => parseText('SELECT * { no:a ex:p <http://a> }', OPTIONS)).toThrow(/no:/);
  readAgain('SELECT * { <http://x> ex:p 1 }', { prefixes: OPTIONS.prefixes });
  expect(() => parseText('SELECT * { <x> ex:p 1 }', { prefixes: OPTIONS.prefixes })).toThrow(/relative IRI/);
});

test.each([
  'INSERT DATA { <a:a> <a:p> 1 }',
  'SELECT * { SERVICE <a:a> { ?s ?p 1 } }',
  'SELECT * { ?s ?p " }',
  `ASK {${' '.repeat(5000)}}`,
])('a text without a shape: %.30s', (text) => {
  expect(maskTerms(text)).toBeUndefined();
});
