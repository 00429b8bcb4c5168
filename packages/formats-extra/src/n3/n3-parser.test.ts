import { describe, expect, it } from 'vitest';
import { QuadCollector } from '@quadrille/formats';
import { N3 } from '../formats.js';
import { encode, toLines } from '../testing.js';

await N3.load?.();

function parse(text: string): string[] {
  const sink = new QuadCollector();
  const parser = N3.createParser?.({ sink, source: 'doc', baseIRI: 'http://e/' });
  parser?.push(encode(`@prefix : <a:>.\n${text}`));
  parser?.end();
  return toLines(sink.take());
}

describe('what N3 writes in its own way', () => {
  it.each([
    [':a = :b .', ['<a:a> <http://www.w3.org/2002/07/owl#sameAs> <a:b>']],
    [':a is :b of :c . :d <- :e :f .', ['<a:c> <a:b> <a:a>', '<a:f> <a:e> <a:d>']],
    [':a has :b :c .', ['<a:a> <a:b> <a:c>']],
    [':a!:b :c <d> .', ['<a:a> <a:b> _:anon1', '_:anon1 <a:c> <http://e/d>']],
    [':a :b <<( :c :d 1 )>> .', ['<a:a> <a:b> <<( <a:c> <a:d> "1"^^<http://www.w3.org/2001/XMLSchema#integer> )>>']],
  ])('%s', (text, lines) => {
    expect(parse(text)).toEqual(lines);
  });
});

/** The result of a document that comes in these parts: lines, or the code of its error. */
function outcome(parts: readonly string[]): string[] | string {
  const sink = new QuadCollector();
  const parser = N3.createParser?.({ sink, source: 'doc', baseIRI: 'http://e/' });
  try {
    for (const part of parts) parser?.push(encode(part));
    parser?.end();
    return toLines(sink.take());
  } catch (error) {
    return (error as { code: string }).code;
  }
}

describe('a cut within a token that could be another one', () => {
  it.each([
    ['<=a> <-b> <=> .', ['<http://e/=a> <http://e/-b> <http://e/=>']],
    [
      '<a><-b><c>.<=d><=e><=f>.',
      ['<http://e/a> <http://e/-b> <http://e/c>', '<http://e/=d> <http://e/=e> <http://e/=f>'],
    ],
    ['<a> <- <b> <c> .', ['<http://e/c> <http://e/b> <http://e/a>']],
    ['<a> <b> "<=c" , "<-" . # <=d', ['<http://e/a> <http://e/b> "<=c"', '<http://e/a> <http://e/b> "<-"']],
    ['<=\\u0061> <b> <-\\u0062> .', ['<http://e/=a> <http://e/b> <http://e/-b>']],
    ['_:x\ufeffy <b> _:z\u1680w .', ['_:x\ufeffy <http://e/b> _:z\u1680w']],
    ['<a> <= <b> .', 'RDF_SYNTAX'],
    ['<a> <b> <=c', 'RDF_SYNTAX'],
    ['<a> <b> <', 'RDF_SYNTAX'],
  ])('%s', (text, expected) => {
    expect(outcome([text])).toEqual(expected);
    expect(outcome([...text])).toEqual(expected);
    for (let at = 0; at <= text.length; at++)
      expect(outcome([text.slice(0, at), text.slice(at)]), `cut at ${at}`).toEqual(expected);
  });

  it('a long one in many parts is refused, and takes no longer than its length', () => {
    const parts = ['<a> <b> <=', ...Array.from({ length: 60_000 }, () => 'x'.repeat(32)), '> .'];
    expect(outcome(parts)).toBe('RDF_SYNTAX');
  });
});

describe('what is no RDF', () => {
  it.each([
    ['{ :a :b :c } :d :e .', 'doc:2:1: a formula of N3 is no RDF and cannot be stored'],
    [':a :b { :a :b :c } .', 'doc:2:7: a formula of N3 is no RDF and cannot be stored'],
    [':a => :b .', 'doc:2:4: a rule of N3 is no RDF and cannot be stored'],
    [':a <= :b .', 'doc:2:4: a rule of N3 is no RDF and cannot be stored'],
    ['?x :b :c .', 'doc:2:1: a variable of N3 is no RDF and cannot be stored'],
    ['@forAll :x .', 'doc:2:1: a variable of N3 is no RDF and cannot be stored'],
    ['@forSome :x .', 'doc:2:1: a variable of N3 is no RDF and cannot be stored'],
    ['1 :b :c .', 'doc:2:9: a Literal cannot be a subject'],
    [':a [] :c .', 'doc:2:10: a BlankNode cannot be a predicate'],
    [':a :b <<( 1 :c :d )>> .', 'doc:2:23: a Literal cannot be a subject'],
  ])('%s', (text, message) => {
    expect(() => parse(text)).toThrow(expect.objectContaining({ code: 'RDF_SYNTAX', message }));
  });
});
