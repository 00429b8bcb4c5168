/** What the expressions of one operator may ask of their evaluation. */
import type * as RDF from '@rdfjs/types';
import { dataFactory } from '@quadrille/model';
import type { ExpressionContext } from '../expression/compile.js';
import type { Execution } from './operator.js';

/** `nextRow`: BNODE(label) gives the same blank node within one solution, and another one in the next. */
export function expressionContext(
  variables: readonly string[],
  execution: Execution,
): ExpressionContext & { nextRow(): void } {
  const slots = new Map(variables.map((name, index) => [name, index]));
  let labels: Map<string, RDF.BlankNode> | undefined;
  const newBlankNode = (): RDF.BlankNode => execution.newBlankNode();
  return {
    slotOf: (name) => slots.get(name),
    resolve: (term) => execution.resolve(term),
    baseIRI: execution.baseIRI,
    now: execution.now,
    newBlankNode,
    blankNodeFor: (label) => {
      labels ??= new Map();
      const known = labels.get(label) ?? newBlankNode();
      labels.set(label, known);
      return known;
    },
    random: Math.random,
    uuid: () => globalThis.crypto.randomUUID(),
    nextRow: () => {
      if (labels !== undefined) labels = undefined;
    },
  };
}

/** Blank nodes with labels that no stored one has. */
export function blankNodeMaker(prefix: string): () => RDF.BlankNode {
  let count = 0;
  return () => dataFactory.blankNode(`${prefix}e${count++}`);
}
