import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { iri, literal, open, quad, termToText, type Repository } from '../index.js';
import { hexOf } from '../history/hex.js';
import { directory } from '../testing/fixtures.js';
import type { Lines } from './line-hash.js';
import { loadLineHash, portableLineHash, vectorLineHash } from './line-hash.js';
import { LINE_HASH_MODULE } from './line-hash-module.js';

const XSD = 'http://www.w3.org/2001/XMLSchema#';

const linesOf = (texts: readonly string[], sign: 1 | -1 = 1): Lines => {
  const parts = texts.map((text) => Buffer.from(text));
  return {
    bytes: Buffer.concat(parts),
    lengths: Int32Array.from(parts, ({ length }) => sign * length),
    count: parts.length,
  };
};

describe('hashes of lines', () => {
  const RATE = 168;
  const lengths = [0, 1, 7, 8, 9, RATE - 1, RATE, RATE + 1, 2 * RATE - 1, 2 * RATE, 5 * RATE + 3, 70_000, 3_000_000, 5];
  const texts = lengths.map((length, i) => (i % 2 === 0 ? 'é' : 'ab').repeat(Math.ceil(length / 2)).slice(0, length));
  const ways = { vectors: vectorLineHash, JavaScript: portableLineHash };

  test.each(Object.entries(ways))('with %s they are those of Node.js', async (_, load) => {
    const changeBy = await load();
    for (const batch of [...texts.map((text) => [text]), texts, texts.toReversed()]) {
      const [state, expected] = [new Uint16Array(1024), new Uint16Array(1024)];
      for (const text of batch) {
        const hash = createHash('shake128', { outputLength: 2048 }).update(text).digest();
        for (let i = 0; i < 1024; i++) expected[i]! += hash.readUInt16LE(2 * i);
      }
      changeBy(state, linesOf(batch));
      expect(Buffer.compare(new Uint8Array(state.buffer), new Uint8Array(expected.buffer))).toBe(0);
      changeBy(state, linesOf(batch.slice(1), -1));
      changeBy(state, linesOf(batch.slice(0, 1), -1));
      // A length cannot tell that an empty line is taken away. There is none.
      if (!batch.includes('')) expect(state.every((number) => number === 0)).toBe(true);
    }
  });

  test('a known answer', async () => {
    const state = new Uint16Array(1024);
    (await loadLineHash())(state, linesOf(['']));
    // FIPS 202: SHAKE128 of nothing.
    expect(hexOf(new Uint8Array(state.buffer, 0, 32))).toBe(
      '7f9c2ba4e88f827d616045507605853ed73b8093f6efbc88eb1a6eacfa66ef26',
    );
  });

  test('the module is what its source compiles to', async () => {
    // Plain JavaScript, of which there are no types.
    const build: string = '../../assembly/compile.mjs';
    const { compileLineHash } = (await import(build)) as { compileLineHash(): Promise<Uint8Array> };
    expect(Buffer.from(await compileLineHash()).toString('base64')).toBe(LINE_HASH_MODULE);
  });

  test('where WebAssembly has no vectors they are made in JavaScript', async () => {
    // A copy of the module that has loaded nothing yet.
    const copy: string = './line-hash.js?without-vectors';
    const fresh = (await import(copy)) as typeof import('./line-hash.js');
    vi.stubGlobal('WebAssembly', undefined);
    try {
      await expect(fresh.vectorLineHash()).rejects.toThrow();
      const [state, expected] = [new Uint16Array(1024), new Uint16Array(1024)];
      (await fresh.loadLineHash())(state, linesOf(texts.slice(0, 8)));
      (await portableLineHash())(expected, linesOf(texts.slice(0, 8)));
      expect(state).toEqual(expected);
    } finally {
      vi.unstubAllGlobals();
    }
  });
});

/** The content hash by its definition. */
async function hashByDefinition(repo: Repository): Promise<string> {
  const sum = new Uint16Array(1024);
  for await (const { subject, predicate, object, graph } of repo.quads()) {
    const triple = `${termToText(subject)} ${termToText(predicate)} ${termToText(object)}`;
    const line = graph.termType === 'DefaultGraph' ? `${triple} .\n` : `${triple} ${termToText(graph)} .\n`;
    const hash = createHash('shake128', { outputLength: 2048 }).update(line).digest();
    for (let i = 0; i < 1024; i++) sum[i]! += hash.readUInt16LE(2 * i);
  }
  return createHash('sha256').update(new Uint8Array(sum.buffer)).digest('hex');
}

test('the content hash is made of lines, of all kinds of terms, also of long ones', async () => {
  const path = join(await directory(), 'store');
  let db = await open(path);
  let repo = await db.repository('a/r', { create: true });
  const text =
    '<urn:g> { <urn:a> <urn:p> "x"@EN-gb, "tab\\t", 1, _:b . << <urn:a> <urn:b> <urn:c> ~ <urn:r> >> <urn:p> 2 . }';
  await repo.load({ text }, { format: 'trig' });
  const long = ['x'.repeat(5000), 'é'.repeat(200_000), 'y'.repeat(2_000_000), 'z'.repeat(1000)];
  for (const text of long) await repo.add([quad(iri('urn:s'), iri('urn:p'), literal(text))]);
  const inner = quad(iri('urn:s'), iri(`urn:${'p'.repeat(2000)}`), literal(long[0]!));
  const terms = [
    quad(iri('urn:s'), iri('urn:q'), inner),
    literal('1.5', iri(`${XSD}decimal`)),
    literal('2020-02-29', iri(`${XSD}date`)),
  ];
  await repo.add(terms.map((term, i) => quad(iri(`urn:t${String(i)}`), iri('urn:says'), term, iri('urn:g'))));
  // Predicates and graphs of which not all are kept in memory.
  await repo.add(
    Array.from({ length: 600 }, (_, i) =>
      quad(iri('urn:m'), iri(`urn:p${String(i)}`), literal('é'), iri(`urn:g${String(i % 7)}`)),
    ),
  );
  const expected = await hashByDefinition(repo);
  expect(await repo.proof.contentHash()).toBe(expected);
  expect((await repo.proof.verify()).contentHash).toBe(expected);
  await db.close();
  db = await open(path);
  repo = await db.repository('a/r');
  expect((await repo.proof.verify()).contentHash).toBe(expected);
  await repo.remove([quad(iri('urn:s'), iri('urn:p'), literal(long[2]!))]);
  expect(await repo.proof.contentHash()).toBe(await hashByDefinition(repo));
  await db.close();
});
