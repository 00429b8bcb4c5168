/** New quads. Each has its own literal, and every fourth its own subject. */
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type * as RDF from '@rdfjs/types';
import { iri, literal, quad } from '@quadrille/model';

export const PROPERTY = 'http://example.org/property/';

const subject = (n: number): string => `http://example.org/item/${Math.floor(n / 4)}`;
const property = (n: number): string => `${PROPERTY}${n % 4}`;
const value = (n: number): string => `value ${n}`;

export function manyQuads(count: number): RDF.Quad[] {
  return Array.from({ length: count }, (_, n) => quad(iri(subject(n)), iri(property(n)), literal(value(n))));
}

/** The same quads as lines of N-Triples, which are also valid SPARQL data. */
export function* quadLines(count: number): Generator<string> {
  for (let n = 0; n < count; n++) yield `<${subject(n)}> <${property(n)}> "${value(n)}" .\n`;
}

/** Writes the quads to a new file. */
export async function writeQuads(file: string, count: number): Promise<void> {
  await pipeline(Readable.from(quadLines(count)), createWriteStream(file));
}
