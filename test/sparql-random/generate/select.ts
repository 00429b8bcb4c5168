/** Random SELECT queries and sub-selects: columns, grouping, order and limits around a random group. */
import type { PatternMaker } from './pattern.js';
import { certainVariables } from '../analysis.js';
import type { Chance } from '../chance.js';
import { isNumber, isString, SIZE, TERMS } from '../data.js';
import { Scope, type Kind } from './scope.js';
import {
  call,
  infix,
  termOf,
  type Aggregate,
  type Column,
  type Expression,
  type Pattern,
  type Select,
  type SortKey,
  type TermText,
} from '../syntax.js';

const AGGREGATES = ['COUNT', 'SUM', 'AVG', 'MIN', 'MAX', 'SAMPLE', 'GROUP_CONCAT'];

/** A sub-select: what it gives is determined. The scope is the one inside. */
export function makeSelect(maker: PatternMaker, scope: Scope, depth: number): Select {
  const { chance } = maker;
  const where = maker.where(scope, depth);
  if (chance.in(0.3)) return grouped(maker, scope, where);
  const columns = someColumns(maker, scope);
  const stored = Array.isArray(columns) ? columns.map(({ name }) => name) : [];
  if (columns !== '*' && stored.length > 0 && chance.in(0.35)) return limited(maker, where, stored, columns);
  return { ...(chance.in(0.3) ? { distinct: 'DISTINCT' } : {}), columns, where };
}

// Under an order that is total, so that it is clear what the limit leaves.
function limited(
  maker: PatternMaker,
  where: Pattern[],
  names: readonly TermText[],
  columns: readonly Column[],
): Select {
  const { chance } = maker;
  const plain = columns.filter(({ value }) => value === undefined);
  return {
    ...(chance.in(0.5) ? { distinct: 'DISTINCT' } : {}),
    columns: plain.length > 0 ? plain : names.map((name) => ({ name })),
    where: [...where, ...maker.onlyIris(names)],
    orderBy: chance.shuffled(names).map((name) => ({ value: termOf(name), descending: chance.in(0.4), column: name })),
    ...slice(maker),
  };
}

const slice = ({ chance }: PatternMaker): { limit: number; offset?: number } => ({
  limit: chance.below(5),
  ...(chance.in(0.4) ? { offset: chance.below(3) } : {}),
});

function someColumns(maker: PatternMaker, scope: Scope): '*' | Column[] {
  const { chance } = maker;
  const variables = scope.variables('stored', 'integer', 'text', 'number', 'opaque');
  if (variables.length === 0 || chance.in(0.15)) return '*';
  const chosen = chance.shuffled(variables).slice(0, 1 + chance.below(Math.min(3, variables.length)));
  const columns: Column[] = chosen.map((name) => ({ name }));
  if (chance.in(0.2)) columns.push(computed(maker, scope));
  return columns;
}

function computed(maker: PatternMaker, scope: Scope): Column {
  const { value, kind } = maker.expressions.value(scope);
  const name = maker.names.next('e');
  scope.bind(name, kind);
  return { name, value };
}

/** GROUP BY with aggregates, or aggregates alone. The scope then has the columns only. */
export function grouped(maker: PatternMaker, scope: Scope, where: readonly Pattern[]): Select {
  const { chance } = maker;
  const groupBy = groupKeys(maker, scope, certainVariables(where));
  const keys = groupBy.map(({ name }) => name);
  const columns: Column[] = keys.filter(() => chance.in(0.8)).map((name) => ({ name }));
  const aggregates: [TermText, Kind][] = [];
  for (let left = 1 + chance.below(4); left > 0; left--) {
    const { value, kind } = aggregate(maker, scope, where);
    const name = maker.names.next('a');
    columns.push({ name, value });
    aggregates.push([name, kind]);
  }
  const having = chance.in(0.25) ? [having_(maker, scope)] : undefined;
  for (const [name, kind] of aggregates) scope.bind(name, kind);
  return {
    columns,
    where,
    ...(groupBy.length > 0 ? { groupBy } : {}),
    ...(having === undefined ? {} : { having }),
  };
}

function groupKeys(maker: PatternMaker, scope: Scope, certain: ReadonlySet<string>): Column[] {
  const { chance } = maker;
  const visible = scope.variables('stored', 'integer', 'text');
  const always = visible.filter((name) => certain.has(name));
  const variables = always.length > 0 && chance.in(0.85) ? always : visible;
  if (variables.length === 0 || chance.in(0.2)) return [];
  const keys: Column[] = chance
    .shuffled(variables)
    .slice(0, 1 + chance.below(2))
    .map((name) => ({ name }));
  if (chance.in(0.15)) {
    const name = maker.names.next('k');
    keys.push({ name, value: call('COALESCE', maker.expressions.text(scope, 1), termOf('"-"')) });
    scope.bind(name, 'text');
  }
  return keys;
}

function aggregate(maker: PatternMaker, scope: Scope, where: readonly Pattern[]): { value: Expression; kind: Kind } {
  const { chance } = maker;
  const name = chance.among(AGGREGATES);
  const distinct = chance.in(0.4);
  const make = (
    of: Expression | undefined,
    kind: Kind,
    more: Partial<Aggregate> = {},
  ): { value: Expression; kind: Kind } => ({
    value: { expr: 'aggregate', name, distinct, ...(of === undefined ? {} : { of }), ...more },
    kind,
  });
  const certain = certainVariables(where);
  const known = (names: TermText[]): TermText[] => {
    const always = names.filter((variable) => certain.has(variable));
    return chance.in(0.95) ? always : names;
  };
  const stored = known(scope.variables('stored'));
  const numbers = known(scope.stored(isNumber));
  const any = termOf(stored.length > 0 ? chance.among(stored) : chance.among(TERMS.strings));
  switch (name) {
    case 'COUNT':
      return make(
        chance.in(0.3) ? undefined : chance.in(0.93) ? any : maker.expressions.value(scope, 1).value,
        'integer',
      );
    case 'SUM':
    case 'AVG':
      if (numbers.length > 0 && chance.in(0.6)) return make(termOf(chance.among(numbers)), 'number');
      if (chance.in(0.8)) return make(numberOr(any, chance), 'number');
      return make(call('COALESCE', maker.expressions.number(scope, 1), termOf('0')), 'number');
    case 'MIN':
    case 'MAX':
      if (chance.in(0.04)) return make(any, 'opaque');
      return make(numberOr(numbers.length > 0 ? termOf(chance.among(numbers)) : any, chance), 'number');
    case 'SAMPLE':
      return make(any, 'opaque');
    default: {
      const strings = scope.stored(isString);
      const of = chance.in(0.1)
        ? termOf(chance.among(strings.length > 0 ? strings : ['?none']))
        : call('COALESCE', call('STR', strings.length > 0 ? termOf(chance.among(strings)) : any), termOf('"-"'));
      return make(of, 'opaque', chance.in(0.7) ? { separator: '|' } : {});
    }
  }
}

// A number in every case, where the variable is bound.
const numberOr = (variable: Expression, chance: Chance): Expression =>
  chance.in(0.5)
    ? call('IF', call('isNUMERIC', variable), variable, termOf('0'))
    : call('COALESCE', infix(variable, '*', termOf('2')), termOf('1'));

function having_(maker: PatternMaker, scope: Scope): Expression {
  const { chance } = maker;
  const stored = scope.variables('stored');
  const of = termOf(stored.length > 0 ? chance.among(stored) : '?none');
  const count: Aggregate = { expr: 'aggregate', name: 'COUNT', distinct: chance.in(0.3), of };
  return infix(count, chance.among(['>', '>=', '<', '=']), termOf(String(chance.below(3))));
}

/** The SELECT of a query: it may have any order and any limit. */
export function topSelect(maker: PatternMaker, depth: number): Select {
  const { chance } = maker;
  const scope = new Scope();
  const where = maker.where(scope, depth);
  const isGrouped = chance.in(0.28);
  const select: Select = isGrouped
    ? grouped(maker, scope, where)
    : {
        ...(chance.in(0.15)
          ? { distinct: 'DISTINCT' as const }
          : chance.in(0.07)
            ? { distinct: 'REDUCED' as const }
            : {}),
        columns: someColumns(maker, scope),
        where,
      };
  const sizes = sizeVariables(where);
  if (!isGrouped && select.columns !== '*' && sizes.length > 0 && chance.in(0.7))
    return bySize(maker, select, chance.among(sizes));
  const orderBy = select.columns !== '*' && chance.in(0.35) ? sortKeys(maker, scope, select.columns) : undefined;
  return {
    ...select,
    ...(orderBy === undefined ? {} : { orderBy }),
    ...(chance.in(orderBy === undefined ? 0.05 : 0.4) ? slice(maker) : {}),
  };
}

/** The first rows by a variable whose values ids contain. */
function bySize(maker: PatternMaker, select: Select, name: TermText): Select {
  const { chance } = maker;
  const others = Array.isArray(select.columns) ? select.columns.filter((column) => column.name !== name) : [];
  const columns: Column[] = [{ name }, ...others];
  const plain = others.filter(({ value }) => value === undefined);
  const second = plain.length > 0 && chance.in(0.4) ? [chance.among(plain).name] : [];
  const orderBy = [name, ...second].map((key) => ({ value: termOf(key), descending: chance.in(0.5), column: key }));
  return { ...select, columns, orderBy, ...slice(maker) };
}

/** Variables that stand for the object of {@link SIZE}, wherever they do. */
function sizeVariables(where: readonly Pattern[]): TermText[] {
  const found = JSON.stringify(where).matchAll(new RegExp(`"${SIZE}","(\\?\\w+)"\\]`, 'g'));
  return [...new Set([...found].map((match) => match[1]!))];
}

function sortKeys(maker: PatternMaker, scope: Scope, columns: readonly Column[]): SortKey[] | undefined {
  const { chance } = maker;
  const usable = columns.filter(({ name }) => scope.kinds.get(name) !== 'opaque' || chance.in(0.2));
  if (usable.length === 0) return undefined;
  return chance
    .shuffled(usable)
    .slice(0, 1 + chance.below(2))
    .map(({ name, value }) => ({
      value: value !== undefined && value.expr !== 'aggregate' && chance.in(0.4) ? value : termOf(name),
      descending: chance.in(0.4),
      column: name,
    }));
}
