/**
 * A SELECT as SPARQL text, from the algebra that its clauses became (SPARQL 1.2, section 18.2.4 and 18.2.5): slice, distinct,
 * projection, order, expressions of the SELECT clause, VALUES, HAVING, GROUP BY, from the outside to the inside.
 */
import type { Expression, Operation } from '../../algebra/algebra.js';
import { mapChildren } from '../../algebra/algebra.js';
import { visibleVariables } from '../../algebra/variables.js';
import type { TextWriter } from '../../algebra/operations/record.js';

type Of<T extends Operation['type']> = Extract<Operation, { type: T }>;

export function selectText(operation: Operation, writer: TextWriter): string {
  let rest = operation;
  const slice = rest.type === 'slice' ? rest : undefined;
  if (slice !== undefined) rest = slice.input;
  const unique = rest.type === 'distinct' || rest.type === 'reduced' ? rest : undefined;
  if (unique !== undefined) rest = unique.input;
  const project = rest.type === 'project' ? rest : undefined;
  if (project !== undefined) rest = project.input;
  const names = project?.variables.map(({ value }) => value) ?? [...visibleVariables(rest)];
  const order = rest.type === 'orderby' ? rest : undefined;
  if (order !== undefined) rest = order.input;
  const grouping = groupingOf(rest);
  const modifiers = `${orderText(order, grouping, writer)}${sliceText(slice)}`;
  const keyword = `SELECT${unique === undefined ? '' : ` ${unique.type.toUpperCase()}`}`;
  if (grouping === undefined) {
    // `*` would show the blank nodes of the pattern, which are variables in the text.
    const columns = names.length === 0 ? '(1 AS ?nothing)' : names.map((name) => `?${name}`).join(' ');
    return `${keyword} ${columns} WHERE { ${writer.group(rest)} }${modifiers}`;
  }
  const columns = names.map((name) => columnText(name, grouping, writer)).join(' ');
  const values = grouping.values === undefined ? '' : ` ${writer.group(grouping.values)}`;
  return `${keyword} ${columns} WHERE { ${writer.group(grouping.group.input)} }${groupText(grouping, writer)}${modifiers}${values}`;
}

/** What is around a group in the same SELECT. */
interface Grouping {
  readonly group: Of<'group'>;
  readonly having: readonly Expression[];
  readonly values: Of<'values'> | undefined;
  /** Expressions of the SELECT clause. */
  readonly columns: ReadonlyMap<string, Expression>;
}

function groupingOf(operation: Operation): Grouping | undefined {
  let rest = operation;
  const columns = new Map<string, Expression>();
  for (; rest.type === 'extend'; rest = rest.input) columns.set(rest.variable.value, rest.expression);
  let values: Of<'values'> | undefined;
  if (rest.type === 'join' && rest.input.length === 2 && rest.input[1]!.type === 'values') {
    values = rest.input[1];
    rest = rest.input[0]!;
  }
  const having: Expression[] = [];
  for (; rest.type === 'filter'; rest = rest.input) having.unshift(rest.expression);
  return rest.type === 'group' ? { group: rest, having, values, columns } : undefined;
}

function columnText(name: string, grouping: Grouping, writer: TextWriter): string {
  const expression = grouping.columns.get(name) ?? aggregateOf(name, grouping);
  return expression === undefined
    ? `?${name}`
    : `(${writer.expression(withAggregates(expression, grouping))} AS ?${name})`;
}

function groupText(grouping: Grouping, writer: TextWriter): string {
  const { group, having } = grouping;
  const keys = group.variables.map(({ value }) => ` ?${value}`).join('');
  const conditions = having.map((expression) => ` (${writer.expression(withAggregates(expression, grouping))})`);
  return `${keys === '' ? '' : ` GROUP BY${keys}`}${conditions.length === 0 ? '' : ` HAVING${conditions.join('')}`}`;
}

function orderText(order: Of<'orderby'> | undefined, grouping: Grouping | undefined, writer: TextWriter): string {
  if (order === undefined) return '';
  const keys = order.expressions.map((expression) => {
    const key = grouping === undefined ? expression : withAggregates(expression, grouping);
    const isDescending = key.subType === 'operator' && key.operator.toLowerCase() === 'desc';
    return isDescending ? `DESC(${writer.expression(key.args[0]!)})` : `ASC(${writer.expression(key)})`;
  });
  return ` ORDER BY ${keys.join(' ')}`;
}

function sliceText(slice: Of<'slice'> | undefined): string {
  if (slice === undefined) return '';
  const offset = slice.start === 0 ? '' : ` OFFSET ${slice.start}`;
  return slice.length === undefined ? offset : ` LIMIT ${slice.length}${offset}`;
}

/** The aggregates of a group have variables of their own; in the text they stand where those are used. */
function withAggregates(expression: Expression, grouping: Grouping): Expression {
  if (expression.subType === 'existence') return expression;
  if (expression.subType === 'term') {
    return (expression.term.termType === 'Variable' && aggregateOf(expression.term.value, grouping)) || expression;
  }
  return mapChildren(expression, (child) => (child.type === 'expression' ? withAggregates(child, grouping) : child));
}

function aggregateOf(name: string, { group }: Grouping): Expression | undefined {
  return group.aggregates.find(({ variable }) => variable.value === name);
}
