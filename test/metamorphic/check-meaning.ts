/**
 * What a specification says of one construct, in terms of others: EXISTS holds for a solution exactly if its pattern has one when each
 * of its groups begins with the values of the solution; and a volatile function is evaluated once for each solution.
 */
import { termToText } from '@quadrille/model';
import type { ReadView } from 'quadrille';
import { type Row, OPTIONS } from '../sparql-random/answers.js';
import type { Chance } from '../sparql-random/chance.js';
import { TOO_LARGE } from '../sparql-random/check-query.js';
import { PREFIXES } from '../sparql-random/data.js';
import { call, type Expression, infix, type Pattern, type Query, termOf } from '../sparql-random/syntax.js';
import { writeExpression, writePattern, writeQuery } from '../sparql-random/write.js';

const MOST_ROWS = 600;
/** Each row of which EXISTS is asked takes a query of its own. */
const ROWS_ASKED = 4;
const VARIES = /\b(?:RAND|UUID|STRUUID|BNODE|NOW|SAMPLE|GROUP_CONCAT|LIMIT|OFFSET|REDUCED)\b/i;
const PROLOGUE = Object.entries(PREFIXES)
  .map(([name, iri]) => `PREFIX ${name}: <${iri}>\n`)
  .join('');

type View = Pick<ReadView, 'select' | 'ask'>;
type Select = Query & { readonly form: 'SELECT' };

const isUsable = (query: Query): query is Select =>
  query.form === 'SELECT' && query.from.length + query.fromNamed.length === 0 && !VARIES.test(writeQuery(query));

const text = (where: readonly Pattern[]): string => where.map(writePattern).join(' ');

/** What comes of a request; `undefined` where it is too large, or where VALUES may not stand in its groups. */
async function unlessRefused<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    const { code = '' } = error as { code?: string };
    if (TOO_LARGE.has(code) || code === 'SPARQL_SYNTAX') return undefined;
    throw error;
  }
}

async function rowsOf(view: View, query: string): Promise<readonly Row[] | undefined> {
  const rows: Row[] = [];
  const read = async (): Promise<readonly Row[]> => {
    const options = { timeoutMs: OPTIONS.timeoutMs, maxRows: MOST_ROWS };
    for await (const row of view.select(`BASE <${OPTIONS.baseIRI}>\n${PROLOGUE}${query}`, options))
      rows.push(row as unknown as Row);
    return rows;
  };
  return unlessRefused(read());
}

/** The names of queries that do not mean what the specification says. */
export async function checkMeaning(view: View, queries: readonly Query[], chance: Chance): Promise<string[]> {
  const wrong: string[] = [];
  const usable = queries.filter(isUsable);
  for (const outer of usable) {
    const inner = chance.among(usable);
    wrong.push(...(await checkExistence(view, outer, inner, chance)), ...(await checkVolatile(view, outer, inner)));
  }
  return wrong;
}

async function checkExistence(view: View, outer: Select, inner: Select, chance: Chance): Promise<string[]> {
  const wrong: string[] = [];
  for (const where of patternsOf(outer.select.where, inner.select.where, chance))
    wrong.push(...(await checkPattern(view, outer, where, chance)));
  return wrong;
}

/** Patterns of EXISTS that have something in common with the solutions for which they are asked. */
function patternsOf(own: readonly Pattern[], other: readonly Pattern[], chance: Chance): (readonly Pattern[])[] {
  const variables = [...new Set(text(own).match(/\?\w+/g))];
  const hidden = variables.length === 0 ? [] : [{ name: chance.among(variables) }];
  const count: Expression = { expr: 'aggregate', name: 'COUNT', distinct: false };
  const many = infix(count, '>', termOf(String(chance.below(3))));
  return [
    own,
    other,
    [...own, { pattern: 'minus', where: other }],
    [{ pattern: 'select', select: { columns: hidden.length === 0 ? '*' : hidden, where: own } }],
    [{ pattern: 'select', select: { columns: [{ name: '?count_', value: count }], where: own, having: [many] } }],
  ];
}

async function checkPattern(view: View, outer: Select, where: readonly Pattern[], chance: Chance): Promise<string[]> {
  const exists = writeExpression({ expr: 'exists', not: false, where });
  const query = `SELECT * { ${text(outer.select.where)} BIND(${exists} AS ?exists_) }`;
  const rows = await rowsOf(view, query);
  const wrong: string[] = [];
  for (const { exists_, ...row } of chance.shuffled(rows ?? []).slice(0, ROWS_ASKED)) {
    // VALUES has no blank nodes.
    if (Object.values(row).some((term) => /_:/.test(termToText(term)))) continue;
    const asked = `ASK { ${text(withValues(where, row))} }`;
    const options = { timeoutMs: OPTIONS.timeoutMs };
    const holds = await unlessRefused(view.ask(`BASE <${OPTIONS.baseIRI}>\n${PROLOGUE}${asked}`, options));
    if (holds !== undefined && String(holds) !== exists_!.value) wrong.push(`${query}\nas\n${asked}`);
  }
  return wrong;
}

/** Each group of a pattern begins with the row. */
function withValues(where: readonly Pattern[], row: Row): Pattern[] {
  const names = Object.keys(row);
  const inside = (patterns: readonly Pattern[]): Pattern[] => withValues(patterns, row);
  const parts = where.map((pattern): Pattern => {
    switch (pattern.pattern) {
      case 'group':
      case 'optional':
      case 'minus':
      case 'graph':
        return { ...pattern, where: inside(pattern.where) };
      case 'union':
        return { ...pattern, branches: pattern.branches.map(inside) };
      case 'select':
        return { ...pattern, select: { ...pattern.select, where: inside(pattern.select.where) } };
      default:
        return pattern;
    }
  });
  if (names.length === 0) return parts;
  const values = names.map((name) => termToText(row[name]!));
  return [{ pattern: 'values', variables: names.map((name) => `?${name}`), rows: [values] }, ...parts];
}

async function checkVolatile(view: View, outer: Select, inner: Select): Promise<string[]> {
  const solutions = await rowsOf(view, `SELECT * { ${text(inner.select.where)} }`);
  if (solutions === undefined) return [];
  const columns = [...new Set(solutions.flatMap(Object.keys))].map((name) => ({ name: `?${name}` }));
  const wrong: string[] = [];
  for (const word of ['', 'OPTIONAL']) {
    const ask = (value: Expression): string => {
      const select = { columns: [...columns, { name: '?drawn_', value }], where: inner.select.where };
      return `SELECT * { ${text(outer.select.where)} ${word} { ${writePattern({ pattern: 'select', select })} } }`;
    };
    const [drawn, constant] = [await rowsOf(view, ask(call('STRUUID'))), await rowsOf(view, ask(termOf('""')))];
    if (drawn === undefined || constant === undefined) continue;
    const values = new Set(drawn.flatMap(({ drawn_ }) => (drawn_ === undefined ? [] : [drawn_.value])));
    if (drawn.length !== constant.length || values.size > solutions.length) wrong.push(ask(call('STRUUID')));
  }
  return wrong;
}
