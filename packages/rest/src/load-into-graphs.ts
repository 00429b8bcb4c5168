/** One document into several graphs, in one revision (several `context` parameters on a write). */
import type { CommitOptions, LoadOptions, Repository, Revision } from 'quadrille';
import type { Graph } from './contexts.js';
import { stagedQuads, withStaged } from './staged-documents.js';

export async function loadIntoGraphs(
  repository: Repository,
  source: AsyncIterable<Uint8Array>,
  graphs: readonly Graph[],
  { replace, onProgress: _, graph: __, bytesTotal: ___, message, author, ifRevision, signal, ...how }: LoadOptions,
): Promise<Revision> {
  const commit: CommitOptions = {
    ...(signal === undefined ? {} : { signal }),
    ...(message === undefined ? {} : { message }),
    ...(author === undefined ? {} : { author }),
    ...(ifRevision === undefined ? {} : { ifRevision }),
  };
  return withStaged([{ source, ...how }], signal, (staged) =>
    repository.transaction(async (transaction) => {
      for (const graph of graphs) {
        if (replace === true) await transaction.remove({ graph });
        await transaction.add(stagedQuads(staged, graph));
      }
    }, commit),
  );
}
