import { iri } from '@quadrille/model';
import { expect, test } from 'vitest';
import { DatasetData } from '../data/dataset-data.js';
import { run } from '../steps.js';
import { follow, type Path } from './paths.js';

/** A node with more edges than a set of nodes may have. */
class Hub extends DatasetData {
  readonly #many = Array.from({ length: 2_000_001 }, (_, n) => n + 1);

  override *objects(): Generator<never, readonly number[], void> {
    return this.#many;
  }
}

const step: Path = { kind: 'predicate', predicate: { term: iri('urn:p'), id: 1 } };
const paths: Record<string, Path> = {
  'a repetition': { kind: 'repeat', path: step, least: 0, many: true },
  alternatives: { kind: 'alternative', paths: [step, step] },
};

test.each(Object.entries(paths))('%s that leads to everything is refused', async (_, path) => {
  await expect(run(follow(new Hub([]), path, 1))).rejects.toMatchObject({
    code: 'QUERY_MEMORY',
    message: expect.stringContaining('2,000,000 nodes') as string,
  });
});
