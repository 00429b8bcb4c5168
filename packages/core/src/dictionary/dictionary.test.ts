import { beforeAll, describe, expect, test } from 'vitest';
import { blankNode, dataFactory, iri, literal, quad } from '@quadrille/model';
import { FaultDriver } from '@quadrille/storage/testing';
import { MemoryDriver } from '@quadrille/storage';
import { toHex } from '../format/byte-codec.js';
import { Pacer, platformEnv } from '../runtime/env.js';
import { Tag } from '../format/layout.js';
import { LoadTerms } from './bulk-terms.js';
import { loadDigest } from '../format/digest.js';
import type { Keyspace } from '../keyspace/keyspace.js';
import { asyncDriver, newKeyspace, randomInts } from '../testing/fixture.js';
import { flushTerms, mergeHashRuns, sweepHashRuns } from './dictionary-flush.js';
import { mergeableHashRuns } from './hash-run.js';
import { rebuildHashRuns } from './rebuild-hash-runs.js';
import { Dictionary, longParts } from './dictionary.js';
import { TermDecoder } from './term-decoder.js';
import { TermEncoder } from './term-encoder.js';

beforeAll(loadDigest);
const pacer = new Pacer(platformEnv());
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const add = (dictionary: Dictionary, text: string): number => dictionary.assign(bytesOf(text), 0, bytesOf(text).length);
const entryOf = async (dictionary: Dictionary, id: number): Promise<string> => {
  let entry = dictionary.tryEntry(id);
  while (entry === undefined) {
    await dictionary.fetchMissing();
    entry = dictionary.tryEntry(id);
  }
  return new TextDecoder().decode(entry);
};

async function stored(keyspace: Keyspace, tag: number): Promise<string[]> {
  const found: string[] = [];
  for await (const { rest, value } of keyspace.entries(tag)) found.push(`${toHex(rest)}=${toHex(value)}`);
  return found;
}

describe('golden bytes', () => {
  test('tail pieces, root, block, hash page and fences', async () => {
    const keyspace = await newKeyspace();
    const dictionary = await Dictionary.open(keyspace, 0x0102_0304, 2);
    expect(add(dictionary, '<a>')).toBe(2);
    expect(add(dictionary, '<b>')).toBe(3);
    await keyspace.write(dictionary.takeUnwritten());
    expect(dictionary.takeUnwritten()).toEqual([]);
    add(dictionary, '"c"');
    await keyspace.write(dictionary.takeUnwritten());
    expect(await stored(keyspace, Tag.termTail)).toEqual([
      '00000002=0200030003003c613e3c623e', // from id 2: two entries
      '00000004=010003002263' + '22',
    ]);
    await flushTerms(dictionary, pacer);
    expect(await stored(keyspace, Tag.termTail)).toEqual(['00000002=0300030003000300' + '3c613e3c623e226322']);
    // next id 5, blocks up to 0, seed, next run 2, one run: number 1, three entries
    expect(await stored(keyspace, Tag.dictionary)).toEqual(['=' + '05' + '00' + '04030201' + '02' + '01' + '0103']);
    const [page, fences] = await stored(keyspace, Tag.hashPage);
    expect(page!.slice(0, 17)).toBe('0000000100000000=');
    expect(page!.length).toBe(17 + 3 * 12 * 2);
    expect(fences).toBe(`00000001ff000000=${page!.slice(17, 25)}`);
    const ids = page!.slice(17 + 48);
    expect(['02000000', '03000000', '04000000'].every((id) => ids.includes(id))).toBe(true);
  });
});

/** Terms of every kind, some of them longer than a block entry may be. */
function texts(seed: number, count: number): string[] {
  const int = randomInts(seed);
  return Array.from({ length: count }, (_, i) =>
    int(0, 200) === 0 ? `"${i}${'l'.repeat(int(4000, 130_000))}"` : `<http://e/${seed}/${i}>`,
  );
}

test.each([true, false])('find, assign, flush, merge and open again give the same ids (getSync: %s)', async (sync) => {
  const keyspace = await newKeyspace(sync ? undefined : asyncDriver(), { tierRuns: 3 });
  let dictionary = await Dictionary.open(keyspace, 99, 2);
  const known = new Map<string, number>();
  for (let round = 0; round < 9; round++) {
    for (const text of texts(round, 300)) {
      expect(await dictionary.find(bytesOf(text))).toBe(0);
      known.set(text, add(dictionary, text));
    }
    await keyspace.write(dictionary.takeUnwritten());
    if (round % 3 === 1) await flushTerms(dictionary, pacer);
    if (round % 3 === 2) {
      const runs =
        round > 5
          ? dictionary.root.runs
          : mergeableHashRuns(dictionary.root.runs, dictionary.keyspace.tuning.tierRuns, new Set());
      await mergeHashRuns(dictionary, runs, pacer);
    }
    if (round % 2 === 0) dictionary = await Dictionary.open(keyspace, 1, 2);
  }
  for (const open of [dictionary, await Dictionary.open(keyspace, 1, 2)]) {
    for (const [text, id] of known) expect(await open.find(bytesOf(text))).toBe(id);
    expect(await open.find(bytesOf('<http://e/none>'))).toBe(0);
    expect(open.nextId).toBe(dictionary.nextId);
  }
  await sweepHashRuns(dictionary);
  await rebuildHashRuns(dictionary, pacer);
  for (const [text, id] of known) expect(await dictionary.find(bytesOf(text))).toBe(id);
});

test('holes: ids that nobody took stay unknown, and are not given again', async () => {
  const keyspace = await newKeyspace();
  const dictionary = await Dictionary.open(keyspace, 1, 2);
  add(dictionary, '<a>');
  dictionary.reserve(300);
  const id = add(dictionary, '<b>');
  expect(id).toBe(303);
  await keyspace.write(dictionary.takeUnwritten());
  await flushTerms(dictionary, pacer);
  expect(await entryOf(dictionary, 303)).toBe('<b>');
  for (const hole of [50, 200, 302]) {
    await expect(entryOf(dictionary, hole)).rejects.toThrow(expect.objectContaining({ code: 'UNKNOWN_ID' }));
  }
  expect((await Dictionary.open(keyspace, 1, 500)).nextId).toBe(500);
  expect((await Dictionary.open(keyspace, 1, 2)).nextId).toBe(304);
});

test('the last id is given, the next one is refused', async () => {
  const dictionary = await Dictionary.open(await newKeyspace(), 1, 2);
  expect(dictionary.reserve(0x7fff_fffe)).toBe(2);
  expect(() => dictionary.reserve(1)).toThrow(expect.objectContaining({ code: 'STORAGE_LIMIT' }));
});

test('a block of long entries and a piece of many terms exceed no value', async () => {
  const keyspace = await newKeyspace();
  const dictionary = await Dictionary.open(keyspace, 1, 2);
  const long = Array.from({ length: 300 }, (_, i) => `"${String(i).padStart(4090, 'x')}"`);
  for (const text of long) add(dictionary, text);
  await keyspace.write(dictionary.takeUnwritten());
  await flushTerms(dictionary, pacer);
  const again = await Dictionary.open(keyspace, 1, 2);
  for (const [i, text] of long.entries()) expect(await again.find(bytesOf(text))).toBe(2 + i);
  expect((await stored(keyspace, Tag.termBlock)).length).toBeGreaterThan(16);
});

test('long texts do not stay in the tail: the rest of their block goes to nobody', async () => {
  const keyspace = await newKeyspace();
  const dictionary = await Dictionary.open(keyspace, 1, 2);
  const long = (i: number): string => `"${String(i).padStart(50_000, 'x')}"`;
  const ids = Array.from({ length: 5 }, (_, i) => add(dictionary, long(i)));
  await keyspace.write(dictionary.takeUnwritten());
  await flushTerms(dictionary, pacer);
  for (const open of [dictionary, await Dictionary.open(keyspace, 1, 2)]) {
    expect([open.tail.size, open.nextId]).toEqual([0, 128]);
    for (const [i, id] of ids.entries()) expect(await open.find(bytesOf(long(i)))).toBe(id);
  }
  expect(add(dictionary, '<a>')).toBe(128);
  await keyspace.write(dictionary.takeUnwritten());
  await flushTerms(dictionary, pacer);
  expect(dictionary.tail.size).toBe(1);
  expect((await new TermDecoder(dictionary, 16_384, platformEnv()).decode(ids[3]!)).value).toBe(long(3).slice(1, -1));
});

test('terms of a load that are few and large do not join the tail', async () => {
  const keyspace = await newKeyspace();
  const dictionary = await Dictionary.open(keyspace, 1, 2);
  const load = new LoadTerms(dictionary, 'p');
  const count = 2 * Math.ceil(keyspace.tuning.tailBytes / 100_000);
  const texts = Array.from({ length: count }, (_, i) => bytesOf(`"${String(i).padStart(100_000, 'x')}"`));
  const handles = texts.map((text) => load.term(text, 0, text.length));
  await load.resolve(pacer);
  expect(dictionary.tail.bytes).toBe(0);
  const again = await Dictionary.open(keyspace, 1, 2);
  expect(again.tail.size).toBe(0);
  for (const [i, text] of texts.entries()) expect(await again.find(text)).toBe(load.id(handles[i]!));
});

test('a long text whose id a failed load had given to a longer one', async () => {
  const keyspace = await newKeyspace();
  const dictionary = await Dictionary.open(keyspace, 1, 2);
  await keyspace.write(longParts(dictionary.keyspace, 2, new Uint8Array(170_000).fill(0x61)));
  const text = `"${'y'.repeat(70_000)}"`;
  expect(add(dictionary, text)).toBe(2);
  await keyspace.write(dictionary.takeUnwritten());
  await flushTerms(dictionary, pacer);
  const again = await Dictionary.open(keyspace, 1, 2);
  expect((await new TermDecoder(again, 16_384, platformEnv()).decode(2)).value).toBe('y'.repeat(70_000));
});

describe('terms', () => {
  const terms = [
    iri('http://e/a'),
    blankNode('b1'),
    literal('plain'),
    literal('Ünï\n"q"\\'),
    literal('x', 'en-GB'),
    literal('x', { language: 'ar', direction: 'rtl' }),
    literal('01', iri('http://www.w3.org/2001/XMLSchema#integer')),
    literal('42', iri('http://www.w3.org/2001/XMLSchema#integer')),
    literal('l'.repeat(200_000)),
    quad(iri('http://e/s'), iri('http://e/p'), literal('in a triple')),
    quad(
      iri('http://e/s'),
      iri('http://e/p'),
      quad(blankNode('n'), iri('http://e/p'), literal('7', iri('http://www.w3.org/2001/XMLSchema#integer'))),
    ),
    dataFactory.defaultGraph(),
  ];

  test.each([true, false])(
    'come back as they were, from the tail, from blocks and after opening (getSync: %s)',
    async (sync) => {
      const keyspace = await newKeyspace(sync ? undefined : asyncDriver());
      const dictionary = await Dictionary.open(keyspace, 5, 2);
      const encoder = new TermEncoder(dictionary);
      const ids: number[] = [];
      for (const term of terms) {
        expect(await encoder.encode(term)).toBeGreaterThanOrEqual(0);
        ids.push(await encoder.intern(term));
      }
      for (const [i, term] of terms.entries()) expect(await encoder.intern(term)).toBe(ids[i]);
      expect(new Set(ids).size).toBe(terms.length);
      await keyspace.write(dictionary.takeUnwritten());
      for (const flush of [false, true]) {
        if (flush) await flushTerms(dictionary, pacer);
        for (let i = 0; flush && i < 300; i++) add(dictionary, `<http://fill/${i}>`);
        if (flush) await flushTerms(dictionary, pacer);
        const open = await Dictionary.open(keyspace, 1, 2);
        const decoder = new TermDecoder(open, 1024, platformEnv());
        const fresh = new TermEncoder(open);
        const all = await decoder.decodeAll(Uint32Array.from([...ids, ...ids]), 0, ids.length * 2);
        for (const [i, term] of terms.entries()) {
          expect((await decoder.decode(ids[i]!)).equals(term)).toBe(true);
          expect(all[i]!.equals(term) && all[i + ids.length]!.equals(term)).toBe(true);
          expect(await fresh.encode(term)).toBe(ids[i]);
        }
      }
    },
  );

  test.each([1, 16_384, 25_600_000])('a cache of %i bytes gives the right ones', async (cacheBytes) => {
    const keyspace = await newKeyspace(asyncDriver());
    const dictionary = await Dictionary.open(keyspace, 5, 2);
    for (let i = 0; i < 5000; i++) add(dictionary, `"${i}"`);
    await flushTerms(dictionary, pacer);
    const decoder = new TermDecoder(dictionary, cacheBytes, platformEnv());
    const int = randomInts(8);
    for (let round = 0; round < 60; round++) {
      const ids = Uint32Array.from({ length: 200 }, () => 2 + int(0, 5000));
      const decoded = await decoder.decodeAll(ids, 10, 200);
      expect(decoded.map((term) => term.value)).toEqual(Array.from(ids.subarray(10), (id) => String(id - 2)));
    }
  });

  test('a term beyond 16 MiB is refused', async () => {
    const encoder = new TermEncoder(await Dictionary.open(await newKeyspace(), 5, 2));
    const term = literal('x'.repeat(16 * 1024 * 1024));
    expect(() => encoder.tryEncode(term)).toThrow(expect.objectContaining({ code: 'INVALID_TERM' }));
  });
});

describe('LoadTerms', () => {
  const give = (terms: LoadTerms, text: string): number => terms.term(bytesOf(text), 0, bytesOf(text).length);

  test.each([10, 100_000])('bulk and small agree on ids (loadTailTerms: %i)', async (loadTailTerms) => {
    for (const driver of [new MemoryDriver(), asyncDriver()]) {
      const keyspace = await newKeyspace(driver, { loadTailTerms });
      const dictionary = await Dictionary.open(keyspace, 5, 2);
      const early = texts(1, 200).map((text) => [text, add(dictionary, text)] as const);
      await flushTerms(dictionary, pacer);
      const tail = texts(2, 50).map((text) => [text, add(dictionary, text)] as const);
      const load = new LoadTerms(dictionary, 'p');
      const all = [...texts(1, 200), ...texts(2, 50), ...texts(3, 400)];
      const handles = [...all, ...all].map((text) => give(load, text));
      await load.resolve(pacer);
      const ids = handles.map((handle) => load.id(handle));
      expect(ids.slice(0, 250)).toEqual([...early, ...tail].map(([, id]) => id));
      expect(ids.slice(all.length)).toEqual(ids.slice(0, all.length));
      expect(new Set(ids).size).toBe(all.length);
      for (const [i, text] of all.entries()) expect(await dictionary.find(bytesOf(text))).toBe(ids[i]);
      await keyspace.write(dictionary.takeUnwritten());
      const again = await Dictionary.open(keyspace, 5, 2);
      for (const [i, text] of all.entries()) expect(await again.find(bytesOf(text))).toBe(ids[i]);
    }
  });

  test('forgetting texts keeps handles good', async () => {
    const dictionary = await Dictionary.open(
      await newKeyspace(undefined, { arenaBytes: 2000, loadTailTerms: 30 }),
      5,
      2,
    );
    const load = new LoadTerms(dictionary, 'p');
    const handles = new Map<string, number[]>();
    const int = randomInts(9);
    const blanks = new Map<string, number>();
    for (let chunk = 0; chunk < 8; chunk++) {
      for (let i = 0; i < 150; i++) {
        const text = `<http://e/${int(0, 400)}>`;
        handles.set(text, [...(handles.get(text) ?? []), give(load, text)]);
      }
      const label = `b${chunk % 3}`;
      const blank = load.blankNode(bytesOf(label), 0, label.length);
      expect(blanks.get(label) ?? blank).toBe(blank);
      blanks.set(label, blank);
      const triple = load.tripleTerm(give(load, '<http://e/1>'), give(load, '<http://e/2>'), blank);
      await load.resolve(pacer);
      const entry = dictionary.tryEntry(load.id(triple))!;
      expect(entry[0]).toBe(1);
    }
    for (const [text, given] of handles) {
      const id = await dictionary.find(bytesOf(text));
      expect(new Set(given.map((handle) => load.id(handle)))).toEqual(new Set([id]));
    }
    expect(new Set([...blanks.values()].map((handle) => load.id(handle))).size).toBe(3);
    expect([load.id(1), load.id(0xa000_0001)]).toEqual([1, 0xa000_0001]);
  });

  test('nested triple terms, once each', async () => {
    const dictionary = await Dictionary.open(await newKeyspace(), 5, 2);
    const load = new LoadTerms(dictionary, 'p');
    const [a, b] = [give(load, '<a>'), give(load, '<b>')];
    const inner = load.tripleTerm(a, b, a);
    const outer = load.tripleTerm(a, b, inner);
    expect(load.tripleTerm(a, b, inner)).toBe(outer);
    await load.resolve(pacer);
    const other = new LoadTerms(dictionary, 'q');
    const again = other.tripleTerm(
      give(other, '<a>'),
      give(other, '<b>'),
      other.tripleTerm(give(other, '<a>'), give(other, '<b>'), give(other, '<a>')),
    );
    await other.resolve(pacer);
    expect(other.id(again)).toBe(load.id(outer));
  });

  test('hash runs that are merged away while a load looks terms up', async () => {
    const keyspace = await newKeyspace(asyncDriver());
    const dictionary = await Dictionary.open(keyspace, 5, 2);
    const known = new Map<string, number>();
    for (let round = 0; round < 4; round++) {
      for (const text of texts(20 + round, 3000)) known.set(text, add(dictionary, text));
      await flushTerms(dictionary, pacer);
    }
    let turns = 0;
    const env = {
      ...platformEnv(),
      yieldTurn: async (): Promise<void> => {
        if (turns++ !== 3) return;
        await mergeHashRuns(dictionary, dictionary.root.runs, pacer);
        await sweepHashRuns(dictionary);
      },
    };
    const load = new LoadTerms(dictionary, 'p');
    const handles = [...known.keys()].map((text) => give(load, text));
    await load.resolve(new Pacer(env, 0));
    expect(turns).toBeGreaterThan(4);
    expect(handles.map((handle) => load.id(handle))).toEqual([...known.values()]);
  });
});

test('a flush that fails at any write loses no term', async () => {
  for (let at = 1; at < 5; at++) {
    const driver = new FaultDriver(new MemoryDriver());
    const keyspace = await newKeyspace(driver, { loadTailTerms: 10 });
    const dictionary = await Dictionary.open(keyspace, 5, 2);
    const known = texts(1, 200).map((text) => [text, add(dictionary, text)] as const);
    await keyspace.write(dictionary.takeUnwritten());
    let broken: unknown;
    keyspace.onWriteFailure = (error) => {
      broken = error;
    };
    driver.setFault({ effect: 'fail', operations: ['write'], at });
    const failed = await flushTerms(dictionary, pacer).then(
      () => false,
      () => true,
    );
    expect(broken !== undefined).toBe(failed);
    driver.setFault();
    if (failed) await keyspace.engine.recover();
    const again = await Dictionary.open(keyspace, 5, 2);
    for (const [text, id] of known) expect(await again.find(bytesOf(text))).toBe(id);
    for (const [text, id] of known) if (text.length < 100) expect(await entryOf(again, id)).toBe(text);
  }
});

test('a hash run that is replaced and deleted while one of its pages is fetched is not missed', async () => {
  const driver = new FaultDriver(asyncDriver());
  const dictionary = await Dictionary.open(await newKeyspace(driver), 7, 2);
  const ids = [0, 1].map(() => 0);
  for (const round of [0, 1]) {
    ids[round] = add(dictionary, `<http://round/${round}>`);
    // More than a block, so that the term is flushed from the tail.
    for (let i = 0; i < 300; i++) add(dictionary, `<http://fill/${round}/${i}>`);
    await flushTerms(dictionary, pacer);
  }
  const again = await Dictionary.open(await newKeyspace(driver), 7, 2);
  driver.setFault({ effect: 'delay', operations: ['getMany'], repeat: 'forever', delayMs: 30 });
  // The new cache is empty: each lookup waits for a page, and meanwhile a merge replaces the two runs.
  const looks = [0, 1].map((round) => again.find(bytesOf(`<http://round/${round}>`)));
  await again.lock.run(async () => {
    await rebuildHashRuns(again, pacer);
    await sweepHashRuns(again);
  });
  expect(await Promise.all(looks)).toEqual(ids);
});
