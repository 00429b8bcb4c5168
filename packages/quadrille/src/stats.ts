/** Figures of a repository. */
import type { Repository as CoreRepository } from '@quadrille/core';
import type { RepositoryStats } from './api/index.js';

export async function repositoryStats(repository: CoreRepository): Promise<RepositoryStats> {
  await repository.ready();
  const snapshot = repository.snapshot();
  try {
    const { generation } = snapshot;
    const statistics = await snapshot.statistics();
    const distinct = generation.distinctCounts();
    const predicates: RepositoryStats['predicates'][number][] = [];
    for (const [id, quads] of statistics.predicates) {
      predicates.push({
        predicate: await generation.decoder.decode(id),
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
      terms: generation.dictionary.nextId - 2,
      namedGraphs: named,
      bytes: await repository.maintenance.bytes(),
      predicates,
    };
  } finally {
    snapshot.close();
  }
}
