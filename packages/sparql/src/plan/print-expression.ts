/** Expressions and paths as text, for plans. */
import { printTerm } from '@quadrille/model';
import type { Expression, PropertyPath } from '../algebra/algebra.js';

export function printExpression(expression: Expression): string {
  switch (expression.subType) {
    case 'term':
      return expression.term.termType === 'Variable' ? `?${expression.term.value}` : printTerm(expression.term);
    case 'operator': {
      const args = expression.args.map(printExpression);
      const isInfix = args.length === 2 && /^[^a-z]+$/.test(expression.operator);
      return isInfix ? `(${args.join(` ${expression.operator} `)})` : `${expression.operator}(${args.join(', ')})`;
    }
    case 'named':
      return `${printTerm(expression.name)}(${expression.args.map(printExpression).join(', ')})`;
    case 'existence':
      return expression.not ? 'not exists' : 'exists';
    case 'aggregate':
      return `${expression.iri ?? expression.aggregator}(${printExpression(expression.expression)})`;
    default:
      return '*';
  }
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
