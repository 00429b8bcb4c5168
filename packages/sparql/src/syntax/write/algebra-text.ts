/** Writes patterns as SPARQL text, for SERVICE. Parsing the text gives the same algebra. */
import type * as RDF from '@rdfjs/types';
import { EvaluationError, printTerm, termToNTriples } from '@quadrille/model';
import type { Expression, Operation, Path, Pattern } from '../../algebra/algebra.js';
import { recordOf } from '../../algebra/operations/index.js';
import type { TextWriter } from '../../algebra/operations/record.js';
import { expressionText, pathText } from './expression-text.js';
import { selectText } from './select-text.js';

type Resolve = (term: RDF.Term) => RDF.Term;

/**
 * The inside of a group that says what the operation says; the group has no other solutions than those of the operation, so
 * that more elements may follow. `resolve` gives the terms that constants stand for.
 * @throws EvaluationError `UNSUPPORTED` where no text can say it
 */
export function patternText(operation: Operation, resolve: Resolve = (term) => term): string {
  return new AlgebraText(resolve).elements(operation);
}

/** A term as text, where any text can hold it: a blank node of this store means nothing elsewhere. */
export function writableTerm(term: RDF.Term): string | undefined {
  return isWritable(term) ? termToNTriples(term) : undefined;
}

// Characters that an IRI in <…> cannot contain, even escaped.
const UNWRITABLE = /[\u0000-\u0020<>"{}|^`\\]/;

function isWritable(term: RDF.Term): boolean {
  switch (term.termType) {
    case 'NamedNode':
      return !UNWRITABLE.test(term.value);
    case 'Literal':
      return !UNWRITABLE.test(term.datatype.value);
    case 'Quad':
      return [term.subject, term.predicate, term.object].every(isWritable);
    default:
      return term.termType === 'Variable';
  }
}

class AlgebraText implements TextWriter {
  constructor(private readonly resolve: Resolve) {}

  term(term: RDF.Term): string {
    const resolved = this.resolve(term);
    const text = writableTerm(resolved);
    if (text !== undefined) return text;
    throw new EvaluationError('UNSUPPORTED', `${printTerm(resolved)} cannot be sent to another host`);
  }

  expression(expression: Expression): string {
    return expressionText(expression, this);
  }

  group(operation: Operation): string {
    if (operation.type !== 'filter') return this.elements(operation);
    return `${this.elements(operation.input)} FILTER(${this.expression(operation.expression)})`;
  }

  elements(operation: Operation): string {
    return recordOf(operation).text?.(operation, this) ?? `{ ${selectText(operation, this)} }`;
  }

  element(operation: Operation): string {
    const { text, isElement } = recordOf(operation);
    return text === undefined || isElement === true ? this.elements(operation) : `{ ${this.group(operation)} }`;
  }

  pattern({ subject, predicate, object, graph }: Pattern): string {
    const terms = [subject, predicate, object].map(this.resolve);
    const isLegal = terms.every(isWritable) && /^(?:NamedNode|Variable)$/.test(terms[1]!.termType);
    // What cannot be written matches nothing there.
    return isLegal ? this.#inGraph(graph, `${terms.map((term) => termToNTriples(term)).join(' ')} .`) : 'FILTER(false)';
  }

  path({ subject, predicate, object, graph }: Path): string {
    const ends = [subject, object].map(this.resolve);
    if (!ends.every(isWritable)) return 'FILTER(false)';
    const path = `${termToNTriples(ends[0]!)} ${pathText(predicate, this)} ${termToNTriples(ends[1]!)} .`;
    return this.#inGraph(graph, path);
  }

  /** What the optimiser has put a graph into. */
  #inGraph(graph: RDF.Term, text: string): string {
    return graph.termType === 'DefaultGraph' ? text : `GRAPH ${this.term(graph)} { ${text} }`;
  }
}
