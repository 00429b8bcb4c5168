/** Threads read the index of order, and answer as the main thread does: at every revision, while it is merged. */
import { afterEach, expect, it } from 'vitest';
import type * as RDF from '@rdfjs/types';
import { dataFactory } from 'quadrille';
import { hostOf } from 'quadrille/host';
import { openWithThreads, resetSettings, startThreads, takenDuring, textOf, useThreads } from './threads.js';

const { namedNode: iri, literal } = dataFactory;
const XSD = 'http://www.w3.org/2001/XMLSchema#';
const PREFIXES = `PREFIX e: <http://e/> PREFIX xsd: <${XSD}> `;
const QUADS = 5000;

afterEach(resetSettings);

const when = (n: number): string => new Date(1e12 + ((n * 7919) % 1_000_003) * 1000).toISOString();
const some = (from: number, count: number): RDF.Quad[] =>
  Array.from({ length: count }, (_, i) => [
    dataFactory.quad(iri(`http://e/s${from + i}`), iri('http://e/at'), literal(when(from + i), iri(`${XSD}dateTime`))),
    dataFactory.quad(iri(`http://e/s${from + i}`), iri('http://e/group'), iri(`http://e/g${i % 50}`)),
  ]).flat();

const at = (seconds: number): string => `"${new Date(1e12 + seconds * 1000).toISOString()}"^^xsd:dateTime`;
const QUERIES = [
  `SELECT ?s ?v { ?s e:at ?v FILTER(?v >= ${at(1000)} && ?v < ${at(9000)}) } ORDER BY ?s`,
  `SELECT ?s ?v { ?s e:at ?v FILTER(?v < ${at(400_000)}) } ORDER BY DESC(?v) ?s LIMIT 30`,
  'SELECT ?s ?v { ?s e:at ?v } ORDER BY ?v ?s LIMIT 20',
  'SELECT ?g (MIN(?v) AS ?a) (MAX(?v) AS ?b) { ?s e:group ?g ; e:at ?v } GROUP BY ?g ORDER BY ?g',
  'SELECT (MAX(?v) AS ?b) { ?s e:at ?v }',
  'SELECT ?s { ?s e:at ?v } ORDER BY ?v ?s',
];

it.each(['leveldb', 'lmdb'] as const)('ranges, orders and extremes in a thread (%s)', async (backend) => {
  const opened = await openWithThreads({ backend, workers: 1 });
  const { database, repository } = opened;
  try {
    for (let round = 0; round < 2; round++) {
      await repository.add(some(round * QUADS, QUADS));
      if (round === 0) await repository.maintenance.compact();
      if (round === 0) await startThreads(opened, 1);
      const { number } = await repository.revision();
      for (const view of [repository, repository.at(Math.max(1, number - 1))]) {
        for (const query of QUERIES) {
          useThreads(false);
          const expected = await textOf(view, PREFIXES + query, 'tsv');
          useThreads(true);
          const taken = await takenDuring(database, async () => {
            expect(await textOf(view, PREFIXES + query, 'tsv'), query).toBe(expected);
          });
          expect(taken, query).toBe(1);
        }
      }
    }
    // The document is read while runs that it needs are merged.
    const [range] = QUERIES;
    useThreads(false);
    const expected = await textOf(repository, PREFIXES + range!, 'tsv');
    useThreads(true);
    const answers = Array.from({ length: 4 }, async () =>
      (
        await hostOf(repository)
          .serialize(PREFIXES + range!, 'tsv')
          .toArray()
      ).join(''),
    );
    await repository.maintenance.compact();
    expect(new Set(await Promise.all(answers))).toEqual(new Set([expected]));
  } finally {
    await opened.remove();
  }
});
