import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as RDF from '@rdfjs/types';
import { blankNode, iri, literal, quad } from 'quadrille';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateQuads, nquadsChunks } from '../generate/quads.js';
import { AnswerDigest, comparableText, storedRow } from '../sparql/answer.js';
import { consumed } from './streams.js';
import { BACKENDS, PEERS, storeNamed } from './all-stores.js';
import { missingOf } from './missing.js';

const QUADS = 1500;
const SUBJECT = iri('http://www4.wiwiss.fu-berlin.de/bizer/bsbm/v01/instances/ProductType2');
const XSD = 'http://www.w3.org/2001/XMLSchema#';
const QUERIES = [
  'SELECT ?p (COUNT(*) AS ?n) { ?s ?p ?o } GROUP BY ?p',
  `ASK { <${SUBJECT.value}> ?p ?o }`,
  `DESCRIBE <${SUBJECT.value}>`,
  '# CONSTRUCT is not the form\nSELECT ?s { ?s a ?type }',
];

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'quadrille-stores-'));
  await writeFile(join(directory, 'data.nq'), [...nquadsChunks(generateQuads({ quads: QUADS }))].join(''));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const available = [...BACKENDS, ...PEERS].filter((store) => missingOf(store) === undefined);

describe('stores', () => {
  it('all hold the same after the same load, and answer alike', async () => {
    const seen: Record<string, unknown> = {};
    const answers: Record<string, unknown[]> = {};
    for (const kind of available) {
      const store = await kind.open(join(directory, kind.name));
      await store.load(join(directory, 'data.nq'));
      const digest = new AnswerDigest();
      await store.scan((one) => digest.add(storedRow(one)));
      const about: string[] = [];
      await store.lookup(SUBJECT, ({ object }) => about.push(object.value));
      if (store.match !== undefined) {
        const matched: string[] = [];
        await consumed(store.match(SUBJECT), ({ object }) => void matched.push(object.value));
        expect(matched.sort(), kind.name).toEqual(about.sort());
        expect(await consumed(store.match()), kind.name).toBe(QUADS);
      }
      seen[kind.name] = { size: await store.size(), digest: digest.value, about: about.sort() };
      if (store.run !== undefined) {
        const found: unknown[] = [];
        for (const text of QUERIES) {
          const rows = new AnswerDigest();
          found.push([await store.run(text, rows), rows.value]);
        }
        answers[kind.name] = found;
      }
      await store.add([quad(SUBJECT, iri('http://example.org/p'), literal('new'))]);
      expect(await store.size(), kind.name).toBe(QUADS + 1);
      await store.close();
    }
    expect(Object.keys(seen)).toEqual(
      expect.arrayContaining(['leveldb', 'memory', 'quadstore', 'oxigraph', 'n3', 'rdf-stores', 'comunica']),
    );
    expect(answers['leveldb']!.slice(1, 3)).toEqual([
      [1, 0],
      [6, expect.any(Number)],
    ]);
    for (const [name, one] of Object.entries(seen)) expect({ name, one }).toEqual({ name, one: seen['leveldb'] });
    for (const [name, one] of Object.entries(answers)) expect({ name, one }).toEqual({ name, one: answers['leveldb'] });
    expect(Object.keys(answers)).toEqual(expect.arrayContaining(['quadstore', 'oxigraph', 'comunica']));
  });

  it('are found by name, or are a module', () => {
    expect(storeNamed('oxigraph').role).toBe('peer');
    expect(storeNamed('./some/backend.mjs')).toMatchObject({ name: 'backend', role: 'backend' });
    expect(() => storeNamed('orcale')).toThrow('known stores are leveldb, lmdb, memory');
  });

  it('of the user come from a module that exports openStorage', async () => {
    const file = join(directory, 'mine.mjs');
    await writeFile(file, 'export const nothing = 1;');
    await expect(storeNamed(file).open(directory)).rejects.toThrow('exports no openStorage');
  });
});

it('texts that are compared: numbers by value, blank nodes alike; what was stored to the letter', () => {
  const typed = (value: string, type: string): RDF.Literal => literal(value, iri(XSD + type));
  expect(comparableText(typed('1.50', 'decimal'))).toBe(comparableText(typed('1.5', 'double')));
  expect(comparableText(typed('0.30000000000000004', 'double'))).toBe(comparableText(typed('0.3', 'double')));
  expect(comparableText(typed('1', 'integer'))).not.toBe(comparableText(typed('2', 'integer')));
  expect(comparableText(blankNode('a'))).toBe(comparableText(blankNode('b')));
  const stored = (object: RDF.Literal): unknown => storedRow(quad(SUBJECT, SUBJECT, object))[2];
  expect(stored(typed('01', 'integer'))).not.toEqual(stored(typed('1', 'integer')));
  expect(stored(literal('a', 'en'))).not.toEqual(stored(literal('a', 'de')));
  expect(stored(literal('a', 'en-US'))).toEqual(stored(literal('a', 'en-us')));
});
