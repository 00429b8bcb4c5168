/** Where Oxigraph differs from the specification, or cannot be compared: each with its reason. */
import type { QuadText } from './data.js';
import { countsSolutions, namesNoGraph } from './analysis.js';
import type { Query } from './syntax.js';

/** Texts that Oxigraph stores as others, because it keeps values of numbers, and what stands for them. */
const OTHER_TEXTS: readonly (readonly [RegExp, string])[] = [
  [/\\"(?:01|100000000000000000000)\\"(?=\^\^)/g, '\\"7\\"'],
  [/\\"1\\"(?=\^\^<[^>]*#boolean>)/g, '\\"true\\"'],
  [/\\"(?:2\.0|2\.50)\\"(?=\^\^<[^>]*#decimal>)/g, '\\"1.5\\"'],
  [/\\"(?:1\.0e0|2\.5E0|INF)\\"\^\^<[^>]*#double>/g, '\\"1.5\\"^^xsd:decimal'],
  [/\\"(\d)\\"\^\^<[^>]*#(?:float|int)>/g, '\\"$1\\"^^xsd:integer'],
];
const isOther = (text: string): boolean => OTHER_TEXTS.some(([pattern]) => JSON.stringify(text).search(pattern) >= 0);

/** The quads that Oxigraph stores as they are. */
export const plainData = (data: readonly QuadText[]): QuadText[] => data.filter((quad) => !quad.some(isOther));

/** A query with terms that Oxigraph keeps as they are. */
export function plain(query: Query): Query {
  let text = JSON.stringify(query);
  for (const [pattern, other] of OTHER_TEXTS) text = text.replace(pattern, other);
  return JSON.parse(text) as Query;
}

interface Known {
  readonly name: string;
  readonly reason: string;
  readonly applies: (json: string, query: Query, data: readonly QuadText[]) => boolean;
}

/** All groups in the query that begin with GRAPH and a variable, as JSON, with the name of the variable. */
function inVariableGraphs(json: string, test: (inside: string, variable: string) => boolean): boolean {
  let found = false;
  JSON.parse(json, (_, value: { pattern?: string; graph?: string; where?: unknown } | null) => {
    if (value?.pattern === 'graph' && value.graph?.startsWith('?') === true)
      found ||= test(JSON.stringify(value.where), value.graph);
    return value;
  });
  return found;
}

const KNOWN: readonly Known[] = [
  {
    name: 'NOW',
    reason: 'Oxigraph takes the clock of the machine',
    applies: (json) => json.includes('"NOW"'),
  },
  {
    name: 'DESCRIBE',
    reason: 'what describes a resource is left to each engine (16.4)',
    applies: (_, { form }) => form === 'DESCRIBE',
  },
  {
    name: 'a graph named twice by FROM, or several graphs',
    reason: 'the default graph is a merge, a set of triples (13.2.1); Oxigraph finds each of them twice',
    applies: (_, { from, fromNamed }) => from.length > 1 || fromNamed.length > 1,
  },
  {
    name: 'an alternative of paths',
    reason: 'an alternative is a union, which keeps rows that both have (18.4); Oxigraph leaves them out in many paths',
    applies: (json) => json.includes('"path":"alternative"') || /"path":"not","iris":\[[^\]]*"\^/.test(json),
  },
  {
    name: 'GRAPH with the name of no graph',
    reason:
      'it has no solution (18.6), also where the group inside needs no quad: VALUES, for example; Oxigraph takes the graph for an empty one',
    applies: (_, query, data) => namesNoGraph(query, data),
  },
  {
    name: 'MINUS in GRAPH with a variable',
    reason: 'the variable is joined after the group (18.6), so it is in no domain; Oxigraph has it in both',
    applies: (json) => inVariableGraphs(json, (inside) => inside.includes('"pattern":"minus"')),
  },
  {
    name: 'the variable of its own GRAPH',
    reason:
      'the variable is joined after the group (18.6), with the names of graphs that there are; Oxigraph binds it first',
    applies: (json) => inVariableGraphs(json, (inside, variable) => inside.includes(`"${variable}"`)),
  },
  {
    name: 'a sub-select in GRAPH with a variable',
    reason:
      'it is evaluated in the graph of the variable (18.6); Oxigraph takes each graph where the variable is not selected',
    applies: (json) => inVariableGraphs(json, (inside) => inside.includes('"pattern":"select"')),
  },
  {
    name: 'MINUS or a sub-select in EXISTS',
    reason:
      'what substitution means for the domains that MINUS compares, and in a scope of its own, the specification leaves open',
    applies: (json) => json.includes('"exists"') && /"pattern":"(?:minus|select)"/.test(json),
  },
  {
    name: 'BNODE of a text',
    reason: 'the same text gives the same blank node in one solution alone (17.4.2.9)',
    applies: (json) => json.includes('"BNODE","args":[{'),
  },
  {
    name: 'MIN and MAX of any terms',
    reason: 'they go by the order of ORDER BY (18.5.1.5), which leaves much of it open',
    applies: (json) => /"name":"M(?:IN|AX)","distinct":(?:true|false),"of":\{"expr":"term"/.test(json),
  },
  {
    name: 'GRAPH within GRAPH',
    reason: 'the outer variable has each name of a graph (18.6); Oxigraph leaves it unbound',
    applies: (json) => inVariableGraphs(json, (inside) => inside.includes('"pattern":"graph"')),
  },
  {
    name: 'aggregates without GROUP BY',
    reason:
      'there is one group, also of no data (18.5.1); where it sees from the query that there are none, Oxigraph has no group',
    applies: (json) => json.includes('"aggregate"') && /"having"|"pattern":"filter"/.test(json),
  },
  {
    name: 'COUNT(DISTINCT *) over blank nodes or steps of a path',
    reason:
      'solutions map the variables of the request alone (18.3.1); Oxigraph counts what stands for blank nodes, too, and Comunica does not',
    applies: countsSolutions,
  },
  {
    name: 'COUNT of an expression',
    reason: 'COUNT leaves errors out (18.5.1.2); in Oxigraph it is an error',
    applies: (json) => /"aggregate","name":"COUNT","distinct":(?:true|false),"of":\{"expr":"(?!term)/.test(json),
  },
  {
    name: 'a product or quotient of a duration',
    reason:
      'the difference of two times is a duration, which XPath multiplies and divides (F&O 8.4); in Oxigraph and Comunica that is an error',
    applies: (json) => /"sign":"[*/]"/.test(json) && json.includes('"infix","sign":"-"'),
  },
  {
    name: 'a comparison of a term with itself',
    reason: 'of terms without an order that is an error (17.3.1); Oxigraph takes it for true',
    applies: (json) => /"infix","sign":"[<>]?=","left":(\{"expr":"term","term":"\?\w+"\}),"right":\1/.test(json),
  },
];

/** Why Oxigraph is not asked about a query. */
export function knownOxigraph(query: Query, data: readonly QuadText[]): string | undefined {
  const json = JSON.stringify(query);
  return KNOWN.find(({ applies }) => applies(json, query, data))?.name;
}

/** Errors by which Oxigraph says that it cannot do something. */
const REFUSALS: readonly (readonly [message: RegExp, name: string])[] = [
  [/unreachable/, 'Oxigraph panics'],
  [/not a valid RDF 1.2 term/, 'Oxigraph refuses a triple term'],
];

export const knownOxigraphRefusal = (message: string): string | undefined =>
  REFUSALS.find(([pattern]) => pattern.test(message))?.[1];
