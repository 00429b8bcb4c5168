/** Figures of an open database, for monitoring. They are cheap: nothing is read from the storage. */
import type { Store } from '@quadrille/core';
import { QuadrilleError } from '@quadrille/model';
import type { JobFailure } from '@quadrille/storage';
import type { BackgroundFailure, DatabaseMetrics, WorkerFigures } from './api/index.js';

const NO_WORKERS: WorkerFigures = { limit: 0, started: 0, idle: 0, busy: 0, queries: 0, restarts: 0 };

export function databaseMetrics(
  store: Store,
  runningQueries: number,
  workers: WorkerFigures = NO_WORKERS,
): DatabaseMetrics {
  let openRepositories = 0;
  let memtableQuads = 0;
  let runs = 0;
  const backgroundFailures: DatabaseMetrics['backgroundFailures'][number][] = [
    ...store.engine.backgroundFailures.map(backgroundFailure),
    ...store.failedFlushes.map((failure) => ({ repository: failure.repository, ...backgroundFailure(failure) })),
  ];
  for (const { name, handle } of store.repositoriesInMemory) {
    if (handle.root === handle) openRepositories++;
    for (const failure of handle.scheduler.failures)
      backgroundFailures.push({ repository: name, ...backgroundFailure(failure) });
    // It may be about to be read.
    if (!handle.inMemory) continue;
    for (const memtable of handle.timeline.index.memtables) memtableQuads += memtable.rows;
    runs += handle.timeline.index.runs.length;
  }
  const { hits, misses, bytes } = store.cache;
  return {
    openRepositories,
    commits: store.commits,
    runningQueries,
    memtableQuads,
    runs,
    cacheBytes: bytes.length,
    cacheHits: hits,
    cacheMisses: misses,
    workers,
    backgroundFailures,
    shared: store.engine.figures,
  };
}

/** As the library shows it. */
export function backgroundFailure({ job, error, failures, since }: JobFailure): BackgroundFailure {
  const code = error instanceof QuadrilleError ? error.code : 'INTERNAL';
  const message = error instanceof Error ? error.message : String(error);
  return { job, code, message, count: failures, since: new Date(since) };
}
