/** What the methods of the Graph Store Protocol do with documents inside one transaction. */
import type * as RDF from '@rdfjs/types';
import { defaultGraph, type Repository, type Transaction } from 'quadrille';
import type { Graph } from '../../parameters/selected-graphs.js';
import { stagedQuads } from '@quadrille/service';

/** A document that was read, and whether its format names graphs. */
export interface StagedDocument {
  readonly staged: Repository;
  readonly namesGraphs: boolean;
}

/** Adds the document. Where a graph is given, all of it goes there. */
export async function postDocument(
  transaction: Transaction,
  graph: Graph | undefined,
  { staged }: StagedDocument,
): Promise<void> {
  await transaction.add(stagedQuads(staged, graph));
}

/** The document becomes the whole content of the graph, or of the dataset. */
export async function putDocument(
  transaction: Transaction,
  graph: Graph | undefined,
  document: StagedDocument,
): Promise<void> {
  await transaction.remove(graph === undefined ? {} : { graph });
  await postDocument(transaction, graph, document);
}

/** Removes what the document says, or, where it says nothing, the graph. */
export async function deleteDocument(
  transaction: Transaction,
  graph: Graph | undefined,
  { staged }: StagedDocument,
): Promise<void> {
  if ((await staged.size()) === 0) await transaction.remove(graph === undefined ? {} : { graph });
  else await transaction.remove(stagedQuads(staged, graph));
}

/**
 * Replaces as much as the document is about: with names of graphs, the graphs that it has; else what is said in the graph
 * (the default graph, where none is given) of the subjects that it has.
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
  for await (const { subject } of staged.quads()) {
    // Quads of a subject mostly follow each other.
    if (last?.equals(subject) === true) continue;
    last = subject;
    await transaction.remove({ subject, graph });
  }
}

async function removeGraphs(transaction: Transaction, staged: Repository): Promise<void> {
  if ((await staged.count({ graph: defaultGraph() })) > 0) await transaction.remove({ graph: defaultGraph() });
  for await (const graph of staged.contexts()) await transaction.remove({ graph });
}
