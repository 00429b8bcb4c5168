/** Figures of a repository. */
import type { Repository as CoreRepository } from '@quadrille/core';
import { QuadrilleError } from '@quadrille/model';
import type { BackgroundFailure, RepositoryStats } from './api/index.js';

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
      failures: repository.handle.scheduler.failures.map(backgroundFailure),
    };
  } finally {
    snapshot.close();
  }
}

type JobFailure = CoreRepository['handle']['scheduler']['failures'][number];

/** As the library shows it. */
export function backgroundFailure({ job, error, failures, since }: JobFailure): BackgroundFailure {
  const code = error instanceof QuadrilleError ? error.code : 'INTERNAL';
  const message = error instanceof Error ? error.message : String(error);
  return { job, code, message, count: failures, since: new Date(since) };
}
