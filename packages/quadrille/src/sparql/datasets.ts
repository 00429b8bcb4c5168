/** Snapshots and transactions of the engine as the datasets that SPARQL evaluates over. */
import type * as RDF from '@rdfjs/types';
import type { Repository as CoreRepository, Snapshot, StagedTransaction, TermPattern } from '@quadrille/core';
import type { IdDataset, QueryableDataset, WritableDataset, WritableIdDataset } from '@quadrille/sparql';
import { SnapshotIdDataset, TransactionIdDataset } from './id-datasets.js';

/** A snapshot to query. The caller closes the snapshot when the answer is finished. */
export class SnapshotDataset implements QueryableDataset {
  #ids: IdDataset | undefined;

  constructor(private readonly snapshot: Snapshot) {}

  /** The same by ids. */
  get ids(): IdDataset {
    return (this.#ids ??= new SnapshotIdDataset(this.snapshot));
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

  /** The quads that match. */
  async *match(pattern: TermPattern): AsyncGenerator<readonly RDF.Quad[]> {
    const reader = await this.transaction.read(pattern);
    if (reader === undefined) return;
    try {
      for (let batch = await reader.next(); batch !== undefined; batch = await reader.next()) yield batch;
    } finally {
      reader.close();
    }
  }

  async namedGraphs(): Promise<readonly RDF.Quad_Graph[]> {
    return (await this.transaction.graphs()) as RDF.Quad_Graph[];
  }
}
