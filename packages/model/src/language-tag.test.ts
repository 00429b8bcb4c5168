import type * as RDF from '@rdfjs/types';
import { describe, expect, it } from 'vitest';
import { canonicalLanguage } from './language-tag.js';
import { termToNTriples, termToText, textToTerm } from './term-text.js';
import { dataFactory, iri, literal, withCanonicalLanguage } from './terms.js';

describe('the canonical case of a language tag (RFC 5646, 2.1.1)', () => {
  it.each([
    ['EN', 'en'],
    ['en-gb', 'en-GB'],
    ['ZH-hant-tw', 'zh-Hant-TW'],
    ['MN-cYRL-mn', 'mn-Cyrl-MN'],
    ['en-ca-x-CA', 'en-CA-x-ca'],
    ['SGN-be-fr', 'sgn-BE-FR'],
    ['AZ-latn-x-LATN', 'az-Latn-x-latn'],
    ['de-ch-1996', 'de-CH-1996'],
    ['sl-ROZAJ-biske', 'sl-rozaj-biske'],
    ['es-419', 'es-419'],
    ['de-A-DE-latn', 'de-a-de-latn'],
    ['X-EN-gb', 'x-en-gb'],
    ['not a tag', 'not a tag'],
    ['', ''],
  ])('%s is %s', (tag, canonical) => {
    expect(canonicalLanguage(tag)).toBe(canonical);
    expect(canonicalLanguage(canonical)).toBe(canonical);
  });
});

describe('literals', () => {
  it('have it, and are equal whatever case they were made with', () => {
    const made = literal('colour', 'EN-gb');
    expect(made.language).toBe('en-GB');
    expect(made.equals(literal('colour', 'en-GB'))).toBe(true);
    expect(literal('a', { language: 'AR-eg', direction: 'rtl' })).toMatchObject({
      language: 'ar-EG',
      direction: 'rtl',
    });
  });

  it('are stored in lower case, and decoded and written in canonical case', () => {
    expect(termToText(literal('a', 'zh-Hant-TW'))).toBe('"a"@zh-hant-tw');
    expect(textToTerm('"a"@zh-hant-tw').equals(literal('a', 'zh-Hant-TW'))).toBe(true);
    expect(textToTerm('"a"@ar-eg--rtl')).toMatchObject({ language: 'ar-EG', direction: 'rtl' });
    expect(termToNTriples(literal('a', 'ZH-hant-TW'))).toBe('"a"@zh-Hant-TW');
    expect(termToNTriples(textToTerm('"a"@ar-eg--rtl'))).toBe('"a"@ar-EG--rtl');
  });

  it('of other libraries get it', () => {
    const { datatype } = literal('', 'en');
    const foreign = {
      termType: 'Literal',
      value: 'a',
      language: 'en-gb',
      datatype,
      equals: () => false,
    } as RDF.Literal;
    expect(withCanonicalLanguage(foreign)).toMatchObject({ value: 'a', language: 'en-GB' });
    expect(literal('a', 'en-GB').equals(foreign)).toBe(true);
    const triple = dataFactory.quad(iri('a:s'), iri('a:p'), foreign);
    expect(withCanonicalLanguage(triple as RDF.Term)).toMatchObject({ object: { language: 'en-GB' } });
    const own = literal('a', 'en-gb');
    expect(withCanonicalLanguage(own)).toBe(own);
  });
});
