import { beforeAll, describe, expect, test } from 'vitest';
import { loadDigest } from '../format/digest.js';
import { newKeyspace } from '../testing/fixture.js';
import { LoadTerms } from './bulk-terms.js';
import { Dictionary } from './dictionary.js';
import { hashHigh, hashLow, hashTerm } from './hash.js';
import { TermTable } from './term-table.js';

beforeAll(loadDigest);

/**
 * Pairs of texts that collide in the hash with seed 0: in labels of 120 bytes, both texts of a pair lead to the same
 * state of the hash. So all labels made of one text of each pair have the same hash.
 */
const COLLIDING = [
  ['tsvebekd', 'jmlhsbtj'],
  ['bowtgcao', 'bapmdaab'],
  ['ivnnpcwa', 'eyhdopan'],
  ['jbspkpzq', 'fyenpgdl'],
  ['enytczzi', 'aqwcxddv'],
  ['iydfbmaf', 'iebheaax'],
  ['pbcitkke', 'fjpxattx'],
  ['lafkrykf', 'bsozaatp'],
  ['owahaxdu', 'jpbdgcib'],
  ['kfjclxap', 'ajbeadjm'],
  ['fyusbvae', 'aviodhfh'],
  ['dxfabtaf', 'dddcehax'],
  ['pwmfbmaf', 'pckheaax'],
  ['krgeaaiq', 'avcblurn'],
  ['rlntldnp', 'deqlawam'],
] as const;
const LABELS = 1 << COLLIDING.length;
/** Allowed slowdown. Without a limit on probes, colliding texts would take about 1,000 times as long as others. */
const MOST_TIMES_SLOWER = 150;

const utf8 = new TextEncoder();
const label = (n: number): Uint8Array => utf8.encode(COLLIDING.map((pair, bit) => pair[(n >>> bit) & 1]).join(''));
const labels = Array.from({ length: LABELS }, (_, n) => label(n));

/** Of the processor: other processes may have the machine meanwhile. */
function milliseconds(work: () => void): number {
  const started = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1000;
}

describe('texts made to collide', () => {
  test('have one hash where the seed is known, and many where it is not', () => {
    const hashes = (seed: number): Set<string> => {
      const found = new Set<string>();
      for (let n = 0; n < 100; n++) {
        const text = label(n * 327);
        hashTerm(text, 0, text.length, seed);
        found.add(`${hashHigh} ${hashLow}`);
      }
      return found;
    };
    expect(hashes(0).size).toBe(1);
    expect(hashes(0x5eed).size).toBe(100);
  });

  test('take no longer as labels of blank nodes than others', async () => {
    const dictionary = await Dictionary.open(await newKeyspace(), 0x5eed, 2);
    const handles = new Set<number>();
    const load = (texts: readonly Uint8Array[]): number => {
      const terms = new LoadTerms(dictionary, 'p');
      handles.clear();
      return milliseconds(() => texts.forEach((text) => handles.add(terms.blankNode(text, 0, text.length))));
    };
    const usual = load(labels.map((_, n) => utf8.encode(String(n).padStart(120, 'x'))));
    const colliding = load(labels);
    expect(handles.size).toBe(LABELS);
    expect(colliding / usual).toBeLessThan(MOST_TIMES_SLOWER);
  });

  test('are found in a table that has them under one hash', () => {
    const fill = (table: TermTable, lowOf: (n: number) => number): number =>
      milliseconds(() =>
        labels.forEach((text, n) => {
          if (table.find(text, 0, text.length, 7, lowOf(n)) === -1) table.add(text, 0, text.length, 7, lowOf(n));
        }),
      );
    const usual = fill(new TermTable(), (n) => Math.imul(n, 0x9e3779b1) >>> 0);
    const table = new TermTable();
    const colliding = fill(table, () => 9);
    expect(colliding / usual).toBeLessThan(MOST_TIMES_SLOWER);
    expect(table.size).toBe(LABELS);
    const lost = labels.filter((text, n) => table.find(text, 0, text.length, 7, 9) !== n);
    expect(lost).toEqual([]);
    expect(table.text(table.candidate(7, 9))).toEqual(label(0));
  });
});

test('finds texts of all lengths while it grows', () => {
  const table = new TermTable(16);
  const text = (n: number): Uint8Array => utf8.encode(`${n} `.repeat(1 + (n % 17)));
  // Only 64 hash values for 5,000 texts, so most probes meet other entries.
  const find = (bytes: Uint8Array): number => {
    hashTerm(bytes, 0, bytes.length, 3);
    return table.find(bytes, 0, bytes.length, hashHigh, hashLow & 0x3f);
  };
  const wrong: number[] = [];
  for (let n = 0; n < 5000; n++) {
    const bytes = text(n);
    if (find(bytes) !== -1 || table.add(bytes, 0, bytes.length, hashHigh, hashLow & 0x3f) !== n) wrong.push(n);
  }
  for (let n = 0; n < 5000; n++) if (find(text(n)) !== n) wrong.push(n);
  expect(wrong).toEqual([]);
});
