/**
 * Random queries and updates of stored revisions: layers of an index in memory, runs, branches. As in queries.test.ts, QUADRILLE_SPARQL_SEED,
 * _PIECE and _ONLY repeat a run.
 */
import { describe, expect, it } from 'vitest';
import { ONLY, run } from './campaign.js';
import { Chance, RUN, SEED } from './chance.js';
import { checkStored, type StoredCase } from './check-stored.js';
import { checkStoredUpdate, type StoredUpdateCase } from './check-stored-update.js';
import { writeUpdates } from './check-update.js';
import { printData, randomData } from './data.js';
import { randomQuery } from './generate/query.js';
import { randomUpdates } from './generate/update.js';
import { labelsOf } from './labels.js';
import { writeQuery } from './write.js';

const QUERIES = Number(process.env['QUADRILLE_SPARQL_STORED'] ?? 30);
const QUERIES_PER_DATASET = 10;

function caseAt(index: number): StoredCase {
  const data = randomData(new Chance(Math.floor(index / QUERIES_PER_DATASET), SEED ^ 0x3c71));
  return { data, query: randomQuery(new Chance(index, SEED ^ 0x6d2b), data), choice: index };
}

function updateAt(index: number): StoredUpdateCase {
  const chance = new Chance(index, SEED ^ 0x49d3);
  const data = randomData(chance);
  return { data, updates: randomUpdates(chance, data), choice: index };
}

describe(`stored revisions (${RUN})`, () => {
  it(
    'give the same as an array',
    async () => {
      const { cases, failures, withRows } = await run({
        cases: QUERIES,
        caseAt,
        check: checkStored,
        labels: ({ query }) => labelsOf(query),
        print: ({ data, query }) => `${writeQuery(query)}\n${printData(data)}`,
      });
      process.stderr.write(`${cases} queries over stored revisions, ${withRows} with rows\n`);
      expect(failures.join('\n\n')).toBe('');
      if (ONLY === undefined) expect(withRows / cases).toBeGreaterThan(0.2);
    },
    60_000 + QUERIES * 200,
  );

  it(
    'are changed like an array',
    async () => {
      const { cases, failures, withRows } = await run({
        cases: QUERIES,
        caseAt: updateAt,
        check: checkStoredUpdate,
        labels: () => [],
        print: ({ data, updates }) => `${writeUpdates(updates)}\n${printData(data)}`,
      });
      process.stderr.write(`${cases} updates of stored repositories, ${withRows} with changes\n`);
      expect(failures.join('\n\n')).toBe('');
      if (ONLY === undefined) expect(withRows / cases).toBeGreaterThan(0.2);
    },
    60_000 + QUERIES * 200,
  );
});
