/** Infix operators of expressions, put together by their precedence (SPARQL 1.2, rules 126 to 134). */
import type { Expression } from '../../algebra/algebra.js';
import type { Token } from '../lexer/tokens.js';

const OR = 1;
const AND = 2;
const RELATION = 3;
const SUM = 4;
const PRODUCT = 5;
/** Longer chains of `&&` and `||` become balanced trees: what walks them must not run out of stack. */
const LONGEST_LEFT_DEEP = 32;

/** How tightly an operator binds; 0 for another token. */
export function precedenceOf(token: Token): number {
  switch (token) {
    case '||':
      return OR;
    case '&&':
      return AND;
    case '=':
    case '!=':
    case '<':
    case '>':
    case '<=':
    case '>=':
    case 'IN':
    case 'NOT':
      return RELATION;
    case '+':
    case '-':
      return SUM;
    case '*':
    case '/':
      return PRODUCT;
    default:
      return 0;
  }
}

export const SIGN_PRECEDENCE = SUM;

export const operatorExpression = (operator: string, args: readonly Expression[]): Expression => ({
  type: 'expression',
  subType: 'operator',
  operator,
  args,
});

/** The operands and operators of one expression that are not put together yet. */
export class OperatorStack {
  readonly #operands: Expression[] = [];
  readonly #operators: { readonly sign: string; readonly precedence: number }[] = [];
  /** The last operand is a comparison: it cannot be compared again, nor be a term of a sum. */
  #isComparison = false;

  operand(operand: Expression): void {
    this.#operands.push(operand);
  }

  /** Takes an operator, whose left side is then complete. False where the grammar has none here: `1 = 2 = 3`. */
  operator(sign: string, precedence: number): boolean {
    if (!this.#completeLeft(precedence)) return false;
    this.#operators.push({ sign, precedence });
    return true;
  }

  /** As {@link operator}, for one that stands behind its operand: gives that and takes what is made of it. */
  comparisonOf(make: (left: Expression) => Expression): void {
    this.#operands.push(make(this.#operands.pop()!));
    this.#isComparison = true;
  }

  /** Puts together the left side of a comparison. False where it is a comparison itself. */
  completeComparand(): boolean {
    return this.#completeLeft(RELATION);
  }

  #completeLeft(precedence: number): boolean {
    while ((this.#operators.at(-1)?.precedence ?? 0) > precedence) this.#reduce();
    const isChain = this.#operators.at(-1)?.precedence === precedence;
    if (precedence === RELATION ? isChain || this.#isComparison : precedence > RELATION && this.#isComparison) {
      return false;
    }
    if (isChain && precedence > RELATION) this.#reduce();
    this.#isComparison = false;
    return true;
  }

  /** The whole expression. */
  end(): Expression {
    while (this.#operators.length > 0) this.#reduce();
    return this.#operands[0]!;
  }

  /** Puts the last operator and its operands together; of `&&` and `||` all that follow one another. */
  #reduce(): void {
    const { sign, precedence } = this.#operators.pop()!;
    let count = 2;
    if (precedence < RELATION) {
      for (; this.#operators.at(-1)?.precedence === precedence; count++) this.#operators.pop();
    }
    this.#operands.push(chain(sign, this.#operands.splice(-count)));
  }
}

function chain(operator: string, operands: readonly Expression[]): Expression {
  if (operands.length <= LONGEST_LEFT_DEEP) {
    return operands.reduce((left, right) => operatorExpression(operator, [left, right]));
  }
  const half = operands.length >> 1;
  return operatorExpression(operator, [
    chain(operator, operands.slice(0, half)),
    chain(operator, operands.slice(half)),
  ]);
}
