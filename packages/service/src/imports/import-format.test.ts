import { expect, test } from 'vitest';
import { acceptedTypes, readableTypes } from './import-format.js';

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
