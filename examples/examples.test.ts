import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const here = import.meta.dirname;
const node = promisify(execFile).bind(undefined, process.execPath);

async function run(file: string): Promise<string[]> {
  const { stdout, stderr } = await node([join(here, file)]);
  expect(stderr).toBe('');
  return stdout.trim().split('\n');
}

test('embed', async () => {
  expect(await run('embed.mjs')).toEqual([
    'Alice knows Bob',
    'revision 3 by jo: add Carol, +1 -0',
    'Carol is there now: true',
    'Carol was there before: false',
  ]);
});

test('load with progress', async () => {
  const lines = await run('load-progress.mjs');
  expect(lines.at(-2)).toMatch(/^done 100 %, \d+ quads$/);
  expect(lines.at(-1)).toMatch(/^revision 2: \d+ quads$/);
  const shares = lines.slice(0, -1).map((line) => Number(/(\d+) %/.exec(line)?.[1]));
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
});

test('time travel', async () => {
  const lines = await run('time-travel.mjs');
  const planets = Object.fromEntries(
    lines.flatMap((line) => {
      const match = /as known in (\d+): (\d+) planets/.exec(line);
      return match === null ? [] : [[match[1], Number(match[2])]];
    }),
  );
  expect(planets).toEqual({ 1610: 6, 1787: 7, 1846: 13, 1930: 9, 2006: 8, 2015: 8 });
  const type = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type';
  expect(lines).toContain(`remove ${type} http://example.org/solar-system/Planet`);
  expect(lines).toContain(`add ${type} http://example.org/solar-system/DwarfPlanet`);
  expect(lines.at(-1)).toMatch(/^#8 back to 2006: \d+ quads$/);
});

test('RDF/JS', async () => {
  const lines = await run('rdfjs.mjs');
  expect(lines[0]).toMatch(/^imported \d{3} quads$/);
  expect(lines.slice(1)).toEqual([
    'moons of Jupiter: 16',
    'revision 3 added 1',
    expect.stringMatching(/^about Io: 8 quads; has volcanoes$/),
    'radius of Io: 1821.6 km',
  ]);
});

test('choosing a backend', async () => {
  const lines = await run('choose-backend.mjs');
  const size = Number(/\d+/.exec(lines[0]!)![0]);
  expect(size).toBeGreaterThan(600);
  expect(lines).toEqual([
    `memory: ${size} quads, and 0 at the next open`,
    `leveldb: ${size} quads, and ${size} at the next open`,
    `lmdb: ${size} quads, and ${size} at the next open`,
    `reader: ${size} quads`,
    `writer: ${size + 1} quads`,
  ]);
});

test("a backend of one's own", async () => {
  expect(await run('own-backend.mjs')).toEqual(['now: 0 quads; before: 1', 'in order: true']);
});
