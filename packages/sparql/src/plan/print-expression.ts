/** Expressions and paths as text, for plans. */
import { printTerm } from '@quadrille/model';
import type { Expression, PropertyPath } from '../algebra/algebra.js';
import { atOnce, type Task } from '../algebra/rewrite.js';

export const printExpression = (expression: Expression): string => atOnce(print(expression));

/** A task, since a sum of thousands of terms is as deep as it is long. */
function* print(expression: Expression): Task<string> {
  switch (expression.subType) {
    case 'term':
      return expression.term.termType === 'Variable' ? `?${expression.term.value}` : printTerm(expression.term);
    case 'operator': {
      const { operator, args } = expression;
      const isInfix = args.length === 2 && /^[^a-z]+$/.test(operator);
      return isInfix ? `(${yield* list(args, ` ${operator} `)})` : `${operator}(${yield* list(args, ', ')})`;
    }
    case 'named':
      return `${printTerm(expression.name)}(${yield* list(expression.args, ', ')})`;
    case 'existence':
      return expression.not ? 'not exists' : 'exists';
    case 'aggregate':
      return `${expression.iri ?? expression.aggregator}(${(yield print(expression.expression)) as string})`;
    default:
      return '*';
  }
}

function* list(expressions: readonly Expression[], separator: string): Task<string> {
  // Not `join`, which copies the text: for a sum of thousands of terms at each of them.
  let text = '';
  for (const [i, each] of expressions.entries()) text += (i === 0 ? '' : separator) + ((yield print(each)) as string);
  return text;
}

export function printPath(path: PropertyPath): string {
  switch (path.type) {
    case 'link':
      return printTerm(path.iri);
    case 'nps':
      return `!(${path.iris.map(printTerm).join('|')})`;
    case 'inv':
      return `^${printPath(path.path)}`;
    case 'alt':
    case 'seq':
      return `(${path.input.map(printPath).join(path.type === 'alt' ? '|' : '/')})`;
    case 'ZeroOrMorePath':
      return `(${printPath(path.path)})*`;
    case 'OneOrMorePath':
      return `(${printPath(path.path)})+`;
    default:
      return `(${printPath(path.path)})?`;
  }
}
