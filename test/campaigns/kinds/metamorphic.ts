import { checkMetamorphic } from '../../metamorphic/check-metamorphic.js';
import { perhapsInGraph } from '../../metamorphic/relations.js';
import { Chance } from '../../sparql-random/chance.js';
import { printData, randomData } from '../../sparql-random/data.js';
import { randomQuery } from '../../sparql-random/generate/query.js';
import { writeQuery } from '../../sparql-random/write.js';
import { type Kind, must } from '../kind.js';

const QUERIES = 20;

export const kind: Kind = {
  runs: 'data sets',
  operations: 'queries',
  promise: 'A query has the same answer in every form that means the same, and over every form of the same data.',
  how: `Random data sets with ${QUERIES} random queries each. Each query is asked with its patterns in another order, in groups of their own, and in a sub-select with a LIMIT that drops nothing. Where a variable stands for the graph, it is asked for one graph after the other. It is asked in memory, on a disk, on a branch, at the same revision later, and behind a compaction. EXISTS is compared with its pattern for each row, and functions that are drawn are counted.`,
  notPromised: 'Orders of rows without ORDER BY, and values that differ from call to call.',
  goal: 1e5,
  open: () =>
    Promise.resolve({
      async run(seed) {
        const number = seed.number();
        const data = randomData(new Chance(0, number));
        const chance = new Chance(1, number);
        const queries = Array.from({ length: QUERIES }, () => perhapsInGraph(randomQuery(chance, data), chance));
        const { differing } = await checkMetamorphic(data, queries, new Chance(2, number));
        must(differing.length === 0, () => `${differing.join('\n\n')}\n${printData(data)}`);
        return { plan: `${queries.map(writeQuery).join('\n')}\n${printData(data)}`, operations: QUERIES };
      },
    }),
};
