/** One document into one graph, into several, or into those that it names: always one revision. */
import type * as RDF from '@rdfjs/types';
import { LimitError } from '@quadrille/model';
import { type LoadOptions, open, quad, type Repository, type Revision } from 'quadrille';

export type Graph = RDF.NamedNode | RDF.BlankNode | RDF.DefaultGraph;

export function loadGraphs(
  repository: Repository,
  source: AsyncIterable<Uint8Array>,
  graphs: readonly Graph[] | undefined,
  options: LoadOptions,
  /** Of a document that goes to several graphs, which is held in memory. */
  heldBytes: number,
): Promise<Revision> {
  const [graph, ...others] = graphs ?? [];
  if (graph === undefined) return repository.load(source, options);
  if (others.length === 0) return repository.load(source, { ...options, graph });
  return loadSeveral(repository, limited(source, heldBytes), [graph, ...others], options);
}

/** The document is read into a store in memory first, so that what cannot be parsed changes nothing. */
async function loadSeveral(
  repository: Repository,
  source: AsyncIterable<Uint8Array>,
  graphs: readonly Graph[],
  options: LoadOptions,
): Promise<Revision> {
  // A transaction takes no records: whoever gave them writes them afterwards.
  const { replace, message, author, ifRevision, signal, records: _, ...loading } = options;
  const database = await open(':memory:');
  try {
    const staged = await database.repository('staged', { create: true });
    await staged.load(source, { ...loading, ...(signal === undefined ? {} : { signal }) });
    return await repository.transaction(
      async (transaction) => {
        for (const graph of graphs) {
          if (replace === true) await transaction.remove({ graph });
          await transaction.add(inGraph(staged, graph));
        }
      },
      {
        ...(message === undefined ? {} : { message }),
        ...(author === undefined ? {} : { author }),
        ...(ifRevision === undefined ? {} : { ifRevision }),
        ...(signal === undefined ? {} : { signal }),
      },
    );
  } finally {
    await database.close();
  }
}

async function* limited(source: AsyncIterable<Uint8Array>, limit: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of source) {
    bytes += chunk.length;
    if (bytes > limit) {
      throw new LimitError(
        'INPUT_TOO_LARGE',
        `a document that goes to several graphs has at most ${String(limit)} bytes; send it to one after the other`,
      );
    }
    yield chunk;
  }
}

async function* inGraph(staged: Repository, graph: Graph): AsyncGenerator<RDF.Quad> {
  for await (const { subject, predicate, object } of staged.quads()) yield quad(subject, predicate, object, graph);
}
