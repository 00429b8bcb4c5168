/** The suite `search` over few texts: the stores find as many, and texts are the same for the same seed. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Context, Figures } from '../workload.js';
import { workload } from '../workloads/search/search.js';
import { generatedTexts, QUESTIONS } from './texts.js';

const COUNT = 3000;

test('texts are those of their seed', () => {
  const [first, second] = generatedTexts(2, 7);
  expect([...generatedTexts(2, 7)]).toEqual([first, second]);
  expect([...generatedTexts(2, 8)]).not.toEqual([first, second]);
  expect(first!.text).toMatch(/^[A-Z][a-z]+( [a-z]+)+\.$/);
});

test('the parts that are there measure, and find the same', { timeout: 120_000 }, async () => {
  const directory = mkdtempSync(join(tmpdir(), 'quadrille-bench-'));
  try {
    const measured = new Map<string, Figures>();
    for (const [name, part] of Object.entries(workload.parts)) {
      const lacks = part.lacks?.();
      if (lacks !== undefined) console.info(`skipped: ${lacks}`);
      else
        measured.set(
          name,
          await part.measure({
            scratch: join(directory, String(measured.size)),
            sizes: { quads: COUNT },
            seed: 7,
          } as Context),
        );
    }
    const own = measured.get('quadrille')!;
    const expected = { 'one word': 0, 'three words': 0, prefix: 0 };
    for (const { text } of generatedTexts(COUNT, 7)) {
      const words = text.slice(0, -1).toLowerCase().split(' ');
      if (words.includes('misen')) expected['one word']++;
      if (words.some((word) => ['lolo', 'misen', 'brami'].includes(word))) expected['three words']++;
      if (words.some((word) => word.startsWith('tal'))) expected.prefix++;
    }
    for (const name of Object.keys(QUESTIONS) as (keyof typeof QUESTIONS)[]) {
      expect(own[`${name}, hits`]!.value).toBe(expected[name]);
      for (const backend of ['fts5', 'minisearch'])
        if (measured.has(backend)) expect(measured.get(backend)![`${name}, hits`]!.value, backend).toBe(expected[name]);
    }
    for (const figure of ['facets', 'old revision', 'first search of a process', 'commit of 100 quads'])
      expect(own[figure]!.value, figure).toBeGreaterThan(0);
    expect(measured.get('quadrille without an index')).toBeDefined();
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});
