import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as RDF from '@rdfjs/types';
import { blankNode, iri, literal, open, quad } from 'quadrille';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { REPOSITORY } from '../data-sets.js';
import type { Context } from '../workload.js';
import { iterated, repeated } from './consumers.js';
import { missedIds, warmIds } from './id-lookups.js';
import { lookUpIds, openIds, scanIds, subjectIds, subjectsByBlock } from './id-store.js';
import { warmRate } from './passes.js';

const SUBJECTS = 1500;
const EACH = 4;

let context: Context;
beforeAll(async () => {
  const path = await mkdtemp(join(tmpdir(), 'quadrille-reading-'));
  context = { paths: { 'store-1m': path }, storage: 'leveldb', scratch: path } as unknown as Context;
  const db = await open(path);
  const repository = await db.repository(REPOSITORY, { create: true });
  const quads: RDF.Quad[] = [];
  for (let n = 0; n < SUBJECTS * EACH; n++) {
    quads.push(quad(iri(`http://example.org/s${Math.floor(n / EACH)}`), iri('http://example.org/p'), literal(`o${n}`)));
  }
  await repository.add(quads);
  // The suite reads blocks only, so the memtable must be empty.
  await repository.maintenance.compact();
  await db.close();
});
afterAll(() => rm(context.scratch, { recursive: true, force: true }));

it('reads rows of ids, and finds subjects that stand in one block each, in turn', async () => {
  const { snapshot, close } = await openIds(context, 'store-1m');
  expect(await scanIds(snapshot)).toBe(SUBJECTS * EACH);
  const subjects = await subjectIds(snapshot);
  expect(new Set(subjects).size).toBe(SUBJECTS);
  expect(subjects).toHaveLength(SUBJECTS);
  expect(await lookUpIds(snapshot, subjects)).toBe(SUBJECTS * EACH);
  const [run] = snapshot.index.runs.filter(({ entry }) => entry.order.name === 'spog');
  expect(run!.blocks).toBeGreaterThan(2);
  const inTurn = subjectsByBlock(snapshot, subjects, run!.blocks * 2);
  const blocks = inTurn.map((id) => {
    const later = Array.from({ length: run!.blocks }, (_, n) => run!.table.fences[n * 4]!).findIndex((id2) => id2 > id);
    return later === -1 ? run!.blocks - 1 : later - 1;
  });
  expect(blocks).toEqual([...Array(run!.blocks).keys(), ...Array(run!.blocks).keys()]);
  await close();
});

it('warm lookups miss nothing; those that should miss are refused where the cache is large enough', async () => {
  const opened = await openIds(context, 'store-1m');
  expect((await warmIds(opened))['ids, warm']!.value).toBeGreaterThan(0);
  await expect(missedIds(opened)).rejects.toThrow('were in the cache');
  await opened.close();
});

it('a pass that finds something else fails', async () => {
  let rows = 0;
  await expect(warmRate({ name: 'n', unit: 'u', times: 1 }, async () => rows++)).rejects.toThrow('n: 0 rows, then 1');
});

it('the control gives the same quad so many times', async () => {
  const one = quad(blankNode('a'), iri('http://example.org/p'), blankNode('b'));
  expect(await iterated(repeated(one, 7))).toBe(7);
});
