/** A million results: bounded, and told. */
import { processMemory } from '@quadrille/sparql';
import { afterEach, expect, test, vi } from 'vitest';
import { iri, literal, open, quad } from '../index.js';

const SH = 'http://www.w3.org/ns/shacl#';
const PREDICATE = iri('urn:p');
const shapes = [
  quad(iri('urn:s'), iri(`${SH}targetSubjectsOf`), PREDICATE),
  quad(iri('urn:s'), iri(`${SH}nodeKind`), iri(`${SH}BlankNode`)),
  quad(iri('urn:s'), iri(`${SH}property`), iri('urn:t')),
  quad(iri('urn:t'), iri(`${SH}path`), PREDICATE),
  quad(iri('urn:t'), iri(`${SH}nodeKind`), iri(`${SH}IRI`)),
];
const NODES = 500_000;
const value = literal('x');

afterEach(() => vi.restoreAllMocks());

test('a million results need a limit, or the memory of a query', { timeout: 300_000 }, async () => {
  const db = await open(':memory:');
  vi.spyOn(processMemory, 'queryBytes', 'get').mockReturnValue(32 * 1024 * 1024);
  const repo = await db.repository('acme/many', { create: true });
  await repo.add(
    (function* () {
      for (let i = 0; i < NODES; i++) yield quad(iri(`urn:n${String(i)}`), PREDICATE, value);
    })(),
  );
  await expect(repo.validate({ shapes })).rejects.toMatchObject({
    code: 'QUERY_MEMORY',
    message: expect.stringMatching(/Give a limit/) as string,
  });
  const some = await repo.validate({ shapes, limit: 100 });
  expect(some).toMatchObject({ conforms: false, truncated: true });
  expect(some.results).toHaveLength(100);
  // The guard ends after a thousand.
  await repo.add(shapes.map(({ subject, predicate, object }) => quad(subject, predicate, object, iri('urn:shapes'))));
  await expect(repo.settings.set({ shapes: 'urn:shapes' })).rejects.toMatchObject({
    code: 'SHAPES_VIOLATED',
    details: { count: 1000 },
  });
  await db.close();
});
