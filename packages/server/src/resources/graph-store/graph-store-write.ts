/** The methods of the Graph Store Protocol as operations of a transaction. */
import { paced } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import { defaultGraph, type Repository, type Transaction } from 'quadrille';
import type { Graph } from '../../host/index.js';
import { stagedQuads } from '../../host/index.js';

/** A parsed document, and whether its format has named graphs. */
export interface StagedDocument {
  readonly staged: Repository;
  readonly namesGraphs: boolean;
}

/** Adds the document, with `graph` all of it to that graph. */
export async function postDocument(
  transaction: Transaction,
  graph: Graph | undefined,
  { staged }: StagedDocument,
): Promise<void> {
  await transaction.add(stagedQuads(staged, graph));
}

/** Replaces the graph, or the dataset, by the document. */
export async function putDocument(
  transaction: Transaction,
  graph: Graph | undefined,
  document: StagedDocument,
): Promise<void> {
  await transaction.remove(graph === undefined ? {} : { graph });
  await postDocument(transaction, graph, document);
}

/** Removes the statements of the document. An empty document removes the graph. */
export async function deleteDocument(
  transaction: Transaction,
  graph: Graph | undefined,
  { staged }: StagedDocument,
): Promise<void> {
  if ((await staged.size()) === 0) await transaction.remove(graph === undefined ? {} : { graph });
  else await transaction.remove(stagedQuads(staged, graph));
}

/**
 * Replaces the part that the document describes. With named graphs: its graphs. Else: the statements about its subjects in the
 * graph, or in the default graph.
 */
export async function patchDocument(
  transaction: Transaction,
  graph: Graph | undefined,
  document: StagedDocument,
): Promise<void> {
  const { staged, namesGraphs } = document;
  const target = graph ?? (namesGraphs ? undefined : defaultGraph());
  if (!namesGraphs) await removeSubjects(transaction, target ?? defaultGraph(), staged);
  else if (target !== undefined) await transaction.remove({ graph: target });
  else await removeGraphs(transaction, staged);
  await postDocument(transaction, target, document);
}

async function removeSubjects(transaction: Transaction, graph: Graph, staged: Repository): Promise<void> {
  let last: RDF.Quad_Subject | undefined;
  for await (const { subject } of paced(staged.quads())) {
    // Quads of the same subject are mostly adjacent.
    if (last?.equals(subject) === true) continue;
    last = subject;
    await transaction.remove({ subject, graph });
  }
}

async function removeGraphs(transaction: Transaction, staged: Repository): Promise<void> {
  if ((await staged.count({ graph: defaultGraph() })) > 0) await transaction.remove({ graph: defaultGraph() });
  for await (const graph of paced(staged.graphs())) await transaction.remove({ graph });
}
