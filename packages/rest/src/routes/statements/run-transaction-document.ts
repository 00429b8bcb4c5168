/** Does what a transaction document asks for, as one revision. */
import type * as RDF from '@rdfjs/types';
import type { Context } from '../../context.js';
import { defaultGraph, quad, type Repository, type Transaction } from 'quadrille';
import { heldBytes } from '../../http/body.js';
import { commitOptions, entityTag } from '../../http/conditional.js';
import { openRepository, repositoryUrl, type Service } from '../../service.js';
import { type Operation, readTransactionDocument } from './transaction-document.js';
import { Reply } from '../../http/reply.js';

export const TRANSACTION_TYPE = 'application/x-rdftransaction';

export async function runTransactionDocument(service: Service, context: Context): Promise<Reply> {
  const repository = await openRepository(service, context);
  const options = await commitOptions(context, repository);
  const operations = await readTransactionDocument(heldBytes(service, context.request));
  const baseIRI = repositoryUrl(service, context);
  const revision = await repository.transaction(async (transaction) => {
    for (const operation of operations) await apply(transaction, operation, baseIRI);
  }, options);
  // Prefixes are not versioned: they follow what was committed.
  for (const operation of operations) await declare(repository, operation);
  return new Reply(null, { status: 204, headers: { ETag: entityTag(revision) } });
}

async function apply(transaction: Transaction, operation: Operation, baseIRI: string): Promise<void> {
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
    case 'update':
      return transaction.update(operation.text, { baseIRI: operation.baseIRI ?? baseIRI });
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
