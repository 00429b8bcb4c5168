/** Figures of an open database, for those who watch a server. Cheap: nothing is read for them. */
import type { Repository as CoreRepository, Store } from '@quadrille/core';
import type { DatabaseMetrics } from './api.js';

/** Counts commits of repositories from when each was opened. */
export class CommitCounter {
  readonly #openedAt = new Map<CoreRepository, number>();
  #ofClosed = 0;

  opened(repository: CoreRepository): void {
    this.#openedAt.set(repository, repository.head.number);
  }

  closed(repository: CoreRepository): void {
    this.#ofClosed += this.#of(repository);
    this.#openedAt.delete(repository);
  }

  get total(): number {
    let total = this.#ofClosed;
    for (const repository of this.#openedAt.keys()) total += this.#of(repository);
    return total;
  }

  #of(repository: CoreRepository): number {
    return repository.head.number - (this.#openedAt.get(repository) ?? repository.head.number);
  }
}

export function databaseMetrics(
  store: Store,
  repositories: readonly CoreRepository[],
  commits: number,
  runningQueries: number,
): DatabaseMetrics {
  let memtableQuads = 0;
  let runs = 0;
  for (const { core } of repositories) {
    for (const memtable of core.state.memtables) memtableQuads += memtable.rows;
    runs += core.state.runs.length;
  }
  const { hits, misses, bytes } = store.cache;
  return {
    openRepositories: repositories.length,
    commits,
    runningQueries,
    memtableQuads,
    runs,
    cacheBytes: bytes.length,
    cacheHits: hits,
    cacheMisses: misses,
  };
}
