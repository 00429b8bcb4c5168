import { expect, test } from 'vitest';
import { registerExtraFormats } from '@quadrille/formats-extra';
import { formats } from 'quadrille';
import { acceptedTypes, importFormat, readableTypes } from './import-format.js';

test('formats with named graphs are asked for first, and every readable format once', () => {
  const ranges = acceptedTypes()
    .split(', ')
    .map((range) => range.split(';q='));
  expect(ranges.slice(0, 2)).toEqual([['application/n-quads'], ['application/trig']]);
  const quality = (type: string): number => Number(ranges.find(([name]) => name === type)?.[1] ?? 1);
  // The interfaces register further formats, and a test of theirs may have run in this process.
  const known = (types: readonly string[]): string[] => types.filter((type) => readableTypes().includes(type));
  for (const quads of known(['application/n-quads', 'application/trig', 'application/trix', 'application/ld+json'])) {
    const others = known(['application/n-triples', 'text/turtle', 'application/rdf+xml', 'application/rdf+json']);
    expect(others.length).toBeGreaterThanOrEqual(2);
    for (const triples of others)
      expect([quads, triples, quality(quads) > quality(triples)]).toEqual([quads, triples, true]);
  }
  expect(ranges.map(([type]) => type).toSorted()).toEqual([...readableTypes(), '*/*'].toSorted());
  expect(ranges.at(-1)).toEqual(['*/*', '0.1']);
});

test.each(['text/plain', 'application/octet-stream', undefined, 'application/json', 'text/json; charset=utf-8'])(
  'the ending decides where the type is %s',
  (type) => {
    registerExtraFormats(formats);
    expect(importFormat(type, [undefined, 'http://e/a.jsonld?x=1'])).toBe('application/ld+json');
    expect(importFormat(type, ['a.rj'])).toBe('application/rdf+json');
  },
);

test('a type that says more than the ending stays', () => {
  registerExtraFormats(formats);
  expect(importFormat('text/turtle', ['a.jsonld'])).toBe('text/turtle');
  expect(importFormat('application/xml', ['a.trix'])).toBe('application/trix');
  expect(importFormat('application/json', ['data'])).toBe('application/rdf+json');
});
