/** What is not compared with Comunica, and why. The evaluator in id space is compared with itself all the same. */
import {
  certainVariables,
  findExpression,
  findPattern,
  hasStrayFilter,
  joinsSingleRow,
  joinsUnboundOfSelect,
  joinsUnboundOfUnion,
  mayBeTriple,
  mayFail,
  mixesTypes,
  namesNoGraph,
  ordersStrings,
  type Found,
} from './analysis.js';
import { isTripleTerm, type QuadText } from './data.js';
import { isVariable, termOf, type Query, type Select, type Update } from './syntax.js';

interface Known {
  readonly name: string;
  /** Who is right, by which rule. */
  readonly reason: string;
  applies(query: Query, data: readonly QuadText[]): boolean;
}

const inAggregate = (
  query: Query,
  test: (found: Found & { expr: 'aggregate' }, certain: Set<string>) => boolean,
): boolean =>
  findExpression(query, (expression, { select }) => {
    if (expression.expr !== 'aggregate' || select === undefined) return false;
    return test(expression as never, certainVariables(select.where));
  });

/** The data, where the default graph of a query is that of the store. */
const inDefaultGraph = ({ from, fromNamed }: Query, data: readonly QuadText[]): readonly QuadText[] =>
  from.length + fromNamed.length > 0 ? [] : data;

/** Whether something has an alternative path and a property that the default graph does not have. */
function hasOpenAlternative(part: unknown, data: readonly QuadText[]): boolean {
  const text = JSON.stringify(part);
  if (!text.includes('"alternative"')) return false;
  const found = new Set(data.filter(([, , , graph]) => graph === '').map(([, predicate]) => predicate));
  return [...text.matchAll(/"path":"iri","iri":"(ex:\w+)"/g)].some(([, iri]) => !found.has(iri!));
}

const EMPTY_TEXT = JSON.stringify('""').slice(1, -1);
const REPEATS = /"path":"(?:star|plus|maybe)"/;
const NUMERIC_CASTS = new Set(['xsd:integer', 'xsd:decimal', 'xsd:double', 'xsd:float']);
const ON_ILL_FORMED = new Set(['DATATYPE', 'isNUMERIC', 'LANG', 'LANGDIR']);
const STR_BEFORE = new Set(['STRBEFORE']);
const firstArgument = (expression: Found): string =>
  expression.expr === 'call' ? JSON.stringify(expression.args[0]) : '';
const TO_TEXT = new Set(['STR', 'xsd:string']);
const isCall = (expression: Found, names: ReadonlySet<string>): boolean =>
  expression.expr === 'call' && names.has(expression.name);

/** Whether two literals of numbers or times are equal and not the same. */
function hasEqualValues(json: string): boolean {
  const literals = new Set([...json.matchAll(/\\"([^"\\]+)\\"\^\^<[^>]*#\w+>/g)].map(([literal]) => literal));
  const values = [...literals].map((literal) => {
    const lexical = literal.split('"')[1]!.slice(0, -1);
    return Number.isNaN(Number(lexical)) ? Date.parse(lexical) : Number(lexical);
  });
  return values.some((value, i) => values.indexOf(value) < i && !Number.isNaN(value));
}

export const KNOWN: readonly Known[] = [
  {
    name: 'an aggregate over errors',
    reason:
      'SUM of what has an error in it is an error, COUNT leaves errors out (18.5.1); Comunica leaves unbound variables out everywhere, and other errors nowhere',
    applies: (query) =>
      inAggregate(
        query,
        ({ name, of }, certain) => of !== undefined && mayFail(of, certain) && (name !== 'COUNT' || of.expr !== 'term'),
      ),
  },
  {
    name: 'MIN and MAX of terms that are not numbers',
    reason: 'they go by the order of ORDER BY (18.5.1.5), which has IRIs and blank nodes; Comunica gives no value',
    applies: (query) => inAggregate(query, ({ name, of }) => (name === 'MIN' || name === 'MAX') && of?.expr === 'term'),
  },
  {
    name: 'SUM of an ill-formed number',
    reason: 'that is an error (18.5.1.2); Comunica gives a single value as it is',
    applies: (query, data) =>
      inAggregate(query, ({ name }) => name === 'SUM' || name === 'AVG') &&
      JSON.stringify([query, data]).includes('abc'),
  },
  {
    name: 'MIN and MAX of equal values',
    reason: 'which of them is given is left open (18.5.1.5): 2 or 2.0, for example',
    applies: (query, data) =>
      inAggregate(query, ({ name }) => name === 'MIN' || name === 'MAX') &&
      hasEqualValues(JSON.stringify([query, data])),
  },
  {
    name: 'MIN and MAX with NaN',
    reason: 'where NaN stands in the order of ORDER BY is left open (15.1)',
    applies: (query, data) =>
      inAggregate(query, ({ name }) => name === 'MIN' || name === 'MAX') &&
      JSON.stringify([query, data]).includes('NaN'),
  },
  {
    name: '= between literals of different types',
    reason:
      'values of different known types are unequal (17.4.1.8 of SPARQL 1.2); Comunica has an error, as SPARQL 1.1 does',
    applies: mixesTypes,
  },
  {
    name: 'GRAPH with the name of no graph',
    reason:
      'it has no solution (18.6), also where the group inside needs no quad: VALUES, for example; Comunica takes the graph for an empty one',
    applies: namesNoGraph,
  },
  {
    name: 'an alternative path in GRAPH',
    reason:
      'GRAPH ex:g { ?s ex:p|ex:q ?o } matches in that graph (18.6); Comunica finds nothing where the default graph has no such property',
    applies: (query, data) =>
      findPattern(
        query,
        (pattern) => pattern.pattern === 'graph' && hasOpenAlternative(pattern, inDefaultGraph(query, data)),
      ),
  },
  {
    name: 'a path in GRAPH with =',
    reason:
      'GRAPH ex:g { ?x ^!ex:p ex:b FILTER(?x = ex:a) } matches in that graph (18.6); Comunica puts ex:a in and forgets the graph',
    applies: (query) =>
      findPattern(
        query,
        (pattern) =>
          pattern.pattern === 'graph' && /"path":.*"sign":"="|"sign":"=".*"path":/.test(JSON.stringify(pattern)),
      ),
  },
  {
    name: 'a sub-select in OPTIONAL',
    reason:
      'a variable that it does not select is another one outside (18.2.1); Comunica puts the value from outside in',
    applies: (query) =>
      findPattern(
        query,
        (pattern) => pattern.pattern === 'optional' && JSON.stringify(pattern).includes('"pattern":"select"'),
      ),
  },
  {
    name: 'FILTER with = on a variable that may be unbound',
    reason:
      'that is an error, which drops the row (17.2); in branches of a UNION without the variable Comunica lets all rows through, and of VALUES it drops UNDEF',
    applies: (query) => hasStrayFilter(query),
  },
  {
    name: 'STRBEFORE of a string with a language',
    reason:
      'where nothing stands before the match, that is "" with the language (17.4.3.9); Comunica leaves the language out',
    applies: (query) =>
      findExpression(
        query,
        (expression) =>
          isCall(expression, STR_BEFORE) && !firstArgument(expression).startsWith('{"expr":"call","name":"STR"'),
      ),
  },
  {
    name: 'OPTIONAL and a UNION that does not bind a variable in all branches',
    reason: 'an unbound variable is compatible with every value (18.3); Comunica loses such rows',
    applies: joinsUnboundOfUnion,
  },
  {
    name: 'a sub-select that may leave a variable unbound which others have',
    reason: 'an unbound variable is compatible with every value (18.3); Comunica loses such rows',
    applies: joinsUnboundOfSelect,
  },
  {
    name: 'a sub-select with aggregates and no GROUP BY, joined with others',
    reason: 'it has one row, also of no data (18.5.1); Comunica takes a join with something of no data for empty',
    applies: joinsSingleRow,
  },
  {
    name: 'GROUP_CONCAT of a variable',
    reason: 'a blank node has no text, which is an error (18.5.1.7); Comunica takes its label',
    applies: (query) => inAggregate(query, ({ name, of }) => name === 'GROUP_CONCAT' && of?.expr === 'term'),
  },
  {
    name: 'AVG of large integers',
    reason: 'integers have no limit; Comunica writes 1e+40 as the decimal 1e+4.0',
    applies: (query, data) =>
      inAggregate(query, ({ name }) => name === 'AVG') &&
      JSON.stringify([query, data]).includes('100000000000000000000'),
  },
  {
    name: 'GROUP BY variables that may be unbound',
    reason:
      'an unbound key is another one than every value (18.5); Comunica puts (unbound, x) and (x, unbound) into one group',
    applies: (query) => {
      const hasOpenKeys = ({ groupBy = [], where }: Select): boolean => {
        const certain = certainVariables(where);
        return groupBy.length > 1 && groupBy.some(({ name, value = termOf(name) }) => mayFail(value, certain));
      };
      if (query.form === 'SELECT' && hasOpenKeys(query.select)) return true;
      return findPattern(query, (pattern) => pattern.pattern === 'select' && hasOpenKeys(pattern.select));
    },
  },
  {
    name: 'OFFSET in a sub-select',
    reason:
      'it leaves out so many rows, once (18.5); Comunica finds no row at all where the rest of the group shares no variable',
    applies: (query) =>
      findPattern(query, (pattern) => pattern.pattern === 'select' && pattern.select.offset !== undefined),
  },
  {
    name: 'an alternative below +, * or ?',
    reason:
      'a path of length zero needs no data (18.4); where an alternative is not in the data, Comunica finds nothing or refuses',
    applies: (query, data) =>
      findPattern(
        query,
        (pattern) =>
          pattern.pattern === 'triples' &&
          pattern.triples.some(
            ([, path]) => REPEATS.test(JSON.stringify(path)) && hasOpenAlternative(path, inDefaultGraph(query, data)),
          ),
      ),
  },
  {
    name: 'a decimal divided by zero',
    reason: 'that is an error (op:numeric-divide in 17.3); Comunica gives the ill-formed literal "INF.0"',
    applies: (query) =>
      findExpression(
        query,
        (expression) =>
          expression.expr === 'infix' &&
          expression.sign === '/' &&
          expression.right.expr === 'term' &&
          expression.right.term === '0',
      ),
  },
  {
    name: 'a number from an empty text',
    reason: 'the empty text is in no lexical space of a number (XSD 1.1, 3.3); Comunica makes a number of it',
    applies: (query, data) =>
      findExpression(query, (expression) => isCall(expression, NUMERIC_CASTS)) &&
      JSON.stringify([query, data]).includes(EMPTY_TEXT),
  },
  {
    name: '< between strings',
    reason: 'strings go by code points (fn:compare in 17.3); Comunica compares them as the locale does',
    applies: ordersStrings,
  },
  {
    name: 'DATATYPE, LANG and isNUMERIC of an ill-formed literal',
    reason: 'its datatype is what it is (17.4.2), it has no language and is no number; Comunica has an error',
    applies: (query, data) =>
      findExpression(query, (expression) => isCall(expression, ON_ILL_FORMED)) &&
      /"(?:abc|2020-13-01)\\"\^\^/.test(JSON.stringify([query, data])),
  },
  {
    name: 'ENCODE_FOR_URI',
    reason: 'it encodes all but unreserved characters (17.4.3.11); Comunica leaves those with a meaning in an IRI',
    applies: (query) => findExpression(query, (expression) => isCall(expression, new Set(['ENCODE_FOR_URI']))),
  },
  {
    name: 'FILTER on the variable of its own GRAPH',
    reason:
      'the variable is joined after the group was evaluated (18.6, Graph): there it is unbound; to Comunica it is not',
    applies: (query) =>
      findPattern(
        query,
        (pattern) =>
          pattern.pattern === 'graph' &&
          isVariable(pattern.graph) &&
          JSON.stringify(pattern.where).includes(`"term":"${pattern.graph}"`),
      ),
  },
  {
    name: 'STR of a triple term',
    reason: 'there is none (17.4.2.6 takes literals and IRIs); Comunica gives a text for people',
    applies: (query, data) =>
      data.some(([, , object]) => isTripleTerm(object)) &&
      findExpression(query, (expression) => {
        if (expression.expr !== 'call' || !TO_TEXT.has(expression.name)) return false;
        const [of] = expression.args;
        if (of?.expr === 'term') return mayBeTriple(query, of.term);
        return /"(?:TRIPLE|SUBJECT|OBJECT|COALESCE|IF)"/.test(JSON.stringify(of));
      }),
  },
  {
    name: 'a path with + or * from a variable to itself',
    reason: '?x ex:p+ ?x has the nodes of cycles as its solutions (18.4); Comunica finds none',
    applies: (query) =>
      findPattern(
        query,
        (pattern) =>
          pattern.pattern === 'triples' &&
          pattern.triples.some(
            ([s, path, o]) => typeof path !== 'string' && s === o && REPEATS.test(JSON.stringify(path)),
          ),
      ),
  },
  {
    name: 'the order of times without a zone',
    reason: 'within 14 hours they are not comparable (XSD 1.1, 3.3.7.4); Comunica takes the zone of the machine',
    applies: (query) =>
      findExpression(
        query,
        (expression) =>
          expression.expr === 'infix' && /[<>]/.test(expression.sign) && /xsd:date/.test(JSON.stringify(expression)),
      ),
  },
  {
    name: 'MINUS or a sub-select in EXISTS',
    reason:
      'what substitution means for the domains that MINUS compares, and in a scope of its own, the specification leaves open',
    applies: (query) =>
      findExpression(
        query,
        (expression) => expression.expr === 'exists' && /"pattern":"(?:minus|select)"/.test(JSON.stringify(expression)),
      ),
  },
  {
    name: '+ or * in GRAPH with a variable',
    reason: 'Comunica loses the graph of the variable: GRAPH ?g { ex:a ex:p+ ?x FILTER(?x = ex:b) } finds nothing',
    applies: (query) =>
      findPattern(
        query,
        (pattern) =>
          pattern.pattern === 'graph' && pattern.graph.startsWith('?') && REPEATS.test(JSON.stringify(pattern)),
      ),
  },
  {
    name: 'BNODE in a nested group',
    reason:
      'a group that is joined with others is evaluated once (18.2.2); Comunica makes a new blank node for each joined row',
    applies: (query) =>
      findPattern(query, (pattern) => pattern.pattern === 'bind' && JSON.stringify(pattern).includes('"BNODE"')),
  },
];

/** Why Comunica is not asked about a query. */
export const knownDifference = (query: Query, data: readonly QuadText[]): string | undefined =>
  KNOWN.find(({ applies }) => applies(query, data))?.name;

/** Errors by which Comunica says that it cannot do something. */
const REFUSALS: readonly (readonly [message: RegExp, name: string])[] = [
  [/none of the configured actors were able to handle the join type optional/, 'Comunica cannot join this OPTIONAL'],
  [/Attempted to assign zero sources/, 'Comunica refuses a path over properties that are not in the data'],
];

export const knownRefusal = (message: string): string | undefined =>
  REFUSALS.find(([pattern]) => pattern.test(message))?.[1];

export function knownUpdateDifference(updates: readonly Update[], data: readonly QuadText[]): string | undefined {
  for (const update of updates) {
    if (update.update !== 'modify') continue;
    // The default graph of the pattern is another one, also after the operations before it.
    const isSame = updates.length === 1 && update.with === undefined;
    const from = isSame ? update.using : ['ex:other'];
    const known = knownDifference({ form: 'ASK', from, fromNamed: update.usingNamed, where: update.where }, data);
    if (known !== undefined) return known;
    if (!isSame && JSON.stringify(update.where).includes('"alternative"')) return PATH_WITH_GRAPH;
  }
  return undefined;
}

// WITH ex:g INSERT { ?s ex:p ?o } WHERE { ?s ex:q|ex:r ?o }: the graph is the default graph of the pattern (Update, 3.1.3).
const PATH_WITH_GRAPH = 'an alternative path in an operation WITH a graph, where Comunica finds nothing';
