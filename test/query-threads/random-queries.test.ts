/** Random queries give the same in a thread as in the main thread, on rows in runs and in memory, after additions and removals. */
import { afterEach, describe, expect, it } from 'vitest';
import { Chance, RUN, SEED } from '../sparql-random/chance.js';
import { EX, printData, randomData, toQuads, type QuadText } from '../sparql-random/data.js';
import { randomQuery } from '../sparql-random/generate/query.js';
import type { Query } from '../sparql-random/syntax.js';
import { writeQuery } from '../sparql-random/write.js';
import { figures, openWithThreads, type Opened, resetSettings, startThreads, textOf, useThreads } from './threads.js';

const DATASETS = 12;
const QUERIES = 12;

afterEach(resetSettings);

/** Half of the quads in runs, the others in memory; some more have come and gone. */
async function fill({ repository }: Opened, data: readonly QuadText[], other: readonly QuadText[]): Promise<void> {
  const quads = toQuads(data);
  const half = quads.length >> 1;
  const passing = toQuads(other);
  await repository.remove({});
  await repository.add([...quads.slice(0, half), ...passing]);
  await repository.maintenance.compact();
  await repository.transaction(async (transaction) => {
    await transaction.remove(passing);
    await transaction.add(quads);
  });
}

/** Lines in any order; labels of new blank nodes differ in each run. */
const linesOf = (text: string): string[] =>
  text
    .replaceAll(/_:b[0-9a-z]{8,}/g, '_:new')
    .split('\n')
    .sort();

/** Whose answer is another one in each run. */
const isRandom = (text: string): boolean => /\b(?:NOW|RAND|UUID|STRUUID)\(/.test(text);

/** Without a slice: which rows a LIMIT leaves is open. */
function withoutSlice(query: Query): Query {
  if (query.form !== 'SELECT') return query;
  const { limit: _, offset: __, ...select } = query.select;
  return { ...query, select };
}

const formatOf = ({ form }: Query): string => (form === 'SELECT' ? 'tsv' : form === 'ASK' ? 'json' : 'nq');

/** The answer, or the code of the failure. */
async function outcome({ repository }: Opened, query: Query): Promise<string[]> {
  const prefixes = `PREFIX ex: <${EX}> PREFIX xsd: <http://www.w3.org/2001/XMLSchema#> `;
  try {
    const options = { maxRows: 5000, timeoutMs: 5000 };
    return linesOf(await textOf(repository, prefixes + writeQuery(query), formatOf(query), options));
  } catch (error) {
    return [(error as { code: string }).code];
  }
}

describe.each(['leveldb', 'lmdb'] as const)(`%s (${RUN})`, (backend) => {
  it('main thread and threads agree', async () => {
    const opened = await openWithThreads({ backend, workers: 2 });
    try {
      await startThreads(opened, 2);
      for (let dataset = 0; dataset < DATASETS; dataset++) {
        const data = randomData(new Chance(dataset, SEED ^ 0x77ad));
        await fill(opened, data, randomData(new Chance(dataset, SEED ^ 0x1c4e)));
        for (let i = 0; i < QUERIES; i++) {
          const query = withoutSlice(randomQuery(new Chance(dataset * QUERIES + i), data));
          if (isRandom(writeQuery(query))) continue;
          useThreads(false);
          const expected = await outcome(opened, query);
          useThreads(true);
          const before = figures(opened.database).queries;
          const inThread = await outcome(opened, query);
          expect(figures(opened.database).queries).toBe(before + 1);
          // One of the two can be over just before the deadline.
          if ([...expected, ...inThread].includes('QUERY_TIMEOUT')) continue;
          expect(inThread, `${writeQuery(query)}\n${printData(data)}`).toEqual(expected);
        }
      }
      expect(figures(opened.database).restarts).toBe(0);
    } finally {
      await opened.remove();
    }
  }, 120_000);
});
