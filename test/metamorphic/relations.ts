/** Queries that have to give the same solutions as another one. */
import type { Row } from '../sparql-random/answers.js';
import type { Chance } from '../sparql-random/chance.js';
import { withoutSlice } from '../sparql-random/check-query.js';
import { writeQuery } from '../sparql-random/write.js';
import { TERMS } from '../sparql-random/data.js';
import type { Expression, Pattern, Query, TermText, Triple } from '../sparql-random/syntax.js';

type Select = Query & { readonly form: 'SELECT' };

export interface Relation {
  readonly name: string;
  of(query: Select, chance: Chance): Select;
  /** How the row of the given query is named that is the same as one of this query. */
  back?(row: Row): Row;
}

/** A query in which something stands for terms. */
export interface Parametrised {
  readonly query: Select;
  /** The terms that numbers 0, 1, … stand for. */
  readonly terms: readonly TermText[];
}

/** The query with other texts in the places of some of its IRIs and strings in triples. */
export function parametrised(query: Select, chance: Chance, nameOf: (number: number) => TermText): Parametrised {
  const terms: TermText[] = [];
  const replaced = <T>(term: T): T | TermText => {
    if (typeof term !== 'string' || !/^(?:ex:|")/.test(term) || chance.below(2) === 0) return term;
    return nameOf(terms.push(term) - 1);
  };
  const where = mapTriples(query.select.where, (triples) => [
    { pattern: 'triples', triples: triples.map((triple) => triple.map(replaced) as unknown as Triple) },
  ]);
  return { query: withWhere(query, where), terms };
}

/** The same query with other names of its variables. All texts of a tree but separators are terms or names of members. */
function renamed<T>(node: T): T {
  if (typeof node === 'string') {
    const isTerm = node.startsWith('?') || node.startsWith('<<(');
    return (isTerm ? node.replaceAll('?', `?${RENAMED}`) : node) as T;
  }
  if (Array.isArray(node)) return node.map(renamed) as T;
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node).map(([key, value]) => [key, key === 'separator' ? value : renamed(value)]);
  return Object.fromEntries(entries) as T;
}

/** So that they are sorted otherwise, too. */
const RENAMED = 'a_0';

function shuffled<T>(items: readonly T[], chance: Chance): T[] {
  const out = [...items];
  for (let i = out.length - 1; i > 0; i--) {
    const j = chance.below(i + 1);
    [out[i], out[j]] = [out[j]!, out[i]!];
  }
  return out;
}

/** Rewrites the triples of all groups but those of EXISTS. */
function mapTriples(where: readonly Pattern[], map: (triples: readonly Triple[]) => Pattern[]): Pattern[] {
  const inside = (patterns: readonly Pattern[]): Pattern[] => mapTriples(patterns, map);
  return where.flatMap((pattern): Pattern[] => {
    switch (pattern.pattern) {
      case 'triples':
        return map(pattern.triples);
      case 'union':
        return [{ ...pattern, branches: pattern.branches.map(inside) }];
      case 'group':
      case 'optional':
      case 'minus':
      case 'graph':
        return [{ ...pattern, where: inside(pattern.where) }];
      case 'select':
        return [{ ...pattern, select: { ...pattern.select, where: inside(pattern.select.where) } }];
      default:
        return [pattern];
    }
  });
}

const withWhere = (query: Select, where: readonly Pattern[]): Select => ({
  ...query,
  select: { ...query.select, where },
});

/** Blank nodes join patterns of one group only. */
const hasBlanks = (triples: readonly Triple[]): boolean => JSON.stringify(triples).includes('_:');

/** The query with new variables in some places of its triples. Filters say that they are the terms that stood there. */
function equalTerms(
  query: Select,
  chance: Chance,
  isChosen: (term: string) => boolean,
  sign: '=' | 'sameTerm',
): Select {
  let count = 0;
  // The new variables may tell solutions apart that differ in nothing else.
  if (/DISTINCT\s+\*/.test(writeQuery(query))) return query;
  return withWhere(
    query,
    mapTriples(query.select.where, (triples) => {
      if (hasBlanks(triples)) return [{ pattern: 'triples', triples }];
      const filters: Pattern[] = [];
      // A variable has to stand in a triple still.
      const kept = new Set<string>();
      const replaced = <T>(term: T): T | TermText => {
        if (typeof term !== 'string' || !isChosen(term)) return term;
        if (term.startsWith('?') && !kept.has(term)) {
          kept.add(term);
          return term;
        }
        if (chance.below(2) === 0) return term;
        const name = `?${EQUAL}${count++}`;
        const [left, right] = [term, name].map((each): Expression => ({ expr: 'term', term: each }));
        filters.push({
          pattern: 'filter',
          condition:
            sign === '='
              ? { expr: 'infix', sign, left: left!, right: right! }
              : { expr: 'call', name: sign, args: [left!, right!] },
        });
        return name;
      };
      // A path of length zero joins a term with itself, and a variable only with nodes of the graph.
      const own = triples.map((triple) =>
        typeof triple[1] === 'string' ? (triple.map(replaced) as unknown as Triple) : triple,
      );
      return filters.length === 0
        ? [{ pattern: 'triples', triples }]
        : [{ pattern: 'group', where: [{ pattern: 'triples', triples: own }, ...filters] }];
    }),
  );
}

/** `SELECT *` has them too. */
const EQUAL = 'equal_';
const withoutEqual = (row: Row): Row =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !name.startsWith(EQUAL)));

/** Each `GRAPH ?g` of the query as a union over the graphs that the request has. */
function graphByGraph(query: Select): Select {
  const listed = query.from.length + query.fromNamed.length > 0 ? [...new Set(query.fromNamed)] : TERMS.graphs;
  const inside = (where: readonly Pattern[]): Pattern[] =>
    where.flatMap((pattern): Pattern[] => {
      switch (pattern.pattern) {
        case 'graph': {
          const own = inside(pattern.where);
          // A label of a blank node may stand in one group only.
          const isOnce = listed.length > 1 && JSON.stringify(own).includes('_:');
          if (!pattern.graph.startsWith('?') || isOnce) return [{ ...pattern, where: own }];
          const branches = listed.map((graph): Pattern[] => [
            { pattern: 'values', variables: [pattern.graph], rows: [[graph]] },
            { pattern: 'graph', graph, where: own },
          ]);
          // Without a graph there is no solution.
          return [
            branches.length === 0
              ? { pattern: 'values', variables: [pattern.graph], rows: [] }
              : { pattern: 'union', branches },
          ];
        }
        case 'union':
          return [{ ...pattern, branches: pattern.branches.map(inside) }];
        case 'group':
        case 'optional':
        case 'minus':
          return [{ ...pattern, where: inside(pattern.where) }];
        case 'select':
          return [{ ...pattern, select: { ...pattern.select, where: inside(pattern.select.where) } }];
        default:
          return [pattern];
      }
    });
  return withWhere(query, inside(query.select.where));
}

/** The query, or for some its patterns or itself as a sub-select in `GRAPH ?graph_`. */
export function perhapsInGraph(query: Query, chance: Chance): Query {
  if (query.form !== 'SELECT' || chance.below(3) > 0) return query;
  const { select } = withoutSlice(query) as Select;
  const where: readonly Pattern[] = chance.below(2) === 0 ? select.where : [{ pattern: 'select', select }];
  return { ...query, select: { columns: '*', where: [{ pattern: 'graph', graph: '?graph_', where }] } };
}

export const RELATIONS: readonly Relation[] = [
  { name: 'one graph after the other', of: graphByGraph },
  {
    name: 'sameTerm in the place of a variable',
    of: (query, chance) => equalTerms(query, chance, (term) => term.startsWith('?'), 'sameTerm'),
    back: withoutEqual,
  },
  {
    name: '= in the place of an IRI or a text',
    of: (query, chance) => equalTerms(query, chance, (term) => /^(?:ex:|".*"(?:$|@))/.test(term), '='),
    back: withoutEqual,
  },
  {
    name: 'patterns in another order',
    of: (query, chance) =>
      withWhere(
        query,
        mapTriples(query.select.where, (triples) => [{ pattern: 'triples', triples: shuffled(triples, chance) }]),
      ),
  },
  {
    name: 'a group for each pattern',
    of: (query) =>
      withWhere(
        query,
        mapTriples(query.select.where, (triples) =>
          hasBlanks(triples)
            ? [{ pattern: 'triples', triples }]
            : triples.map((triple) => ({ pattern: 'group', where: [{ pattern: 'triples', triples: [triple] }] })),
        ),
      ),
  },
  {
    name: 'a sub-select with a LIMIT that drops nothing',
    of: (query) =>
      withWhere(query, [
        { pattern: 'select', select: { columns: '*', where: query.select.where, limit: 1_000_000_000 } },
      ]),
  },
  {
    name: 'other names of variables',
    of: renamed,
    back: (row) => Object.fromEntries(Object.entries(row).map(([name, term]) => [name.slice(RENAMED.length), term])),
  },
  {
    name: 'a group around all',
    of: (query) => withWhere(query, [{ pattern: 'group', where: query.select.where }]),
  },
];
