import { checkGraphs, withGraphs } from '../../sparql-random/check-graphs.js';
import { type Outcome, checkQuery } from '../../sparql-random/check-query.js';
import { checkRepositories } from '../../sparql-random/check-repositories.js';
import { checkUpdate, writeUpdates } from '../../sparql-random/check-update.js';
import { Chance } from '../../sparql-random/chance.js';
import { printData, randomData } from '../../sparql-random/data.js';
import { randomQuery } from '../../sparql-random/generate/query.js';
import { randomUpdates } from '../../sparql-random/generate/update.js';
import { writeQuery } from '../../sparql-random/write.js';
import { type Kind, must } from '../kind.js';

export const kind: Kind = {
  runs: 'queries and updates',
  promise:
    'A query has the same answer in every plan, over every kind of data set, and in Comunica. An update leaves the same quads.',
  how: 'Random queries and updates on random data: with and without optimisation, with data that arrives row by row, over several repositories, with other graphs, and against Comunica where it follows the specification.',
  notPromised: 'Orders of rows without ORDER BY. Oxigraph is not compared yet.',
  goal: 1e6,
  async open() {
    return {
      async run(seed) {
        const number = seed.number();
        const data = randomData(new Chance(0, number));
        const chance = new Chance(1, number);
        if (seed.index % 6 === 5) {
          const updates = randomUpdates(chance, data);
          return told(`${writeUpdates(updates)}\n${printData(data)}`, await checkUpdate({ data, updates }));
        }
        const query = randomQuery(chance, data);
        if (seed.index % 6 === 4) {
          const outcome = await checkRepositories({ data, query, choice: seed.index });
          return told(`several repositories, ${writeQuery(query)}\n${printData(data)}`, outcome);
        }
        if (seed.index % 6 === 3) {
          const other = withGraphs(query, chance);
          const outcome = await checkGraphs({ data, query: other, choice: seed.index });
          return told(`other graphs, ${writeQuery(other)}\n${printData(data)}`, outcome);
        }
        return told(`${writeQuery(query)}\n${printData(data)}`, await checkQuery({ data, query }));
      },
    };
  },
};

function told(plan: string, { failure }: Outcome): { plan: string } {
  must(failure === undefined, () => `${failure!.kind}: ${failure!.message}\n${plan}`);
  return { plan };
}
