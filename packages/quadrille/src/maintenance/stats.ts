/**
 * Figures of a repository. Loaded with the first call. It imports no value that a page starts with, so that bundlers can split it off.
 */
import type { Repository as CoreRepository } from '@quadrille/core';
import type { RepositoryStats } from '../api/index.js';
import type { backgroundFailure } from '../metrics.js';

export async function repositoryStats(
  repository: CoreRepository,
  describeFailure: typeof backgroundFailure,
): Promise<RepositoryStats> {
  await repository.ready();
  const snapshot = repository.snapshot();
  try {
    const { timeline } = snapshot;
    const { engine } = timeline.keyspace;
    const statistics = await snapshot.statistics();
    const distinct = timeline.distinctCounts();
    const predicates: RepositoryStats['predicates'][number][] = [];
    for (const [id, quads] of statistics.predicates) {
      predicates.push({
        predicate: await timeline.decoder.decode(id),
        quads,
        distinctSubjects: Math.min(quads, distinct.subjects.get(id) ?? quads),
        distinctObjects: Math.min(quads, distinct.objects.get(id) ?? quads),
      });
    }
    predicates.sort((x, y) => y.quads - x.quads);
    const named = [...statistics.graphs.keys()].filter((graph) => graph !== 1).length;
    return {
      quads: snapshot.record.size,
      revisions: snapshot.number,
      terms: timeline.dictionary.nextId - 2,
      namedGraphs: named,
      bytes: await repository.maintenance.bytes(),
      predicates,
      failures: [...repository.handle.scheduler.failures, ...engine.backgroundFailures].map(describeFailure),
    };
  } finally {
    snapshot.close();
  }
}
