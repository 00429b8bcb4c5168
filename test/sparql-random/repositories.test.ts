/**
 * Random queries over one repository, and over the same data in several ones that SERVICE and FROM name. As in queries.test.ts,
 * QUADRILLE_SPARQL_SEED, _PIECE and _ONLY repeat a run.
 */
import { describe, expect, it } from 'vitest';
import { ONLY, run } from './campaign.js';
import { Chance, RUN, SEED } from './chance.js';
import { checkRepositories, type RepositoriesCase, writeSplit } from './check-repositories.js';
import { printData, randomData } from './data.js';
import { randomQuery } from './generate/query.js';
import { labelsOf } from './labels.js';

const QUERIES = Number(process.env['QUADRILLE_SPARQL_REPOSITORIES'] ?? 200);
const QUERIES_PER_DATASET = 10;

function caseAt(index: number): RepositoriesCase {
  const data = randomData(new Chance(Math.floor(index / QUERIES_PER_DATASET), SEED ^ 0x7e90));
  return { data, query: randomQuery(new Chance(index, SEED ^ 0x51e1), data), choice: index };
}

describe(`random queries over several repositories (${RUN})`, () => {
  it(
    'give the same as over one',
    async () => {
      const { cases, failures, withRows } = await run({
        cases: QUERIES,
        caseAt,
        check: checkRepositories,
        labels: ({ query }) => labelsOf(query),
        print: ({ data, query, choice }) => `${writeSplit(query, data, new Chance(choice))}\n${printData(data)}`,
      });
      process.stderr.write(`${cases} queries over several repositories, ${withRows} with rows\n`);
      expect(failures.join('\n\n')).toBe('');
      if (ONLY === undefined) expect(withRows / cases).toBeGreaterThan(0.2);
    },
    60_000 + QUERIES * 100,
  );
});
