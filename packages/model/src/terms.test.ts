import type * as RDF from '@rdfjs/types';
import { describe, expect, test } from 'vitest';
import {
  blankNode,
  checkQuad,
  checkTerm,
  dataFactory,
  defaultGraph,
  InvalidArgumentError,
  iri,
  isAbsoluteIri,
  isBlankNodeLabel,
  isLanguageTag,
  literal,
  MAX_IRI_BYTES,
  printTerm,
  quad,
  RDF_DIR_LANG_STRING,
  RDF_LANG_STRING,
} from './index.js';
import type { QuadPosition } from './index.js';

const [s, p, o] = [iri('http://e/s'), iri('http://e/p'), literal('o')];

function problem(term: unknown, position: QuadPosition): InvalidArgumentError {
  try {
    checkTerm(term as RDF.Term, position);
  } catch (error) {
    if (error instanceof InvalidArgumentError) return error;
    throw error;
  }
  throw new Error('no error');
}

describe('checkTerm', () => {
  test('which kinds of terms may stand where', () => {
    const kinds: [RDF.Term, QuadPosition[]][] = [
      [s, ['subject', 'predicate', 'object', 'graph']],
      [blankNode('b'), ['subject', 'object', 'graph']],
      [literal('x'), ['object']],
      [quad(s, p, o), ['object']],
      [defaultGraph(), ['graph']],
      [dataFactory.variable!('v'), []],
    ];
    for (const [term, allowed] of kinds) {
      for (const position of ['subject', 'predicate', 'object', 'graph'] as const) {
        if (allowed.includes(position)) checkTerm(term, position);
        else expect(problem(term, position)).toMatchObject({ code: 'INVALID_TERM', details: { position } });
      }
    }
  });

  test('an IRI has at most 8 KB of UTF-8, wherever it stands', () => {
    const longest = iri(`urn:${'x'.repeat(MAX_IRI_BYTES - 4)}`);
    const tooLong = [iri(`${longest.value}x`), iri(`urn:${'ä'.repeat(4095)}`), iri(`urn:${'x'.repeat(1e6)}`)];
    checkTerm(longest, 'graph');
    checkTerm(literal('x'.repeat(1e6), longest), 'object');
    for (const long of tooLong) {
      for (const term of [long, literal('x', long), quad(s, long, o)]) {
        const { code, message } = problem(term, 'object');
        expect([code, message]).toEqual([
          'INVALID_TERM',
          expect.stringMatching(/^the IRI is longer than 8192 bytes: .*literal/),
        ]);
        expect(message.length).toBeLessThan(400);
      }
    }
  });

  test('what is no term', () => {
    for (const value of [null, undefined, 'http://e/s', 5, {}, { termType: 1 }]) {
      expect(problem(value, 'object').message).toContain('not an RDF term');
    }
  });

  test('terms of other libraries that lack a part', () => {
    const datatype = iri('http://e/d');
    for (const term of [
      { termType: 'NamedNode', value: 7 },
      { termType: 'BlankNode' },
      { termType: 'Literal', value: 7, language: '', datatype },
      { termType: 'Literal', value: '7', language: '' },
      { termType: 'Literal', value: '7', datatype },
      { termType: 'Quad', subject: s, predicate: p, object: o },
    ]) {
      expect(problem(term, 'object')).toMatchObject({
        code: 'INVALID_TERM',
        message: expect.stringContaining('lacks a part'),
      });
    }
  });

  test.each([
    'http://e/a', 'urn:x', 'a:', 'mailto:a@b', 'http://e/%20', 'http://e/ü/😀', 'HTTP://E', 'a+b-c.d:x', 'http://e/\u00a0',
  ])('the IRI %s', (value) => {
    expect(isAbsoluteIri(value)).toBe(true);
    checkTerm(iri(value), 'subject');
  }); // prettier-ignore

  test.each([
    '', 'a', '/x', '//e/x', '1a:x', ':x', 'http://e/ x', 'http://e/<', 'http://e/>', 'http://e/"', 'http://e/{', 'http://e/}', 'http://e/|',
    'http://e/^', 'http://e/`', 'http://e/\\', 'http://e/\n', 'http://e/\0', 'http://e/\ud800', 'http://e/\udc00x',
  ])('no IRI: %j', (value) => {
    expect(isAbsoluteIri(value)).toBe(false);
    expect(problem(iri(value), 'object').message).toMatch(/IRI/);
  }); // prettier-ignore

  test('blank node labels', () => {
    for (const label of ['b', 'b1', '0', '_a', 'a.b', 'a-b', 'ä', 'a·b', '😀', 'b'.repeat(500)]) {
      expect(isBlankNodeLabel(label)).toBe(true);
      checkTerm(blankNode(label), 'subject');
    }
    for (const label of ['', '-a', '.a', 'a.', 'a b', 'a:b', '·a', 'a/b', '\ud800']) {
      expect(isBlankNodeLabel(label)).toBe(false);
      if (label !== '') expect(problem(blankNode(label), 'object').message).toContain('blank node label');
    }
  });

  test('language tags and directions', () => {
    for (const tag of ['en', 'en-GB', 'de-CH-1996', 'x-a1', 'zh-Hant']) {
      expect(isLanguageTag(tag)).toBe(true);
      checkTerm(literal('x', tag), 'object');
    }
    for (const tag of ['e_n', '1', 'en-', '-en', 'abcdefghi', 'en us', 'en--ltr']) {
      expect(isLanguageTag(tag)).toBe(false);
      expect(problem({ ...literal('x', 'en'), language: tag }, 'object').message).toContain('language tag');
    }
    checkTerm(literal('x', { language: 'ar', direction: 'rtl' }), 'object');
    expect(problem({ ...literal('x', 'en'), direction: 'up' }, 'object').message).toContain('base direction');
  });

  test('literals', () => {
    checkTerm(literal('\0\u{10ffff}\ufffe "\\\n'), 'object');
    checkTerm(literal('x', iri('http://e/type')), 'object');
    expect(problem(literal('\ud83d'), 'object').message).toContain('lone surrogate');
    expect(problem(literal('x', iri('not absolute')), 'object').message).toContain('absolute IRI');
    for (const datatype of [RDF_LANG_STRING, RDF_DIR_LANG_STRING]) {
      expect(problem(literal('x', iri(datatype)), 'object').message).toContain('without a language');
    }
  });

  test('triple terms, however deep', () => {
    const deep = quad(s, p, quad(blankNode('b'), p, quad(s, p, o)));
    checkTerm(deep, 'object');
    const bad = [
      quad(s, p, quad(s, p, literal('\udfff'))),
      quad(s, p, o, iri('http://e/g')),
      dataFactory.quad(literal('x') as never, p, o),
      dataFactory.quad(s, blankNode('b') as never, o),
      dataFactory.quad(quad(s, p, o) as never, p, o),
    ];
    for (const term of bad) expect(problem(term, 'object').code).toBe('INVALID_TERM');
  });
});

test('checkQuad answers the quad, or names the position that is wrong', () => {
  const good = quad(s, p, o, iri('http://e/g'));
  expect(checkQuad(good)).toBe(good);
  const wrong: [RDF.BaseQuad, QuadPosition][] = [
    [dataFactory.quad(literal('x') as never, p, o), 'subject'],
    [dataFactory.quad(s, blankNode('b') as never, o), 'predicate'],
    [dataFactory.quad(s, p, dataFactory.variable!('v') as never), 'object'],
    [dataFactory.quad(s, p, o, literal('g') as never), 'graph'],
  ];
  for (const [candidate, position] of wrong) {
    expect(() => checkQuad(candidate)).toThrow(expect.objectContaining({ details: { position } }));
  }
});

test('terms print as N-Triples, cut where they are long', () => {
  expect(printTerm(dataFactory.variable!('v'))).toBe('?v');
  expect(printTerm(defaultGraph())).toBe('the default graph');
  expect(printTerm(quad(s, p, o))).toBe('<<( <http://e/s> <http://e/p> "o" )>>');
  expect(printTerm(literal('x'.repeat(500)))).toBe(`"${'x'.repeat(199)}…`);
});
