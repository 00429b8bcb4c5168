import { formats, iri, literal, quad } from 'quadrille';
import { expect, test } from 'vitest';
import { quadsDocument } from './statements-document.js';

const N_QUADS = formats.find('nq');

async function lengths(texts: readonly string[]): Promise<number[]> {
  const quads = texts.map((text) => quad(iri('urn:s'), iri('urn:p'), literal(text)));
  const chunks: number[] = [];
  for await (const chunk of quadsDocument(quads, N_QUADS, {})) if (chunk !== '') chunks.push(chunk.length);
  return chunks;
}

test('long literals are written one at a time, short ones together', async () => {
  const long = await lengths(Array.from({ length: 5 }, () => 'x'.repeat(1_000_000)));
  expect(long).toHaveLength(5);
  expect(Math.max(...long)).toBeLessThan(1_000_100);
  expect(await lengths(Array.from({ length: 1000 }, (_, i) => `text ${String(i)}`))).toHaveLength(4);
});
