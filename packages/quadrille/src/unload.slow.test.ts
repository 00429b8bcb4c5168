/** Handles of repositories that were unloaded, since others were used after them. */
import { asStore } from './rdfjs/as-store.js';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { setImmediate as turn } from 'node:timers/promises';
import { iri, literal, quad } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import { beforeEach, expect, test } from 'vitest';
import type { Database, Repository } from './api/index.js';
import { hostOf } from './host/index.js';
import { open } from './open.js';

const NAME = iri('http://e/name');
const nameQuad = (text: string): RDF.Quad => quad(iri('http://e/this'), NAME, literal(text));

/** Uses so many other repositories that all before them are unloaded. */
async function useOthers(db: Database, count = 6): Promise<void> {
  for (let n = 0; n < count; n++) {
    const other = await db.repository(`other${n}`, { create: true });
    await other.add(nameQuad(`other ${n}`));
  }
  for (let n = 0; n < 20; n++) await turn();
}

let db: Database;
let repository: Repository;

beforeEach(async () => {
  db = await open(':memory:', { repositoryBytes: 0 });
  repository = await db.repository('first', { create: true });
  await repository.namespaces.set('e', 'http://e/');
  await repository.add(nameQuad('one'));
  await repository.update('INSERT DATA { e:this e:other "two" }');
  await useOthers(db);
  expect(db.metrics()).toMatchObject({ openRepositories: 4, commits: 8 });
  return () => db.close();
});

const uses: Record<string, () => Promise<unknown>> = {
  quads: async () => expect(await repository.quads().toArray()).toHaveLength(2),
  'count, size and statistics': async () => {
    expect(await repository.count({ predicate: NAME })).toBe(1);
    expect(await repository.size()).toBe(2);
    expect((await repository.maintenance.stats()).quads).toBe(2);
  },
  queries: async () => {
    expect(await repository.select('SELECT ?o { ?s e:name ?o }').toArray()).toHaveLength(1);
    expect(await repository.ask('ASK { ?s e:other "two" }')).toBe(true);
    expect(await repository.construct('CONSTRUCT WHERE { ?s ?p ?o }').toArray()).toHaveLength(2);
    expect((await repository.explain('SELECT * { ?s ?p ?o }')).text).toContain('scan');
  },
  'an old revision': async () => {
    expect(await repository.at(2).quads().toArray()).toHaveLength(1);
    expect((await repository.at('HEAD~1').revision()).number).toBe(2);
  },
  'streams of RDF/JS': async () => {
    const quads: unknown[] = [];
    for await (const found of asStore(repository).match() as unknown as AsyncIterable<unknown>) quads.push(found);
    expect(quads).toHaveLength(2);
  },
  'history and revisions': async () => {
    expect(await repository.history().toArray()).toHaveLength(2);
    expect(await repository.log().toArray()).toHaveLength(3);
    expect(await repository.diff(1).toArray()).toHaveLength(2);
  },
  writes: async () => {
    expect(await repository.add(nameQuad('three'))).toMatchObject({ number: 4 });
    expect(await repository.remove({ predicate: NAME })).toMatchObject({ size: 1 });
    expect(await repository.load({ text: '<a:s> <a:p> <a:o> .' }, { format: 'nt' })).toMatchObject({ size: 2 });
    expect(await repository.transaction((staged) => staged.add(nameQuad('four')))).toMatchObject({ size: 3 });
  },
  'a held transaction': async () => {
    const transaction = await hostOf(repository).begin();
    await transaction.add(nameQuad('three'));
    await useOthers(db);
    expect(await transaction.count({})).toBe(3);
    expect(await transaction.commit()).toMatchObject({ number: 4 });
  },
  tags: async () => {
    await repository.tags.set('v1', 'HEAD');
    expect((await repository.tags.get('v1'))!.number).toBe(3);
  },
  care: async () => {
    expect((await repository.maintenance.verify()).problems).toEqual([]);
    await repository.maintenance.compact();
    await repository.maintenance.rebuild();
  },
};

test.each(Object.entries(uses))('%s', async (_, use) => {
  await use();
  await useOthers(db);
  expect(await db.repository('first')).toBe(repository);
  expect((await repository.maintenance.verify()).problems).toEqual([]);
});

test('results that were asked for before are those of the revision of then', async () => {
  const early = repository.quads();
  const rows = repository.select('SELECT * { ?s ?p ?o }');
  const prepared = await repository.prepare('SELECT * { ?s ?p ?o }');
  await repository.add(nameQuad('three'));
  await useOthers(db);
  expect(await early.toArray()).toHaveLength(2);
  await useOthers(db);
  expect(await rows.toArray()).toHaveLength(2);
  await useOthers(db);
  expect(await prepared.select().toArray()).toHaveLength(3);
});

test('results that are being read keep their repository in memory, and the reader may leave', async () => {
  const rows = repository.quads()[Symbol.asyncIterator]();
  const first = rows.next();
  await useOthers(db);
  expect((await first).done).toBe(false);
  expect((await rows.next()).done).toBe(false);
  expect((await rows.next()).done).toBe(true);
  await useOthers(db);
  const abandoned = repository.quads()[Symbol.asyncIterator]();
  const pending = abandoned.next();
  await abandoned.return!();
  await pending;
  await useOthers(db);
  expect(db.metrics().openRepositories).toBe(4);
});

test('a commit under way as the database closes is finished', async () => {
  const commit = repository.add(nameQuad('three'));
  await db.close();
  await expect(commit).resolves.toMatchObject({ number: 4 });
  await expect(repository.size()).rejects.toMatchObject({ code: 'STORE_NOT_OPEN' });
});

test('a deleted one stays deleted for whoever holds it', async () => {
  expect(await db.deleteRepository('first')).toBe(true);
  await expect(repository.size()).rejects.toMatchObject({ code: 'REPOSITORY_DELETED' });
  const next = await db.repository('first', { create: true });
  expect(await next.size()).toBe(0);
  await expect(repository.add(nameQuad('x'))).rejects.toMatchObject({ code: 'REPOSITORY_DELETED' });
});

test('no cache of queries keeps what was unloaded', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const used = async (from: number, to: number): Promise<number> => {
    for (let n = from; n < to; n++) {
      const one = await db.repository(`many${n}`, { create: true });
      // A term that would be seen in the heap.
      await one.add(nameQuad(`${n} ${'x'.repeat(20_000)}`));
      expect(await one.select('SELECT ?o { ?s <http://e/name> ?o FILTER(STRLEN(?o) > 5) }').toArray()).toHaveLength(1);
    }
    for (let n = 0; n < 4; n++) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      collect();
    }
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const before = await used(0, 50);
  const after = await used(50, 250);
  // The storage, in memory as well, has the text once.
  expect((after - before) / 200).toBeLessThan(50_000);
});

test.each<[string, () => AsyncIterable<unknown>]>([
  ['quads', () => repository.at('HEAD~1').quads()],
  ['rows', () => repository.at('HEAD~1').select('SELECT * { ?s ?p ?o }')],
  ['a document', () => hostOf(repository.at('HEAD~1')).serialize('SELECT * { ?s ?p ?o }', 'csv')],
])('%s that are left before they have begun keep nothing in memory', async (_, results) => {
  const iterator = results()[Symbol.asyncIterator]();
  const first = iterator.next();
  await iterator.return!();
  await first;
  await useOthers(db);
  expect(db.metrics().openRepositories).toBe(4);
});
