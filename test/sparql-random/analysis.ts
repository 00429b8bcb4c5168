/** What can be told of a query without evaluating it. */
import { isNumber, isTime, type QuadText } from './data.js';
import { isVariable, type Expression, type Pattern, type Query, type Select } from './syntax.js';

export type Found = Expression;
export interface Place {
  /** The SELECT around it that is next. */
  readonly select: Select | undefined;
  /** What conditions beside it say of the types of variables. */
  readonly types: ReadonlyMap<string, StaticType>;
}

/** `plain`: a string without a language. */
export type StaticType = 'number' | 'plain' | 'iri' | 'boolean' | 'any';

type Visitor = (node: Readonly<Record<string, unknown>>, place: Place) => boolean;

function find(value: unknown, place: Place, visitor: Visitor): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some((item) => find(item, place, visitor));
  const node = value as Readonly<Record<string, unknown>>;
  const inside = 'columns' in node ? { ...place, select: node as unknown as Select } : place;
  if (visitor(node, inside)) return true;
  const guarded = withGuard(node, inside);
  return Object.values(node).some((member) => find(member, guarded, visitor));
}

const START: Place = { select: undefined, types: new Map() };

/** Whether a query has an expression for which the test holds. */
export const findExpression = (query: Query, test: (expression: Found, place: Place) => boolean): boolean =>
  find(query, START, (node, place) => 'expr' in node && test(node as unknown as Expression, place));

export const findPattern = (query: Query, test: (pattern: Pattern) => boolean): boolean =>
  find(query, START, (node) => 'pattern' in node && test(node as unknown as Pattern));

/** Whether a GRAPH names a graph of which the data have no quad. */
export const namesNoGraph = (query: Query, data: readonly QuadText[]): boolean =>
  findPattern(
    query,
    (pattern) =>
      pattern.pattern === 'graph' &&
      !isVariable(pattern.graph) &&
      data.every(([, , , graph]) => graph !== pattern.graph),
  );

/** Variables that have a value in every solution of a group. */
export function certainVariables(where: readonly Pattern[]): Set<string> {
  return new Set(where.flatMap(certainOf));
}

const variablesIn = (value: unknown): string[] => JSON.stringify(value).match(/\?\w+/g) ?? [];

const undefinedIn = ({ variables, rows }: Pattern & { pattern: 'values' }): string[] =>
  variables.filter((_, column) => rows.some((row) => row[column] === 'UNDEF'));

function certainOf(part: Pattern): string[] {
  switch (part.pattern) {
    case 'triples':
      return variablesIn(part.triples);
    case 'group':
      return [...certainVariables(part.where)];
    case 'graph':
      return [...certainVariables(part.where), ...variablesIn(part.graph)];
    case 'union': {
      const [first, ...others] = part.branches.map(certainVariables);
      return [...(first ?? [])].filter((name) => others.every((other) => other.has(name)));
    }
    case 'select': {
      const { columns, where, groupBy } = part.select;
      if (columns === '*') return [];
      const keys = groupBy?.map(({ name }) => name);
      const inside = new Set([...certainVariables(where)].filter((name) => keys?.includes(name) ?? true));
      return columns.flatMap(({ name, value }) => (value === undefined && inside.has(name) ? [name] : []));
    }
    default:
      return [];
  }
}

const EQUALS = /"sign":"=","left":\{"expr":"term","term":"(\?\w+)"\}/g;

/** Whether a group has a filter with `?x = …` where not every solution of the group has ?x. */
export const hasStrayFilter = (query: Query): boolean =>
  find(query, START, (node) => {
    const groups = 'branches' in node ? node['branches'] : 'where' in node ? [node['where']] : [];
    return (groups as readonly (readonly Pattern[])[]).some((parts) => {
      const bound = certainVariables(parts);
      const filters = JSON.stringify(parts.filter(({ pattern }) => pattern === 'filter'));
      const open = new Set<string>();
      find(parts, START, (inner) => {
        if (inner['pattern'] !== 'values') return false;
        for (const name of undefinedIn(inner as never)) open.add(name);
        return false;
      });
      return [...filters.matchAll(EQUALS)].some(([, name]) => !bound.has(name!) || open.has(name!));
    });
  });

const openInUnion = (part: Pattern): string[] => {
  if (part.pattern !== 'union') return [];
  const certain = certainOf(part);
  return variablesIn(part).filter((name) => !certain.includes(name));
};

/** Whether an OPTIONAL has, or shares a variable with, a UNION with branches that do not bind all of its variables. */
export const joinsUnboundOfUnion = (query: Query): boolean =>
  find(query, START, (node) => {
    const groups = 'branches' in node ? node['branches'] : 'where' in node ? [node['where']] : [];
    return (groups as readonly (readonly Pattern[])[]).some((parts) =>
      parts.some((part, i) => {
        if (part.pattern !== 'optional') return false;
        if (part.where.some((inner) => openInUnion(inner).length > 0)) return true;
        const before = parts.slice(0, i);
        const certain = certainVariables(before);
        const open = before.filter(({ pattern }) => pattern === 'union').flatMap(variablesIn);
        return variablesIn(part).some((name) => open.includes(name) && !certain.has(name));
      }),
    );
  });

/** Whether a sub-select that always gives one row, also of no data, is joined with something. */
export const joinsSingleRow = (query: Query): boolean =>
  find(query, START, (node) => {
    const groups = 'branches' in node ? node['branches'] : 'where' in node ? [node['where']] : [];
    return (groups as readonly (readonly Pattern[])[]).some(
      (parts) =>
        parts.length > 1 &&
        parts.some(
          (part) =>
            part.pattern === 'select' &&
            part.select.groupBy === undefined &&
            JSON.stringify(part.select.columns).includes('"aggregate"'),
        ),
    );
  });

/** Whether a sub-select may leave a variable unbound that something else in its group has. */
export const joinsUnboundOfSelect = (query: Query): boolean =>
  find(query, START, (node) => {
    const groups = 'branches' in node ? node['branches'] : 'where' in node ? [node['where']] : [];
    return (groups as readonly (readonly Pattern[])[]).some((parts) =>
      parts.some((part, i) => {
        if (part.pattern !== 'select') return false;
        const certain = certainOf(part);
        const others = parts.toSpliced(i, 1).flatMap(variablesIn);
        const { columns } = part.select;
        const names = columns === '*' ? variablesIn(part) : columns.map(({ name }) => name);
        return names.some((name) => others.includes(name) && !certain.includes(name));
      }),
    );
  });

/** Whether a variable may stand for a triple term: what is matched by a pattern that leads to one. */
export const mayBeTriple = (query: Query, variable: string): boolean =>
  findPattern(query, (pattern) => {
    if (pattern.pattern === 'values') return pattern.variables.includes(variable);
    if (pattern.pattern !== 'triples') return false;
    return pattern.triples.some(([subject, predicate, object]) => {
      if (object.startsWith('<<(') && object.includes(variable)) return true;
      if (typeof predicate !== 'string') return subject === variable || object === variable;
      return object === variable && /^(?:\?|ex:says)/.test(predicate);
    });
  });

/** Whether an expression may have no value. */
export function mayFail(expression: Expression, certain: ReadonlySet<string>): boolean {
  if (expression.expr === 'term') return isVariable(expression.term) && !certain.has(expression.term);
  if (expression.expr !== 'call') return true;
  const { name, args } = expression;
  if (name === 'COALESCE') return args.every((arg) => mayFail(arg, certain));
  if (name === 'IF' || name === 'isNUMERIC' || name === 'isBLANK') return args.some((arg) => mayFail(arg, certain));
  return true;
}

// `isNUMERIC(?x) && …` and `DATATYPE(?x) = xsd:string && …`
function withGuard(node: Readonly<Record<string, unknown>>, place: Place): Place {
  if (node['expr'] !== 'infix' || node['sign'] !== '&&') return place;
  const guard = guardOf(node['left'] as Expression);
  return guard === undefined ? place : { ...place, types: new Map([...place.types, guard]) };
}

function guardOf(expression: Expression): [string, StaticType] | undefined {
  if (expression.expr === 'call' && expression.name === 'isNUMERIC') return of(expression.args[0], 'number');
  if (expression.expr === 'infix' && expression.left.expr === 'call' && expression.left.name === 'DATATYPE') {
    return of(expression.left.args[0], 'plain');
  }
  return undefined;
}

const of = (expression: Expression | undefined, type: StaticType): [string, StaticType] | undefined =>
  expression?.expr === 'term' && isVariable(expression.term) ? [expression.term, type] : undefined;

/** Whether = may compare literals of different types. */
export const mixesTypes = (query: Query): boolean =>
  findExpression(query, (expression, { types }) => {
    if (expression.expr === 'infix' && (expression.sign === '=' || expression.sign === '!=')) {
      return mayMix(typeOf(expression.left, types), typeOf(expression.right, types));
    }
    if (expression.expr !== 'in') return false;
    const type = typeOf(expression.value, types);
    return expression.list.some((item) => mayMix(type, typeOf(item, types)));
  });

/** Whether < or its kin may compare strings. */
export const ordersStrings = (query: Query): boolean =>
  findExpression(query, (expression, { types }) => {
    if (expression.expr !== 'infix' || !/[<>]/.test(expression.sign)) return false;
    const sides = [expression.left, expression.right].map((side) => typeOf(side, types));
    return sides.every((type) => type === 'plain' || type === 'any') && !isTimes(expression);
  });

const isTimes = ({ left, right }: Expression & { expr: 'infix' }): boolean =>
  [left, right].some((side) => side.expr === 'term' && isTime(side.term));

const mayMix = (a: StaticType, b: StaticType): boolean => a !== 'iri' && b !== 'iri' && (a === 'any' || a !== b);

const PLAIN = new Set('STR MD5 SHA1 SHA256 SHA384 SHA512 LANG LANGDIR ENCODE_FOR_URI STRUUID TZ xsd:string'.split(' '));
const NUMBER = new Set(
  'STRLEN YEAR MONTH DAY HOURS MINUTES ABS CEIL FLOOR ROUND RAND xsd:integer xsd:decimal xsd:double xsd:float'.split(
    ' ',
  ),
);

function typeOf(expression: Expression, types: Place['types']): StaticType {
  switch (expression.expr) {
    case 'term':
      return typeOfTerm(expression.term, types);
    case 'infix':
      return /^[-+*/]$/.test(expression.sign) ? 'number' : 'boolean';
    case 'prefix':
      return expression.sign === '-' ? 'number' : 'boolean';
    case 'in':
    case 'exists':
      return 'boolean';
    case 'aggregate':
      return expression.name === 'COUNT' ? 'number' : 'any';
    default:
      return typeOfCall(expression.name, expression.args, types);
  }
}

function typeOfCall(name: string, args: readonly Expression[], types: Place['types']): StaticType {
  if (PLAIN.has(name)) return 'plain';
  if (NUMBER.has(name)) return 'number';
  if (name === 'IRI' || name === 'DATATYPE' || name === 'UUID' || name === 'BNODE') return 'iri';
  const branches = name === 'IF' ? args.slice(1) : name === 'COALESCE' ? args : [];
  const [first, ...rest] = branches.map((branch) => typeOf(branch, types));
  return first !== undefined && rest.every((type) => type === first) ? first : 'any';
}

function typeOfTerm(term: string, types: Place['types']): StaticType {
  if (isVariable(term)) return types.get(term) ?? 'any';
  if (isNumber(term) || /^\d+$/.test(term)) return 'number';
  if (/^\w+:/.test(term)) return 'iri';
  if (term === 'true' || term === 'false') return 'boolean';
  return /^"[^"]*"$/.test(term) && !isTime(term) ? 'plain' : 'any';
}

/** Whether a query, as JSON, has COUNT(DISTINCT *), and a blank node or a sequence of a path over which it may count. */
export const countsSolutions = (json: string): boolean =>
  /"aggregate","name":"COUNT","distinct":true\}/.test(json) && /"_:|"path":"sequence"/.test(json);
