/** The aggregates of one level of a query: equal ones are computed once. */
import type { BoundAggregate, Expression } from '../../algebra/algebra.js';
import { termToText } from '@quadrille/model';
import type * as RDF from '@rdfjs/types';

type Aggregate = Extract<Expression, { subType: 'aggregate' }>;

export class Aggregates {
  /** Whether one may stand where the parser is. */
  allowed = false;
  readonly #bound = new Map<string, BoundAggregate>();

  /** The variable that has its value: that of an equal one, or what `fresh` makes. */
  variableOf(aggregate: Aggregate, fresh: () => RDF.Variable): RDF.Variable {
    const key = JSON.stringify(aggregate, termAsText);
    let known = this.#bound.get(key);
    if (known === undefined) this.#bound.set(key, (known = { ...aggregate, variable: fresh() }));
    return known.variable;
  }

  get all(): readonly BoundAggregate[] {
    return [...this.#bound.values()];
  }
}

function termAsText(_: string, value: unknown): unknown {
  const isTerm = typeof value === 'object' && value !== null && 'termType' in value;
  return isTerm ? `${(value as RDF.Term).termType} ${termToText(value as RDF.Term)}` : value;
}
