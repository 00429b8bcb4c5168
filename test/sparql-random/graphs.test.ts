/**
 * Random queries that differ in the names of their graphs only. As in queries.test.ts, QUADRILLE_SPARQL_SEED, _PIECE and _ONLY repeat
 * a run.
 */
import { describe, expect, it } from 'vitest';
import { ONLY, run } from './campaign.js';
import { Chance, RUN, SEED } from './chance.js';
import { checkGraphs, type GraphsCase, withGraphs } from './check-graphs.js';
import { printData, randomData } from './data.js';
import { randomQuery } from './generate/query.js';
import { labelsOf } from './labels.js';
import { writeQuery } from './write.js';

const QUERIES = Number(process.env['QUADRILLE_SPARQL_GRAPHS'] ?? 200);
const QUERIES_PER_DATASET = 10;

function caseAt(index: number): GraphsCase {
  const data = randomData(new Chance(Math.floor(index / QUERIES_PER_DATASET), SEED ^ 0x4a11));
  const chance = new Chance(index, SEED ^ 0x4a12);
  return { data, query: withGraphs(randomQuery(chance, data), chance), choice: index };
}

describe(`random queries with other graphs (${RUN})`, () => {
  it(
    'give the same as each of them alone',
    async () => {
      const { cases, failures, withRows } = await run({
        cases: QUERIES,
        caseAt,
        check: checkGraphs,
        labels: ({ query }) => labelsOf(query),
        print: ({ data, query }) => `${writeQuery(query)}\n${printData(data)}`,
      });
      process.stderr.write(`${cases} queries with other graphs, ${withRows} with rows\n`);
      expect(failures.join('\n\n')).toBe('');
      if (ONLY === undefined) expect(withRows / cases).toBeGreaterThan(0.3);
    },
    60_000 + QUERIES * 100,
  );
});
