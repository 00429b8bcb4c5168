/**
 * Random queries on random data: the evaluator in id space, with and without optimisation, against Comunica.
 *
 * A run does one of fifty pieces of a campaign (chance.ts). QUADRILLE_SPARQL_SEED and QUADRILLE_SPARQL_PIECE repeat one, with
 * QUADRILLE_SPARQL_ONLY one query of it. The whole campaign:
 * for piece in $(seq 0 49); do QUADRILLE_SPARQL_PIECE=$piece npx vitest run test/sparql-random; done
 */
import { describe, expect, it, vi } from 'vitest';
import { ONLY, run } from './campaign.js';
import { Chance, RUN, SEED } from './chance.js';
import { checkQuery, type QueryCase } from './check-query.js';
import { printData, randomData } from './data.js';
import { randomQuery } from './generate/query.js';
import { LABELS, labelsOf } from './labels.js';
import { writeQuery } from './write.js';

const QUERIES = Number(process.env['QUADRILLE_SPARQL_QUERIES'] ?? 400);
const QUERIES_PER_DATASET = 10;

function caseAt(index: number): QueryCase {
  const data = randomData(new Chance(Math.floor(index / QUERIES_PER_DATASET), SEED ^ 0x5bd1));
  return { data, query: randomQuery(new Chance(index), data) };
}

// Batches so small that every operator has several of them; which size, the seed and the piece say.
vi.mock('../../packages/sparql/src/execute/core/batch.js', async (original) => {
  const actual = await original<typeof import('../../packages/sparql/src/execute/core/batch.js')>();
  const { PIECE, SEED: seed } = await import('./chance.js');
  const BATCH_ROWS = [1, 2, 7, actual.BATCH_ROWS][(seed + Math.floor(PIECE / 5)) % 4]!;
  class BatchBuilder extends actual.BatchBuilder {
    override get isFull(): boolean {
      return this.length >= BATCH_ROWS;
    }
  }
  return { ...actual, BATCH_ROWS, BatchBuilder };
});

// In half of the pieces joins change their method as soon as they can, and sorts with a limit go by parts of an index.
vi.mock('../../packages/sparql/src/plan/cost.js', async (original) => {
  const actual = await original<typeof import('../../packages/sparql/src/plan/cost.js')>();
  const { PIECE, SEED: seed } = await import('./chance.js');
  const adapts = (seed + Math.floor(PIECE / 10)) % 2 === 0;
  return adapts
    ? {
        ...actual,
        Cost: {
          ...actual.Cost,
          leastSeeks: 1,
          seekShare: 1e6,
          leastSampled: 0,
          sampleShare: 1e6,
          leastOfTrees: 0,
          treeShare: 1e9,
          leastSorted: 0,
          leastOfPart: 1,
          mostOfPart: 1,
          partsShare: 1e9,
        },
      }
    : actual;
});

describe(`random queries (${RUN})`, () => {
  it(
    'give the same on all engines',
    async () => {
      const { cases, failures, withRows, labels, left } = await run({
        cases: QUERIES,
        caseAt,
        check: checkQuery,
        labels: ({ query }) => labelsOf(query),
        print: ({ data, query }) => `${writeQuery(query)}\n${printData(data)}`,
      });
      const notCompared = [...left.values()].reduce((sum, count) => sum + count, 0);
      process.stderr.write(
        `${cases} queries, ${withRows} with rows, ${notCompared} not with Comunica: ${JSON.stringify([...left])}\n`,
      );
      expect(failures.join('\n\n')).toBe('');
      if (ONLY !== undefined) return;
      expect(withRows / cases).toBeGreaterThan(0.5);
      expect(notCompared / cases).toBeLessThan(0.6);
      expect(LABELS.filter((label) => (labels.get(label) ?? 0) < cases * 0.01)).toEqual([]);
    },
    120_000 + QUERIES * 100,
  );
});
