/** The examples of RFC 3986, section 5.4. */
import { describe, expect, it } from 'vitest';
import { resolveIri } from './resolve-iri.js';

const BASE = 'http://a/b/c/d;p?q';

describe('resolveIri', () => {
  it.each([
    ['g:h', 'g:h'],
    ['g', 'http://a/b/c/g'],
    ['./g', 'http://a/b/c/g'],
    ['g/', 'http://a/b/c/g/'],
    ['/g', 'http://a/g'],
    ['//g', 'http://g'],
    ['?y', 'http://a/b/c/d;p?y'],
    ['g?y', 'http://a/b/c/g?y'],
    ['#s', 'http://a/b/c/d;p?q#s'],
    ['g#s', 'http://a/b/c/g#s'],
    ['g?y#s', 'http://a/b/c/g?y#s'],
    [';x', 'http://a/b/c/;x'],
    ['', 'http://a/b/c/d;p?q'],
    ['.', 'http://a/b/c/'],
    ['./', 'http://a/b/c/'],
    ['..', 'http://a/b/'],
    ['../g', 'http://a/b/g'],
    ['../..', 'http://a/'],
    ['../../g', 'http://a/g'],
    ['../../../g', 'http://a/g'],
    ['/./g', 'http://a/g'],
    ['/../g', 'http://a/g'],
    ['g.', 'http://a/b/c/g.'],
    ['..g', 'http://a/b/c/..g'],
    ['./../g', 'http://a/b/g'],
    ['./g/.', 'http://a/b/c/g/'],
    ['g/../h', 'http://a/b/c/h'],
    ['g;x=1/../y', 'http://a/b/c/y'],
    ['g?y/../x', 'http://a/b/c/g?y/../x'],
    ['g#s/../x', 'http://a/b/c/g#s/../x'],
  ])('%s is %s', (reference, expected) => expect(resolveIri(reference, BASE)).toBe(expected));

  it('keeps absolute IRIs, and relative ones without a base', () => {
    expect(resolveIri('http://EXAMPLE.org:80/a/../b%7e', BASE)).toBe('http://EXAMPLE.org:80/a/../b%7e');
    expect(resolveIri('g', undefined)).toBe('g');
  });

  it('resolves against bases without a path', () => {
    expect(resolveIri('g', 'http://a')).toBe('http://a/g');
    expect(resolveIri('#x', 'urn:a:b')).toBe('urn:a:b#x');
  });
});
