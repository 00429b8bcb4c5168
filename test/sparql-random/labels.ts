/** Which operators and families of functions a query has. */
import type { Expression, Pattern, Query, Select } from './syntax.js';

const FAMILIES: Readonly<Record<string, readonly string[]>> = {
  numeric: ['ABS', 'CEIL', 'FLOOR', 'ROUND', 'RAND'],
  string:
    'STRLEN SUBSTR UCASE LCASE STRSTARTS STRENDS CONTAINS STRBEFORE STRAFTER ENCODE_FOR_URI CONCAT LANGMATCHES REGEX REPLACE'.split(
      ' ',
    ),
  date: 'NOW YEAR MONTH DAY HOURS MINUTES TZ'.split(' '),
  term: 'isIRI isBLANK isLITERAL isNUMERIC sameTerm STR LANG LANGDIR hasLANG hasLANGDIR DATATYPE IRI STRDT STRLANG STRLANGDIR BNODE UUID STRUUID'.split(
    ' ',
  ),
  hash: ['MD5', 'SHA1', 'SHA256', 'SHA384', 'SHA512'],
  cast: 'xsd:integer xsd:decimal xsd:double xsd:float xsd:string xsd:boolean xsd:dateTime xsd:date'.split(' '),
  triple: ['TRIPLE', 'SUBJECT', 'PREDICATE', 'OBJECT', 'isTRIPLE'],
};
const FAMILY_OF = new Map(Object.entries(FAMILIES).flatMap(([family, names]) => names.map((name) => [name, family])));

/** Everything that a campaign has to have often enough. */
export const LABELS: readonly string[] = [
  ...'triples group optional union filter bind values UNDEF graph-iri graph-variable minus exists not-exists'.split(
    ' ',
  ),
  ...'select select-limit optional-filter'.split(' '),
  ...'sequence alternative inverse star plus maybe not nested-path'.split(' '),
  ...'GROUP-BY HAVING ORDER-BY DISTINCT REDUCED LIMIT OFFSET SELECT-expression'.split(' '),
  ...['COUNT', 'SUM', 'AVG', 'MIN', 'MAX', 'SAMPLE', 'GROUP_CONCAT'].flatMap((name) => [name, `${name}-DISTINCT`]),
  ...'ASK CONSTRUCT DESCRIBE FROM FROM-NAMED triple-term depth-3'.split(' '),
  ...Object.keys(FAMILIES).map((family) => `functions-${family}`),
  ...'IF COALESCE in arithmetic comparison logic'.split(' '),
];

export function labelsOf(query: Query): Set<string> {
  const labels = new Set<string>();
  if (query.form !== 'SELECT') labels.add(query.form);
  if (query.from.length > 0) labels.add('FROM');
  if (query.fromNamed.length > 0) labels.add('FROM-NAMED');
  visit(query, labels, 0, false);
  return labels;
}

type Node = Readonly<Record<string, unknown>>;
interface PatternParts {
  readonly pattern: string;
  readonly graph: string;
  readonly where: readonly Pattern[];
  readonly select: Select;
}

function visit(value: unknown, labels: Set<string>, depth: number, inPath: boolean): void {
  if (typeof value === 'string' && value.startsWith('<<(')) labels.add('triple-term');
  if (value === 'UNDEF') labels.add('UNDEF');
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value) visit(item, labels, depth, inPath);
    return;
  }
  const node = value as Node;
  labelNode(node, labels, inPath);
  const deeper = depth + (isNesting(node) ? 1 : 0);
  if (deeper >= 3) labels.add('depth-3');
  for (const member of Object.values(node)) visit(member, labels, deeper, inPath || 'path' in node);
}

const isNesting = (node: Node): boolean =>
  'where' in node ? 'pattern' in node || 'expr' in node || 'columns' in node : node['pattern'] === 'union';

function labelNode(node: Node, labels: Set<string>, inPath: boolean): void {
  if ('path' in node) {
    if (node['path'] !== 'iri') labels.add(String(node['path']));
    if (inPath && node['path'] !== 'iri') labels.add('nested-path');
  }
  if ('pattern' in node) labelPattern(node, labels);
  if ('columns' in node) labelSelect(node, labels);
  if ('expr' in node) labelExpression(node as unknown as Expression, labels);
}

function labelPattern(node: Node, labels: Set<string>): void {
  const { pattern, graph, where, select } = node as unknown as PatternParts;
  labels.add(pattern === 'graph' ? (graph.startsWith('?') ? 'graph-variable' : 'graph-iri') : pattern);
  if (pattern === 'select' && select.limit !== undefined) labels.add('select-limit');
  if (pattern === 'optional' && where.some((part) => part.pattern === 'filter')) labels.add('optional-filter');
}

function labelSelect(node: Node, labels: Set<string>): void {
  const { distinct, columns, groupBy, having, orderBy, limit, offset } = node as unknown as Select;
  if (distinct !== undefined) labels.add(distinct);
  if (groupBy !== undefined) labels.add('GROUP-BY');
  if (having !== undefined) labels.add('HAVING');
  if (orderBy !== undefined) labels.add('ORDER-BY');
  if (limit !== undefined) labels.add('LIMIT');
  if (offset !== undefined) labels.add('OFFSET');
  if (columns !== '*' && columns.some(({ value }) => value !== undefined)) labels.add('SELECT-expression');
}

function labelExpression(expression: Expression, labels: Set<string>): void {
  switch (expression.expr) {
    case 'call': {
      const name = expression.name.replace('!', '');
      const family = FAMILY_OF.get(name);
      labels.add(family === undefined ? name : `functions-${family}`);
      return;
    }
    case 'infix':
      labels.add(/[&|]/.test(expression.sign) ? 'logic' : /[=<>]/.test(expression.sign) ? 'comparison' : 'arithmetic');
      return;
    case 'exists':
      labels.add(expression.not ? 'not-exists' : 'exists');
      return;
    case 'aggregate':
      labels.add(expression.distinct ? `${expression.name}-DISTINCT` : expression.name);
      return;
    default:
      labels.add(expression.expr);
  }
}
