/** The operations of a transaction document, as one revision. */
import { paced } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';
import type { Context } from '../../context.js';
import { defaultGraph, quad, type Repository, type Transaction } from 'quadrille';
import { commitOptions } from '../../parameters/commit-options.js';
import { openRepository, repositoryUrl, type Service } from '../../service.js';
import type { Reply } from '../../message/reply.js';
import { updateInTurn } from '../turns.js';
import { written } from './import-reply.js';
import type { Operation } from './transaction-document.js';

/** Every operation in the order of the document. */
export async function runOperations(
  service: Service,
  context: Context,
  operations: readonly Operation[],
): Promise<Reply> {
  const repository = await openRepository(service, context);
  const options = await commitOptions(service, context, repository);
  const baseIRI = repositoryUrl(service, context);
  const revision = await repository.transaction(async (transaction) => {
    for await (const operation of paced(operations)) {
      if (operation.type === 'update') await update(service, context, transaction, operation, baseIRI);
      else await apply(transaction, operation);
    }
  }, options);
  // Prefixes are not versioned. They change after the commit.
  for await (const operation of paced(operations)) await declare(repository, operation);
  return written(revision);
}

function update(
  service: Service,
  context: Context,
  transaction: Transaction,
  { text, baseIRI }: Operation & { readonly type: 'update' },
  base: string,
): Promise<void> {
  const options = { baseIRI: baseIRI ?? base, signal: context.request.signal };
  return updateInTurn(service, context, text, ({ call }) => transaction.update(text, { ...options, ...call }));
}

async function apply(transaction: Transaction, operation: Operation): Promise<void> {
  switch (operation.type) {
    case 'add': {
      const [subject, predicate, object] = operation.terms as [RDF.Quad_Subject, RDF.Quad_Predicate, RDF.Quad_Object];
      const graphs = operation.graphs.length === 0 ? [defaultGraph()] : operation.graphs;
      return transaction.add(graphs.map((graph) => quad(subject, predicate, object, graph)));
    }
    case 'remove': {
      const [subject, predicate, object] = operation.terms;
      const graphs = operation.graphs.length === 0 ? [undefined] : operation.graphs;
      for (const graph of graphs) await transaction.remove({ subject, predicate, object, graph });
      return;
    }
    case 'clear':
      if (operation.graphs.length === 0) return transaction.remove({});
      for (const graph of operation.graphs) await transaction.remove({ graph });
      return;
    default:
  }
}

async function declare({ namespaces }: Repository, operation: Operation): Promise<void> {
  if (operation.type === 'setNamespace') await namespaces.set(operation.prefix, operation.namespace);
  else if (operation.type === 'removeNamespace') await namespaces.delete(operation.prefix);
  else if (operation.type === 'clearNamespaces') {
    for (const prefix of Object.keys(await namespaces.list())) await namespaces.delete(prefix);
  }
}
