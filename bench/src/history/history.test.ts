/** The releases and what is asked of them, over made-up releases; OSTRICH by what it prints. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readOutput } from './ask-ostrich.js';
import { lineOf, readReleases } from './releases.js';
import { pairsOf, questionFigures } from './questions.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quadrille-releases-'));
  const write = (name: string, lines: readonly string[]): Promise<void> =>
    writeFile(join(folder, `${name}.nq.gz`), gzipSync(lines.map((line) => `${line} .\n`).join('')));
  const many = Array.from({ length: 40 }, (_, i) => `<urn:s${i}> <urn:p${i % 5}> <urn:o${i}>`);
  await write('01-A', [...many, '<urn:a> <urn:p0> "x \\" y"@en <urn:g>', '<urn:a> <urn:p0> "x \\" y"@en <urn:h>']);
  await write('02-B.add', ['<urn:b> <urn:p1> "1"^^<urn:t> <urn:g>']);
  await write('02-B.del', ['<urn:a> <urn:p0> "x \\" y"@en <urn:g>', '<urn:s1> <urn:p1> <urn:o1>']);
  await write('03-C.del', ['<urn:a> <urn:p0> "x \\" y"@en <urn:h>']);
});
afterEach(() => rm(folder, { recursive: true }));

test('a triple goes with the last graph that has it', async () => {
  const { releases, ever, patterns } = await readReleases(folder, 1);
  expect(releases.map(({ added, removed }) => [added.length, removed.length])).toEqual([
    [41, 0],
    [1, 1],
    [0, 1],
  ]);
  expect(releases[1]!.added.map(lineOf)).toEqual(['<urn:b> <urn:p1> "1"^^<urn:t> .\n']);
  expect(releases[2]!.removed.map(lineOf)).toEqual(['<urn:a> <urn:p0> "x \\" y"@en .\n']);
  expect(ever).toHaveLength(42);
  expect(patterns['(s p ?)']).toHaveLength(25);
  expect(patterns['(? p ?)'].every(([s, p, o]) => s === undefined && p !== undefined && o === undefined)).toBe(true);
  expect((await readReleases(folder, 1)).patterns).toEqual(patterns);
  expect((await readReleases(folder, 2)).patterns).not.toEqual(patterns);
});

test('versions are asked beside the first and the second one, and not the last one', () => {
  expect(pairsOf(4)).toEqual([
    [0, 1],
    [0, 2],
    [1, 2],
  ]);
});

test('the tables of OSTRICH', () => {
  const answers = readOutput(`---PATTERN START: a b ?
--- ---VERSION MATERIALIZED
patch,offset,limit,count-ms,median-mus,lookup-mus,results
0,0,-2,26,4,3,1
1,0,-2,70,21,27,2
--- ---DELTA MATERIALIZED
patch_start,patch_end,offset,limit,count-ms,median-mus,lookup-mus,results
0,1,0,-2,19,22,39,1
--- ---VERSION
offset,limit,count-ms,median-mus,lookup-mus,results
0,-2,21,19,16,2
`);
  expect(answers).toEqual({
    VM: [
      { microseconds: 4, results: 1 },
      { microseconds: 21, results: 2 },
    ],
    DM: [{ microseconds: 22, results: 1 }],
    VQ: [{ microseconds: 19, results: 2 }],
  });
  expect(questionFigures({ '(s p ?)': answers })).toMatchObject({
    'VM (s p ?) mean': { value: 12.5, unit: 'µs' },
    'VM (s p ?) results': { value: 3 },
    'VQ (s p ?)': { value: 19 },
  });
});
