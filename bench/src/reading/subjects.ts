/** Random quads for lookups, the same for every store with the same content. */
import { seededRandom } from '@quadrille/storage/testing';
import type * as RDF from '@rdfjs/types';

export const LOOKUPS = 20_000;

/** One quad of each of {@link LOOKUPS} random subjects. Subjects may repeat. */
export async function sample(quads: AsyncIterable<RDF.Quad>): Promise<RDF.Quad[]> {
  const bySubject = await quadsBySubject(quads);
  const subjects = [...bySubject.keys()].sort();
  const random = seededRandom(1);
  return Array.from({ length: LOOKUPS }, () => bySubject.get(subjects[Math.floor(random() * subjects.length)]!)!);
}

async function quadsBySubject(quads: AsyncIterable<RDF.Quad>): Promise<Map<string, RDF.Quad>> {
  const bySubject = new Map<string, RDF.Quad>();
  for await (const quad of quads) if (!bySubject.has(quad.subject.value)) bySubject.set(quad.subject.value, quad);
  return bySubject;
}
