import { expect, test } from 'vitest';
import { acceptedTypes, readableTypes } from './import-format.js';

test('formats with named graphs are asked for first, and every readable format once', () => {
  const ranges = acceptedTypes()
    .split(', ')
    .map((range) => range.split(';q='));
  expect(ranges.slice(0, 2)).toEqual([['application/n-quads'], ['application/trig']]);
  const quality = (type: string): number => Number(ranges.find(([name]) => name === type)?.[1] ?? 1);
  for (const quads of ['application/n-quads', 'application/trig', 'application/trix', 'application/ld+json']) {
    for (const triples of ['application/n-triples', 'text/turtle', 'application/rdf+xml', 'application/rdf+json'])
      expect([quads, triples, quality(quads) > quality(triples)]).toEqual([quads, triples, true]);
  }
  expect(ranges.map(([type]) => type).toSorted()).toEqual([...readableTypes(), '*/*'].toSorted());
  expect(ranges.at(-1)).toEqual(['*/*', '0.1']);
});
