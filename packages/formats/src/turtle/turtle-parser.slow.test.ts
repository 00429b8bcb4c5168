import { describe, expect, it } from 'vitest';
import { SEED } from '../../../../test/model/environment.js';
import { QuadCollector } from '../collector.js';
import { createTurtleParser } from './turtle-parser.js';
import { cuts, encode, errorOf, outcome, parseAll } from '../testing.js';

const ttl = { format: 'ttl' };
const parse = (text: string, baseIRI?: string): string[] =>
  parseAll([encode(text)], { ...ttl, ...(baseIRI === undefined ? {} : { baseIRI }) });

describe('what is read', () => {
  it('is canonical', () => {
    expect(
      parse(
        '<a:s> <a:p> "A\\u000b\\u0041\uFFFE"@EN--rtl, "s"^^<http://www.w3.org/2001/XMLSchema#string>, 1, 1.0, 1e0, true .',
      ),
    ).toEqual([
      '<a:s> <a:p> "A\\u000BA\\uFFFE"@en--rtl',
      '<a:s> <a:p> "s"',
      '<a:s> <a:p> "1"^^<http://www.w3.org/2001/XMLSchema#integer>',
      '<a:s> <a:p> "1.0"^^<http://www.w3.org/2001/XMLSchema#decimal>',
      '<a:s> <a:p> "1e0"^^<http://www.w3.org/2001/XMLSchema#double>',
      '<a:s> <a:p> "true"^^<http://www.w3.org/2001/XMLSchema#boolean>',
    ]);
  });

  it('resolves against the base', () => {
    expect(parse('<s> <#p> <../o> .', 'http://a/b/c')).toEqual(['<http://a/b/s> <http://a/b/c#p> <http://a/o>']);
  });

  it('keeps labels, apart from those of anonymous nodes', () => {
    const lines = parse('_:anon1 <a:p> [], _:x, _:_anon1 .');
    expect(lines).toEqual(['_:_anon1 <a:p> _:anon1', '_:_anon1 <a:p> _:x', '_:_anon1 <a:p> _:__anon1']);
  });

  it('reads triple terms, reifiers and annotations', () => {
    expect(parse('<a:s> <a:p> <<( <a:s> <a:p> "o" )>> . <a:s> <a:p> <a:o> ~ <a:r> {| <a:q> 1 |} .')).toHaveLength(4);
  });

  it('makes lists', () => {
    const rdf = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
    expect(parse('<a:s> <a:p> ( <a:x> ( ) ) .')).toEqual([
      `_:anon1 <${rdf}first> <a:x>`,
      `_:anon1 <${rdf}rest> _:anon2`,
      `_:anon2 <${rdf}first> <${rdf}nil>`,
      `_:anon2 <${rdf}rest> <${rdf}nil>`,
      '<a:s> <a:p> _:anon1',
    ]);
  });

  it('states what it makes of a bracket in the graph that it stands in', () => {
    const lines = parseAll(
      [encode('<a:g> { <a:s> <a:p> ( << <a:s> <a:p> << <a:s> <a:p> 1 >> >> ) , [] {| <a:q> 1 |} }')],
      {
        format: 'trig',
      },
    );
    expect(lines).toHaveLength(8);
    expect(lines.filter((line) => !line.endsWith(' <a:g>'))).toEqual([]);
  });

  it('reads graphs of TriG', () => {
    expect(
      parseAll([encode('{ <a:s> <a:p> 1 } <a:g> { <a:s> <a:p> <a:o> } GRAPH _:g { }')], { format: 'trig' }),
    ).toHaveLength(2);
  });

  it.each(['', '\uFEFF', '# only a comment', '\n', '@prefix a: <b:> .'])('nothing in %j', (text) => {
    expect(parse(text)).toEqual([]);
  });
});

describe('errors', () => {
  it.each([
    ['<a:s> <a:p> <a:o>', 1, 18],
    ['<a:s> <a:p>\n<a:o> }', 2, 7],
    ['\n<a:s> <rel> <a:o> .', 2, 7],
    ['<a:s> x:p <a:o> .', 1, 7],
    ['<a:s> <a:p> "open', 1, 13],
    ['<a:s> <a:p> ( <a:o>', 1, 20],
    ['<a:s> <a:p> "o"@toolongatag .', 1, 16],
    ['@prefix p: <a:b/> . p:s p:p p:o\\u0020 .', 1, 32],
    ['}', 1, 1],
    ['<a:s> <a:p> <a:o> |}', 1, 19],
    ['( <a:o> |} )', 1, 9],
    ['<<( <a:s> <a:p> <a:o> )>> <a:p> <a:o> .', 1, 1],
  ])('%s', (document, line, column) => {
    const error = errorOf(document, ttl);
    expect([error.code, error.source, error.line, error.column]).toEqual(['RDF_SYNTAX', 'doc', line, column]);
  });

  it.each([
    ['<a:s> <a:p> <a:o> ]', 'expected ",", ";", an annotation or ".", found "]"'],
    ['<a:s> <a:p> .', 'expected an object (an IRI, a blank node, a list, a literal or a triple), found "."'],
    ['<a:s> "p" <a:o> .', 'expected a predicate (an IRI or "a"), found "\\"p\\""'],
    ['"s" <a:p> <a:o> .', 'expected a statement or a directive, found "\\"s\\""'],
    [
      '<a:s> <a:p> (',
      'expected an item of the list (an IRI, a blank node or a literal), or ")", found the end of the document',
    ],
    ['<a:s> <a:p> [ <a:p> 1 .', 'expected ",", ";", an annotation or "]", found "."'],
    ['<< <a:s> <a:p> [ <a:p> 1 ] >> .', 'expected "]" (a blank node has no properties here), found "<a:p>"'],
    ['<< <a:s> <a:p> <a:o> ~ <a:r> <a:r2> >> .', 'expected ">>", found "<a:r2>"'],
    ['<a:s> <a:p> <<( "s" <a:p> <a:o> )>> .', 'expected a subject (an IRI or a blank node), found "\\"s\\""'],
    ['<a:s> <a:p> x:o .', 'the prefix "x:" is not declared'],
    [
      '<a:s> <a:p> <o> .',
      'the IRI <o> is relative, and there is no base to resolve it: declare @base in the document, or load it with a base (baseIRI, --base)',
    ],
    ['<a:s> <a:p> <a:o o> .', 'U+0020 is not allowed in an IRI'],
    ['<a:s> <a:p> <a:o\n> .', 'the IRI has no closing ">" on its line'],
    ['<a:s> <a:p> "x\n" .', 'the string has no closing quote on its line'],
    ['<a:s> <a:p> """x" .', 'the string has no closing quotes'],
    ['<a:s> <a:p> "\\x" .', 'unknown escape in a string'],
    ['<a:s> <a:p> "x"^<a:t> .', 'expected "^^" and a datatype, found "^<a:t>"'],
    ['<a:s> <a:p> "x"^^1 .', 'expected the IRI of a datatype, found "1"'],
    ['<a:s> <a:p> "x"@en--up .', 'the base direction must be "--ltr" or "--rtl"'],
    ['@prefix a <a:b> .', 'expected a prefix, which ends with ":", found "a"'],
    ['@prefixes a: <a:b> .', 'expected "@prefix", "@base" or "@version", found "@prefixes"'],
    ['BASE a:b', 'expected an IRI within "<" and ">", found "a:b"'],
    ['VERSION """1.2"""', 'the version is a string with one quote on each side'],
    ['<a:g> { <a:s> <a:p> <a:o> }', 'expected a predicate (an IRI or "a"), found "{"'],
  ])('say what was expected and what was found: %s', (document, reason) => {
    expect(errorOf(document, ttl).reason).toBe(reason);
  });

  it.each([
    ['<a:g> { @prefix a: <a:b> . }', 'a directive cannot stand within a graph'],
    ['<a:g> { <a:h> { } }', 'expected a predicate (an IRI or "a"), found "{"'],
    ['<a:g> { <a:s> <a:p> <a:o> ', 'expected ",", ";", an annotation or "." or "}", found the end of the document'],
    ['GRAPH <a:g> <a:s>', 'expected "{", found "<a:s>"'],
    ['[ <a:p> 1 ] { }', 'expected a predicate (an IRI or "a"), or ".", found "{"'],
  ])('in TriG: %s', (document, reason) => {
    expect(errorOf(document, { format: 'trig' }).reason).toBe(reason);
  });

  it('gives the byte of what is not UTF-8', () => {
    const error = errorOf(Uint8Array.from([...encode('<a:s>\n<a:p> "é'), 0xc0, 0xaf, ...encode('" .')]), ttl);
    expect([error.reason, error.line, error.offset]).toEqual(['not UTF-8', 2, 15]);
    expect(errorOf(Uint8Array.from([...encode('# '), 0xe2, 0x82]), ttl).offset).toBe(2);
  });

  it('keeps the message short', () => {
    expect(errorOf(`<a:s> <a:p> "${'x'.repeat(100_000)}`, ttl).message.length).toBeLessThan(300);
    expect(errorOf(`<a:s> <a:p> <${'x'.repeat(100_000)}> .`, ttl).message.length).toBeLessThan(300);
  });

  it('of the sink come through as they are', () => {
    const failure = new TypeError('the sink is full');
    const term = () => 2;
    const quad = () => {
      throw failure;
    };
    const parser = createTurtleParser({ sink: { term, blankNode: term, tripleTerm: term, quad }, trig: false });
    expect(() => parser.push(encode('<a:s> <a:p> <a:o> . <a:s> <a:p> <a:o> .'))).toThrow(failure);
  });
});

describe('limits', () => {
  it.each([
    ['deep blank nodes', '<a:s> <a:p> '.concat('[ <a:p> '.repeat(100_000)), 'nested deeper than 1000'],
    ['deep lists', '<a:s> <a:p> '.concat('('.repeat(100_000)), 'nested deeper than 1000'],
    ['deep triple terms', '<a:s> <a:p> '.concat('<<( <a:s> <a:p> '.repeat(100_000)), 'nested deeper than 1000'],
    ['deep reified triples', '<< '.repeat(100_000), 'nested deeper than 1000'],
    ['deep annotations', '<a:s> <a:p> <a:o> '.concat('{| <a:p> <a:o> '.repeat(100_000)), 'nested deeper than 1000'],
    [
      'prefixes',
      Array.from({ length: 10_001 }, (_, i) => `@prefix p${i}: <a:b> .\n`).join(''),
      '10001:9: more than 10000 prefixes',
    ],
  ])('%s', (_, document, reason) => {
    expect(errorOf(document, ttl).message).toContain(reason);
  });

  it('reads what is nested as deep as it may be', () => {
    const lists = `<a:s> <a:p> ${'('.repeat(1000)}${')'.repeat(1000)} .`;
    expect(parse(lists)).toHaveLength(2 * 999 + 1);
    const triples = `<a:s> <a:p> ${'<<( <a:s> <a:p> '.repeat(1000)}1${' )>>'.repeat(1000)} .`;
    expect(parse(triples)).toHaveLength(1);
  });

  const TOKENS = ['"', '"""', '_:', '<a:', '1'];
  it.each(TOKENS)(`refuses an endless token soon: %s (QUADRILLE_SEED=${SEED})`, (start) => {
    // One kind of token meets the limits that hold by default, another one with another seed.
    const isDefault = TOKENS[SEED % TOKENS.length] === start;
    const share = isDefault ? 1 : 32;
    const limits = { maxTermBytes: 16_777_216 / share, maxLineBytes: 33_554_432 / share };
    const chunk = encode('1'.repeat((1024 * 1024) / share));
    let pushed = 0;
    const parser = createTurtleParser({
      sink: new QuadCollector(),
      trig: false,
      limits: isDefault ? undefined : limits,
    });
    parser.push(encode(`<a:s> <a:p> ${start}`));
    const push = (): void => {
      for (; pushed < 100; pushed++) parser.push(chunk);
    };
    const term = `the term is longer than ${limits.maxTermBytes} bytes`;
    const token = `a token is longer than ${limits.maxLineBytes} bytes`;
    expect(push).toThrow(new RegExp(`${term}|${token}|the IRI is longer`));
    expect(pushed).toBeLessThan(50);
  });

  it('refuses long terms and long tokens', () => {
    const literal = `<a:s> <a:p> "${'x'.repeat(1000)}" .`;
    expect(outcome([encode(literal)], { ...ttl, limits: { maxTermBytes: 500 } })).toContain('longer than 500');
    const chunk = encode('x'.repeat(600));
    expect(outcome([encode('<a:s> <a:p> """'), chunk, chunk], { ...ttl, limits: { maxLineBytes: 1000 } })).toContain(
      'longer than 1000',
    );
    expect(outcome([encode('#a\n'.repeat(1000))], { ...ttl, limits: { maxLineBytes: 1000 } })).toBe('');
  });
});

describe('chunks', () => {
  const document = encode(
    '\uFEFF@prefix é: <http://a/> .\r\nPREFIX b: <b:>\né:s é:p """é\r\n😀"""@en-GB--ltr , [ b:p ( 1 2.5 .5e1 true ) ] ; a b:c. # c\n' +
      'é:s é:p <<( _:x.y é:p "\\u00e9"^^b:d )>> . <<é:s é:p é:o ~ _:r>> b:q "". é:s b:p b:o {| b:r 1 |}.',
  );

  it('cut anywhere give the same', () => {
    const whole = outcome([document], ttl);
    expect(whole.split('\n')).toHaveLength(18);
    for (const chunks of cuts(document)) expect(outcome(chunks, ttl)).toBe(whole);
    expect(
      outcome(
        Array.from(document, (byte) => Uint8Array.of(byte)),
        ttl,
      ),
    ).toBe(whole);
  });
});
