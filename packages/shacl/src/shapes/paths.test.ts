import { iri } from '@quadrille/model';
import { expect, test } from 'vitest';
import type { ShapesData } from '../data/shapes-data.js';
import { run } from '../steps.js';
import { follow, type Path } from './paths.js';

const MANY = Array.from({ length: 2_000_001 }, (_, n) => n + 1);
/** A node with more edges than a set of nodes may have. */
const hub = {
  *objects(): Generator<never, readonly number[], void> {
    return MANY;
  },
  pause: () => undefined,
} as Partial<ShapesData> as ShapesData;

const step: Path = { kind: 'predicate', predicate: { term: iri('urn:p'), id: 1 } };
const paths: Record<string, Path> = {
  'a repetition': { kind: 'repeat', path: step, least: 0, many: true },
  alternatives: { kind: 'alternative', paths: [step, step] },
};

test.each(Object.entries(paths))('%s that leads to everything is refused', async (_, path) => {
  await expect(run(follow(hub, path, 1))).rejects.toMatchObject({
    code: 'QUERY_MEMORY',
    message: expect.stringContaining('2,000,000 nodes') as string,
  });
});
