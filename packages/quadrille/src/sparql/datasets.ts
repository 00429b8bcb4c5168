/** Snapshots and transactions of the engine as the datasets that SPARQL evaluates over. */
import type * as RDF from '@rdfjs/types';
import type { Repository as CoreRepository, QuadReader, Snapshot, StagedTransaction } from '@quadrille/core';
import type { IdDataset, QueryableDataset, TermPattern, WritableDataset, WritableIdDataset } from '@quadrille/sparql';
import { SnapshotIdDataset, TransactionIdDataset } from './id-datasets.js';

async function* readAll(reader: QuadReader | undefined, done: () => void): AsyncGenerator<readonly RDF.Quad[]> {
  if (reader === undefined) return done();
  try {
    for (;;) {
      const batch = await reader.next();
      if (batch === undefined) return;
      yield batch;
    }
  } finally {
    reader.close();
    done();
  }
}

/** A snapshot to query. The caller closes the snapshot when the answer is finished. */
export class SnapshotDataset implements QueryableDataset {
  #ids: IdDataset | undefined;

  constructor(private readonly snapshot: Snapshot) {}

  /** The same by ids. */
  get ids(): IdDataset {
    return (this.#ids ??= new SnapshotIdDataset(this.snapshot));
  }

  async *match(pattern: TermPattern): AsyncGenerator<readonly RDF.Quad[]> {
    const ids = await this.snapshot.ids(pattern);
    if (ids !== undefined) yield* readAll(this.snapshot.read(ids), () => undefined);
  }

  async count(pattern: TermPattern): Promise<number> {
    const ids = await this.snapshot.ids(pattern);
    return ids === undefined ? 0 : this.snapshot.count(ids);
  }
}

/** A transaction to query and to change. */
export class TransactionDataset implements WritableDataset {
  #ids: WritableIdDataset | undefined;

  constructor(
    private readonly transaction: StagedTransaction,
    readonly repository: CoreRepository,
  ) {}

  /** The same by ids. */
  get ids(): WritableIdDataset {
    return (this.#ids ??= new TransactionIdDataset(this.transaction));
  }

  async *match(pattern: TermPattern): AsyncGenerator<readonly RDF.Quad[]> {
    yield* readAll(await this.transaction.read(pattern), () => undefined);
  }

  count(pattern: TermPattern): Promise<number> {
    return this.transaction.count(pattern);
  }

  add(quads: readonly RDF.Quad[]): Promise<void> {
    return this.transaction.add(quads);
  }

  remove(quads: readonly RDF.Quad[]): Promise<void> {
    return this.transaction.remove(quads);
  }

  removeMatches(pattern: TermPattern): Promise<void> {
    return this.transaction.removeMatches(pattern);
  }

  async namedGraphs(): Promise<readonly RDF.Quad_Graph[]> {
    return (await this.transaction.graphs()) as RDF.Quad_Graph[];
  }
}
