/** One document into several graphs, in one revision (several `context` parameters on a write). */
import { type LoadOptions, open, quad, type Repository, type Revision } from 'quadrille';
import type { Graph } from './contexts.js';

/** The document is read into a store in memory first, so that what cannot be parsed changes nothing. */
export async function loadIntoGraphs(
  repository: Repository,
  source: AsyncIterable<Uint8Array>,
  graphs: readonly Graph[],
  options: LoadOptions,
): Promise<Revision> {
  const { replace, format, baseIRI, sourceName, ...commit } = options;
  const database = await open(':memory:');
  try {
    const staged = await database.repository('staged', { create: true });
    await staged.load(source, {
      ...(format === undefined ? {} : { format }),
      ...(baseIRI === undefined ? {} : { baseIRI }),
      ...(sourceName === undefined ? {} : { sourceName }),
    });
    const { onProgress: _, graph: __, bytesTotal: ___, ...transactionOptions } = commit;
    return await repository.transaction(async (transaction) => {
      for (const graph of graphs) {
        if (replace === true) await transaction.remove({ graph });
        await transaction.add(inGraph(staged, graph));
      }
    }, transactionOptions);
  } finally {
    await database.close();
  }
}

async function* inGraph(staged: Repository, graph: Graph): AsyncGenerator<ReturnType<typeof quad>> {
  for await (const { subject, predicate, object } of staged.quads()) yield quad(subject, predicate, object, graph);
}
