/** Terms of the datasets of ids come back as they went in; a transaction stages by ids what it can stage by terms. */
import type * as RDF from '@rdfjs/types';
import { expect, test } from 'vitest';
import type { Repository as CoreRepository, StagedTransaction, TermPattern } from '@quadrille/core';
import { platformEnv, Store } from '@quadrille/core';
import { blankNode, dataFactory, defaultGraph, iri, literal, quad } from '@quadrille/model';
import type { IdDataset, IdQuads } from '@quadrille/sparql';
import { MISS } from '@quadrille/sparql';
import { MemoryDriver, StorageEngine } from '@quadrille/storage';
import { SnapshotDataset, TransactionDataset } from './datasets.js';

async function openCore(sync: boolean): Promise<CoreRepository> {
  const driver = new MemoryDriver();
  if (!sync) Object.assign(driver, { capabilities: { ...driver.capabilities, getSync: false } });
  const store = await Store.open(await StorageEngine.open(driver), {
    env: platformEnv(),
    tuning: { tailTerms: 4, memtableRows: 8 },
    cacheBytes: 4 * 1024 * 1024,
  });
  return store.repository('a/r', true);
}

async function intern(dataset: IdDataset, term: RDF.Term): Promise<number> {
  for (;;) {
    const id = dataset.intern(term);
    if (id !== MISS) return id;
    await dataset.fetchTerm();
  }
}

async function find(dataset: IdDataset, term: RDF.Term): Promise<number> {
  for (;;) {
    const id = dataset.find(term);
    if (id !== MISS) return id;
    await dataset.fetchTerm();
  }
}

async function termOf(dataset: IdDataset, id: number): Promise<RDF.Term> {
  for (;;) {
    const term = dataset.term(id);
    if (term !== undefined) return term;
    await dataset.fetchTerm();
  }
}

async function tripleOf(dataset: IdDataset, id: number): Promise<readonly [number, number, number] | null> {
  for (;;) {
    const triple = dataset.triple(id);
    if (triple !== undefined) return triple;
    await dataset.fetchTerm();
  }
}

const node = (name: string): RDF.NamedNode => iri(`http://e/${name}`);
const tripleTerm = (s: RDF.Quad_Subject, p: RDF.Quad_Predicate, o: RDF.Quad_Object): RDF.Quad => quad(s, p, o);
const LONG = literal('long '.repeat(2000));
const INNER = tripleTerm(node('s'), node('p'), LONG);
const NESTED = tripleTerm(node('s'), node('p'), INNER);
const integer = (text: string): RDF.Literal => literal(text, iri('http://www.w3.org/2001/XMLSchema#integer'));
const STORED: readonly RDF.Term[] = [
  node('s'),
  blankNode('b1'),
  literal('chat', 'fr'),
  integer('42'),
  integer('042'),
  LONG,
  INNER,
  NESTED,
];
const NEW: readonly RDF.Term[] = [
  node('new'),
  literal('neu', 'de'),
  literal('x'.repeat(9000)),
  literal('lone \ud800 surrogate'),
  tripleTerm(node('new2'), node('p'), literal('newer')),
  tripleTerm(node('s'), node('p'), tripleTerm(node('s'), node('new3'), LONG)),
];

async function fill(repository: CoreRepository): Promise<void> {
  for (const object of STORED) {
    const subject = object.termType === 'BlankNode' ? object : node('s');
    await repository.commit([quad(subject, node('p'), object as RDF.Quad_Object)], []);
  }
  await repository.commit(
    Array.from({ length: 40 }, (_, i) => quad(node(`s${i}`), node('p'), node(`o${i}`), node('g'))),
    [],
  );
}

test.each([true, false])('terms of a snapshot and of a transaction (getSync: %s)', async (sync) => {
  const repository = await openCore(sync);
  await fill(repository);
  const transaction = await repository.begin();
  for (const dataset of [
    new SnapshotDataset(repository.snapshot()).ids,
    new TransactionDataset(transaction, repository).ids,
  ]) {
    expect(dataset.hasNamedGraphs).toBe(true);
    expect(dataset.size).toBe(48);
    expect(await find(dataset, defaultGraph())).toBe(1);
    for (const term of STORED) {
      const id = await find(dataset, term);
      expect(id).toBeGreaterThan(1);
      expect(id).toBeLessThan(0xf000_0000);
      expect(await intern(dataset, term)).toBe(id);
      expect((await termOf(dataset, id)).equals(term)).toBe(true);
      expect(dataset.cachedTerm(id)?.equals(term)).toBe(true);
    }
    for (const term of NEW) {
      expect(await find(dataset, term)).toBe(0);
      const id = await intern(dataset, term);
      expect(id).toBeGreaterThanOrEqual(0xf000_0000);
      expect(await find(dataset, term)).toBe(id);
      expect(await intern(dataset, term)).toBe(id);
      expect(await termOf(dataset, id)).toBe(term);
      expect(dataset.cachedTerm(id)).toBe(term);
    }
    for (const term of [...STORED, ...NEW]) {
      const parts = await tripleOf(dataset, await find(dataset, term));
      if (term.termType !== 'Quad') expect(parts).toBeNull();
      else {
        expect(parts).not.toBeNull();
        const [s, p, o] = parts!;
        expect((await termOf(dataset, s)).equals(term.subject)).toBe(true);
        expect((await termOf(dataset, p)).equals(term.predicate)).toBe(true);
        expect((await termOf(dataset, o)).equals(term.object)).toBe(true);
        expect(await find(dataset, term.object)).toBe(o);
      }
    }
  }
  transaction.close();
});

test('another snapshot has other new ids, and the same key for plans', async () => {
  const repository = await openCore(true);
  await fill(repository);
  const first = new SnapshotDataset(repository.snapshot()).ids;
  const second = new SnapshotDataset(await repository.snapshotAt(3)).ids;
  expect(first.intern(node('x'))).toBeGreaterThan(1);
  expect(second.find(node('x'))).toBe(0);
  expect(second.planKey).toBe(first.planKey);
  expect([...(await second.statistics()).graphs]).toEqual([[1, 2]]);
});

const columns = (...rows: (readonly [number, number, number, number])[]): IdQuads => ({
  s: rows.map(([s]) => s),
  p: rows.map(([, p]) => p),
  o: rows.map(([, , o]) => o),
  g: rows.map(([, , , g]) => g),
  length: rows.length,
});

async function opened(sync = true): Promise<{ repository: CoreRepository; staged: StagedTransaction }> {
  const repository = await openCore(sync);
  await fill(repository);
  return { repository, staged: await repository.begin() };
}

test.each([true, false])('what is added and removed by ids is what the commit has (getSync: %s)', async (sync) => {
  const { repository, staged } = await opened(sync);
  const { ids } = new TransactionDataset(staged, repository);
  const [s, p, g] = [await intern(ids, node('s')), await intern(ids, node('p')), await intern(ids, node('g'))];
  const fresh = await intern(ids, node('fresh'));
  const local = await intern(ids, tripleTerm(node('fresh'), node('p'), literal('y')));
  await ids.add(columns([fresh, p, s, 1], [fresh, p, s, g], [s, p, local, fresh], [s, p, await intern(ids, LONG), 1]));
  await ids.remove(columns([s, p, await intern(ids, INNER), 1], [fresh, p, s, g], [g, g, g, g]));
  await ids.beginReading();
  expect(ids.size).toBe(49);
  const s1 = await intern(ids, node('s1'));
  expect(await ids.count({ s: 0, p: 0, o: 0, g })).toBe(40);
  await ids.removeMatches({ s: s1, p: 0, o: 0, g: 0 });
  expect(await ids.count({ s: 0, p: 0, o: 0, g })).toBe(39);
  expect(await ids.count({ s: fresh, p: 0, o: 0, g: 0 })).toBe(1);
  expect(await ids.estimate({ s: fresh, p: 0, o: 0, g: 0 })).toBeGreaterThan(0);
  expect(await ids.count({ s, p, o: local, g: 0 })).toBe(1);
  const revision = await repository.commitTransaction(staged, {});
  expect([revision.added, revision.removed, revision.size]).toEqual([2, 2, 48]);
  const after = repository.snapshot();
  const counted = async (pattern: TermPattern): Promise<number> => {
    const found = await after.ids(pattern);
    return found === undefined ? 0 : after.count(found);
  };
  expect(await counted({ object: tripleTerm(node('fresh'), node('p'), literal('y')), graph: node('fresh') })).toBe(1);
  expect(await counted({ subject: node('s1') })).toBe(0);
  expect((await repository.maintenance.verify()).problems).toEqual([]);
});

test('a term that cannot stand in its place is refused, and nothing of its quad is staged', async () => {
  const { repository, staged } = await opened();
  const { ids } = new TransactionDataset(staged, repository);
  const [s, p] = [ids.intern(node('s')), ids.intern(node('p'))];
  const refused: readonly (readonly [RDF.Term, 'subject' | 'predicate' | 'object' | 'graph'])[] = [
    [integer('42'), 'subject'],
    [literal('chat', 'fr'), 'subject'],
    [literal('brand new'), 'subject'],
    [NESTED, 'subject'],
    [defaultGraph(), 'subject'],
    [blankNode('b1'), 'predicate'],
    [blankNode('b9'), 'predicate'],
    [integer('42'), 'predicate'],
    [defaultGraph(), 'object'],
    [dataFactory.variable!('v'), 'object'],
    [literal('lone \ud800'), 'object'],
    [literal('x'.repeat(16 * 1024 * 1024)), 'object'],
    [integer('42'), 'graph'],
    [LONG, 'graph'],
  ];
  for (const [term, position] of refused) {
    const id = await intern(ids, term);
    const row = { subject: s, predicate: p, object: s, graph: 1, [position]: id };
    const quads = columns([row.subject, row.predicate, row.object, row.graph]);
    await expect(ids.add(quads)).rejects.toMatchObject({ code: 'INVALID_TERM' });
  }
  expect(ids.size).toBe(48);
  staged.close();
});

test('what a transaction only looked up by ids counts as read', async () => {
  const { repository, staged } = await opened();
  const blind = new TransactionDataset(staged, repository).ids;
  blind.intern(node('nobody'));
  expect(staged.hasRead).toBe(false);
  blind.find(node('nobody else'));
  expect(staged.hasRead).toBe(true);
  const other = await repository.begin();
  new TransactionDataset(other, repository).ids.seeker({ s: true, p: false, o: false, g: false });
  expect(other.hasRead).toBe(true);
  staged.close();
  other.close();
});
