/** Queries and updates as texts. */
import type {
  Column,
  Expression,
  GraphTriples,
  Path,
  Pattern,
  Query,
  Select,
  SortKey,
  TermText,
  Triple,
  Update,
} from './syntax.js';

export function writeQuery(query: Query): string {
  const clause = [
    ...query.from.map((graph) => `FROM ${graph} `),
    ...query.fromNamed.map((graph) => `FROM NAMED ${graph} `),
  ];
  const dataset = clause.join('');
  switch (query.form) {
    case 'SELECT':
      return writeSelect(query.select, dataset);
    case 'ASK':
      return `ASK ${dataset}${group(query.where)}`;
    case 'CONSTRUCT':
      return `CONSTRUCT { ${query.template.map(writeTriple).join(' ')} } ${dataset}WHERE ${group(query.where)}`;
    default:
      return `DESCRIBE ${query.terms.join(' ')} ${dataset}WHERE ${group(query.where)}`;
  }
}

export function writeSelect(select: Select, dataset = ''): string {
  const columns = select.columns === '*' ? '*' : select.columns.map(writeColumn).join(' ');
  const parts = [`SELECT ${select.distinct ?? ''} ${columns} ${dataset}${group(select.where)}`];
  if (select.groupBy !== undefined) parts.push(`GROUP BY ${select.groupBy.map(writeGroupKey).join(' ')}`);
  if (select.having !== undefined)
    parts.push(`HAVING ${select.having.map((e) => `(${writeExpression(e)})`).join(' ')}`);
  if (select.orderBy !== undefined) parts.push(`ORDER BY ${select.orderBy.map(writeSortKey).join(' ')}`);
  if (select.limit !== undefined) parts.push(`LIMIT ${select.limit}`);
  if (select.offset !== undefined) parts.push(`OFFSET ${select.offset}`);
  return parts.join(' ');
}

const writeColumn = ({ name, value }: Column): string =>
  value === undefined ? name : `(${writeExpression(value)} AS ${name})`;
const writeGroupKey = (column: Column): string => writeColumn(column);
const writeSortKey = ({ value, descending }: SortKey): string =>
  `${descending ? 'DESC' : 'ASC'}(${writeExpression(value)})`;

const group = (parts: readonly Pattern[]): string => `{ ${parts.map(writePattern).join(' ')} }`;
export const writeTriple = ([subject, predicate, object]: Triple): string =>
  `${subject} ${typeof predicate === 'string' ? predicate : writePath(predicate)} ${object} .`;

export function writePattern(pattern: Pattern): string {
  switch (pattern.pattern) {
    case 'triples':
      return pattern.triples.map(writeTriple).join(' ');
    case 'group':
      return group(pattern.where);
    case 'optional':
    case 'minus':
      return `${pattern.pattern.toUpperCase()} ${group(pattern.where)}`;
    case 'graph':
      return `GRAPH ${pattern.graph} ${group(pattern.where)}`;
    case 'union':
      return pattern.branches.map(group).join(' UNION ');
    case 'filter':
      return `FILTER (${writeExpression(pattern.condition)})`;
    case 'bind':
      return `BIND (${writeExpression(pattern.value)} AS ${pattern.as})`;
    case 'values':
      return `VALUES (${pattern.variables.join(' ')}) { ${pattern.rows.map((row) => `(${row.join(' ')})`).join(' ')} }`;
    default:
      return `{ ${writeSelect(pattern.select)} }`;
  }
}

export function writePath(path: Path): string {
  const one = (part: Path): string => (part.path === 'iri' ? part.iri : `(${writePath(part)})`);
  switch (path.path) {
    case 'iri':
      return path.iri;
    case 'inverse':
      return `^${one(path.of)}`;
    case 'star':
      return `${one(path.of)}*`;
    case 'plus':
      return `${one(path.of)}+`;
    case 'maybe':
      return `${one(path.of)}?`;
    case 'sequence':
      return path.parts.map(one).join('/');
    case 'alternative':
      return path.parts.map(one).join('|');
    default:
      return `!(${path.iris.join('|')})`;
  }
}

export function writeExpression(expression: Expression): string {
  const list = (args: readonly Expression[]): string => args.map(writeExpression).join(', ');
  switch (expression.expr) {
    case 'term':
      return expression.term;
    case 'call':
      return `${expression.name}(${list(expression.args)})`;
    case 'infix':
      return `(${writeExpression(expression.left)} ${expression.sign} ${writeExpression(expression.right)})`;
    case 'prefix':
      return `(${expression.sign} ${writeExpression(expression.of)})`;
    case 'in':
      return `(${writeExpression(expression.value)} ${expression.not ? 'NOT IN' : 'IN'} (${list(expression.list)}))`;
    case 'exists':
      return `${expression.not ? 'NOT EXISTS' : 'EXISTS'} ${group(expression.where)}`;
    default: {
      const { name, distinct, of, separator } = expression;
      const value = of === undefined ? '*' : writeExpression(of);
      const end = separator === undefined ? '' : `; SEPARATOR = "${separator}"`;
      return `${name}(${distinct ? 'DISTINCT ' : ''}${value}${end})`;
    }
  }
}

const quads = (parts: readonly GraphTriples[]): string =>
  parts
    .map(({ graph, triples }) => {
      const text = triples.map(writeTriple).join(' ');
      return graph === undefined ? text : `GRAPH ${graph} { ${text} }`;
    })
    .join(' ');

export function writeUpdate(update: Update): string {
  switch (update.update) {
    case 'INSERT DATA':
    case 'DELETE DATA':
    case 'DELETE WHERE':
      return `${update.update} { ${quads(update.quads)} }`;
    case 'modify': {
      const parts = [
        update.with === undefined ? '' : `WITH ${update.with}`,
        update.delete === undefined ? '' : `DELETE { ${quads(update.delete)} }`,
        update.insert === undefined ? '' : `INSERT { ${quads(update.insert)} }`,
        ...update.using.map((graph: TermText) => `USING ${graph}`),
        ...update.usingNamed.map((graph: TermText) => `USING NAMED ${graph}`),
        `WHERE ${group(update.where)}`,
      ];
      return parts.filter((part) => part !== '').join(' ');
    }
    case 'CLEAR':
    case 'DROP':
    case 'CREATE':
      return `${update.update} ${update.silent ? 'SILENT ' : ''}${update.target}`;
    default:
      return `${update.update} ${update.silent ? 'SILENT ' : ''}${update.source} TO ${update.destination}`;
  }
}
