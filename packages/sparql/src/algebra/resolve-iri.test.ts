import { expect, test } from 'vitest';
import { resolveLegalIri } from './resolve-iri.js';

const BASE = 'http://a/b/c/d;p?q';

test('absolute IRIs stay as they are, relative ones are resolved, and illegal ones are none', () => {
  expect(resolveLegalIri('http://EXAMPLE.org:80/a/../b%7e', BASE)).toBe('http://EXAMPLE.org:80/a/../b%7e');
  expect(resolveLegalIri('../g', BASE)).toBe('http://a/b/g');
  expect(resolveLegalIri('a b', BASE)).toBeUndefined();
  expect(resolveLegalIri('http://a b', BASE)).toBeUndefined();
  expect(resolveLegalIri('1:x', BASE)).toBeUndefined();
  expect(resolveLegalIri('g', 'no base')).toBeUndefined();
  expect(resolveLegalIri('g', undefined)).toBeUndefined();
});
