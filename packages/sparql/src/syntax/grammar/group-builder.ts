/** Puts the elements of a group together (SPARQL 1.2, section 18.2.2.8), in time that grows with their number only. */
import type { Expression, Operation, Pattern } from '../../algebra/algebra.js';
import { operatorExpression } from './operators.js';

/** A group: its filters hold for the whole of it. */
export interface Group {
  readonly pattern: Operation;
  readonly condition: Expression | undefined;
  /** The variables of the text that its solutions may have. */
  readonly variables: Set<string>;
}

export const emptyPattern = (): Operation => ({ type: 'bgp', patterns: [] });

/** A group with its filters as one operation. */
export const withCondition = ({ pattern, condition }: Group): Operation =>
  condition === undefined ? pattern : { type: 'filter', input: pattern, expression: condition };

export class GroupBuilder {
  /** The parts of a join. */
  #joined: Operation[] = [];
  #condition: Expression | undefined;

  /** Joins an operation with what is there. A join becomes a part of this one, patterns that come first one pattern. */
  join(operation: Operation): void {
    if (operation.type === 'bgp' && operation.patterns.length === 0) return;
    const [first, second] = this.#joined;
    if (operation.type === 'join') for (const part of operation.input) this.#joined.push(part);
    else if (operation.type === 'bgp' && first?.type === 'bgp' && second === undefined) {
      // The patterns are in no other operation: this one was made for the group.
      for (const pattern of operation.patterns) (first.patterns as Pattern[]).push(pattern);
    } else this.#joined.push(operation);
  }

  /** Joins an operation with what is there, or makes that the candidates of a question for vectors. */
  add(operation: Operation): void {
    if (operation.type === 'nearest') this.wrap((before) => ({ ...operation, input: [before, operation.input[1]] }));
    else this.join(operation);
  }

  /** Puts what is there into another operation. */
  wrap(make: (input: Operation) => Operation): void {
    this.#joined = [make(this.pattern)];
  }

  filter(condition: Expression): void {
    this.#condition =
      this.#condition === undefined ? condition : operatorExpression('&&', [this.#condition, condition]);
  }

  /** The parts by now. */
  get parts(): readonly Operation[] {
    return this.#joined;
  }

  get pattern(): Operation {
    const [first, second] = this.#joined;
    if (first === undefined) return emptyPattern();
    return second === undefined ? first : { type: 'join', input: this.#joined };
  }

  get condition(): Expression | undefined {
    return this.#condition;
  }
}

/** Both sets as one. The larger of the two changes. */
export function unite(left: Set<string>, right: Set<string>): Set<string> {
  const [large, small] = left.size < right.size ? [right, left] : [left, right];
  for (const name of small) large.add(name);
  return large;
}
