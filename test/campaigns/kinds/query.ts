import { checkGraphs, withGraphs } from '../../sparql-random/check-graphs.js';
import { compareWithOxigraph } from '../../sparql-random/check-oxigraph.js';
import { type Outcome, checkQuery } from '../../sparql-random/check-query.js';
import { checkRepositories } from '../../sparql-random/check-repositories.js';
import { checkStored } from '../../sparql-random/check-stored.js';
import { checkStoredUpdate } from '../../sparql-random/check-stored-update.js';
import { checkUpdate, writeUpdates } from '../../sparql-random/check-update.js';
import { Chance } from '../../sparql-random/chance.js';
import { printData, randomData } from '../../sparql-random/data.js';
import { randomQuery } from '../../sparql-random/generate/query.js';
import { randomUpdates } from '../../sparql-random/generate/update.js';
import { plainData } from '../../sparql-random/known-oxigraph.js';
import { Oxigraph } from '../../sparql-random/oxigraph.js';
import { writeQuery } from '../../sparql-random/write.js';
import { type Kind, must, type RunSeed, type Outcome as Told } from '../kind.js';

/** Queries on one data set. */
const QUERIES = 40;
/** One in so many queries is evaluated by other plans, too. */
const VARIANTS = 4;
/** One in so many runs asks all engines, Comunica among them, about one query or update. */
const ALL_ENGINES = 5;

export const kind: Kind = {
  runs: 'data sets',
  operations: 'queries and updates',
  promise:
    'A query has the same answer in every plan, over every kind of data set, in Oxigraph and in Comunica. An update leaves the same quads.',
  how: `Random data sets with ${QUERIES} random queries each. The answers are those of Oxigraph, as multisets of rows, where Oxigraph follows the specification. Where another one differs, Comunica decides. One in ${VARIANTS} queries is evaluated by an unoptimised plan too, or on data that arrives row by row. One in ${ALL_ENGINES} runs is one query or update that is compared between all plans, with other graphs, and in parts. It is also asked over several repositories, and over revisions and branches of a stored one. It is also compared with Comunica where that follows the specification.`,
  notPromised: 'Orders of rows without ORDER BY.',
  goal: 1e6,
  async open() {
    const oxigraph = new Oxigraph();
    return {
      async run(seed) {
        if (seed.index % ALL_ENGINES === 0) return allEngines(seed);
        const number = seed.number();
        const data = plainData(randomData(new Chance(0, number)));
        const chance = new Chance(1, number);
        const queries = Array.from({ length: QUERIES }, () => randomQuery(chance, data));
        const { failure } = await compareWithOxigraph(oxigraph, data, queries, (index) => index % VARIANTS === 0);
        must(failure === undefined, () => failure!);
        return { plan: `${queries.map(writeQuery).join('\n')}\n${printData(data)}`, operations: QUERIES };
      },
      close: () => oxigraph.close(),
    };
  },
};

async function allEngines(seed: RunSeed): Promise<Told> {
  const number = seed.number();
  const data = randomData(new Chance(0, number));
  const chance = new Chance(1, number);
  const kind = Math.floor(seed.index / ALL_ENGINES) % 8;
  if (kind === 5) {
    const updates = randomUpdates(chance, data);
    return told(`${writeUpdates(updates)}\n${printData(data)}`, await checkUpdate({ data, updates }));
  }
  if (kind === 7) {
    const updates = randomUpdates(chance, data);
    const outcome = await checkStoredUpdate({ data, updates, choice: seed.index });
    return told(`stored, ${writeUpdates(updates)}\n${printData(data)}`, outcome);
  }
  const query = randomQuery(chance, data);
  if (kind === 6) {
    const outcome = await checkStored({ data, query, choice: seed.index });
    return told(`stored revisions, ${writeQuery(query)}\n${printData(data)}`, outcome);
  }
  if (kind === 4) {
    const outcome = await checkRepositories({ data, query, choice: seed.index });
    return told(`several repositories, ${writeQuery(query)}\n${printData(data)}`, outcome);
  }
  if (kind === 3) {
    const other = withGraphs(query, chance);
    const outcome = await checkGraphs({ data, query: other, choice: seed.index });
    return told(`other graphs, ${writeQuery(other)}\n${printData(data)}`, outcome);
  }
  return told(`${writeQuery(query)}\n${printData(data)}`, await checkQuery({ data, query }));
}

function told(plan: string, { failure }: Outcome): Told {
  must(failure === undefined, () => `${failure!.kind}: ${failure!.message}\n${plan}`);
  return { plan, operations: 1 };
}
