import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { open } from 'quadrille';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CHANGES, measureChange } from './changes.js';
import { measureCollisions } from './colliding-labels.js';
import { measureLoad, measureMemory, measureRead, measureWrites, READS } from './long-literals.js';
import { longText } from './long-texts.js';
import { quadLines } from './many-quads.js';
import { measureReplay } from './replay.js';
import { longestStretch, StretchWatch } from './stretch-watch.js';
import { measureUpdates } from './updates.js';

let scratch: string;
beforeEach(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'quadrille-limits-'));
});
afterEach(() => rm(scratch, { recursive: true, force: true }));

describe('the longest stretch', () => {
  test('lies between two turns, without the garbage that was collected there and what others did with the processor', () => {
    const turns = [0, 10, 110, 130, 200].map((time, n) => ({ time, ran: [0, 8, 100, 120, 125][n]! }));
    expect(longestStretch(turns, [])).toBe(92);
    const collections = [
      { startTime: 20, duration: 50 },
      { startTime: 80, duration: 28 },
    ];
    expect(longestStretch(turns, collections)).toBe(22);
  });

  test('of work that never waits is found', async () => {
    const watch = new StretchWatch();
    await delay(5);
    // By CPU time, as other processes may have the processor meanwhile. It is counted in ticks of the system.
    for (const begun = process.cpuUsage(); process.cpuUsage(begun).user < 120_000;);
    await delay(5);
    expect(await watch.stop()).toBeGreaterThan(20);
  });
});

// With so few quads the measured times mean nothing; each case checks its own results.
describe('cases', () => {
  test.each(Object.keys(CHANGES))('%s', async (name) => {
    const figures = await measureChange(name, scratch, 500);
    expect(figures[`${name}: stretch`]).toMatchObject({ unit: 'ms', bound: { most: 50 } });
    expect(figures[`${name}: stretch`]!.value).toBeGreaterThan(0);
  });

  test.each(Object.keys(READS))('%s', async (name) => {
    const figures = await measureRead(name, scratch, { count: 3, length: 20_000 });
    expect(figures[`${name}: stretch`]!.value).toBeGreaterThan(0);
  });

  test('long literals', async () => {
    expect(Object.keys(await measureLoad('Turtle', scratch, { count: 3, length: 20_000 }))).toContain(
      'load Turtle: stretch',
    );
    const written = await measureWrites(join(scratch, 'writes'), { count: 3, length: 20_000 });
    expect(Object.keys(written)).toEqual(expect.arrayContaining(['add: stretch', 'transaction: stretch']));
    await mkdir(join(scratch, 'memory'));
    const memory = await measureMemory(join(scratch, 'memory'), { count: 3, length: 20_000 });
    expect(memory['load: peak']).toMatchObject({ bound: { most: 700 } });
    expect(memory['open again']).toMatchObject({ bound: { most: 500 } });
    expect(new Set([longText(1, 9000), longText(2, 9000)]).size).toBe(2);
  });

  test('updates', async () => {
    const sizes = { blankNodes: 20, quads: 30, loaded: 40, texts: 2, length: 10_000 };
    expect(Object.keys(await measureUpdates(scratch, sizes))).toContain('LOAD: stretch');
  });

  test('colliding labels', async () => {
    expect(await measureCollisions(scratch, 200)).toHaveProperty(['colliding beside usual', 'bound'], { most: 3 });
  });

  test('a replay', async () => {
    const lines = [...quadLines(30)];
    const write = (name: string, content: readonly string[]): Promise<void> =>
      writeFile(join(scratch, name), gzipSync(content.join('')));
    await write('full', lines.slice(0, 10));
    await write('add', lines.slice(10));
    await write('del', lines.slice(0, 5));
    const manifest = [
      { added: 10, deleted: 0, total: 10, full: 'full' },
      { added: 20, deleted: 5, total: 25, add: 'add', del: 'del' },
    ];
    await writeFile(join(scratch, 'manifest.json'), JSON.stringify(manifest));
    await using db = await open(':memory:');
    expect(await measureReplay(db, scratch)).toHaveProperty(['replay beside load', 'bound'], { least: 0.5 });
  });
});
