/** The environment of expressions besides the values of a row: time, base IRI, new blank nodes, random numbers. */
import { newBlankNodePrefix } from '../../algebra/terms.js';
import type * as RDF from '@rdfjs/types';
import { dataFactory } from '@quadrille/model';
import type { ExpressionContext, TextCount } from '../../expression/compile.js';
import { ExtensionCalls } from '../../expression/extension-functions.js';
import type { Execution } from './operator.js';

export interface RowContext extends ExpressionContext {
  readonly calls: ExtensionCalls;
}

/** So many variables are looked up by search. Most expressions look at few, of perhaps thousands. */
const FEW = 8;

function slotFinder(variables: readonly string[]): (name: string) => number | undefined {
  let asked = 0;
  let slots: Map<string, number> | undefined;
  return (name) => {
    if (++asked > FEW) return (slots ??= new Map(variables.map((known, index) => [known, index]))).get(name);
    const slot = variables.indexOf(name);
    return slot === -1 ? undefined : slot;
  };
}

export function expressionContext(variables: readonly string[], execution: Execution, texts: TextCount): RowContext {
  const slots = slotFinder(variables);
  const calls = new ExtensionCalls();
  const newBlankNode = (): RDF.BlankNode => calls.draw(() => execution.newBlankNode());
  return {
    slotOf: slots,
    resolve: (term) => execution.resolve(term),
    baseIRI: execution.baseIRI,
    texts,
    now: execution.now,
    newBlankNode,
    extension: (iri) => execution.extension(iri),
    calls,
    random: () => calls.draw(Math.random),
    uuid: () => calls.draw(() => globalThis.crypto.randomUUID()),
    pause: () => execution.control.checkpoint(),
  };
}

/** Blank nodes with labels that no stored one has. */
export function blankNodeMaker(given: string | undefined): () => RDF.BlankNode {
  let prefix = given;
  let count = 0;
  return () => dataFactory.blankNode(`${(prefix ??= newBlankNodePrefix())}e${count++}`);
}
