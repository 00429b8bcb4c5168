/** Expressions and property paths as SPARQL text. */
import type { Expression, PropertyPath } from '../../algebra/algebra.js';
import type { TextWriter } from '../../algebra/operations/record.js';

const INFIX: ReadonlySet<string> = new Set(['||', '&&', '=', '!=', '<', '>', '<=', '>=', '+', '-', '*', '/']);
const PREFIX: Readonly<Record<string, string>> = { '!': '!', uplus: '+', uminus: '-' };

export function expressionText(expression: Expression, writer: TextWriter): string {
  switch (expression.subType) {
    case 'term':
      return writer.term(expression.term);
    case 'operator':
      return operatorText(expression.operator.toLowerCase(), expression.args, writer);
    case 'named':
      return `${writer.term(expression.name)}(${listText(expression.args, writer)})`;
    case 'existence':
      return `${expression.not ? 'NOT ' : ''}EXISTS { ${writer.group(expression.input)} }`;
    case 'aggregate': {
      const { aggregator, iri, distinct, expression: argument, separator } = expression;
      const name = iri === undefined ? aggregator.toUpperCase() : `<${iri}>`;
      const separated = separator === undefined ? '' : `; SEPARATOR = ${JSON.stringify(separator)}`;
      return `${name}(${distinct ? 'DISTINCT ' : ''}${writer.expression(argument)}${separated})`;
    }
    default:
      return '*';
  }
}

function operatorText(operator: string, args: readonly Expression[], writer: TextWriter): string {
  const [first, ...rest] = args;
  if (first !== undefined && (operator === 'in' || operator === 'notin')) {
    return `(${writer.expression(first)} ${operator === 'in' ? 'IN' : 'NOT IN'} (${listText(rest, writer)}))`;
  }
  if (args.length === 2 && INFIX.has(operator)) {
    return `(${args.map((argument) => writer.expression(argument)).join(` ${operator} `)})`;
  }
  const prefix = PREFIX[operator];
  if (first !== undefined && prefix !== undefined) return `(${prefix} ${writer.expression(first)})`;
  return `${operator.toUpperCase()}(${listText(args, writer)})`;
}

const listText = (expressions: readonly Expression[], writer: TextWriter): string =>
  expressions.map((expression) => writer.expression(expression)).join(', ');

const REPEATS = { ZeroOrMorePath: '*', OneOrMorePath: '+', ZeroOrOnePath: '?' } as const;

export function pathText(path: PropertyPath, writer: TextWriter): string {
  switch (path.type) {
    case 'link':
      return writer.term(path.iri);
    case 'nps':
      return `!(${path.iris.map((iri) => writer.term(iri)).join('|')})`;
    case 'inv':
      return `^(${pathText(path.path, writer)})`;
    case 'alt':
    case 'seq':
      return `(${path.input.map((part) => pathText(part, writer)).join(path.type === 'alt' ? '|' : '/')})`;
    default:
      return `(${pathText(path.path, writer)})${REPEATS[path.type]}`;
  }
}
