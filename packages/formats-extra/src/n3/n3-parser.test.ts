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
